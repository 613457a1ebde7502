// Heavy bodies that lie loose on light ones which hang on joints: a basket of stones, a bridge of planks, a hammock.
#include "tests/physics/joints/joint_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace cairn::physics::testing {
namespace {

BodyDef plank(const Vec3& half_size, const Vec3& from, const Vec3& to, float mass) {
    BodyDef def = make_body(Box{half_size}, 0.5f * (from + to));
    const Vec3 along = to - from;
    def.pose.orientation = glm::angleAxis(-std::atan2(along.z, along.x), Vec3(0, 1, 0));
    def.mass = mass;
    return def;
}

// Joints side by side, at both edges of a plank.
void join_edges(World& world, BodyId a, BodyId b, const Vec3& at, float half_width, int ignore_within = 1) {
    for (const float side : {-half_width, half_width}) {
        JointDef joint = joint_at(world, JointKind::ball, a, b, at + Vec3(0, side, 0));
        joint.ignore_within = ignore_within;
        join(world, joint);
    }
}

// Its stones shook it about, and the guard of the joints' energy took off what it had: it crossed the middle six times
// a second, and lost all its motion within 20 s.
TEST(HeavyOnJoints, ABasketOfStonesSwingsAsAPendulum) {
    constexpr float rope = 4.0f;
    Settings settings = without_sleep();
    settings.gravity = Vec3(2.0f, 0.0f, -9.81f);
    World world(settings);
    BodyDef floor = make_body(Box{Vec3(0.5f, 0.5f, 0.02f)}, Vec3(0.0f));
    floor.mass = 4.0f;
    const BodyId basket = add(world, floor);
    for (const Vec3& side : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)}) {
        const Vec3 thin = glm::abs(side);
        BodyDef wall = make_body(Box{Vec3(0.46f, 0.46f, 0.2f) * (Vec3(1.0f) - thin) + 0.02f * thin},
                                 0.48f * side + Vec3(0, 0, 0.22f));
        wall.mass = 1.0f;
        join(world, joint_at(world, JointKind::weld, basket, add(world, wall), wall.pose.position));
    }
    for (const float x : {-1.0f, 1.0f}) {
        for (const float y : {-1.0f, 1.0f}) {
            JointDef rod;
            rod.kind = JointKind::distance;
            rod.body_b = basket;
            rod.frame_b.position = Vec3(0.5f * x, 0.5f * y, 0.0f);
            rod.frame_a.position = rod.frame_b.position + Vec3(0, 0, rope);
            rod.length = rope;
            join(world, rod);
            BodyDef stone = make_body(Box{Vec3(0.2f)}, Vec3(0.22f * x, 0.22f * y, 0.225f));
            stone.mass = 125.0f;
            stone.material.friction = 0.9f;
            add(world, stone);
        }
    }
    const double start = energy(world);
    std::vector<int> turns; // steps at which it turns back on its left
    bool goes_left = false;
    for (int step = 0; step < 20 * 60; ++step) {
        world.step();
        const float speed = state_of(world, basket).linear_velocity.x;
        if (goes_left && speed >= 0.0f) {
            turns.push_back(step);
        }
        goes_left = speed < 0.0f && (goes_left || speed < -0.1f);
    }
    ASSERT_EQ(turns.size(), 5u);
    const float g = glm::length(settings.gravity), swing = std::atan2(2.0f, 9.81f);
    const float period = 2.0f * 3.14159265f * std::sqrt(rope / g) * (1.0f + swing * swing / 16.0f); // s
    EXPECT_NEAR(static_cast<float>(turns.back() - turns.front()) / (60.0f * 4.0f), period, 0.01f * period);
    const double swung = 508.0 * static_cast<double>(g * rope * (1.0f - std::cos(swing))); // J
    EXPECT_GT(energy(world), start - 0.25 * swung);
}

