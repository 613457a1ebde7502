// The selected bodies: what they are, how they move, and what can be done with them.
#pragma once

#include "app/ui/context/context.h"
#include "app/ui/panels/body/rows/body_rows.h"
#include "app/ui/panels/body/rows/material_rows.h"
#include "app/ui/widgets/colour/colour_row.h"

#include <cstddef>
#include <optional>

namespace cairn::ui {

struct BodyPanelState {
    physics::BodyId body; // whose orientation `turn` shows
    TurnRow turn;
    glm::vec3 impulse{0.0f, 0.0f, 10.0f}; // N s
    ColourRow colour;
};

class BodyPanel {
  public:
    void operator()(Context& ctx);

  private:
    BodyPanelState state_;
};

// Marks: shape.N of the one at place N, shape.radius and so on of the one that is open.
class ShapesPanel {
  public:
    void operator()(Context& ctx);

  private:
    // What the shape at `place` is made of; `slot`: of the body in the frame. True when it has changed.
    bool material_rows(Context& ctx, const physics::BodyModel& model, std::size_t slot, std::size_t place,
                       physics::ShapeDef& shape);
    static void submit(Context& ctx, std::uint32_t place, const physics::ShapeDef& before,
                       const physics::ShapeDef& after);

    physics::BodyId body_;
    std::optional<std::size_t> open_, shown_; // places; shown_: in the frame before
    TurnRow turn_;
    ColourRow colour_;
    MeshMaterialRows mesh_materials_;
};

// Marks: joint.N of the one at place N, joint.limits and so on of the one that is open.
void joints_panel(Context& ctx);

} // namespace cairn::ui
