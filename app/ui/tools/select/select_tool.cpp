#include "app/ui/tools/select/select_tools.h"

#include "app/ui/camera/picking.h"
#include "app/ui/context/context.h"
#include "app/ui/context/selection.h"
#include "app/ui/settings/archive/settings_archive.h"
#include "app/ui/tools/tool.h"
#include "app/ui/tools/tool_box.h"
#include "app/ui/tools/tool_icon.h"
#include "physics/world/body_def.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cairn::ui {

namespace {
constexpr float drag_threshold = 4.0f; // window units at scale 1; below it a press is a click

// Selecting by click and by frame, and holding bodies on a spring.
class SelectTool : public Tool {
  public:
    SelectTool()
        : Tool({"select", "Select and drag", "Click to select; drag a body on a spring.", "Select and drag", "Tab",
                [](const IconPen& pen) { // a pointer
                    pen.draw->AddTriangleFilled(pen.at(-0.7f, -1.1f), pen.at(0.75f, 0.3f), pen.at(-0.7f, 0.85f),
                                                pen.ink);
                    pen.draw->AddLine(pen.at(-0.1f, 0.2f), pen.at(0.35f, 1.15f), pen.ink, 1.6f * pen.stroke);
                },
                false}) {}

    void press(Context& ctx, const glm::vec2& at) override {
        pressed_at_ = last_ = at;
        adding_ = ctx.get<ToolBox>().shift;
        const auto hit = ctx.pick(ctx.cursor_ray());
        pressed_on_ = hit ? hit->body : physics::BodyId{};
        const auto slot = find_body(ctx.frame(), pressed_on_);
        if (!slot || ctx.frame().bodies[*slot].type == physics::BodyType::fixed || adding_) {
            gesture_ = Gesture::frame; // a click, if the cursor stays
            return;
        }
        gesture_ = Gesture::hold;
        if (!is_selected(ctx, hit->body)) {
            select(ctx, hit->body);
        }
        if (ctx.frame().bodies[*slot].type == physics::BodyType::dynamic) {
            const CameraAxes axes = axes_of(ctx.camera.camera());
            Hold hold;
            hold.body = hit->body;
            hold.world = ctx.world_number;
            const physics::Transform pose = ctx.view.drawn_pose(hit->body).value_or(ctx.frame().bodies[*slot].pose);
            hold.local_point = physics::to_local(pose, hit->hit.point);
            hold.depth = glm::dot(hit->hit.point - ctx.camera.camera().eye, axes.forward);
            hold_ = hold;
        }
    }

    void move(Context& ctx, const glm::vec2& at) override {
        last_ = at;
        if (gesture_ != Gesture::hold || !hold_ || hold_->grabbed || !far_enough(ctx, at)) {
            return;
        }
        if (!ctx.can_edit()) {
            hold_.reset();
            return;
        }
        if (const auto target = hold_target(ctx, at)) {
            physics::Grab grab;
            grab.body = hold_->body;
            grab.local_point = hold_->local_point;
            grab.target = hold_->sent = *target;
            grab.hertz = hertz_;
            grab.damping_ratio = damping_ratio;
            hold_->grabbed = true;
            ctx.submit(grab);
        }
    }

    void release(Context& ctx, const glm::vec2& at) override {
        move(ctx, at);
        const Gesture gesture = gesture_;
        gesture_ = Gesture::none;
        const bool clicked = !far_enough(ctx, at);
        if (gesture == Gesture::frame && !clicked) {
            select_framed(ctx, at);
        } else if (clicked && adding_) {
            toggle_selected(ctx, pressed_on_);
        } else if (clicked) {
            select(ctx, pressed_on_); // nothing, after a click into the void
        }
        if (holds_in(ctx)) {
            ctx.submit(physics::ReleaseGrab{});
        }
        hold_.reset();
    }

    bool scroll(Context&, float steps) override {
        if (!hold_ || !hold_->grabbed) {
            return false;
        }
        hold_->depth = std::clamp(hold_->depth * std::pow(1.1f, steps), 0.5f, 500.0f);
        return true;
    }

