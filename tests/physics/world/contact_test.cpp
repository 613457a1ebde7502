// Contacts: bouncing, friction, rolling, stacking, and what each safeguard prevents.
#include "tests/physics/world/world_builder.h"

#include <cmath>

namespace cairn::physics::testing {
namespace {

double apex_after_first_bounce(float restitution) {
    World world;
    BodyDef floor = make_floor();
    floor.material.restitution = restitution;
    add(world, floor);
    const BodyId ball = add(world, make_body(Sphere{0.5f}, Vec3(0, 0, 2.5f))); // falls 2 m
    double apex = 0.0;
    bool rising = false;
    for (int i = 0; i < 400; ++i) {
        world.step();
        const BodyState state = state_of(world, ball);
        rising = rising || state.linear_velocity.z > 0.0f;
        if (rising) {
            apex = std::max(apex, static_cast<double>(state.pose.position.z) - 0.5);
            if (state.linear_velocity.z < 0.0f) {
                break;
            }
        }
    }
    return apex;
}

TEST(Contact, BounceHeightIsRestitutionSquaredTimesTheDrop) {
    for (const float e : {0.3f, 0.5f, 0.8f}) {
        EXPECT_NEAR(apex_after_first_bounce(e), 2.0 * static_cast<double>(e * e), 0.06) << "restitution " << e;
    }
    EXPECT_LT(apex_after_first_bounce(0.0f), 0.02);
}

// Position along the slope after `seconds`, started at rest.
double slide(float friction, float angle, float seconds) {
    World world;
    BodyDef slope = make_static(Box{Vec3(50, 5, 1)}, Vec3(0));
    slope.pose.orientation = glm::angleAxis(angle, Vec3(0, 1, 0));
    slope.material.friction = friction;
    add(world, slope);
    BodyDef box = make_body(Box{Vec3(0.5f, 0.5f, 0.25f)}, rotate(slope.pose.orientation, Vec3(0, 0, 1.25f)));
    box.pose.orientation = slope.pose.orientation;
    box.material.friction = friction;
    const BodyId id = add(world, box);
    run(world, static_cast<int>(seconds * 60.0f));
    const Vec3 along = rotate(slope.pose.orientation, Vec3(1, 0, 0));
    return static_cast<double>(glm::dot(state_of(world, id).pose.position - box.pose.position, along));
}

TEST(Contact, BoxSticksBelowTheFrictionAngleAndSlidesAboveIt) {
    const float angle = 0.5f; // tan = 0.546
    EXPECT_LT(std::abs(slide(0.65f, angle, 2.0f)), 0.005);
    for (const float friction : {0.0f, 0.2f, 0.4f}) {
        const double a = static_cast<double>(angle);
        const double acceleration = 9.81 * (std::sin(a) - static_cast<double>(friction) * std::cos(a));
        const double t = 2.0;
        EXPECT_NEAR(slide(friction, angle, 2.0f), 0.5 * acceleration * t * (t + 1.0 / 240.0), 0.01 * acceleration * 2.0)
            << "friction " << friction;
    }
}

TEST(Contact, SphereRollsDownAtFiveSeventhsOfTheSlidingAcceleration) {
    World world;
    const float angle = 0.3f;
    BodyDef slope = make_static(Box{Vec3(60, 5, 1)}, Vec3(0));
    slope.pose.orientation = glm::angleAxis(angle, Vec3(0, 1, 0));
    slope.material.friction = 0.9f;
    add(world, slope);
    BodyDef ball = make_body(Sphere{0.5f}, rotate(slope.pose.orientation, Vec3(0, 0, 1.5f)));
    ball.material.friction = 0.9f;
    const BodyId id = add(world, ball);
    run(world, 120);
    const double along = static_cast<double>(glm::dot(state_of(world, id).pose.position - ball.pose.position,
                                                      rotate(slope.pose.orientation, Vec3(1, 0, 0))));
    const double expected = 0.5 * (5.0 / 7.0) * 9.81 * std::sin(static_cast<double>(angle)) * 4.0;
    EXPECT_NEAR(along, expected, 0.01 * expected);
}

TEST(Contact, RollingResistanceStopsABallAndItsAbsenceDoesNot) {
    for (const float resistance : {0.0f, 0.05f}) {
        World world;
        add(world, make_floor());
        BodyDef ball = make_body(Sphere{0.5f}, Vec3(0, 0, 0.5f));
        ball.linear_velocity = Vec3(2, 0, 0);
        ball.angular_velocity = Vec3(0, 4, 0);
        ball.material.rolling_resistance = resistance;
        const BodyId id = add(world, ball);
        run(world, 600);
        const float speed = glm::length(state_of(world, id).linear_velocity);
        if (resistance > 0.0f) {
            EXPECT_LT(speed, 0.01f);
        } else {
            EXPECT_GT(speed, 1.9f);
        }
    }
}

struct TowerResult {
    float drift = 0.0f;
    float penetration = 0.0f;
};

TowerResult tower(int boxes, int steps, const Settings& settings) {
    World world(settings);
    add(world, make_floor());
    std::vector<BodyId> ids;
    std::vector<Vec3> start;
    for (int i = 0; i < boxes; ++i) {
        BodyDef box = make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f + static_cast<float>(i)));
        box.can_sleep = false;
        ids.push_back(add(world, box));
        start.push_back(box.pose.position);
    }
    TowerResult result;
    for (int step = 0; step < steps; ++step) {
        world.step();
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const Vec3 moved = state_of(world, ids[i]).pose.position - start[i];
            result.drift = std::max(result.drift, glm::length(Vec3(moved.x, moved.y, 0)));
        }
    }
    result.penetration = published(world).stats.max_penetration;
    return result;
}

