// A brush for the triangles of a mesh: what it passes over becomes of one of the mesh's materials.
#pragma once

#include "app/ui/context/parts.h"
#include "app/ui/tools/brush_tool.h"
#include "physics/world/world_query.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cairn::ui {

// What is painted, and with what.
struct PaintTarget : Part {
    PaintTarget() = default;
    PaintTarget(physics::BodyId of, std::uint32_t at, std::uint16_t with) : body(of), place(at), material(with) {}
    void world_replaced(Context&, WorldChange) override { *this = PaintTarget(); }

    physics::BodyId body;
    std::uint32_t place = 0;    // in BodyDef::shapes
    std::uint16_t material = 0; // in MeshData::materials
};
void paint_with(Context& ctx, const PaintTarget& target); // from now on
bool is_painting(const Context& ctx);

class PaintTool : public BrushTool {
  public:
    PaintTool();
    void press(Context& ctx, const glm::vec2& at) override;
    void release(Context& ctx, const glm::vec2& at) override;
    void update(Context& ctx) override;
    void draw(const Context& ctx, render::DrawList& list, MeshSource& meshes) override;
    void write(const Context& ctx, ToolOverlay& overlay) const override;
    void settings(Context& ctx) override;
    bool cancel(Context& ctx) override;

  private:
    // The mesh that is painted, as it is published.
    struct Surface {
        std::shared_ptr<const physics::BodyModel> model;
        std::shared_ptr<const physics::Shape> shape;
        physics::Transform pose; // of the shape, world
    };
    struct Spot {
        std::uint32_t triangle = 0; // as the mesh numbers them
        glm::vec3 local{0.0f};      // m, in the frame of the mesh
    };
    static std::optional<Surface> surface(const Context& ctx);
    static std::optional<Spot> spot(const Context& ctx, const Surface& surface, const physics::Ray& ray);
    void pass_over(const Context& ctx, const Surface& surface, const Spot& spot);
    void submit(Context& ctx, const Surface& surface);
    void outline(render::DrawList& list, const std::vector<std::uint32_t>& triangles, const glm::vec4& colour) const;

    std::optional<Surface> surface_;           // of this frame
    std::optional<Spot> spot_;                 // under the cursor
    std::vector<std::uint32_t> under_;         // triangles that a click would paint
    glm::vec2 cursor_{0.0f};                   // of the frame before
    std::vector<bool> passed_;                 // by triangle, in this stroke
    std::vector<std::uint32_t> pending_;       // passed, but not submitted yet
    const physics::Shape* acted_on_ = nullptr; // as it was seen then; what was submitted is not to be seen yet
};

} // namespace cairn::ui
