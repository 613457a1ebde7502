// Between scenes and worlds.
#include "app/core/base/error.h"
#include "app/core/kept/kept_orders.h"
#include "app/core/scene/json/document.h"
#include "app/core/scene/scene.h"
#include "app/core/scene/worlds/excerpt.h"

#include <numeric>
#include <vector>

namespace cairn::core {

physics::World make_world(const Scene& scene, physics::Executor* executor) {
    physics::World world(scene.settings, executor, &kept_orders());
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
    std::vector<std::size_t> all(frame.bodies.size());
    std::iota(all.begin(), all.end(), std::size_t(0));
    Scene scene = excerpt_from(frame, all);
    scene.name = name;
    scene.settings = frame.settings;
    scene.camera = camera;
    return scene;
}

} // namespace cairn::core