// The ball sank through planks of a thousandth of its mass, whose joints opened by 2.7 m.
TEST(HeavyOnJoints, ASlackBridgeOfLightPlanksCarriesATonne) {
    constexpr int planks = 20;
    World world(without_sleep());
    const auto place = [](int i) {
        const float x = static_cast<float>(i), from_middle = 0.1f * (x - 10.0f);
        return Vec3(x, 0.0f, 2.8f + 2.2f * from_middle * from_middle);
    };
    BodyId last = add(world, make_static(Box{Vec3(1, 1, 0.1f)}, Vec3(-1, 0, 5)));
    for (int i = 0; i < planks; ++i) {
        const Vec3 from = place(i), to = place(i + 1);
        const BodyId next =
            add(world, plank(Vec3(0.5f * glm::distance(from, to) - 0.02f, 1.0f, 0.05f), from, to, 1.0f));
        join_edges(world, last, next, from, 0.9f);
        last = next;
    }
    join_edges(world, last, add(world, make_static(Box{Vec3(1, 1, 0.1f)}, Vec3(21, 0, 5))), place(planks), 0.9f);
    BodyDef ball = make_body(Sphere{0.6f}, Vec3(4, 0, 5));
    ball.mass = 1000.0f;
    const BodyId id = add(world, ball);
    float gap = 0.0f, deepest = 0.0f;
    FrameState frame;
    for (int step = 0; step < 10 * 60; ++step) {
        world.step();
        world.publish(frame);
        gap = std::max(gap, greatest_gap(frame));
        deepest = std::max(deepest, frame.stats.max_penetration);
    }
    EXPECT_LT(gap, 0.03f);
    EXPECT_LT(deepest, 0.1f);
    EXPECT_GT(state_of(world, id).pose.position.z, 2.5f);
}

// It came to rest at 15 cm from the middle within 4 s, since all motion was taken off.
TEST(HeavyOnJoints, ABarrelSwingsInAHammock) {
    constexpr int planks = 40;
    World world(without_sleep());
    const auto place = [](int i) {
        const float x = -1.5f + 3.0f * static_cast<float>(i) / static_cast<float>(planks);
        return Vec3(x, 0.0f, 1.1f * (x * x / 2.25f - 1.0f));
    };
    BodyId last;
    for (int i = 0; i < planks; ++i) {
        const Vec3 from = place(i), to = place(i + 1);
        const BodyId next = add(world, plank(Vec3(0.5f * glm::distance(from, to), 0.4f, 0.02f), from, to, 0.2f));
        join_edges(world, last, next, from, 0.35f, 3);
        last = next;
    }
    join_edges(world, {}, last, place(planks), 0.35f);
    BodyDef barrel = make_body(Cylinder{0.3f, 0.3f}, Vec3(0.6f, 0.0f, -0.2f));
    barrel.pose.orientation = z_to_y();
    barrel.mass = 100.0f;
    const BodyId id = add(world, barrel);
    run(world, 4 * 60);
    float left = 0.0f, right = 0.0f;
    for (int step = 0; step < 4 * 60; ++step) {
        world.step();
        const float x = state_of(world, id).pose.position.x;
        left = std::min(left, x);
        right = std::max(right, x);
    }
    EXPECT_LT(left, -0.45f);
    EXPECT_GT(right, 0.45f);
}

// A guard: what its joints do not hold against the load must not get the inertia of what rests on something.
TEST(HeavyOnJoints, AGateThatIsPushedOpenTakesNoEnergy) {
    Settings settings = weightless();
    settings.gravity = Vec3(0.0f, 9.81f, 0.0f);
    World world(settings);
    BodyDef gate = make_body(Box{Vec3(1.0f, 0.05f, 1.0f)}, Vec3(1.0f, 0.0f, 1.5f));
    gate.mass = 20.0f;
    join(world, joint_at(world, JointKind::hinge, {}, add(world, gate), Vec3(0.0f, 0.0f, 1.5f)));
    BodyDef ball = make_body(Sphere{0.4f}, Vec3(1.6f, -0.45f, 1.5f));
    ball.mass = 1000.0f;
    ball.linear_velocity = Vec3(0.0f, 0.5f, 0.0f);
    add(world, ball);
    const double start = energy(world);
    run(world, 60);
    EXPECT_NEAR(energy(world), start, 5.0); // of 4.5 kJ
}

