// Forces, explosions and driven bodies.
#include "tests/physics/world/world_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

using namespace cairn::physics;
using namespace cairn::physics::testing;

namespace {

bool ok(World& world, const Command& command) {
    const CommandResult result = world.apply(command);
    EXPECT_TRUE(result.ok()) << result.error;
    return result.ok();
}

std::string error_of(World& world, const Command& command) {
    const std::uint64_t hash = world.hash();
    const std::string error = world.apply(command).error;
    EXPECT_EQ(world.hash(), hash) << error;
    return error;
}

BodyDef make_lift() {
    BodyDef def = make_body(Box{Vec3(2, 2, 0.5f)}, Vec3(0, 0, 0.5f));
    def.type = BodyType::kinematic;
    return def;
}

// m by which the box has moved against the lift, and the greatest age of a contact, after the lift has gone to and fro.
struct Ride {
    float slipped = 0.0f;
    std::uint32_t age = 0;
};
Ride ride(bool by_target) {
    World world(without_sleep());
    const BodyId lift = add(world, make_lift());
    const BodyId box = add(world, make_body(Box{Vec3(0.3f)}, Vec3(0, 0, 1.3f)));
    run(world, 60);
    const Vec3 start = state_of(world, box).pose.position;
    Transform pose = state_of(world, lift).pose;
    for (int i = 0; i < 120; ++i) { // 0.5 m to the side and up, gently
        pose.position += 0.5f / 120.0f * Vec3(1, 0, 1);
        if (by_target) {
            EXPECT_TRUE(ok(world, MoveKinematic{lift, pose}));
        } else {
            SetBody set;
            set.body = lift;
            set.position = pose.position;
            EXPECT_TRUE(ok(world, set));
        }
        world.step();
    }
    Ride result;
    const Vec3 moved = state_of(world, box).pose.position - start;
    result.slipped = glm::length(moved - 0.5f * Vec3(1, 0, 1));
    for (const ContactState& contact : published(world).contacts) {
        result.age = std::max(result.age, contact.age);
    }
    return result;
}

} // namespace

TEST(MoveKinematic, ArrivesWithTheNextStep) {
    World world(without_sleep());
    const BodyId lift = add(world, make_lift());
    Transform target{Vec3(0.1f, -0.2f, 0.7f), normalized(Quat(1.0f, 0.05f, -0.1f, 0.2f))};
    for (int i = 0; i < 50; ++i) {
        ASSERT_TRUE(ok(world, MoveKinematic{lift, target}));
        world.step();
        const BodyState state = state_of(world, lift);
        EXPECT_LT(glm::length(state.pose.position - target.position), 1e-6f);
        EXPECT_GT(std::abs(glm::dot(state.pose.orientation, target.orientation)), 1.0f - 1e-6f);
        target.position += Vec3(0.01f, 0.02f, -0.01f);
        target.orientation = normalized(Quat(1.0f, 0.02f, 0.03f, -0.01f) * target.orientation);
    }
    // It goes on as it was told, until it is told to stay.
    const Vec3 last = state_of(world, lift).pose.position;
    world.step();
    EXPECT_GT(glm::length(state_of(world, lift).pose.position - last), 0.01f);
    ASSERT_TRUE(ok(world, MoveKinematic{lift, state_of(world, lift).pose}));
    EXPECT_EQ(state_of(world, lift).linear_velocity, Vec3(0.0f));
    EXPECT_EQ(state_of(world, lift).angular_velocity, Vec3(0.0f));
}

TEST(MoveKinematic, CarriesAlongWhatLiesOnTheBody) {
    const Ride carried = ride(true), teleported = ride(false);
    EXPECT_LT(carried.slipped, 0.01f);
    EXPECT_GT(carried.age, 150u);
    EXPECT_GT(teleported.slipped, 0.3f) << "a body that is repositioned carries nothing, so this shows nothing";
}

TEST(MoveKinematic, IsForKinematicBodiesAndReachableTargets) {
    World world;
    const BodyId lift = add(world, make_lift());
    const BodyId box = add(world, make_body(Box{Vec3(0.3f)}, Vec3(0, 0, 5)));
    EXPECT_NE(error_of(world, MoveKinematic{box, {}}), "");
    EXPECT_NE(error_of(world, MoveKinematic{{77, 0}, {}}), "");
    EXPECT_NE(error_of(world, MoveKinematic{lift, {Vec3(1e5f), identity_orientation}}), "");
    EXPECT_NE(
        error_of(world, MoveKinematic{lift, {Vec3(std::numeric_limits<float>::quiet_NaN()), identity_orientation}}),
        "");
}

