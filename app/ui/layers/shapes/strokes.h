// What debug layers are drawn with: lines, arrows, crosses and boxes, in the world.
#pragma once

#include "physics/base/math.h"
#include "physics/geometry/aabb.h"
#include "render/draw_list.h"

namespace cairn::ui {

// Colours are linear. `on_top`: not hidden by bodies.
void add_line(render::DrawList& list, const glm::vec3& from, const glm::vec3& to, const glm::vec4& colour,
              bool on_top = true);
// Nothing for a vector shorter than a tenth of a millimetre.
void add_arrow(render::DrawList& list, const glm::vec3& from, const glm::vec3& vector, const glm::vec4& colour);
void add_cross(render::DrawList& list, const glm::vec3& middle, const glm::vec4& colour);
// The twelve edges of a box that is given in the axes of `frame`.
void add_box_edges(render::DrawList& list, const physics::Aabb& box, const glm::vec4& colour, bool on_top = false,
                   const physics::Transform& frame = {});

inline glm::vec4 opaque(const glm::vec3& colour) {
    return {colour, 1.0f};
}

} // namespace cairn::ui
