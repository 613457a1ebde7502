#include "app/ui/screen/scene/scene_shown.h"

#include "app/ui/context/context.h"

#include <algorithm>

namespace cairn::ui {

void SceneShown::learn(const core::Scene& scene) {
    const auto body_of = [&](const std::string& name) {
        const auto found = std::ranges::find(scene.bodies, name, &physics::BodyDef::name);
        return name.empty() || found == scene.bodies.end()
                   ? physics::BodyId{}
                   : physics::BodyId{static_cast<std::uint32_t>(found - scene.bodies.begin()), 0};
    };
    labels.clear();
    for (const core::SceneLabel& label : scene.show.labels) {
        labels.push_back({label.text, body_of(label.body), label.at});
    }
    follow = body_of(scene.show.follow);
    path = scene.show.path;
}

void SceneShown::world_replaced(Context& ctx, WorldChange change) {
    const std::vector<core::CameraKey> now = path;
    learn(ctx.simulation.scene());
    if (change == WorldChange::restarted) {
        path = now; // what a person has made of it
    }
}

} // namespace cairn::ui
