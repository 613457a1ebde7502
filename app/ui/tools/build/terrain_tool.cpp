#include "app/ui/tools/build/build_tools.h"

#include "app/core/edits/edit_history.h"
#include "app/ui/tools/brush_tool.h"
#include "app/ui/tools/tool_icon.h"
#include "app/ui/widgets/palette.h"
#include "physics/query/ray_cast.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>

namespace cairn::ui {

namespace {

// A height field of a published state that a ray meets first, whatever else is in the way.
struct FieldHit {
    physics::BodyId body;
    std::uint32_t place = 0;                     // in BodyDef::shapes
    std::shared_ptr<const physics::Shape> shape; // of that state
    physics::Transform pose;                     // of the shape, world
    glm::vec3 local{0.0f};                       // m, the point, in the frame of the shape
};
std::optional<FieldHit> field_hit(const physics::FrameState& frame, const physics::Ray& ray) {
    std::optional<FieldHit> nearest;
    float distance = ray.max_distance;
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const physics::BodyModel& model = *frame.models[i];
        for (std::uint32_t place = 0; place < model.parts.size(); ++place) {
            const std::shared_ptr<const physics::Shape>& shape = model.parts[place].shape;
            if (!shape || !shape->mesh || !shape->mesh->grid) {
                continue;
            }
            const physics::Transform pose = physics::compose(frame.bodies[i].pose, model.parts[place].pose);
            const physics::RayCast hit = physics::ray_cast(*shape, pose, ray);
            if (hit && hit->distance < distance) {
                distance = hit->distance;
                nearest = FieldHit{frame.bodies[i].id, place, shape, pose, physics::to_local(pose, hit->point)};
            }
        }
    }
    return nearest;
}

// A brush for height fields: raises, lowers, smooths and flattens what lies within its ring.
class TerrainTool : public BrushTool {
  public:
    TerrainTool()
        : BrushTool({"terrain", "Shape the ground",
                     "Hold the button to raise, lower, smooth or flatten a height field under the ring; Shift lowers.",
                     "Shape the ground", "Shift+B",
                     [](const IconPen& pen) { // two hills
                         pen.line(-1.25f, 0.8f, -0.35f, -0.75f);
                         pen.line(-0.35f, -0.75f, 0.25f, 0.3f);
                         pen.line(0.0f, -0.15f, 0.45f, -0.55f);
                         pen.line(0.45f, -0.55f, 1.25f, 0.8f);
                         pen.line(-1.25f, 0.8f, 1.25f, 0.8f);
                     }},
                    2.0f, 0.1f, 500.0f) {}

    void press(Context& ctx, const glm::vec2&) override {
        if (!ctx.can_edit()) {
            return;
        }
        field_ = field_hit(ctx.frame(), ctx.cursor_ray());
        if (!field_) {
            ctx.log.info("There is no height field under the cursor");
            return;
        }
        begin(ctx);
        body_ = field_->body;
        place_ = field_->place;
        level_ = field_->local.z;
        act(ctx, 1.0f / 30.0f); // a click does something, however short
    }

    void update(Context& ctx) override {
        acting_ = acts_in(ctx);
        field_.reset();
        if (ctx.cursor_inside && (acting_ || !ctx.cursor_over_ui)) {
            field_ = field_hit(ctx.frame(), ctx.cursor_ray());
        }
        if (!acting_ || !field_ || field_->body != body_ || field_->place != place_) {
            return;
        }
        // What it does to a large field takes its time: the next is not asked for before the last is to be seen, and
        // then makes up for it.
        const float seconds = std::chrono::duration<float>(Clock::now() - acted_).count();
        constexpr float soon = 1.0f / 60.0f, longest = 0.25f;
        if (seconds >= longest || (seconds >= soon && field_->shape.get() != acted_on_)) {
            act(ctx, std::min(seconds, longest));
        }
    }

    void draw(const Context&, render::DrawList& list, MeshSource&) override {
        if (!field_) {
            return;
        }
        const glm::vec4 colour(colours::accent(), acting_ ? 1.0f : 0.7f);
        const physics::HeightGrid& grid = *field_->shape->mesh->grid;
        constexpr int segments = 72;
        for (const float share : {1.0f, 0.5f}) { // at half the radius a little more than half of the strength acts
            std::optional<glm::vec3> last;
            for (int i = 0; i <= segments; ++i) {
                const float angle = 6.28318531f * static_cast<float>(i) / segments;
                const float x = field_->local.x + share * radius_ * std::cos(angle);
                const float y = field_->local.y + share * radius_ * std::sin(angle);
                const std::optional<float> z = grid.height_at(x, y);
                std::optional<glm::vec3> next;
                if (z) {
                    next = physics::to_world(field_->pose, {x, y, *z});
                }
                if (last && next) {
                    list.lines.push_back(
                        {*last, *next, share == 1.0f ? colour : glm::vec4(glm::vec3(colour), 0.35f), true});
                }
                last = next;
            }
        }
        list.points.push_back({physics::to_world(field_->pose, field_->local), colour, 6.0f});
    }

