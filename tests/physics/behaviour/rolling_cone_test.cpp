// A cone that lies on its side rolls about its apex, and nothing feeds that motion.
#include "tests/physics/behaviour/body_energy.h"

#include <cmath>

namespace cairn::physics::testing {
namespace {

struct ConeRoll {
    double kept = 0.0;     // of the kinetic energy
    double turned = 0.0;   // rad, the axis about the vertical
    double by_spin = 0.0;  // rad, what its spin makes it turn where it does not slip
    double wandered = 0.0; // m, the apex
};

// On the ground at z = 0, with its apex at the origin.
BodyDef lying_cone(float radius, float height) {
    const float slant = std::sqrt(radius * radius + height * height), c = height / slant, s = radius / slant;
    const Vec3 axis(-c, 0, -s), across(0, 1, 0); // towards the apex
    BodyDef cone = make_body(Cone{radius, height}, -0.75f * height * axis);
    cone.pose.orientation = glm::quat_cast(Mat3(glm::cross(across, axis), across, axis));
    return cone;
}

// In ten seconds on rough ground, with its apex at the origin, about which it is set rolling at `rate`. Without slip it
// spins about the line on which it lies, by the rate over the tangent of half of its angle.
ConeRoll roll_of_cone(float rate, float hz) {
    constexpr float radius = 0.3f, height = 0.6f, seconds = 10.0f;
    Settings settings = without_sleep();
    settings.hz = hz;
    World world(settings);
    BodyDef floor = make_floor();
    floor.material.friction = 1.0f;
    add(world, floor);
    BodyDef cone = lying_cone(radius, height);
    const float slant = std::sqrt(radius * radius + height * height), c = height / slant, s = radius / slant;
    cone.material.friction = 1.0f;
    cone.linear_velocity = Vec3(0, rate * cone.pose.position.x, 0);
    cone.angular_velocity = Vec3(-rate * c / s, 0, 0);
    const BodyId id = add(world, cone);
    const auto to_apex = [&] { return rotate(state_of(world, id).pose.orientation, Vec3(0, 0, 1)); };
    const auto kinetic = [&] { return published(world).stats.kinetic_energy; };
    run(world, 1);
    const double before = kinetic();
    ConeRoll found;
    Vec3 last = to_apex();
    for (int step = 0; step < static_cast<int>(seconds * hz); ++step) {
        run(world, 1);
        const Vec3 now = to_apex(), spin = state_of(world, id).angular_velocity;
        const Vec3 turn = glm::cross(last, now);
        found.turned += static_cast<double>(std::atan2(turn.z, last.x * now.x + last.y * now.y));
        found.by_spin += static_cast<double>(glm::length(spin) * (s / c) / hz);
        last = now;
    }
    const Vec3 apex = state_of(world, id).pose.position + 0.75f * height * to_apex();
    found.wandered = static_cast<double>(glm::length(Vec3(apex.x, apex.y, 0)));
    found.kept = kinetic() / before;
    return found;
}

// While the contact stayed on the points that touched at the start of a step, a cone at 1 rad/s came to three times its
// energy in ten seconds at 60 Hz, and one at 3 rad/s lost two thirds.
TEST(RollingCone, KeepsItsEnergy) {
    struct Case {
        float rate, hz;
        double least;
    };
    for (const Case& one : {Case{0.3f, 60.0f, 0.99}, Case{0.3f, 240.0f, 0.995}, Case{1.0f, 60.0f, 0.97},
                            Case{1.0f, 240.0f, 0.99}, Case{3.0f, 60.0f, 0.84}, Case{3.0f, 240.0f, 0.95}}) {
        const ConeRoll found = roll_of_cone(one.rate, one.hz);
        EXPECT_LT(found.kept, 1.001) << one.rate << " rad/s, " << one.hz << " Hz";
        EXPECT_GT(found.kept, one.least) << one.rate << " rad/s, " << one.hz << " Hz";
    }
}

TEST(RollingCone, TurnsAboutItsApexAsItSpins) {
    for (const float rate : {0.3f, 1.0f, 3.0f}) {
        const ConeRoll found = roll_of_cone(rate, 240.0f);
        EXPECT_NEAR(found.turned, found.by_spin, 0.001 * found.by_spin) << rate << " rad/s";
        EXPECT_NEAR(found.turned, 10.0 * static_cast<double>(rate), 0.12 * static_cast<double>(rate)) << rate;
        EXPECT_LT(found.wandered, 0.002) << rate << " rad/s";
    }
}

// Turns on ice while it spins there: nothing but the ground under it, which does no work, gives its spin a new
// direction. It lost a tenth to nine tenths of its energy, or came to 13 times it where it was slow.
TEST(RollingCone, SpinsOnIce) {
    for (const float spin : {1.0f, 3.0f, 12.0f}) {
        for (const float turn : {1.0f, 3.0f}) {
            Settings settings = without_sleep();
            World world(settings);
            BodyDef floor = make_floor();
            floor.material.friction = 0.0f;
            add(world, floor);
            BodyDef cone = lying_cone(0.3f, 0.6f);
            cone.material.friction = 0.0f;
            cone.angular_velocity = spin * rotate(cone.pose.orientation, Vec3(0, 0, 1)) + Vec3(0, 0, turn);
            add(world, cone);
            const auto kinetic = [&] { return published(world).stats.kinetic_energy; };
            run(world, 1);
            const double before = kinetic();
            run(world, 600);
            EXPECT_LT(kinetic(), 1.001 * before) << spin << " and " << turn << " rad/s";
            EXPECT_GT(kinetic(), 0.95 * before) << spin << " and " << turn << " rad/s";
        }
    }
}

// Two cones base to base roll on rails that rise and part, and sink between them while they seem to climb. At 60 Hz
// they gained 11 J by that, at 240 Hz they lost 10.
TEST(RollingCone, DoubleConeGainsNothingOnRails) {
    for (const float hz : {60.0f, 240.0f}) {
        Settings settings = without_sleep();
        settings.hz = hz;
        World world(settings);
        for (const float side : {-1.0f, 1.0f}) {
            const Vec3 from(0, 0.1f * side, 0), to(3, 0.85f * side, 0.12f), along = glm::normalize(to - from);
            const Vec3 z(0, 0, 1);
            BodyDef rail = make_static(Capsule{0.03f, 0.5f * glm::length(to - from)}, 0.5f * (from + to));
            rail.pose.orientation = glm::angleAxis(std::acos(along.z), glm::normalize(glm::cross(z, along)));
            rail.material.friction = 0.8f;
            add(world, rail);
        }
        BodyDef cones = make_body(Cone{0.4f, 1.0f}, Vec3(0.5f, 0, 0.42f));
        cones.shapes[0].pose.position = Vec3(0, 0, 0.25f);
        ShapeDef other{Cone{0.4f, 1.0f}, {}};
        other.pose.position = Vec3(0, 0, -0.25f);
        other.pose.orientation = Quat(0, 1, 0, 0);
        cones.shapes.push_back(other);
        cones.pose.orientation = Quat(0.70710678f, 0.70710678f, 0, 0);
        cones.material.friction = 0.8f;
        const BodyId id = add(world, cones);
        run(world, static_cast<int>(0.5f * hz));
        const double before = mechanical_energy(world, id);
        for (int step = 0; step < static_cast<int>(2.5f * hz); ++step) {
            run(world, 1);
            ASSERT_NEAR(mechanical_energy(world, id), before, 1.5) << hz << " Hz, step " << step;
        }
        EXPECT_GT(state_of(world, id).pose.position.x, 1.9f) << hz << " Hz";
    }
}

} // namespace
} // namespace cairn::physics::testing