TEST(ApplyForce, HoldsABodyInTheAir) {
    World world;
    const BodyId box = add(world, make_body(Box{Vec3(0.5f, 0.4f, 0.3f)}, Vec3(0, 0, 5)));
    const Vec3 weight = world.model(box)->mass * world.settings().gravity;
    for (int i = 0; i < 120; ++i) {
        ASSERT_TRUE(ok(world, ApplyForce{box, -0.75f * weight, Vec3(0.0f), {}}));
        ASSERT_TRUE(ok(world, ApplyForce{box, -0.25f * weight, Vec3(0.0f), {}})); // both count
        world.step();
    }
    EXPECT_NEAR(state_of(world, box).pose.position.z, 5.0f, 1e-4f);
    EXPECT_LT(glm::length(state_of(world, box).linear_velocity), 1e-4f);
    world.step(); // no force lasts
    EXPECT_NEAR(state_of(world, box).linear_velocity.z, world.settings().gravity.z / 60.0f, 1e-4f);
}

TEST(ApplyForce, MovesOnTheParabolaAndTurns) {
    World world(weightless());
    const BodyId ball = add(world, make_body(Sphere{0.5f}, Vec3(0.0f)));
    const float mass = world.model(ball)->mass, inertia = world.model(ball)->inertia[0][0];
    for (int i = 0; i < 60; ++i) {
        ASSERT_TRUE(ok(world, ApplyForce{ball, Vec3(2.0f * mass, 0, 0), Vec3(0, 0, 3.0f * inertia), {}}));
        world.step();
    }
    EXPECT_NEAR(state_of(world, ball).pose.position.x, 1.0f, 1e-4f);
    EXPECT_NEAR(state_of(world, ball).linear_velocity.x, 2.0f, 1e-4f);
    EXPECT_NEAR(state_of(world, ball).angular_velocity.z, 3.0f, 1e-4f);
    // Off the centre of mass, a force turns as well.
    ASSERT_TRUE(ok(world, ApplyForce{ball, Vec3(0, 60.0f * mass, 0), Vec3(0.0f),
                                     state_of(world, ball).pose.position + Vec3(0.5f, 0, 0)}));
    world.step();
    EXPECT_NEAR(state_of(world, ball).linear_velocity.y, 1.0f, 1e-4f);
    EXPECT_NEAR(state_of(world, ball).angular_velocity.z, 3.0f + 0.5f * mass / inertia, 1e-3f);
}

TEST(ApplyForce, IsPartOfTheStateUntilItHasActed) {
    World world(weightless());
    const BodyId ball = add(world, make_body(Sphere{0.5f}, Vec3(0.0f)));
    const BodyId wall = add(world, make_static(Box{Vec3(1)}, Vec3(9, 0, 0)));
    world.step();
    const std::uint64_t before = world.hash();
    ASSERT_TRUE(ok(world, ApplyForce{ball, Vec3(1000, 0, 0), Vec3(0.0f), {}}));
    EXPECT_NE(world.hash(), before);
    World other;
    other.restore(*world.snapshot());
    world.step();
    other.step();
    EXPECT_EQ(world.hash(), other.hash());
    EXPECT_GT(state_of(world, ball).linear_velocity.x, 0.01f);
    EXPECT_NE(error_of(world, ApplyForce{wall, Vec3(1), Vec3(0.0f), {}}), "");
    EXPECT_NE(error_of(world, ApplyForce{ball, Vec3(1e12f), Vec3(0.0f), {}}), "");
    // The next body in the slot is another one.
    ASSERT_TRUE(ok(world, ApplyForce{ball, Vec3(1000, 0, 0), Vec3(0.0f), {}}));
    ASSERT_TRUE(ok(world, DestroyBody{ball}));
    const BodyId next = add(world, make_body(Sphere{0.5f}, Vec3(0.0f)));
    ASSERT_EQ(next.index, ball.index);
    world.step();
    EXPECT_EQ(state_of(world, next).linear_velocity, Vec3(0.0f));
}

