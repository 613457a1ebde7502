// The handles that move and turn bodies: where they are on the screen, which one the cursor is at, and what a drag of
// one means. Pure.
#pragma once

#include "physics/query/ray_cast.h"
#include "render/draw_list.h"

#include <glm/glm.hpp>
#include <optional>

namespace cairn::ui::gizmo {

// Axes and rings are about x, y and z; a square moves in the plane across its axis: `plane_z` in x and y.
enum class Handle { none, x, y, z, plane_x, plane_y, plane_z };

struct Frame {
    glm::vec3 centre{0.0f}; // m, world
    float reach = 1.0f;     // m, length of an arrow and radius of a ring
};

int axis_of(Handle handle);           // 0, 1, 2; none: -1
bool is_plane(Handle handle);         // a square
glm::vec3 axis_vector(Handle handle); // unit, world
const char* name_of(Handle handle);   // "X", "XY", ...

inline constexpr float square_from = 0.28f, square_to = 0.5f; // of the reach, along both axes of a square
inline constexpr float touch = 9.0f;                          // window units at scale 1, about a line

// The handle under the cursor. Of arrows and squares; of rings.
Handle move_handle_at(const Frame& frame, const render::Camera& camera, const glm::vec2& cursor,
                      const glm::vec2& window, float scale);
Handle turn_handle_at(const Frame& frame, const render::Camera& camera, const glm::vec2& cursor,
                      const glm::vec2& window, float scale);

// The point of the line through `origin` along the unit vector `axis` that is nearest to the ray, in m along the axis.
// nullopt where the ray runs along it.
std::optional<float> along_axis(const physics::Ray& ray, const glm::vec3& origin, const glm::vec3& axis);

// The direction of the cursor about the axis, rad: of the point where the ray meets the ring's plane. nullopt where it
// does not, or runs nearly along it.
std::optional<float> angle_about(const physics::Ray& ray, const glm::vec3& centre, const glm::vec3& axis);

// The angle nearest to `previous` that is `angle` but for whole turns.
float unwound(float angle, float previous);

// To whole multiples of `step`; `step` 0 leaves it.
float snapped(float value, float step);

} // namespace cairn::ui::gizmo
