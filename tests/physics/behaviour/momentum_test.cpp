// What collisions pass on: Newton's cradle, and the momentum of bodies that nothing outside touches.
#include "tests/physics/world/world_builder.h"

#include <cmath>
#include <utility>
#include <vector>

namespace cairn::physics::testing {
namespace {

// Five equal balls in a row, of which the first `moving` fly in; velocities along the row afterwards.
std::vector<float> cradle(int count, float gap, int moving, float restitution) {
    Settings settings;
    settings.gravity = Vec3(0);
    World world(settings);
    std::vector<BodyId> balls;
    for (int i = 0; i < count; ++i) {
        const bool flies = i < moving;
        BodyDef def = make_body(Sphere{0.5f}, Vec3((1.0f + gap) * static_cast<float>(i) - (flies ? 1.0f : 0.0f), 0, 0));
        def.linear_velocity = Vec3(flies ? 3.0f : 0.0f, 0, 0);
        def.material.restitution = restitution;
        def.material.friction = 0.0f;
        balls.push_back(add(world, def));
    }
    run(world, 90);
    std::vector<float> speeds;
    for (const BodyId ball : balls) {
        speeds.push_back(state_of(world, ball).linear_velocity.x);
    }
    return speeds;
}

TEST(Cradle, PassesOnAsManyBallsAsCameIn) {
    for (const int count : {5, 10}) {
        for (const float gap : {0.0f, 0.001f, 0.05f}) {
            for (const int moving : {1, 2, 3}) {
                const std::vector<float> speeds = cradle(count, gap, moving, 1.0f);
                for (int i = 0; i < count; ++i) {
                    EXPECT_NEAR(speeds[static_cast<std::size_t>(i)], i >= count - moving ? 3.0f : 0.0f, 0.03f)
                        << "ball " << i << " of " << count << " with gaps of " << gap << " m, " << moving
                        << " flying in";
                }
            }
        }
    }
}

// An impact at the very end of a substep belongs to it, and so does one that rounding puts just behind it: seen by
// neither substep, it would be taken for rest.
TEST(Cradle, ImpactsBetweenTwoSubstepsAreAnswered) {
    constexpr float way = 3.0f / 240.0f; // m, in a substep
    for (int substeps = 1; substeps <= 6; ++substeps) {
        for (int ulps = -40; ulps <= 40; ++ulps) {
            Settings settings;
            settings.gravity = Vec3(0);
            World world(settings);
            const float gap = way * static_cast<float>(substeps) * (1.0f + 3e-8f * static_cast<float>(ulps));
            BodyDef def = make_body(Sphere{0.5f}, Vec3(-1.0f - gap, 0, 0));
            def.material = {0.0f, 1.0f, 0.0f};
            def.linear_velocity = Vec3(3, 0, 0);
            const BodyId first = add(world, def);
            def.pose.position = Vec3(0);
            def.linear_velocity = Vec3(0);
            const BodyId second = add(world, def);
            run(world, 6);
            EXPECT_NEAR(state_of(world, first).linear_velocity.x, 0.0f, 1e-3f) << substeps << " " << ulps;
            EXPECT_NEAR(state_of(world, second).linear_velocity.x, 3.0f, 1e-3f) << substeps << " " << ulps;
        }
    }
}

// The control: without elasticity the momentum is spread over the row, and nothing comes back.
TEST(Cradle, WithoutElasticityTheRowGoesOnTogether) {
    float sum = 0.0f;
    for (const float speed : cradle(5, 0.0f, 1, 0.0f)) {
        EXPECT_GT(speed, 0.3f);
        EXPECT_LT(speed, 1.0f);
        sum += speed;
    }
    EXPECT_NEAR(sum, 3.0f, 1e-3f);
}

// Smooth balls of a metre, the first of a kilogram at the origin, that move along X.
std::pair<BodyId, BodyId> two_balls(World& world, float restitution, float speed, const Vec3& place, float mass,
                                    float other_speed) {
    BodyDef def = make_body(Sphere{0.5f}, Vec3(0));
    def.material = {0.0f, restitution, 0.0f};
    def.mass = 1.0f;
    def.linear_velocity = Vec3(speed, 0, 0);
    const BodyId first = add(world, def);
    def.pose.position = place;
    def.mass = mass;
    def.linear_velocity = Vec3(other_speed, 0, 0);
    return {first, add(world, def)};
}

// Two balls of unlike masses: both conservation laws and Newton's law of restitution give the speeds afterwards.
TEST(Collision, UnlikeMassesPartAsTheConservationLawsSay) {
    for (const float mass : {0.1f, 1.0f, 20.0f}) {
        for (const float e : {0.0f, 0.5f, 1.0f}) {
            World world(weightless());
            const auto [first, second] = two_balls(world, e, 4.0f, Vec3(2.3f, 0, 0), mass, -1.0f);
            run(world, 60);
            const double m = static_cast<double>(mass), ed = static_cast<double>(e);
            const double centre = (4.0 - m) / (1.0 + m);
            EXPECT_NEAR(state_of(world, first).linear_velocity.x, centre - ed * 5.0 * m / (1.0 + m), 0.02);
            EXPECT_NEAR(state_of(world, second).linear_velocity.x, centre + ed * 5.0 / (1.0 + m), 0.02);
        }
    }
}

// Smooth balls that meet beside their middles exchange what moves along the line of their centres, and no spin,
// wherever in a substep they meet.
TEST(Collision, BallsThatMeetOffCentreAnswerAlongTheirCentres) {
    for (const float e : {0.0f, 0.5f, 1.0f}) {
        for (const float offset : {0.0f, 0.3f, 0.7f}) {
            for (const float gap : {0.1f, 0.103f, 0.111f, 0.3f}) {
                World world(weightless());
                const auto [first, second] = two_balls(world, e, 3.0f, Vec3(1.0f + gap, offset, 0.1f), 4.0f, -2.0f);
                run(world, 30);
                const Vec3 normal(std::sqrt(1.0f - offset * offset - 0.01f), offset, 0.1f);
                const float impulse = (1.0f + e) * 5.0f * normal.x / (1.0f + 0.25f);
                const Vec3 expected_1 = Vec3(3, 0, 0) - impulse * normal;
                const Vec3 expected_2 = Vec3(-2, 0, 0) + 0.25f * impulse * normal;
                // Without restitution the contact's own pass answers, by the normal that the end of a substep has.
                const float tolerance = e > 0.0f ? 0.003f : 0.06f;
                const BodyState a = state_of(world, first), b = state_of(world, second);
                EXPECT_LT(glm::length(a.linear_velocity - expected_1), tolerance) << offset << " " << gap << " e " << e;
                EXPECT_LT(glm::length(b.linear_velocity - expected_2), tolerance) << offset << " " << gap << " e " << e;
                EXPECT_LT(glm::length(a.angular_velocity) + glm::length(b.angular_velocity), 1e-3f);
            }
        }
    }
}

double kinetic_energy(const World& world) {
    return published(world).stats.kinetic_energy;
}

// Bodies that lose nothing in a collision gain nothing either, however many meet at once and wherever they are hit.
TEST(Collision, AnElasticCrowdInARoomKeepsItsEnergy) {
    for (const Geometry& geometry : {Geometry(Sphere{0.4f}), Geometry(Box{Vec3(0.4f)}), Geometry(Diamond{0.4f})}) {
        Settings settings;
        settings.gravity = Vec3(0);
        settings.continuous = false;
        World world(settings);
        for (int side = 0; side < 6; ++side) {
            const int axis = side / 2;
            Vec3 half(5.0f), place(0.0f);
            half[axis] = 1.0f;
            place[axis] = side % 2 == 0 ? 4.0f : -4.0f;
            BodyDef wall = make_static(Box{half}, place);
            wall.material = {0.0f, 1.0f, 0.0f};
            add(world, wall);
        }
        for (int i = 0; i < 64; ++i) {
            const auto f = static_cast<float>(i);
            const Vec3 cell(static_cast<float>(i % 4), static_cast<float>(i / 4 % 4), static_cast<float>(i / 16));
            BodyDef def = make_body(geometry, 1.3f * (cell - Vec3(1.5f)));
            def.linear_velocity = 3.0f * Vec3(std::sin(1.3f * f), std::sin(2.7f * f), std::sin(4.9f * f));
            def.angular_velocity = 2.0f * Vec3(std::sin(3.3f * f), std::sin(5.7f * f), std::sin(7.9f * f));
            def.material = {0.0f, 1.0f, 0.0f};
            add(world, def);
        }
        const double before = kinetic_energy(world);
        double most = 0.0;
        for (int step = 0; step < 240; ++step) {
            world.step();
            most = std::max(most, kinetic_energy(world));
        }
        EXPECT_LT(most, 1.005 * before);
        EXPECT_GT(kinetic_energy(world), 0.9 * before) << "what closes slower than the threshold does not bounce";
    }
}

glm::dvec3 angular_momentum(const World& world) {
    glm::dvec3 sum(0.0);
    for (const BodyId id : world.body_ids()) {
        const BodyState state = state_of(world, id);
        const Vec3 local = inverse_rotate(state.pose.orientation, state.angular_velocity);
        sum += glm::dvec3(rotate(state.pose.orientation, world.model(id)->inertia * local));
        sum += static_cast<double>(world.model(id)->mass) *
               glm::cross(glm::dvec3(state.pose.position), glm::dvec3(state.linear_velocity));
    }
    return sum;
}

// Shapes of every kind and masses of a hundred to one, spinning, bouncing and rubbing within one heap. `shares` are
// what may be lost of the sums of |p| and of |p| times the distance from the middle.
void expect_conserved(bool continuous, double linear_share, double angular_share) {
    Settings settings;
    settings.gravity = Vec3(0);
    settings.continuous = continuous;
    World world(settings);
    const std::vector<Geometry> kinds{Sphere{0.5f},        Box{Vec3(0.5f, 0.4f, 0.3f)},
                                      Capsule{0.3f, 0.3f}, Cylinder{0.4f, 0.4f},
                                      Cone{0.5f, 0.9f},    Diamond{0.5f}};
    double momentum_scale = 0.0, angular_scale = 0.0;
    for (int i = 0; i < 36; ++i) {
        const auto f = static_cast<float>(i);
        const Vec3 cell(static_cast<float>(i % 4) - 1.5f, static_cast<float>(i / 4 % 3) - 1.0f,
                        static_cast<float>(i / 12) - 1.0f);
        BodyDef def = make_body(kinds[static_cast<std::size_t>(i) % kinds.size()], 1.5f * cell);
        def.pose.orientation =
            normalized(Quat(std::sin(f), std::sin(2.3f * f), std::sin(3.7f * f), std::sin(5.1f * f)));
        def.linear_velocity = -4.0f * cell + Vec3(0.2f, -0.3f, 0.4f);
        def.angular_velocity = 6.0f * Vec3(std::sin(1.7f * f), std::sin(2.9f * f), std::sin(4.3f * f));
        def.mass = i % 7 == 0 ? 100.0f : 1.0f + static_cast<float>(i % 5);
        def.material = {0.5f, i % 2 == 0 ? 0.6f : 0.0f, i % 3 == 0 ? 0.05f : 0.0f};
        const double m = static_cast<double>(*def.mass);
        momentum_scale += m * static_cast<double>(glm::length(def.linear_velocity));
        angular_scale += m * static_cast<double>(glm::length(def.linear_velocity) * glm::length(def.pose.position));
        add(world, def);
    }
    const glm::dvec3 linear = momentum(world), angular = angular_momentum(world);
    std::size_t contacts = 0;
    for (int step = 0; step < 240; ++step) {
        world.step();
        contacts += published(world).contacts.size();
    }
    EXPECT_GT(contacts, 500u);
    EXPECT_LT(glm::length(momentum(world) - linear), linear_share * momentum_scale);
    EXPECT_LT(glm::length(angular_momentum(world) - angular), angular_share * angular_scale);
}

TEST(Collision, UnlikeHeapKeepsItsLinearAndAngularMomentum) {
    expect_conserved(false, 1e-5, 1e-4);
}

// A fast body that is stopped on its way is a little behind its velocity: its lever changes, not its momentum.
TEST(Collision, SweepingFastBodiesCostsLittleAngularMomentum) {
    expect_conserved(true, 1e-4, 5e-3);
}

} // namespace
} // namespace cairn::physics::testing
