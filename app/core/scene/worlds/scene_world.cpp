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
    const auto create = [&](physics::Command command, const char* what, std::size_t i, const std::string& name) {
        const physics::CommandResult result = world.apply(command);
        if (!result.ok()) {
            throw InputError({scene.name.empty() ? "scene" : "scene " + in_quotes(scene.name), 0, 0},
                             what + std::to_string(i) + (name.empty() ? "" : " (" + in_quotes(name) + ")") + ": " +
                                 result.error);
        }
    };
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        create(physics::CreateBody{scene.bodies[i]}, "body ", i, scene.bodies[i].name);
    }
    for (std::size_t i = 0; i < scene.joints.size(); ++i) {
        create(physics::CreateJoint{scene.joints[i]}, "joint ", i, scene.joints[i].name);
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