    void write(const Context& ctx, ToolOverlay& overlay) const override {
        if (!field_) {
            return;
        }
        static constexpr const char* names[] = {"Raise", "Lower", "Smooth", "Flatten"};
        overlay.write(physics::to_world(field_->pose, field_->local), "%s, %.1f m, height %.2f m",
                      names[static_cast<std::size_t>(action(ctx))], static_cast<double>(radius_),
                      static_cast<double>(field_->local.z));
    }

    void settings(Context& ctx) override {
        static const char* const ways[] = {"Raise", "Lower", "Smooth", "Flatten"};
        ctx.widgets.choice(
            "tool.terrain_way", "Action", action_, ways, 4,
            "Raise or lower the ground, even it out, or level it to the height where the button went down. "
            "Shift turns raising and lowering round.");
        radius_row(ctx, "tool.terrain_radius", 0.02f, "%.1f", "Radius of the brush. Ctrl+wheel changes it.");
        if (action_ < 2) {
            ctx.widgets.number(
                "tool.terrain_speed", "Strength", speed_,
                {"m/s", 0.01f, 100.0f, 0.01f, "%.2f", "How fast the ground rises or falls in the middle."}, 1.0f);
        } else {
            ctx.widgets.number("tool.terrain_rate", "Strength", rate_,
                               {"1/s", 0.1f, 30.0f, 0.05f, "%.1f", "How fast the ground is evened out in the middle."},
                               4.0f);
        }
    }

    void remember(SettingsArchive& a) override {
        static constexpr std::string_view words[] = {"raise", "lower", "smooth", "flatten"};
        a.word("way", action_, words);
        BrushTool::remember(a);
        a.value("speed", speed_, 0.01f, 100.0f);
        a.value("rate", rate_, 0.1f, 30.0f);
    }

  private:
    enum class Action : int { raise, lower, smooth, flatten };
    using Clock = std::chrono::steady_clock;

    // Shift turns raising and lowering round
    Action action(const Context& ctx) const {
        const Action chosen = static_cast<Action>(action_);
        if (!ctx.get<ToolBox>().shift || chosen == Action::smooth || chosen == Action::flatten) {
            return chosen;
        }
        return chosen == Action::raise ? Action::lower : Action::raise;
    }

    void act(Context& ctx, float seconds) {
        static constexpr const char* names[] = {"Raise the ground", "Lower the ground", "Smooth the ground",
                                                "Flatten the ground"};
        const Action now = action(ctx);
        core::BrushHeights brush;
        brush.body = body_;
        brush.place = place_;
        brush.x = field_->local.x;
        brush.y = field_->local.y;
        brush.radius = radius_;
        brush.level = level_;
        if (now == Action::raise || now == Action::lower) {
            brush.action = core::BrushHeights::Action::raise;
            brush.amount = (now == Action::raise ? speed_ : -speed_) * seconds;
        } else {
            brush.action =
                now == Action::smooth ? core::BrushHeights::Action::smooth : core::BrushHeights::Action::flatten;
            brush.amount = std::min(rate_ * seconds, 1.0f);
        }
        const GestureScope scope(ctx, gesture_);
        ctx.submit(brush, names[static_cast<std::size_t>(now)]);
        acted_ = Clock::now();
        acted_on_ = field_->shape.get();
    }

    float speed_ = 1.0f; // m/s in the middle: of raising and lowering
    float rate_ = 4.0f;  // 1/s: of smoothing and flattening, the share that goes in a second if it is small
    int action_ = 0;

    std::optional<FieldHit> field_; // under the cursor
    physics::BodyId body_;          // while it acts, the field that it began with
    std::uint32_t place_ = 0;
    float level_ = 0.0f; // m, where it began
    Clock::time_point acted_;
    const physics::Shape* acted_on_ = nullptr; // as it was seen then; what it has done is not to be seen yet
};

} // namespace

std::unique_ptr<Tool> make_terrain_tool() {
    return std::make_unique<TerrainTool>();
}

} // namespace cairn::ui
