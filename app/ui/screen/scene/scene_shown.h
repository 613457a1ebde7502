// What the open scene's file says about how it is shown: see core/scene/scene_show.h.
#pragma once

#include "app/core/scene/scene.h"
#include "app/ui/context/parts.h"
#include "app/ui/layers/debug_layers.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace cairn::ui {

struct SceneShown : Part {
    std::vector<WorldLabel> labels;
    physics::BodyId follow;
    std::vector<core::CameraKey> path;
    std::uint64_t path_edits = 0; // how often a person has changed it
    std::optional<double> speed;  // that the scene has set
    double usual_speed = 1.0;     // before that

    // Bodies of a scene that was just loaded have its order as their ids.
    void learn(const core::Scene& scene);
    void world_replaced(Context& ctx, WorldChange change) override;
};

} // namespace cairn::ui
