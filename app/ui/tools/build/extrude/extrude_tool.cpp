#include "app/ui/tools/build/extrude/extrude_tool.h"

#include "app/ui/camera/picking.h"
#include "app/ui/context/context.h"
#include "app/ui/input/key_codes.h"
#include "app/ui/settings/archive/settings_archive.h"
#include "app/ui/tools/build/extrude/outline.h"
#include "app/ui/tools/gizmo/gizmo.h"
#include "app/ui/tools/sketch.h"
#include "app/ui/tools/spawn/spawn.h"
#include "app/ui/tools/tool.h"
#include "app/ui/tools/tool_box.h"
#include "app/ui/tools/tool_icon.h"
#include "app/ui/widgets/palette.h"
#include "physics/world/body_def.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace cairn::ui {

using physics::Vec3;

namespace {

constexpr float least_height = 0.02f, most_height = 100.0f; // m
constexpr float usual_height = 0.5f, usual_grid = 0.25f;
constexpr float corner_reach = 10.0f, raise_threshold = 5.0f; // window units at scale 1
constexpr float standing_gap = 0.002f; // m, to what it stands on: it settles, and is not pushed out
constexpr float line_lift = 0.004f;    // m, of lines that would lie in a surface

} // namespace

DrawingPlane drawing_plane(const Vec3& point, const Vec3& normal) {
    DrawingPlane plane;
    if (normal.z > 0.999f) {
        plane.origin.z = point.z;
        return plane;
    }
    plane.origin = point;
    plane.normal = normal;
    plane.x = physics::normalized_or(glm::cross(Vec3(0.0f, 0.0f, 1.0f), normal), Vec3(1.0f, 0.0f, 0.0f));
    plane.y = glm::cross(normal, plane.x);
    return plane;
}

physics::BodyDef extruded(std::span<const glm::vec2> corners, const DrawingPlane& plane, float height, float above) {
    const glm::vec2 middle(centroid_of(corners));
    physics::BodyDef body;
    for (const Outline& piece : convex_pieces(corners)) {
        std::vector<Vec3> points;
        for (const glm::vec2& corner : piece) {
            points.emplace_back(corner - middle, -0.5f * height);
            points.emplace_back(corner - middle, 0.5f * height);
        }
        body.shapes.push_back({physics::PointSet{std::make_shared<const std::vector<Vec3>>(std::move(points))}, {}});
    }
    body.pose.position = plane.at(middle, 0.5f * height + above);
    if (plane.normal.z < 1.0f) {
        body.pose.orientation = glm::normalize(glm::quat_cast(glm::mat3(plane.x, plane.y, plane.normal)));
    }
    return body;
}

namespace {

// Draws an outline on the ground or on a face, corner by corner, and makes a solid of that shape stand on it.
class ExtrudeTool : public Tool {
  public:
    ExtrudeTool()
        : Tool({"extrude", "Draw a solid",
                "Click corners on the ground or on a face; click the first one, or press Enter, to close the outline, "
                "then "
                "say "
                "how high it is. Backspace takes a corner back.",
                "Draw an outline and extrude it", "Ctrl+E",
                [](const IconPen& pen) { // a prism
                    const auto quad = [&](float y) {
                        pen.line(-1.1f, y, -0.1f, y + 0.45f);
                        pen.line(-0.1f, y + 0.45f, 1.1f, y);
                        pen.line(1.1f, y, 0.1f, y - 0.4f);
                        pen.line(0.1f, y - 0.4f, -1.1f, y);
                    };
                    quad(-0.6f);
                    pen.line(-1.1f, -0.6f, -1.1f, 0.6f);
                    pen.line(-0.1f, -0.15f, -0.1f, 1.05f);
                    pen.line(1.1f, -0.6f, 1.1f, 0.6f);
                    pen.line(-1.1f, 0.6f, -0.1f, 1.05f);
                    pen.line(-0.1f, 1.05f, 1.1f, 0.6f);
                }}) {}

