// Lines that tools draw into the world.
#pragma once

#include "render/draw_list.h"

#include <glm/glm.hpp>

namespace cairn::ui::sketch {

// A line `width` window units thick at the distance of its middle, made of thin ones side by side.
void thick_line(render::DrawList& list, const glm::vec3& from, const glm::vec3& to, const glm::vec4& colour,
                float metres_per_unit, int width = 3);

// A circle about `centre` with unit normal `normal`.
void ring(render::DrawList& list, const glm::vec3& centre, const glm::vec3& normal, float radius,
          const glm::vec4& colour, bool on_top = true);

// A filled-looking arrow head.
void arrow_head(render::DrawList& list, const glm::vec3& tip, const glm::vec3& direction, float length,
                const glm::vec4& colour);

// A coil between two points, the same number of turns whatever its length: it is seen to stretch.
void spring(render::DrawList& list, const glm::vec3& from, const glm::vec3& to, float metres_per_unit);

} // namespace cairn::ui::sketch
