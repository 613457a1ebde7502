// Between cursor positions and the world.
#pragma once

#include "physics/query/ray_cast.h"
#include "render/draw_list.h"

#include <glm/glm.hpp>
#include <optional>

namespace cairn::ui {

// The line of sight of a cursor position: from the eye, or of an orthographic view from far behind it. `cursor` and
// `window` in the same units (window coordinates, origin at the top left, y down).
physics::Ray cursor_ray(const render::Camera& camera, const glm::vec2& cursor, const glm::vec2& window);

// The same with its start level with the eye.
physics::Ray from_eye(physics::Ray ray, const render::Camera& camera);

// Where a world point appears in the window; nullopt behind the eye, or as far behind it as nothing is seen.
std::optional<glm::vec2> window_position(const render::Camera& camera, const glm::vec3& point, const glm::vec2& window);

// Where the ray meets the plane through `point` with normal `normal`; nullopt if it runs along or away from it.
std::optional<glm::vec3> meet_plane(const physics::Ray& ray, const glm::vec3& point, const glm::vec3& normal);

// Unit vector in which the camera looks, its right and its up.
struct CameraAxes {
    glm::vec3 forward, right, up;
};
CameraAxes axes_of(const render::Camera& camera);

// Unit vector from a point to the eye: against the line of sight that it lies on.
glm::vec3 towards_eye(const render::Camera& camera, const glm::vec3& point);

// Metres covered by one unit of window height at `distance` m in front of the eye; the same at all of an orthographic
// view.
float metres_per_unit(const render::Camera& camera, float distance, float window_height);

// Handles keep their size on the screen: `units` window units at the distance of `centre`.
float reach_on_screen(const render::Camera& camera, const glm::vec3& centre, const glm::vec2& window, float units);

// Directions as the camera sees them, along the axes of the world that lie nearest to its right and its forward.
glm::vec3 along_world_axes(const render::Camera& camera, float right, float forward, float up);

} // namespace cairn::ui