    bool points_at_bodies() const override { return false; }
    void press(Context& ctx, const glm::vec2& at) override {
        if (!ctx.can_edit()) {
            return;
        }
        if (raising_) {
            make(ctx);
            return;
        }
        const auto point = point_at(ctx, plane_);
        if (corners_.size() >= 3 && (is_near(ctx, corners_.front(), at) || is_near(ctx, corners_.back(), at))) {
            close(ctx, at); // what is clicked twice is the last one
            dragging_ = raising_;
        } else if (point && (corners_.empty() || !is_near(ctx, corners_.back(), at))) {
            add(ctx, *point);
        }
    }

    void release(Context& ctx, const glm::vec2&) override {
        if (std::exchange(dragging_, false) && raising_ && moved_) {
            make(ctx);
        }
    }

    bool key(Context& ctx, int key) override {
        if (corners_.empty()) {
            return key == key_backspace; // one too many, which is not to delete what is selected
        }
        if (key == key_enter || key == key_keypad_enter) {
            if (raising_) {
                make(ctx);
            } else {
                close(ctx, ctx.cursor);
            }
            return true;
        }
        if (key == key_escape || key == key_backspace) { // a step back
            if (raising_) {
                raising_ = dragging_ = false;
            } else {
                corners_.pop_back();
                fault_.reset();
            }
            return true;
        }
        return false;
    }

    void update(Context& ctx) override {
        if (!corners_.empty() && world_ != ctx.world_number) {
            cancel(ctx);
        }
        if (!raising_) {
            next_ = point_at(ctx, plane_);
            return;
        }
        next_.reset();
        if (typed_ || ctx.cursor_over_ui) {
            return;
        }
        const auto along =
            gizmo::along_axis(ctx.cursor_ray(), plane_.at(glm::vec2(centroid_of(corners_))), plane_.normal);
        if (!along) {
            return;
        }
        if (!moved_) { // the height that is set stays until the cursor leaves its place
            moved_ = glm::distance(ctx.cursor, closed_at_) > raise_threshold * ctx.window.scale;
            grip_ = *along;
            return;
        }
        float height = closed_height_ + *along - grip_;
        if (ctx.get<ToolBox>().control) {
            height = grid_ * std::round(height / grid_);
        }
        height_ = std::clamp(height, least_height, most_height);
    }

    void draw(const Context& ctx, render::DrawList& list, MeshSource&) override {
        if (corners_.empty()) {
            if (next_) {
                list.points.push_back({plane_.at(*next_, line_lift), glm::vec4(colours::accent(), 1.0f), 6.0f});
            }
            return;
        }
        const glm::vec4 accent(colours::accent(), 1.0f), bad(0.8f, 0.06f, 0.04f, 1.0f);
        const std::size_t n = corners_.size();
        const auto edge = [&](const glm::vec2& a, const glm::vec2& b, float height, const glm::vec4& colour) {
            const glm::vec3 from = plane_.at(a, height), to = plane_.at(b, height);
            sketch::thick_line(list, from, to, colour,
                               reach_on_screen(list.camera, 0.5f * (from + to), ctx.window_size(), ctx.window.scale));
        };
        for (std::size_t i = 0; i + (raising_ || fault_ ? 0 : 1) < n; ++i) {
            const bool wrong = fault_ && (fault_->edge == i || fault_->other == i);
            edge(corners_[i], corners_[(i + 1) % n], line_lift, wrong ? bad : accent);
            if (raising_) {
                edge(corners_[i], corners_[(i + 1) % n], height_, accent);
            }
        }
        for (const glm::vec2& corner : corners_) {
            list.points.push_back({plane_.at(corner, line_lift), accent, 8.0f});
            if (raising_) {
                list.lines.push_back({plane_.at(corner, line_lift), plane_.at(corner, height_), accent, true});
            }
        }
        if (next_ && !fault_) {
            edge(corners_.back(), *next_, line_lift, crosses_open(corners_, *next_) ? bad : accent);
            list.lines.push_back({plane_.at(*next_, line_lift), plane_.at(corners_.front(), line_lift),
                                  glm::vec4(colours::accent(), 0.35f), true});
        }
    }

    void write(const Context&, ToolOverlay& overlay) const override {
        if (raising_) {
            overlay.write(plane_.at(corners_.back(), height_), "Height %.2f m", static_cast<double>(height_));
        } else if (next_ && !corners_.empty()) {
            overlay.write(plane_.at(*next_), "%.2f m", static_cast<double>(glm::distance(*next_, corners_.back())));
        }
        for (const glm::vec2& corner : corners_) {
            overlay.grips.push_back(plane_.at(corner));
        }
    }