TEST(Explode, PushesWhatIsNearAwayAndNothingElse) {
    World world;
    add(world, make_floor());
    const BodyId near_box = add(world, make_body(Box{Vec3(0.5f)}, Vec3(1.5f, 0, 0.5f)));
    const BodyId far_box = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, -3.5f, 0.5f)));
    const BodyId beyond = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 5.6f, 0.5f)));
    BodyDef other_group = make_body(Box{Vec3(0.5f)}, Vec3(-1.5f, 0, 0.5f));
    other_group.filter.group = 4;
    const BodyId spared = add(world, other_group);
    run(world, 240);
    ASSERT_TRUE(state_of(world, near_box).sleeping);
    const float mass = world.model(near_box)->mass;
    ASSERT_TRUE(ok(world, Explode{Vec3(0, 0, 0.5f), 5.0f, mass, ~(1u << 4)}));
    EXPECT_FALSE(state_of(world, near_box).sleeping);
    EXPECT_NEAR(state_of(world, near_box).linear_velocity.x, 0.8f, 0.01f); // 1 m of 5 away
    EXPECT_NEAR(state_of(world, far_box).linear_velocity.y, -0.4f, 0.01f);
    EXPECT_EQ(state_of(world, beyond).linear_velocity, Vec3(0.0f));
    EXPECT_EQ(state_of(world, spared).linear_velocity, Vec3(0.0f));
    EXPECT_NE(error_of(world, Explode{Vec3(0, 0, 0.5f), 5.0f, 1e12f, ~0u}), "");
    EXPECT_NE(error_of(world, Explode{Vec3(0.0f), 0.0f, 1.0f, ~0u}), "");
}

TEST(Explode, WithinABodyPushesItAsAWhole) {
    World world(weightless());
    const BodyId box = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0.0f)));
    ASSERT_TRUE(ok(world, Explode{Vec3(-0.2f, 0, 0), 2.0f, world.model(box)->mass, ~0u}));
    EXPECT_NEAR(state_of(world, box).linear_velocity.x, 1.0f, 1e-5f);
    EXPECT_EQ(state_of(world, box).angular_velocity, Vec3(0.0f));
}

TEST(CreateBodies, MakesBodiesAndTheirJointsAtOnce) {
    World world, one_by_one;
    const BodyId hook = add(world, make_static(Box{Vec3(0.2f)}, Vec3(0, 0, 5)));
    add(one_by_one, make_static(Box{Vec3(0.2f)}, Vec3(0, 0, 5)));
    CreateBodies chain;
    JointDef link;
    link.frame_a.position = Vec3(0, 0, -0.5f);
    link.frame_b.position = Vec3(0, 0, 0.5f);
    for (int i = 0; i < 3; ++i) {
        chain.bodies.push_back(make_body(Box{Vec3(0.1f, 0.1f, 0.4f)}, Vec3(0, 0, 4.0f - static_cast<float>(i))));
    }
    for (std::uint32_t i = 0; i < 2; ++i) {
        link.body_a = {i, 0};
        link.body_b = {i + 1, 0};
        chain.joints.push_back(link);
    }
    link.body_a = hook;
    link.body_b = {0, 0};
    chain.ties.push_back(link);
    const CommandResult result = world.apply(chain);
    ASSERT_TRUE(result.ok()) << result.error;
    ASSERT_EQ(result.bodies.size(), 3u);
    ASSERT_EQ(result.joints.size(), 3u);
    EXPECT_EQ(world.joint(result.joints[1])->body_b, result.bodies[2]);
    EXPECT_EQ(world.joint(result.joints[2])->body_a, hook);
    // As if made one by one.
    for (const BodyDef& body : chain.bodies) {
        add(one_by_one, body);
    }
    for (const JointId joint : result.joints) {
        ASSERT_TRUE(ok(one_by_one, CreateJoint{*world.joint(joint)}));
    }
    run(world, 30);
    run(one_by_one, 30);
    EXPECT_EQ(world.hash(), one_by_one.hash());
}

TEST(CreateBodies, MakesNothingIfAnythingIsWrong) {
    World world;
    const BodyId hook = add(world, make_static(Box{Vec3(0.2f)}, Vec3(0, 0, 5)));
    world.step();
    CreateBodies good;
    good.bodies = {make_body(Sphere{0.5f}, Vec3(0.0f)), make_body(Sphere{0.5f}, Vec3(2, 0, 0))};
    JointDef joint;
    joint.body_a = {0, 0};
    joint.body_b = {1, 0};
    const auto error = [&](const CreateBodies& command) {
        const std::string text = error_of(world, command);
        EXPECT_EQ(world.body_count(), 1u);
        return text;
    };
    CreateBodies bad = good;
    bad.bodies[1].shapes.clear();
    EXPECT_NE(error(bad), "");
    bad = good;
    bad.bodies[1].shapes[0].geometry = Sphere{-1.0f};
    EXPECT_NE(error(bad), "");
    bad = good;
    bad.joints = {joint, joint};
    bad.joints[1].body_b = {2, 0};
    EXPECT_NE(error(bad), "");
    bad.joints[1].body_b = {0, 0};
    EXPECT_NE(error(bad), "");
    bad = good;
    bad.ties = {joint};
    bad.ties[0].body_a = {hook.index, hook.generation + 1};
    EXPECT_NE(error(bad), "");
    good.joints = {joint};
    EXPECT_TRUE(ok(world, good));
    EXPECT_EQ(world.body_count(), 3u);
}
