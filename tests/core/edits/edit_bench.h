// A world and the history of its edits, to be used as an author does.
#pragma once

#include "app/core/edits/edit_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace cairn::core::testing {

struct Bench {
    physics::World world;
    EditHistory history;

    physics::CommandResult edit(const physics::Command& command, const EditMark& mark = {}) {
        physics::CommandResult result = history.apply(world, command, mark);
        EXPECT_TRUE(result.ok()) << result.error;
        return result;
    }
    void undo() { EXPECT_EQ(history.undo(world).problem, ""); }
    void redo() { EXPECT_EQ(history.redo(world).problem, ""); }
};

inline physics::BodyDef named_ball(const physics::Vec3& at, const std::string& name = "ball") {
    physics::BodyDef def;
    def.name = name;
    def.pose.position = at;
    def.shapes = {{physics::Sphere{0.4f}, {}}};
    return def;
}

// All that an author can see of a world but for its handles: bodies by name, joints by name.
struct Seen {
    std::vector<physics::BodyDef> bodies;
    std::vector<physics::JointDef> joints;
    std::vector<std::pair<std::string, std::string>> joined;
    physics::Settings settings;
};

inline Seen look(const physics::World& world) {
    Seen seen;
    physics::FrameState frame;
    world.publish(frame);
    const auto name = [&](physics::BodyId id) { return id ? world.model(id)->def.name : std::string("world"); };
    for (const physics::BodyState& body : frame.bodies) {
        physics::BodyDef def = world.model(body.id)->def;
        def.pose = body.pose;
        def.linear_velocity = body.linear_velocity;
        def.angular_velocity = body.angular_velocity;
        def.mass = world.model(body.id)->mass; // whether stated or from the shapes
        seen.bodies.push_back(def);
    }
    for (const physics::JointState& joint : frame.joints) {
        physics::JointDef def = *joint.def;
        def.name += "|" + name(def.body_a) + "|" + name(def.body_b);
        def.body_a = def.body_b = physics::BodyId{};
        seen.joints.push_back(def);
    }
    std::sort(seen.bodies.begin(), seen.bodies.end(), [](auto& a, auto& b) { return a.name < b.name; });
    std::sort(seen.joints.begin(), seen.joints.end(), [](auto& a, auto& b) { return a.name < b.name; });
    seen.settings = world.settings();
    return seen;
}

inline void expect_same(const Seen& a, const Seen& b, const std::string& when) {
    ASSERT_EQ(a.bodies.size(), b.bodies.size()) << when;
    for (std::size_t i = 0; i < a.bodies.size(); ++i) {
        EXPECT_TRUE(a.bodies[i] == b.bodies[i]) << when << ": " << a.bodies[i].name;
    }
    EXPECT_TRUE(a.joints == b.joints) << when;
    EXPECT_TRUE(a.settings == b.settings) << when;
}

} // namespace cairn::core::testing
