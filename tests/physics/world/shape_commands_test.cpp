// AddShape and RemoveShape.
#include "physics/world/state_image.h"
#include "tests/physics/world/world_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

using namespace cairn::physics;
using namespace cairn::physics::testing;

namespace {

ShapeDef ball_at(const Vec3& position, float radius = 0.25f) {
    return {Sphere{radius}, {position, identity_orientation}};
}

void add_shape(World& world, BodyId body, const ShapeDef& shape, std::optional<std::uint32_t> place = {}) {
    const CommandResult result = world.apply(AddShape{body, shape, place});
    ASSERT_TRUE(result.ok()) << result.error;
}

void remove_shape(World& world, BodyId body, std::uint32_t shape) {
    const CommandResult result = world.apply(RemoveShape{body, shape});
    ASSERT_TRUE(result.ok()) << result.error;
}

// Of all points of the world's contacts, N s.
float pressure(const World& world) {
    float sum = 0.0f;
    for (const ContactState& contact : published(world).contacts) {
        sum += contact.normal_impulse;
    }
    return sum;
}

} // namespace

TEST(ShapeCommands, ABodyIsAsIfItHadBeenMadeSo) {
    World world(weightless());
    BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(1, 2, 3));
    def.pose.orientation = normalized(Quat(1, 2, 3, 4));
    def.linear_velocity = Vec3(1, 0, 0);
    def.angular_velocity = Vec3(0, 0, 2);
    const BodyId id = add(world, def);
    add_shape(world, id, ball_at(Vec3(2, 0, 0), 0.8f));
    def.shapes.push_back(ball_at(Vec3(2, 0, 0), 0.8f));
    def.pose.position = state_of(world, id).pose.position;
    const auto made = world.model(add(world, def)), changed = world.model(id);
    EXPECT_EQ(made, changed) << "they share what they have in common";
    EXPECT_GT(changed->mass, 2000.0f);
    // The box is where it was, and every point moves as it did.
    const BodyState state = state_of(world, id);
    const Vec3 box = to_world(state.pose, changed->parts[0].pose.position);
    EXPECT_LT(glm::length(box - Vec3(1, 2, 3)), 1e-6f);
    const Vec3 velocity = state.linear_velocity + glm::cross(state.angular_velocity, box - state.pose.position);
    EXPECT_LT(glm::length(velocity - Vec3(1, 0, 0)), 1e-5f);
    // And back.
    remove_shape(world, id, 1);
    EXPECT_LT(glm::length(state_of(world, id).pose.position - Vec3(1, 2, 3)), 1e-6f);
    EXPECT_EQ(world.model(id)->mass, 1000.0f);
    EXPECT_EQ(world.model(id)->parts.size(), 1u);
}

TEST(ShapeCommands, AStatedMassStays) {
    World world(weightless());
    BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(0.0f));
    def.mass = 5.0f;
    const BodyId id = add(world, def);
    const Mat3 before = world.model(id)->inertia;
    add_shape(world, id, ball_at(Vec3(3, 0, 0)));
    EXPECT_FLOAT_EQ(world.model(id)->mass, 5.0f);
    EXPECT_GT(world.model(id)->inertia[1][1], before[1][1]) << "spread over all shapes";
    EXPECT_GT(state_of(world, id).pose.position.x, 0.1f);
}

TEST(ShapeCommands, NothingMovesWhereABodyIsJoinedAndDragged) {
    World world(weightless());
    const BodyId id = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0.0f)));
    JointDef joint;
    joint.kind = JointKind::ball;
    joint.body_b = id;
    joint.frame_a.position = joint.frame_b.position = Vec3(0.5f, 0, 0);
    const JointId tie = world.apply(CreateJoint{joint}).joint;
    ASSERT_TRUE(world.apply(Grab{id, Vec3(-0.5f, 0, 0), Vec3(-0.5f, 0, 0)}).ok());
    add_shape(world, id, ball_at(Vec3(0, 4, 0), 1.0f));
    const FrameState frame = published(world);
    EXPECT_LT(glm::length(frame.joints.at(0).anchor_b - Vec3(0.5f, 0, 0)), 1e-5f);
    EXPECT_LT(glm::length(frame.grab.point - Vec3(-0.5f, 0, 0)), 1e-5f);
    run(world, 30);
    EXPECT_LT(glm::length(state_of(world, id).linear_velocity), 1e-3f);
    EXPECT_TRUE(world.joint(tie));
}