    void update(Context& ctx) override {
        if (hold_ && hold_->world != ctx.world_number) {
            hold_.reset();
        }
        if (!holds_in(ctx)) {
            return;
        }
        if (!find_body(ctx.frame(), hold_->body)) {
            hold_.reset();
        } else if (const auto target = hold_target(ctx, last_); target && *target != hold_->sent) {
            hold_->sent = *target;
            ctx.submit(physics::MoveGrab{*target});
        }
    }

    void write(const Context& ctx, ToolOverlay& overlay) const override {
        if (gesture_ == Gesture::frame && far_enough(ctx, last_)) {
            const glm::vec2 low = glm::min(last_, pressed_at_), size = glm::abs(last_ - pressed_at_);
            overlay.frame = Rectangle{low.x, low.y, size.x, size.y};
        }
    }

    void settings(Context& ctx) override {
        ctx.widgets.number("tool.spring", "Drag spring", hertz_,
                           {"Hz", 0.5f, 20.0f, 0.02f, "%.1f",
                            "Stiffness of the spring that drags a body, as the frequency at which it would oscillate, "
                            "independent of the body's mass.",
                            true},
                           usual_hertz);
    }

    void remember(SettingsArchive& a) override { a.value("spring", hertz_, 0.5f, 20.0f); }

    bool cancel(Context& ctx) override {
        const bool busy = gesture_ != Gesture::none;
        if (holds_in(ctx)) {
            ctx.submit(physics::ReleaseGrab{});
        }
        hold_.reset();
        gesture_ = Gesture::none;
        return busy;
    }

  private:
    // Soft enough that a body is seen to hang on it, stiff enough to follow the hand.
    static constexpr float usual_hertz = 1.5f;
    static constexpr float damping_ratio = 0.5f;
    enum class Gesture { none, hold, frame };
    struct Hold { // of a body, on a plane that faces the camera
        physics::BodyId body;
        std::uint64_t world = 0; // Context::world_number when it was taken
        physics::Vec3 local_point{0.0f};
        float depth = 0.0f; // m along the line of sight
        bool grabbed = false;
        physics::Vec3 sent{0.0f};
    };

    bool holds_in(const Context& ctx) const { return hold_ && hold_->grabbed && hold_->world == ctx.world_number; }

    std::optional<physics::Vec3> hold_target(const Context& ctx, const glm::vec2& at) const {
        const CameraAxes axes = axes_of(ctx.camera.camera());
        return meet_plane(cursor_ray(ctx.camera.camera(), at, ctx.window_size()),
                          ctx.camera.camera().eye + hold_->depth * axes.forward, axes.forward);
    }

    // from the press, to be no click
    bool far_enough(const Context& ctx, const glm::vec2& at) const {
        return glm::length(at - pressed_at_) > drag_threshold * ctx.window.scale;
    }

    void select_framed(Context& ctx, const glm::vec2& at) const {
        const glm::vec2 low = glm::min(at, pressed_at_), high = glm::max(at, pressed_at_);
        std::vector<physics::BodyId> bodies;
        if (adding_) {
            bodies = ctx.selection;
        }
        for (const physics::BodyState& body : ctx.frame().bodies) {
            const auto pose = ctx.view.drawn_pose(body.id);
            if (body.type == physics::BodyType::fixed || !pose || ctx.get<HiddenBodies>().has(body.id)) {
                continue;
            }
            const auto middle = window_position(ctx.camera.camera(), pose->position, ctx.window_size());
            if (middle && middle->x >= low.x && middle->y >= low.y && middle->x <= high.x && middle->y <= high.y) {
                bodies.push_back(body.id);
            }
        }
        select_bodies(ctx, std::move(bodies));
    }

    float hertz_ = usual_hertz; // of the spring that holds a body

    Gesture gesture_ = Gesture::none;
    glm::vec2 pressed_at_{0.0f}, last_{0.0f};
    physics::BodyId pressed_on_; // what a click selects
    bool adding_ = false;        // Shift was down
    std::optional<Hold> hold_;
};

} // namespace

std::unique_ptr<Tool> make_select_tool() {
    return std::make_unique<SelectTool>();
}

} // namespace cairn::ui
