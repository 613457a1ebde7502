// Coulomb friction on a slope: what holds, what slides and how fast, what rolls.
#include "tests/physics/world/world_builder.h"

#include <cmath>
#include <vector>

namespace cairn::physics::testing {
namespace {

constexpr double slope_gravity = 9.81;

struct Slope {
    World world;
    Vec3 down{0.0f}, up{0.0f}; // along the slope and out of it
    BodyId body;
    Vec3 start{0.0f};

    // `yaw` turns the body about the slope's normal; `gap` is the height of its centre above the slope.
    Slope(const Geometry& geometry, float gap, float angle, float friction, float yaw = 0.0f) {
        BodyDef slope = make_static(Box{Vec3(100, 20, 1)}, Vec3(0));
        slope.pose.orientation = glm::angleAxis(angle, Vec3(0, 1, 0));
        slope.material.friction = friction;
        add(world, slope);
        down = rotate(slope.pose.orientation, Vec3(1, 0, 0));
        up = rotate(slope.pose.orientation, Vec3(0, 0, 1));
        BodyDef def = make_body(geometry, (1.0f + gap) * up);
        def.pose.orientation = slope.pose.orientation * glm::angleAxis(yaw, Vec3(0, 0, 1));
        def.material.friction = friction;
        def.can_sleep = false;
        body = add(world, def);
        start = def.pose.position;
    }
    Vec3 travel() const { return state_of(world, body).pose.position - start; }
    double along() const { return static_cast<double>(glm::dot(travel(), down)); }
    double speed() const { return static_cast<double>(glm::dot(state_of(world, body).linear_velocity, down)); }
};

// Half a degree below the friction angle nothing creeps; half a degree above, it goes.
TEST(SlopeBehaviour, FrictionAngleDividesHoldingFromSliding) {
    for (const float friction : {0.2f, 0.5f, 0.9f}) {
        const float critical = std::atan(friction);
        const float half_degree = 0.5f * 3.14159265f / 180.0f;
        Slope holds(Box{Vec3(0.5f, 0.5f, 0.2f)}, 0.2f, critical - half_degree, friction, 0.3f);
        run(holds.world, 60);
        const double settled = holds.along();
        run(holds.world, 600);
        EXPECT_LT(std::abs(holds.along() - settled), 1e-3) << "creep in 10 s, friction " << friction;
        EXPECT_LT(std::abs(settled), 5e-3);
        Slope slides(Box{Vec3(0.5f, 0.5f, 0.2f)}, 0.2f, critical + half_degree, friction, 0.3f);
        run(slides.world, 180);
        EXPECT_GT(slides.along(), 0.1) << "friction " << friction;
    }
}

TEST(SlopeBehaviour, SlidingAccelerationIsThatOfTheTextbookWhateverWayTheBodyFaces) {
    for (const float angle : {0.35f, 0.6f}) {
        for (const float friction : {0.0f, 0.1f, 0.3f}) {
            for (const float yaw : {0.0f, 0.4f, 0.785398f}) {
                Slope slope(Box{Vec3(0.5f, 0.3f, 0.1f)}, 0.1f, angle, friction, yaw);
                run(slope.world, 30); // landed and sliding
                const double before = slope.speed();
                run(slope.world, 60);
                const double a = static_cast<double>(angle);
                const double expected = slope_gravity * (std::sin(a) - static_cast<double>(friction) * std::cos(a));
                EXPECT_NEAR(slope.speed() - before, expected, 0.01 * expected)
                    << "angle " << angle << ", friction " << friction << ", yaw " << yaw;
                EXPECT_LT(std::abs(slope.travel().y), 0.01 * slope.along()) << "straight down";
            }
        }
    }
}

// From 5/7 g sin a as long as friction can turn the ball (tan a < 7/2 mu), else it slides as well.
TEST(SlopeBehaviour, BallRollsWithoutSlipWhereFrictionAllowsAndSlipsWhereNot) {
    const double r = 0.5;
    for (const float angle : {0.1f, 0.3f, 0.6f}) {
        Slope slope(Sphere{0.5f}, 0.5f, angle, 0.5f);
        run(slope.world, 30);
        const double before = slope.speed();
        run(slope.world, 60);
        const double expected = 5.0 / 7.0 * slope_gravity * std::sin(static_cast<double>(angle));
        EXPECT_NEAR(slope.speed() - before, expected, 0.01 * expected) << "angle " << angle;
        const double rim = r * static_cast<double>(state_of(slope.world, slope.body).angular_velocity.y);
        EXPECT_NEAR(rim, slope.speed(), 0.002 * slope.speed()) << "slip";
    }
    const float angle = 0.6f, friction = 0.1f; // tan 0.6 = 0.68 > 0.35
    Slope slope(Sphere{0.5f}, 0.5f, angle, friction);
    run(slope.world, 30);
    const double before = slope.speed();
    const float spin_before = state_of(slope.world, slope.body).angular_velocity.y;
    run(slope.world, 60);
    const double a = static_cast<double>(angle), mu = static_cast<double>(friction);
    const double sliding = slope_gravity * (std::sin(a) - mu * std::cos(a));
    EXPECT_NEAR(slope.speed() - before, sliding, 0.01 * sliding);
    const double spinning = 2.5 * mu * slope_gravity * std::cos(a) / r; // torque mu N r over 2/5 m r^2
    EXPECT_NEAR(static_cast<double>(state_of(slope.world, slope.body).angular_velocity.y - spin_before), spinning,
                0.01 * spinning);
}

// A solid cylinder has less to turn than a hoop and more than a ball: 2/3 g sin a.
TEST(SlopeBehaviour, CylinderRollsAtTwoThirds) {
    World world;
    const float angle = 0.3f;
    BodyDef slope = make_static(Box{Vec3(60, 5, 1)}, Vec3(0));
    slope.pose.orientation = glm::angleAxis(angle, Vec3(0, 1, 0));
    add(world, slope);
    BodyDef roller = make_body(Cylinder{0.5f, 1.0f}, rotate(slope.pose.orientation, Vec3(0, 0, 1.5f)));
    roller.pose.orientation = glm::angleAxis(1.57079633f, Vec3(1, 0, 0)); // its axis along y
    const BodyId id = add(world, roller);
    run(world, 30);
    const float before = glm::length(state_of(world, id).linear_velocity);
    run(world, 60);
    const double expected = 2.0 / 3.0 * slope_gravity * std::sin(static_cast<double>(angle));
    EXPECT_NEAR(static_cast<double>(glm::length(state_of(world, id).linear_velocity) - before), expected,
                0.01 * expected);
    EXPECT_LT(std::abs(state_of(world, id).pose.position.y), 1e-3f);
}

} // namespace
} // namespace cairn::physics::testing
