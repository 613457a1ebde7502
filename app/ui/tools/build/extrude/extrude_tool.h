// Draws an outline on the ground or on a face, corner by corner, and makes a solid of that shape stand on it.
#pragma once

#include "app/ui/tools/build/extrude/outline.h"
#include "app/ui/tools/tool.h"
#include "physics/world/body_def.h"

#include <cstdint>
#include <optional>

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

class ExtrudeTool : public Tool {
  public:
    ExtrudeTool();
    bool points_at_bodies() const override { return false; }
    void press(Context& ctx, const glm::vec2& at) override;
    void release(Context& ctx, const glm::vec2& at) override;
    bool key(Context& ctx, int key) override;
    void update(Context& ctx) override;
    void draw(const Context& ctx, render::DrawList& list, MeshSource& meshes) override;
    void write(const Context& ctx, ToolOverlay& overlay) const override;
    void settings(Context& ctx) override;
    void remember(SettingsArchive& archive) override;
    bool cancel(Context& ctx) override;

  private:
    std::optional<glm::vec2> point_at(const Context& ctx, DrawingPlane& plane) const;
    bool is_near(const Context& ctx, const glm::vec2& corner, const glm::vec2& at) const;
    void add(Context& ctx, const glm::vec2& corner);
    void close(Context& ctx, const glm::vec2& at);
    void make(Context& ctx);

    float height_ = 0.5f; // m
    float grid_ = 0.25f;  // m, that Ctrl keeps corners to
    bool fixed_ = false;

    DrawingPlane plane_;
    Outline corners_;
    std::optional<glm::vec2> next_; // under the cursor
    std::optional<OutlineFault> fault_;
    bool raising_ = false;                                  // it is closed; the cursor says how high it is
    bool dragging_ = false, moved_ = false, typed_ = false; // since it was closed
    glm::vec2 closed_at_{0.0f};                             // window units
    float closed_height_ = 0.0f, grip_ = 0.0f;              // m, then; and where the cursor was along the normal
    std::uint64_t world_ = 0;
};

} // namespace cairn::ui