TEST(Contact, TowerOfTenBoxesStandsWithoutSleeping) {
    Settings settings;
    settings.sleeping = false;
    const TowerResult result = tower(10, 1200, settings);
    EXPECT_LT(result.drift, 0.005f) << "at any time";
    EXPECT_LT(result.penetration, 0.005f);
}

// Springs stiff enough to carry the stack, soft enough not to chatter: small stacks come to a dead rest.
TEST(Contact, SmallTowersDoNotChatter) {
    Settings settings;
    settings.sleeping = false;
    for (const int boxes : {1, 2, 3, 5}) {
        EXPECT_LT(tower(boxes, 300, settings).drift, 1e-3f) << boxes << " boxes";
    }
}

TEST(Contact, RestingBoxDoesNotMoveAtAllVisibly) {
    World world;
    Settings settings;
    settings.sleeping = false;
    world.apply(SetSettings{settings});
    add(world, make_floor());
    BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(0.3f, 0.2f, 0.5f));
    def.pose.orientation = glm::angleAxis(0.4f, Vec3(0, 0, 1));
    const BodyId box = add(world, def);
    run(world, 600);
    const BodyState state = state_of(world, box);
    EXPECT_LT(glm::length(state.pose.position - def.pose.position), 0.006f);
    EXPECT_LT(glm::length(state.linear_velocity), 1e-3f);
    EXPECT_EQ(published(world).contacts.size(), 4u);
}

TEST(Contact, DeepOverlapPartsAtABoundedSpeed) {
    Settings settings;
    settings.gravity = Vec3(0);
    World world(settings);
    const BodyId a = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0)));
    const BodyId b = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0.3f, 0.05f, 0.02f)));
    float fastest = 0.0f;
    for (int i = 0; i < 120; ++i) {
        world.step();
        fastest = std::max({fastest, glm::length(state_of(world, a).linear_velocity),
                            glm::length(state_of(world, b).linear_velocity)});
    }
    EXPECT_LT(fastest, settings.max_push_speed + 0.1f);
    EXPECT_LT(published(world).stats.max_penetration, 0.01f);
}

TEST(Contact, IsolatedHeapKeepsLinearAndAngularMomentum) {
    Settings settings;
    settings.gravity = Vec3(0);
    World world(settings);
    for (int i = 0; i < 27; ++i) {
        const Vec3 cell(static_cast<float>(i % 3) - 1.0f, static_cast<float>(i / 3 % 3) - 1.0f,
                        static_cast<float>(i / 9) - 1.0f);
        BodyDef def = i % 2 == 0 ? make_body(Box{Vec3(0.5f)}, 1.6f * cell) : make_body(Sphere{0.5f}, 1.6f * cell);
        def.linear_velocity = -3.0f * cell + Vec3(0.5f, 0, 0); // all fall together
        add(world, def);
    }
    const auto angular_momentum = [&] {
        glm::dvec3 sum(0.0);
        for (const BodyId id : world.body_ids()) {
            const BodyState state = state_of(world, id);
            const Vec3 local = inverse_rotate(state.pose.orientation, state.angular_velocity);
            const glm::dvec3 spin(rotate(state.pose.orientation, world.model(id)->inertia * local));
            sum += spin + static_cast<double>(world.model(id)->mass) *
                              glm::cross(glm::dvec3(state.pose.position), glm::dvec3(state.linear_velocity));
        }
        return sum;
    };
    const glm::dvec3 linear = momentum(world);
    const glm::dvec3 angular = angular_momentum();
    run(world, 120);
    EXPECT_GT(published(world).stats.contacts, 0u);
    const double scale = 27.0 * 1000.0 * 3.0;
    EXPECT_LT(glm::length(momentum(world) - linear), 1e-4 * scale);
    EXPECT_LT(glm::length(angular_momentum() - angular), 2e-3 * scale);
}

TEST(Contact, WarmStartingCarriesTheWeightOfATower) {
    Settings settings;
    settings.sleeping = false;
    const TowerResult with = tower(10, 300, settings);
    settings.warm_starting = false;
    const TowerResult without = tower(10, 300, settings);
    EXPECT_GT(without.penetration, with.penetration);
}

} // namespace
} // namespace cairn::physics::testing