// A box on a plank that hangs on a hinge in the world, at rest on one of its limits.
struct LoadedHinge {
    World world{without_sleep()};
    JointDef hinge;
    JointId joint;
    BodyId box;

    LoadedHinge(const Vec3& half_size, float plank_mass, const Vec3& centre, const Vec3& pivot, JointLimits limits,
                float box_size, const Vec3& box_at, float box_mass) {
        const auto rough = [this](Geometry geometry, const Vec3& at, float mass) {
            BodyDef def = make_body(std::move(geometry), at);
            def.mass = mass;
            def.material.friction = 2.0f;
            return add(world, def);
        };
        hinge = joint_at(world, JointKind::hinge, {}, rough(Box{half_size}, centre, plank_mass), pivot, z_to_y());
        hinge.limits = limits;
        joint = join(world, hinge);
        box = rough(Box{Vec3(box_size)}, box_at, box_mass);
        run(world, 360);
    }
    void move_limits(JointLimits limits) {
        hinge.limits = limits;
        EXPECT_TRUE(world.apply(SetJoint{joint, hinge}).ok());
    }
    float position() { return joint_state(world, joint).position; }
};

// 300 kg on a drawbridge of which a limit is moved by 46 degrees at once were thrown to 15.7 m.
TEST(HeavyOnJoints, ALimitThatIsMovedLiftsAndDoesNotThrow) {
    LoadedHinge bridge(Vec3(3.0f, 1.0f, 0.1f), 500.0f, Vec3(3, 0, 3), Vec3(0, 0, 3), {-1.5f, 0.3f}, 0.4f,
                       Vec3(4.0f, 0.0f, 3.5f), 300.0f);
    ASSERT_NEAR(bridge.position(), 0.3f, 0.01f);
    bridge.move_limits({-1.5f, -0.5f});
    float highest = 0.0f;
    for (int step = 0; step < 180; ++step) {
        bridge.world.step();
        highest = std::max(highest, state_of(bridge.world, bridge.box).pose.position.z);
    }
    EXPECT_NEAR(bridge.position(), -0.5f, 1e-3f);
    EXPECT_LT(highest, 6.2f); // it lies at 5.4 m then
}

// Nor over the middle of a plank, whose hinge is as near to its centre as can be.
TEST(HeavyOnJoints, ASeesawWhoseLimitIsMovedThrowsNothing) {
    LoadedHinge seesaw(Vec3(5.0f, 0.3f, 0.05f), 100.0f, Vec3(0, 0, 30), Vec3(0, 0, 30), {-0.4f, 0.4f}, 0.2f,
                       Vec3(4.7f, 0.0f, 30.25f), 60.0f);
    ASSERT_NEAR(seesaw.position(), 0.4f, 0.01f);
    seesaw.move_limits({-0.4f, -0.3f});
    float fastest = 0.0f;
    for (int step = 0; step < 120; ++step) {
        seesaw.world.step();
        fastest = std::max(fastest, state_of(seesaw.world, seesaw.box).linear_velocity.z);
    }
    EXPECT_LT(fastest, 3.5f); // it rose at 16 m/s
}