TEST(ShapeCommands, ContactsOfOtherShapesGoOn) {
    // The stand is body A of its contacts at first, and B when its shapes have been numbered anew.
    World world(without_sleep());
    const BodyId floor = add(world, make_floor());
    const BodyId stand = add(world, make_body(Box{Vec3(1, 1, 0.5f)}, Vec3(0, 0, 0.5f)));
    const BodyId load = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 1.5f)));
    run(world, 120);
    const float before = pressure(world);
    world.watch_contacts({true, 1.0f});
    add_shape(world, stand, ball_at(Vec3(0.9f, 0, 0)));
    const auto look = [&] {
        const std::vector<ContactState> contacts = published(world).contacts;
        EXPECT_EQ(contacts.size(), 8u);
        for (const ContactState& contact : contacts) {
            EXPECT_GT(contact.age, 50u);
            const bool up = contact.body_b == load || contact.body_a == floor;
            EXPECT_GT((up ? 1.0f : -1.0f) * contact.normal.z, 0.99f);
            const bool of_load = contact.body_a == load || contact.body_b == load;
            EXPECT_NEAR(contact.point.z, of_load ? 1.0f : 0.0f, 0.01f);
            EXPECT_NEAR(std::abs(contact.point.x), of_load ? 0.5f : 1.0f, 0.005f);
        }
    };
    look();
    EXPECT_NEAR(pressure(world), before, 1e-3f * before);
    world.step();
    EXPECT_TRUE(world.contact_events().begun.empty());
    EXPECT_TRUE(world.contact_events().ended.empty());
    look();
    EXPECT_NEAR(pressure(world), before, 0.1f * before);
    run(world, 60);
    EXPECT_NEAR(state_of(world, load).pose.position.z, 1.5f, 0.01f);
    EXPECT_LT(glm::length(state_of(world, load).linear_velocity), 1e-3f);
    remove_shape(world, stand, 0); // what lay on the box falls, what is left is a ball
    world.step();
    EXPECT_EQ(world.contact_events().ended.size(), 2u);
    run(world, 120);
    EXPECT_LT(state_of(world, load).pose.position.z, 0.8f);
}

TEST(ShapeCommands, SleepersWakeAndStatesAreLoaded) {
    World world;
    const BodyId floor = add(world, make_floor());
    const BodyId box = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f)));
    const BodyId far = add(world, make_body(Box{Vec3(0.5f)}, Vec3(50, 0, 0.5f)));
    run(world, 200);
    ASSERT_TRUE(state_of(world, box).sleeping);
    add_shape(world, floor, {Box{Vec3(0.5f)}, {Vec3(50, 0, 2.9f), identity_orientation}});
    EXPECT_FALSE(state_of(world, far).sleeping);
    add_shape(world, box, ball_at(Vec3(0, 0, 0.5f)), 0);
    EXPECT_FALSE(state_of(world, box).sleeping);
    remove_shape(world, floor, 1);
    add_shape(world, box, {Sphere{2.0f}, {}, true, {}});
    world.step();
    EXPECT_EQ(world.inside_sensor(box, 2), (std::vector<WorldShape>{{floor, 0}}));
    World loaded;
    ASSERT_EQ(loaded.load(world.image()), "");
    EXPECT_EQ(loaded.hash(), world.hash());
    run(world, 200);
    run(loaded, 200);
    EXPECT_EQ(loaded.hash(), world.hash());
    remove_shape(world, box, 1); // the ball alone is a body, too
    remove_shape(world, box, 1);
    world.step();
    EXPECT_EQ(world.sensor_events().ended.size(), 1u);
    EXPECT_EQ(world.model(box)->parts.size(), 1u);
}

TEST(ShapeCommands, WhatMakesNoBodyIsRejected) {
    World world;
    const BodyId id = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0.0f)));
    const std::uint64_t hash = world.hash();
    const auto error_of = [&](const Command& command) { return world.apply(command).error; };
    EXPECT_NE(error_of(RemoveShape{id, 0}).find("at least one shape"), std::string::npos);
    EXPECT_NE(error_of(RemoveShape{id, 1}), "");
    EXPECT_NE(error_of(RemoveShape{{7, 0}, 0}), "");
    EXPECT_NE(error_of(AddShape{id, ball_at(Vec3(0.0f)), 2u}).find("no place 2"), std::string::npos);
    EXPECT_NE(error_of(AddShape{id, ball_at(Vec3(0.0f), -1.0f), {}}), "");
    EXPECT_NE(error_of(AddShape{id, ball_at(Vec3(1e9f)), {}}), "");
    EXPECT_NE(error_of(AddShape{{9, 9}, ball_at(Vec3(0.0f)), {}}), "");
    add_shape(world, id, {Sphere{1.0f}, {}, true, {}});
    EXPECT_NE(error_of(RemoveShape{id, 0}).find("state its mass"), std::string::npos);
    remove_shape(world, id, 1);
    EXPECT_EQ(world.hash(), hash);
}
