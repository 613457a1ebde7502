// Cameras that know how much of the window the panels leave free. Pure.
#pragma once

#include "app/ui/widgets/widgets.h"
#include "physics/geometry/aabb.h"
#include "physics/world/frame_state.h"
#include "render/draw_list.h"

#include <span>
#include <vector>

namespace cairn::ui {

// The camera, moved so that all points are seen in the free part of the window; as it is if they are already, or if the
// free part is too small to show anything. It keeps its direction, and never comes nearer.
render::Camera fitted(const render::Camera& camera, std::span<const glm::vec3> points, const glm::vec2& window,
                      const Rectangle& free);

// The camera, moved so that the bounds fill the free part of the window, their middle in its middle; it keeps its
// direction.
render::Camera framed(const render::Camera& camera, const physics::Aabb& bounds, const glm::vec2& window,
                      const Rectangle& free);

// The camera beside itself, so that its target is seen in the middle of the free part; and the other way round, so that
// what is seen in that middle is its target.
render::Camera beside_panels(const render::Camera& camera, const glm::vec2& window, const Rectangle& free);
render::Camera without_panels(const render::Camera& camera, const glm::vec2& window, const Rectangle& free);

// The corners of the bodies that can move and are not far from the others; without any, of all.
std::vector<glm::vec3> what_matters(const physics::FrameState& frame);

} // namespace cairn::ui
