// Short ways to set up worlds for the tests.
#pragma once

#include "physics/world/world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace cairn::physics::testing {

inline BodyDef make_body(Geometry geometry, const Vec3& position) {
    BodyDef def;
    def.shapes.push_back({std::move(geometry), {}});
    def.pose.position = position;
    return def;
}

inline BodyDef make_static(Geometry geometry, const Vec3& position) {
    BodyDef def = make_body(std::move(geometry), position);
    def.type = BodyType::fixed;
    return def;
}

// Top face at z = 0.
inline BodyDef make_floor() {
    return make_static(Box{Vec3(100, 100, 1)}, Vec3(0, 0, -1));
}

inline Settings without_sleep() {
    Settings settings;
    settings.sleeping = false;
    return settings;
}

inline Settings weightless() {
    Settings settings = without_sleep();
    settings.gravity = Vec3(0.0f);
    return settings;
}

inline BodyId add(World& world, const BodyDef& def) {
    const CommandResult result = world.apply(CreateBody{def});
    EXPECT_TRUE(result.ok()) << result.error;
    return result.created;
}

inline void run(World& world, int steps) {
    for (int i = 0; i < steps; ++i) {
        world.step();
    }
}

inline FrameState published(const World& world) {
    FrameState frame;
    world.publish(frame);
    return frame;
}

inline BodyState state_of(const World& world, BodyId id) {
    const std::optional<BodyState> state = world.state(id);
    EXPECT_TRUE(state.has_value());
    return state.value_or(BodyState{});
}

inline glm::dvec3 momentum(const World& world) {
    glm::dvec3 sum(0.0);
    for (const BodyId id : world.body_ids()) {
        sum += static_cast<double>(world.model(id)->mass) * glm::dvec3(state_of(world, id).linear_velocity);
    }
    return sum;
}

} // namespace cairn::physics::testing
