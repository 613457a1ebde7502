// Bodies get where their velocities say: what continuous collision holds back within a step never adds up, not even in
// mechanisms whose parts have little room between each other.
#include "tests/physics/geometry/generators.h"
#include "tests/physics/world/way.h"
#include "tests/physics/world/world_builder.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cairn::physics::testing {
namespace {

constexpr float pi = 3.14159265f;

// Bars around a circle in the plane across `axis`.
std::vector<ShapeDef> ring(float radius, float thickness, const Vec3& axis) {
    constexpr int bars = 16;
    std::vector<ShapeDef> shapes;
    const Vec3 u = std::abs(axis.z) > 0.5f ? Vec3(1, 0, 0) : Vec3(0, 0, 1), v = glm::cross(axis, u);
    for (int i = 0; i < bars; ++i) {
        const float angle = 2.0f * pi * static_cast<float>(i) / bars;
        const Mat3 frame(-std::sin(angle) * u + std::cos(angle) * v, std::cos(angle) * u + std::sin(angle) * v, axis);
        Mat3 right = frame;
        right[2] = glm::cross(right[0], right[1]);
        shapes.push_back({Box{Vec3(radius * std::tan(pi / bars) + 0.5f * thickness, thickness, thickness)},
                          Transform{radius * frame[1], glm::normalize(glm::quat_cast(right))}});
    }
    return shapes;
}

TEST(Way, OfLinkedRings) {
    World world(without_sleep());
    BodyDef fixed;
    fixed.type = BodyType::fixed;
    fixed.pose.position = Vec3(0, 0, 6);
    fixed.shapes = ring(0.5f, 0.08f, Vec3(0, 1, 0));
    add(world, fixed);
    for (int i = 1; i < 5; ++i) {
        BodyDef link;
        link.shapes = ring(0.5f, 0.08f, i % 2 == 0 ? Vec3(0, 1, 0) : Vec3(1, 0, 0));
        const auto n = static_cast<float>(i);
        link.pose.position = Vec3(0.02f * n, 0.03f * n, 6.0f - 0.7f * n);
        link.linear_velocity = Vec3(1.5f * n, 0, 0);
        add(world, link);
    }
    EXPECT_GE(least_share_of_way(world, 6), 0.98);
}

// Bricks slide ahead of a ball that weighs sixteen times as much and runs onto them. What the solver lets sink too deep
// is held for most of a step.
TEST(Way, OfAHeavyBallThatRunsOntoBricks) {
    geometry_testing::Random random(5);
    double given_up = 0.0; // s
    constexpr int runs = 60;
    const auto made_of = [](BodyDef body, float density) {
        body.density = density;
        body.material.friction = 0.65f;
        return body;
    };
    for (int i = 0; i < runs; ++i) {
        World world(without_sleep());
        add(world, made_of(make_floor(), 1000.0f));
        const float speed = random.uniform(4.0f, 9.0f);
        for (int k = 0; k < 3; ++k) {
            const float y = random.uniform(-0.3f, 0.3f), half_turn = random.uniform(0.0f, 0.5f * pi);
            BodyDef brick = made_of(
                make_body(Box{Vec3(0.6f, 0.35f, 0.25f)}, Vec3(1.5f * static_cast<float>(k), y, 0.25f)), 1800.0f);
            brick.pose.orientation = Quat(std::cos(half_turn), 0, 0, std::sin(half_turn));
            brick.linear_velocity.x = random.uniform(0.0f, speed - 1.0f);
            add(world, brick);
        }
        BodyDef ball = made_of(make_body(Sphere{0.9f}, Vec3(-2, 0, 0.9f)), 4000.0f);
        ball.linear_velocity.x = speed;
        ball.angular_velocity.y = speed / 0.9f;
        add(world, ball);
        for (int step = 0; step < 120; ++step) {
            world.step();
            given_up += published(world).stats.time_given_up;
        }
    }
    EXPECT_LT(given_up, 0.5 * runs / 60.0); // half a step in each
}

TEST(Way, OfAPendulumThatHangsOnAPin) {
    World world(without_sleep());
    add(world, make_static(Box{Vec3(0.1f, 0.6f, 0.1f)}, Vec3(0, 0, 3)));
    BodyDef arm;
    arm.shapes = ring(0.22f, 0.05f, Vec3(0, 1, 0));
    arm.shapes.push_back({Box{Vec3(0.9f, 0.05f, 0.05f)}, Transform{Vec3(1.15f, 0, 0), identity_orientation}});
    arm.pose.position = Vec3(0, 0, 2.95f);
    arm.material.friction = 0.1f;
    add(world, arm);
    EXPECT_GE(least_share_of_way(world, 6), 0.98);
}

TEST(Way, OfABallInAPipe) {
    World world(without_sleep());
    // Square inside, 2 mm wider than the ball, with a slope.
    const Quat tilt = glm::angleAxis(0.5f, Vec3(0, 1, 0));
    for (const Vec3& side : {Vec3(0, 1, 0), Vec3(0, -1, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)}) {
        BodyDef wall = make_static(Box{Vec3(20, 0.4f, 0.4f)}, tilt * (0.601f * side));
        wall.pose.orientation = tilt;
        add(world, wall);
    }
    BodyDef ball = make_body(Sphere{0.2f}, tilt * Vec3(-19, 0, 0));
    ball.linear_velocity = tilt * Vec3(20, 2, 1);
    add(world, ball);
    EXPECT_GE(least_share_of_way(world, 1), 0.98);
}

TEST(Way, OfAPinInASlot) {
    World world(weightless());
    BodyDef slot;
    slot.type = BodyType::kinematic;
    for (const float side : {-1.0f, 1.0f}) {
        const Transform place{Vec3(0, 0.305f * side, 0), identity_orientation};
        slot.shapes.push_back({Box{Vec3(2.0f, 0.1f, 0.3f)}, place});
    }
    slot.angular_velocity = Vec3(0, 0, 6);
    add(world, slot);
    BodyDef pin = make_body(Cylinder{0.2f, 0.3f}, Vec3(0.8f, 0, 0));
    pin.material.friction = 0.0f;
    pin.linear_velocity = Vec3(0, 4.8f, 0);
    add(world, pin);
    EXPECT_GE(least_share_of_way(world, 1), 0.98);
}

} // namespace
} // namespace cairn::physics::testing
