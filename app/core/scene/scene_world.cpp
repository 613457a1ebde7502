// Between scenes and worlds.
#include "app/core/base/error.h"
#include "app/core/scene/document.h"
#include "app/core/scene/scene.h"

#include <algorithm>

namespace cairn::core {

physics::World make_world(const Scene& scene, physics::Executor* executor) {
    physics::World world(scene.settings, executor);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const physics::CommandResult result = world.apply(physics::CreateBody{scene.bodies[i]});
        if (!result.ok()) {
            std::string body = "body " + std::to_string(i);
            if (!scene.bodies[i].name.empty()) {
                body += " (" + in_quotes(scene.bodies[i].name) + ")";
            }
            throw InputError({scene.name.empty() ? "scene" : "scene " + in_quotes(scene.name), 0, 0},
                             body + ": " + result.error);
        }
    }
    for (std::size_t i = 0; i < scene.joints.size(); ++i) {
        const physics::CommandResult result = world.apply(physics::CreateJoint{scene.joints[i]});
        if (!result.ok()) {
            std::string joint = "joint " + std::to_string(i);
            if (!scene.joints[i].name.empty()) {
                joint += " (" + in_quotes(scene.joints[i].name) + ")";
            }
            throw InputError({scene.name.empty() ? "scene" : "scene " + in_quotes(scene.name), 0, 0},
                             joint + ": " + result.error);
        }
    }
    return world;
}

Scene scene_from(const physics::FrameState& frame, const std::string& name, const SceneCamera& camera) {
    Scene scene;
    scene.name = name;
    scene.settings = frame.settings;
    scene.camera = camera;
    scene.bodies.reserve(frame.bodies.size());
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const physics::BodyState& state = frame.bodies[i];
        physics::BodyDef& body = scene.bodies.emplace_back(frame.models[i]->def);
        body.type = state.type;
        if (body.mass.has_value()) {
            body.density = physics::BodyDef{}.density; // has no effect then, and no place in a file
        }
        body.pose = state.pose;
        const bool fixed = state.type == physics::BodyType::fixed; // files refuse a static body with a velocity
        body.linear_velocity = fixed ? physics::Vec3(0.0f) : state.linear_velocity;
        body.angular_velocity = fixed ? physics::Vec3(0.0f) : state.angular_velocity;
    }
    const auto place = [&frame](physics::BodyId id) {
        const auto found =
            std::lower_bound(frame.bodies.begin(), frame.bodies.end(), id.index,
                             [](const physics::BodyState& body, std::uint32_t index) { return body.id.index < index; });
        return physics::BodyId{static_cast<std::uint32_t>(found - frame.bodies.begin()), 0};
    };
    for (const physics::JointState& state : frame.joints) {
        physics::JointDef& joint = scene.joints.emplace_back(*state.def);
        joint.body_b = place(joint.body_b);
        if (joint.body_a) {
            joint.body_a = place(joint.body_a);
        }
    }
    return scene;
}

} // namespace cairn::core
