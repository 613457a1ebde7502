#include "app/core/touches/touches.h"

#include "physics/world/world.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn::core {
namespace {

using namespace physics;

BodyDef body(const std::string& name, const Geometry& geometry, const Vec3& at) {
    BodyDef def;
    def.name = name;
    def.pose.position = at;
    def.shapes = {{geometry, {}}};
    return def;
}

BodyDef ground() {
    BodyDef def = body("ground", Box{{20.0f, 20.0f, 0.5f}}, {0.0f, 0.0f, -0.5f});
    def.type = BodyType::fixed;
    return def;
}

// A world, and all that is heard in it.
struct Heard {
    World world;
    FrameState before, frame;
    std::vector<Touch> touches;

    BodyId add(const BodyDef& def) { return world.apply(CreateBody{def}).created; }
    void run(int steps) {
        world.publish(frame);
        for (int i = 0; i < steps; ++i) {
            std::swap(before, frame);
            world.step();
            world.publish(frame);
            find_touches(before, frame, touches);
        }
    }
};

// A ball of 2 kg from a height: m v (1 + e).
TEST(Touches, ABallThatFallsIsHeardAsHardAsItStrikes) {
    Heard room;
    room.add(ground());
    BodyDef ball = body("ball", Sphere{0.25f}, {0.0f, 0.0f, 2.25f});
    ball.mass = 2.0f;
    ball.material.restitution = 0.5f;
    const BodyId id = room.add(ball);
    room.run(50);

    ASSERT_EQ(room.touches.size(), 1u);
    const Touch& touch = room.touches.front();
    const float speed = std::sqrt(2.0f * 9.81f * 2.0f);
    EXPECT_NEAR(touch.speed, speed, 0.03f * speed);
    EXPECT_NEAR(touch.impulse, 2.0f * 1.5f * speed, 0.12f * speed);
    EXPECT_LT(glm::length(touch.point), 0.05f);
    EXPECT_TRUE(touch.body_a == id || touch.body_b == id);
    EXPECT_NEAR(static_cast<float>(touch.step) / 60.0f, std::sqrt(2.0f * 2.0f / 9.81f), 0.04f);
}

TEST(Touches, TwoBallsMeetWithTheirReducedMass) {
    Heard room;
    Settings settings = room.world.settings();
    settings.gravity = {};
    room.world.apply(SetSettings{settings});
    BodyDef left = body("left", Sphere{0.5f}, {-1.0f, 0.0f, 0.0f});
    left.mass = 1.0f;
    left.linear_velocity = {3.0f, 0.0f, 0.0f};
    left.material.restitution = 0.0f;
    BodyDef right = body("right", Sphere{0.5f}, {1.0f, 0.0f, 0.0f});
    right.mass = 3.0f;
    right.material.restitution = 0.0f;
    room.add(left);
    room.add(right);
    room.run(60);
    ASSERT_EQ(room.touches.size(), 1u);
    EXPECT_NEAR(room.touches[0].speed, 3.0f, 0.05f);
    EXPECT_NEAR(room.touches[0].impulse, 2.25f, 0.05f);
}

TEST(Touches, WhatContinuousCollisionStopsIsHeard) {
    Heard room;
    BodyDef wall = body("wall", Box{{0.05f, 5.0f, 5.0f}}, {5.0f, 0.0f, 0.0f});
    wall.type = BodyType::fixed;
    room.add(wall);
    BodyDef bullet = body("bullet", Sphere{0.05f}, {-5.0f, 0.0f, 0.0f});
    bullet.linear_velocity = {400.0f, 0.0f, 0.0f};
    bullet.mass = 0.1f;
    room.add(bullet);
    room.run(6);
    ASSERT_FALSE(room.touches.empty());
    EXPECT_GT(room.touches[0].speed, 390.0f);
}

// Stacks press on their lowest boxes with many times what one box weighs, and none of it is a strike: neither while
// they settle awake, nor when sleepers wake.
TEST(Touches, RestIsSilent) {
    Heard room;
    room.add(ground());
    BodyId top;
    for (int i = 0; i < 12; ++i) {
        top = room.add(body("box", Box{Vec3(0.5f)}, {0.0f, 0.0f, 0.5f + static_cast<float>(i)}));
    }
    room.run(240);
    EXPECT_TRUE(room.touches.empty()) << room.touches.size();
    ASSERT_TRUE(room.frame.bodies.back().sleeping);
    SetBody wake;
    wake.body = top;
    wake.friction = 0.7f;
    room.world.apply(wake);
    room.run(5);
    EXPECT_FALSE(room.frame.bodies.back().sleeping);
    EXPECT_TRUE(room.touches.empty()) << room.touches.size();
}

// What moves together does not strike: a box on a lift, and a box that slides.
TEST(Touches, MovingTogetherIsSilent) {
    Heard room;
    BodyDef lift = body("lift", Box{{2.0f, 2.0f, 0.2f}}, {0.0f, 0.0f, -0.2f});
    lift.type = BodyType::kinematic;
    lift.linear_velocity = {0.0f, 0.0f, 3.0f};
    room.add(lift);
    BodyDef rider = body("rider", Box{Vec3(0.4f)}, {0.0f, 0.0f, 0.4f});
    rider.linear_velocity = {0.0f, 1.0f, 3.0f};
    room.add(rider);
    room.run(30);
    EXPECT_GT(room.frame.bodies[1].pose.position.z, 1.5f);
    EXPECT_TRUE(room.touches.empty());
}

TEST(Touches, FramesThatDoNotFollowTellNothing) {
    Heard room;
    room.add(ground());
    BodyDef ball = body("ball", Sphere{0.25f}, {0.0f, 0.0f, 2.25f});
    ball.material.restitution = 0.8f;
    room.add(ball);
    room.run(37); // until just before it strikes
    ASSERT_TRUE(room.touches.empty());
    for (int i = 0; i < 3; ++i) {
        room.world.step();
    }
    FrameState later;
    room.world.publish(later);
    find_touches(room.frame, later, room.touches);
    EXPECT_TRUE(room.touches.empty());
    room.world.step();
    room.run(120);
    EXPECT_FALSE(room.touches.empty()); // it strikes again
}

} // namespace
} // namespace cairn::core
