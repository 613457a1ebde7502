#include "app/ui/tools/build/build_tools.h"

#include "app/core/edits/material_edits.h"
#include "app/core/scene/worlds/frame_bodies.h"
#include "app/ui/camera/picking.h"
#include "app/ui/context/parts.h"
#include "app/ui/context/selection.h"
#include "app/ui/tools/brush_tool.h"
#include "app/ui/tools/sketch.h"
#include "app/ui/tools/tool_icon.h"
#include "app/ui/widgets/palette.h"
#include "physics/world/world_query.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn::ui {

namespace {

constexpr const char* paint_id = "paint";

const physics::MeshData& triangles_of(const physics::BodyModel& model, std::uint32_t place) {
    return *std::get<physics::Mesh>(model.def.shapes[place].geometry).data;
}

std::string material_title(const physics::MeshData& mesh, std::uint16_t place) {
    return mesh.materials[place].empty() ? "material " + std::to_string(place) : mesh.materials[place];
}

} // namespace

void paint_with(Context& ctx, const PaintTarget& target) {
    ctx.get<PaintTarget>() = target;
    ctx.get<ToolBox>().choose(ctx, paint_id);
}

bool is_painting(const Context& ctx) {
    return ctx.get<ToolBox>().tool().info().id == std::string_view(paint_id);
}

namespace {

// A brush for the triangles of a mesh: what it passes over becomes of one of the mesh's materials.
class PaintTool : public BrushTool {
  public:
    PaintTool()
        : BrushTool({paint_id, "Paint materials",
                     "Hold the button to give the triangles of a mesh under the ring a material, which "
                     "its row beside the mesh names.",
                     "Paint materials onto a mesh", "Ctrl+B",
                     [](const IconPen& pen) { // a brush
                         pen.line(1.0f, -1.0f, -0.1f, 0.1f);
                         pen.draw->AddTriangleFilled(pen.at(-0.4f, -0.25f), pen.at(0.3f, 0.45f), pen.at(-1.05f, 1.05f),
                                                     pen.ink);
                     }},
                    0.5f, 0.01f, 500.0f) {}

    void press(Context& ctx, const glm::vec2&) override {
        if (!ctx.can_edit()) {
            return;
        }
        surface_ = surface(ctx);
        if (!surface_) {
            ctx.log.info("Choose what to paint with: the brush beside a material, in the section Shapes of a mesh");
            return;
        }
        spot_ = spot(ctx, *surface_, ctx.cursor_ray());
        if (!spot_) {
            ctx.log.info("The brush paints '" + core::body_name(surface_->model->def, ctx.get<PaintTarget>().body) +
                         "', which is not under the cursor");
            return;
        }
        begin(ctx);
        acted_on_ = nullptr;
        cursor_ = ctx.cursor;
        passed_.assign(surface_->shape->mesh->triangles.size(), false);
        pending_.clear();
        pass_over(ctx, *surface_, *spot_);
    }

    void release(Context& ctx, const glm::vec2& at) override {
        const bool acted = acts_in(ctx);
        BrushTool::release(ctx, at);
        if (acted) {
            if (const std::optional<Surface> now = surface(ctx);
                now && now->shape->mesh->triangles.size() == passed_.size()) {
                submit(ctx, *now);
            }
        }
        pending_.clear();
    }

    void update(Context& ctx) override {
        surface_ = surface(ctx);
        spot_.reset();
        under_.clear();
        acting_ = acts_in(ctx) && surface_ && surface_->shape->mesh->triangles.size() == passed_.size();
        if (!surface_) {
            return;
        }
        if (ctx.cursor_inside && (acting_ || !ctx.cursor_over_ui)) {
            spot_ = spot(ctx, *surface_, ctx.cursor_ray());
        }
        if (spot_) {
            under_ = core::triangles_under_brush(*surface_->shape->mesh, spot_->triangle, spot_->local, radius_);
        }
        if (!acting_) {
            return;
        }
        // Between two frames the cursor may go far.
        constexpr float stride = 6.0f; // window units
        constexpr int most_strides = 64;
        const float moved = glm::length(ctx.cursor - cursor_);
        const int strides = std::clamp(static_cast<int>(std::ceil(moved / stride)), 1, most_strides);
        for (int i = 1; i <= strides && ctx.cursor_inside; ++i) {
            const glm::vec2 at = glm::mix(cursor_, ctx.cursor, static_cast<float>(i) / static_cast<float>(strides));
            if (const auto there = spot(ctx, *surface_, cursor_ray(ctx.camera.camera(), at, ctx.window_size()))) {
                pass_over(ctx, *surface_, *there);
            }
        }
        cursor_ = ctx.cursor;
        // Each command makes the mesh anew, to be drawn as well: of a large one a stroke is one command. Else the next
        // is not given before the last is to be seen.
        constexpr std::size_t large = 100'000; // triangles
        if (passed_.size() < large && surface_->shape.get() != acted_on_) {
            submit(ctx, *surface_);
        }
    }

    void draw(const Context&, render::DrawList& list, MeshSource&) override {
        if (!surface_) {
            return;
        }
        const glm::vec4 colour(colours::accent(), acting_ ? 1.0f : 0.7f);
        if (acting_) {
            outline(list, pending_, glm::vec4(glm::vec3(colour), 0.6f));
        }
        if (!spot_) {
            return;
        }
        outline(list, under_, glm::vec4(glm::vec3(colour), 0.35f));
        const glm::vec3 normal(surface_->shape->mesh->normal(spot_->triangle)),
            at = physics::to_world(surface_->pose, spot_->local);
        sketch::ring(list, at, physics::rotate(surface_->pose.orientation, normal), radius_, colour);
        list.points.push_back({at, colour, 6.0f});
    }