    void settings(Context& ctx) override {
        Widgets& w = ctx.widgets;
        typed_ = w.number("tool.extrude_height", "Height", height_,
                          {"m", least_height, most_height, 0.01f, "%.2f", "How high the solid is, out of its plane."},
                          usual_height) ||
                 typed_;
        w.number("tool.extrude_grid", "Grid", grid_,
                 {"m", 0.01f, 10.0f, 0.01f, "%.2f", "What corners and the height keep to while Ctrl is down."},
                 usual_grid);
        w.toggle("tool.extrude_fixed", "Fixed in place", fixed_, "Makes a static body.");
        w.muted(raising_           ? "Move to set the height; click or Enter makes it, Esc goes back."
                : corners_.empty() ? "Click the first corner. Density and colour are those of the Spawn panel."
                                   : "Click the first corner, or Enter, to close; Backspace takes one back.");
    }

    void remember(SettingsArchive& a) override {
        a.value("height", height_, least_height, most_height);
        a.value("grid", grid_, 0.01f, 10.0f);
        a.value("fixed", fixed_);
    }

    bool cancel(Context&) override {
        const bool was = !corners_.empty();
        corners_.clear();
        fault_.reset();
        raising_ = dragging_ = moved_ = typed_ = false;
        return was;
    }

  private:
    // In the plane that is drawn in; before the first corner, in the plane of what is under the cursor.
    std::optional<glm::vec2> point_at(const Context& ctx, DrawingPlane& plane) const {
        if (!ctx.cursor_in_view()) {
            return std::nullopt;
        }
        const physics::Ray ray = ctx.cursor_ray();
        if (corners_.empty()) {
            if (const auto hit = ctx.pick(ray)) {
                plane = drawing_plane(hit->hit.point, hit->hit.normal);
            } else {
                plane = DrawingPlane();
            }
        }
        const auto point = meet_plane(ray, plane.origin, plane.normal);
        if (!point || glm::length(*point - ctx.camera.camera().eye) > 200.0f) {
            return std::nullopt;
        }
        glm::vec2 p = plane.under(*point);
        if (ctx.get<ToolBox>().control) {
            p = grid_ * glm::round(p / grid_);
        }
        return p;
    }

    bool is_near(const Context& ctx, const glm::vec2& corner, const glm::vec2& at) const {
        const auto there = window_position(ctx.camera.camera(), plane_.at(corner), ctx.window_size());
        return there && glm::distance(*there, at) < corner_reach * ctx.window.scale;
    }

    void add(Context& ctx, const glm::vec2& corner) {
        if (corners_.empty()) {
            world_ = ctx.world_number;
        } else if (crosses_open(corners_, corner)) {
            ctx.log.error("No corner here: the outline would cross itself");
            return;
        }
        corners_.push_back(corner);
        fault_.reset();
    }

    void close(Context& ctx, const glm::vec2& at) {
        fault_ = outline_fault(corners_);
        if (fault_) {
            ctx.log.error("Not closed: " + fault_->reason);
            return;
        }
        raising_ = true;
        moved_ = typed_ = false;
        closed_at_ = at;
        closed_height_ = height_;
    }

    void make(Context& ctx) {
        physics::BodyDef body = extruded(corners_, plane_, height_, fixed_ ? 0.0f : standing_gap);
        body.name = "solid";
        body.type = fixed_ ? physics::BodyType::fixed : physics::BodyType::dynamic;
        ctx.get<Spawning>().settings.give_to(body);
        const auto kind = ctx.get<ToolBox>().kinds.get(body);
        if (const auto* why = std::get_if<std::string>(&kind)) {
            ctx.log.error("Cannot be extruded: " + *why);
            return;
        }
        ctx.submit(physics::CreateBody{std::move(body)}, "Extrude an outline");
        cancel(ctx);
        ctx.get<ToolBox>().after_use(ctx);
    }

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

} // namespace

std::unique_ptr<Tool> make_extrude_tool() {
    return std::make_unique<ExtrudeTool>();
}

} // namespace cairn::ui