// The same of what lies on something heavy: their joint holds up no more than a box.
TEST(HeavyOnJoints, BoxesThatAreWeldedOnASlabAreKnockedAlong) {
    World world(without_sleep());
    add(world, make_floor());
    const auto smooth = [&world](BodyDef def, float mass) {
        def.mass = mass;
        def.material.friction = 0.0f;
        return add(world, def);
    };
    smooth(make_body(Box{Vec3(10.0f, 10.0f, 0.5f)}, Vec3(0.0f, 0.0f, 0.5f)), 10000.0f);
    const BodyId one = smooth(make_body(Box{Vec3(0.25f)}, Vec3(0.0f, 0.0f, 1.25f)), 1.0f);
    const BodyId other = smooth(make_body(Box{Vec3(0.25f)}, Vec3(0.0f, 0.0f, 1.75f)), 1.0f);
    join(world, joint_at(world, JointKind::weld, one, other, Vec3(0.0f, 0.0f, 1.5f)));
    run(world, 60);
    BodyDef ball = make_body(Sphere{0.25f}, Vec3(-1.0f, 0.0f, 1.5f));
    ball.linear_velocity = Vec3(5.0f, 0.0f, 0.0f);
    smooth(ball, 2.0f);
    run(world, 30);
    EXPECT_NEAR(state_of(world, one).linear_velocity.x, 2.5f, 0.2f); // no restitution: 10 N s for 4 kg
}

// And without gravity, where only blows pull at joints.
TEST(HeavyOnJoints, AHangingChainThatIsRunDownGainsNothing) {
    World world(weightless());
    BodyId last;
    for (int i = 0; i < 10; ++i) {
        const float y = 0.25f * static_cast<float>(i);
        BodyDef link = make_body(Sphere{0.1f}, Vec3(0.0f, y, 0.0f));
        link.mass = 0.5f;
        const BodyId next = add(world, link);
        join(world, joint_at(world, JointKind::ball, last, next, Vec3(0.0f, y - 0.125f, 0.0f)));
        last = next;
    }
    BodyDef block = make_body(Box{Vec3(0.5f, 3.0f, 0.5f)}, Vec3(-1.0f, 2.0f, 0.0f));
    block.mass = 3000.0f;
    block.linear_velocity = Vec3(3.0f, 0.0f, 0.0f);
    add(world, block);
    EXPECT_LT(watched(world, 180).gain, 1.0);
}

// A box that lands on the high end of a seesaw outweighs the plank by far. Continuous collision took the plank along
// with it, out of its hinge, by up to nine metres.
TEST(HeavyOnJoints, ARockThatLandsOnASeesawLeavesItsHingeWhole) {
    for (const auto& [mass, speed] : {std::pair(300.0f, 18.0f), std::pair(300.0f, 30.0f), std::pair(1000.0f, 18.0f)}) {
        World world(without_sleep());
        BodyDef seat = make_body(Box{Vec3(3.0f, 0.4f, 0.04f)}, Vec3(0, 0, 0.65f));
        seat.mass = 30.0f;
        seat.pose.orientation = glm::angleAxis(0.2f, Vec3(0, 1, 0));
        const BodyId seesaw = add(world, seat);
        BodyDef man = make_body(Box{Vec3(0.2f, 0.2f, 0.4f)}, Vec3(2.6f, 0, 0.62f));
        man.mass = 70.0f;
        add(world, man);
        BodyDef rock = make_body(Box{Vec3(0.3f)}, Vec3(-2.6f, 0, 3.0f));
        rock.mass = mass;
        rock.linear_velocity = Vec3(0, 0, -speed);
        add(world, rock);
        join(world, joint_at(world, JointKind::hinge, {}, seesaw, Vec3(0, 0, 0.65f), z_to_y()));
        float gap = 0.0f, deepest = 0.0f;
        for (int i = 0; i < 60; ++i) {
            world.step();
            const FrameState frame = published(world);
            gap = std::max(gap, greatest_gap(frame));
            deepest = std::max(deepest, frame.stats.max_penetration);
        }
        EXPECT_LT(gap, 0.001f) << mass << " kg at " << speed << " m/s";
        EXPECT_LT(deepest, 0.02f) << mass << " kg at " << speed << " m/s"; // half of the plank's thickness is 4 cm
        EXPECT_GT(std::abs(state_of(world, seesaw).angular_velocity.y), 1.0f);
    }
}

} // namespace
} // namespace cairn::physics::testing