    void write(const Context& ctx, ToolOverlay& overlay) const override {
        if (!surface_ || !spot_) {
            return;
        }
        const PaintTarget& target = ctx.get<PaintTarget>();
        const physics::MeshData& mesh = triangles_of(*surface_->model, target.place);
        overlay.write(physics::to_world(surface_->pose, spot_->local), "%s, %.2f m, %zu triangle%s",
                      material_title(mesh, target.material).c_str(), static_cast<double>(radius_), under_.size(),
                      under_.size() == 1 ? "" : "s");
    }

    void settings(Context& ctx) override {
        Widgets& w = ctx.widgets;
        if (const std::optional<Surface> of = surface(ctx)) {
            const PaintTarget& target = ctx.get<PaintTarget>();
            w.fact("Material", material_title(triangles_of(*of->model, target.place), target.material),
                   "What the brush gives to triangles; the brush in the row of another takes that.");
        } else {
            w.muted("Select a mesh; the brush beside one of its materials paints with it.");
        }
        radius_row(ctx, "tool.paint_radius", 0.01f, "%.2f",
                   "Triangles whose middle is as near to the cursor are painted, and the one under it. Ctrl+wheel "
                   "changes it.");
    }

    bool cancel(Context& ctx) override {
        pending_.clear();
        return BrushTool::cancel(ctx);
    }

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
    static std::optional<Surface> surface(const Context& ctx) {
        const PaintTarget& target = ctx.get<PaintTarget>();
        const physics::FrameState& frame = ctx.frame();
        const auto slot = find_body(frame, target.body);
        if (!slot || target.place >= frame.models[*slot]->parts.size()) {
            return std::nullopt;
        }
        const physics::BodyModel& model = *frame.models[*slot];
        const std::shared_ptr<const physics::Shape>& shape = model.parts[target.place].shape;
        if (!shape || !shape->mesh || shape->mesh->grid ||
            target.material >= triangles_of(model, target.place).materials.size()) {
            return std::nullopt;
        }
        return Surface{frame.models[*slot], shape,
                       physics::compose(frame.bodies[*slot].pose, model.parts[target.place].pose)};
    }

    static std::optional<Spot> spot(const Context& ctx, const Surface& surface, const physics::Ray& ray) {
        const PaintTarget& target = ctx.get<PaintTarget>();
        const auto hit = ctx.pick(ray);
        if (!hit || hit->body != target.body || hit->shape != target.place ||
            hit->hit.triangle >= surface.shape->mesh->triangles.size()) {
            return std::nullopt;
        }
        return Spot{hit->hit.triangle, physics::to_local(surface.pose, hit->hit.point)};
    }

    // What has the material already is passed as well, but not asked for.
    void pass_over(const Context& ctx, const Surface& surface, const Spot& at) {
        const physics::TriangleMesh& mesh = *surface.shape->mesh;
        for (const std::uint32_t t : core::triangles_under_brush(mesh, at.triangle, at.local, radius_)) {
            if (!passed_[t]) {
                passed_[t] = true;
                if (mesh.materials[t] != ctx.get<PaintTarget>().material) {
                    pending_.push_back(t);
                }
            }
        }
    }

    void submit(Context& ctx, const Surface& surface) {
        if (pending_.empty()) {
            return;
        }
        const PaintTarget& target = ctx.get<PaintTarget>();
        const physics::TriangleMesh& mesh = *surface.shape->mesh;
        std::vector<std::uint32_t> triangles;
        triangles.reserve(pending_.size());
        for (const std::uint32_t t : pending_) {
            triangles.push_back(mesh.source[t]);
        }
        physics::SetMeshMaterials set =
            core::triangles_painted(surface.model->def.shapes[target.place], target.material, std::move(triangles));
        set.body = target.body;
        set.shape = target.place;
        const GestureScope scope(ctx, gesture_);
        ctx.submit(std::move(set), "Paint " + core::body_name(surface.model->def, target.body));
        pending_.clear();
        acted_on_ = surface.shape.get();
    }

    void outline(render::DrawList& list, const std::vector<std::uint32_t>& triangles, const glm::vec4& colour) const {
        constexpr std::size_t most = 5000; // more would be a plain area
        const physics::TriangleMesh& mesh = *surface_->shape->mesh;
        for (std::size_t i = 0; i < std::min(triangles.size(), most); ++i) {
            const std::array<physics::DVec3, 3> corner = mesh.corners(triangles[i]);
            for (std::size_t k = 0; k < 3; ++k) {
                list.lines.push_back({physics::to_world(surface_->pose, glm::vec3(corner[k])),
                                      physics::to_world(surface_->pose, glm::vec3(corner[(k + 1) % 3])), colour, true});
            }
        }
    }

    std::optional<Surface> surface_;           // of this frame
    std::optional<Spot> spot_;                 // under the cursor
    std::vector<std::uint32_t> under_;         // triangles that a click would paint
    glm::vec2 cursor_{0.0f};                   // of the frame before
    std::vector<bool> passed_;                 // by triangle, in this stroke
    std::vector<std::uint32_t> pending_;       // passed, but not submitted yet
    const physics::Shape* acted_on_ = nullptr; // as it was seen then; what was submitted is not to be seen yet
};

} // namespace

std::unique_ptr<Tool> make_paint_tool() {
    return std::make_unique<PaintTool>();
}

} // namespace cairn::ui
