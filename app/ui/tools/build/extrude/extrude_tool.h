// Draws an outline on the ground or on a face, corner by corner, and makes a solid of that shape stand on it.
#pragma once

#include "app/ui/tools/build/extrude/outline.h"
#include "app/ui/tools/tool.h"
#include "physics/world/body_def.h"

#include <memory>

namespace cairn::ui {

// Where an outline is drawn: unit vectors along its two directions, and out of it.
struct DrawingPlane {
    physics::Vec3 origin{0.0f}, x{1.0f, 0.0f, 0.0f}, y{0.0f, 1.0f, 0.0f}, normal{0.0f, 0.0f, 1.0f};

    physics::Vec3 at(const glm::vec2& p, float height = 0.0f) const {
        return origin + p.x * x + p.y * y + height * normal;
    }
    glm::vec2 under(const physics::Vec3& p) const { return {glm::dot(p - origin, x), glm::dot(p - origin, y)}; }
};
// Through a point of a surface. On level ground the directions are those of the world, so that corners can lie on the
// metre grid.
DrawingPlane drawing_plane(const physics::Vec3& point, const physics::Vec3& normal);

// Shapes and pose of what stands on an outline without fault; `gap` above the plane.
physics::BodyDef extruded(std::span<const glm::vec2> corners, const DrawingPlane& plane, float height, float gap);

std::unique_ptr<Tool> make_extrude_tool();

} // namespace cairn::ui
