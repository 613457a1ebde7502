#include "app/ui/tools/push/push_tools.h"

#include "app/ui/camera/picking.h"
#include "app/ui/input/actions.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/tools/brush_tool.h"
#include "app/ui/tools/sketch.h"
#include "app/ui/tools/tool_icon.h"
#include "app/ui/widgets/palette.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace cairn::ui {

namespace {

// Pushes what is near the cursor away from the eye, or pulls it nearer, for as long as the button is down.
class WandTool : public BrushTool {
  public:
    WandTool()
        : BrushTool({"wand", "Push and pull", "Hold the button to push bodies near the cursor; Shift pulls.",
                     "Push and pull", "K",
                     [](const IconPen& pen) { // two arrows against each other
                         pen.line(-1.2f, -0.45f, 0.5f, -0.45f);
                         pen.head(1.15f, -0.45f, 1, 0);
                         pen.line(1.2f, 0.55f, -0.5f, 0.55f);
                         pen.head(-1.15f, 0.55f, -1, 0);
                     }},
                    2.0f, 0.2f, 50.0f) {}

    void press(Context& ctx, const glm::vec2&) override {
        const auto point = point_under_cursor(ctx);
        if (!point || !ctx.can_edit()) {
            return;
        }
        begin(ctx);
        step_ = ctx.frame().step;
        depth_ = glm::length(*point - from_eye(ctx.cursor_ray(), ctx.camera.camera()).origin);
        if (ctx.simulation.paused) {
            ctx.log.info("Pushing and pulling needs a running simulation (" + ctx.key_of("pause") + ")");
        }
    }

    bool scroll(Context& ctx, float steps) override {
        if (acting_) {
            depth_ = std::clamp(depth_ * std::pow(1.1f, steps), 0.5f, 500.0f);
            return true;
        }
        return BrushTool::scroll(ctx, steps);
    }

    void update(Context& ctx) override {
        acting_ = acts_in(ctx);
        const physics::Ray ray = from_eye(ctx.cursor_ray(), ctx.camera.camera());
        if (!acting_) {
            const auto point = point_in_view(ctx);
            shown_ = point.has_value();
            middle_ = point.value_or(middle_);
            return;
        }
        middle_ = ray.origin + depth_ * ray.direction;
        shown_ = true;
        // By steps of the world, not by pictures: a machine that draws faster pushes no harder.
        const physics::FrameState& frame = ctx.frame();
        const std::uint64_t steps = frame.step > step_ ? frame.step - step_ : 0;
        step_ = frame.step;
        if (steps == 0) {
            return;
        }
        const float seconds = static_cast<float>(std::min<std::uint64_t>(steps, 8)) / frame.settings.hz;
        const float change = (pulls(ctx) ? -1.0f : 1.0f) * acceleration_ * seconds;
        const GestureScope scope(ctx, gesture_);
        for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
            const physics::BodyState& body = frame.bodies[i];
            const float share = share_at(glm::length(body.pose.position - middle_), radius_);
            if (body.type == physics::BodyType::dynamic && share > 0.0f) {
                const physics::Vec3 impulse = frame.models[i]->mass * change * share * ray.direction;
                ctx.submit(physics::ApplyImpulse{body.id, impulse, std::nullopt}, pulls(ctx) ? "Pull" : "Push");
            }
        }
    }

    void draw(const Context& ctx, render::DrawList& list, MeshSource&) override {
        if (!shown_) {
            return;
        }
        const glm::vec3 forward = -towards_eye(list.camera, middle_);
        const glm::vec4 colour(colours::accent(), acting_ ? 1.0f : 0.6f);
        const glm::vec3 axis = (pulls(ctx) ? -1.0f : 1.0f) * forward;
        sketch::ring(list, middle_, forward, radius_, colour);
        const CameraAxes axes = axes_of(list.camera);
        // Arrows round the ring say which way it goes; seen along their length, they lean inwards.
        for (int i = 0; i < 8; ++i) {
            const float angle = 0.785398163f * static_cast<float>(i);
            const glm::vec3 out = std::cos(angle) * axes.right + std::sin(angle) * axes.up;
            const glm::vec3 from = middle_ + radius_ * out;
            const glm::vec3 tip = from + 0.35f * radius_ * axis - 0.12f * radius_ * out;
            list.lines.push_back({from, tip, colour, true});
            sketch::arrow_head(list, tip, physics::normalized_or(tip - from, axis), 0.1f * radius_, colour);
        }
    }

    void write(const Context& ctx, ToolOverlay& overlay) const override {
        if (shown_) {
            overlay.write(middle_, "%s %.0f m/s²", pulls(ctx) ? "Pull" : "Push", static_cast<double>(acceleration_));
        }
    }

    void settings(Context& ctx) override {
        static const char* const ways[] = {"Push", "Pull"};
        ctx.widgets.choice("tool.wand_way", "Direction", direction_, ways, 2,
                           "Away from the camera or towards it; Shift reverses it.");
        radius_row(ctx, "tool.wand_radius", 0.02f, "%.1f", "Radius. Ctrl+wheel changes it.");
        ctx.widgets.number("tool.wand_acceleration", "Strength", acceleration_,
                           {"m/s²", 1.0f, 1000.0f, 0.5f, "%.0f",
                            "Acceleration at the centre, independent of mass. Earth's gravity is 9.81."},
                           30.0f);
    }

    void remember(SettingsArchive& a) override {
        static constexpr std::string_view words[] = {"push", "pull"};
        a.word("way", direction_, words);
        BrushTool::remember(a);
        a.value("acceleration", acceleration_, 1.0f, 1000.0f);
    }

    bool cancel(Context&) override { // what was pushed stays so
        return std::exchange(acting_, false);
    }

  private:
    bool pulls(const Context& ctx) const { return (direction_ == 1) != ctx.get<ToolBox>().shift; }

    float acceleration_ = 30.0f; // m/s^2 in the middle
    int direction_ = 0;          // 0 pushes, 1 pulls; Shift turns it round

    std::uint64_t step_ = 0; // of the world, up to which it has acted
    float depth_ = 0.0f;     // m from the eye, where the cursor met something when the button went down
    glm::vec3 middle_{0.0f};
    bool shown_ = false; // the ring, at `middle_`
};

} // namespace

std::unique_ptr<Tool> make_wand_tool() {
    return std::make_unique<WandTool>();
}

} // namespace cairn::ui
