#include "app/ui/window/pointing/crosshair_control.h"

#include "app/ui/screen/layout.h"
#include "app/ui/screen/pointing/pointing.h"
#include "app/ui/tools/tool_box.h"

#include <algorithm>

namespace cairn::ui {

namespace {

// Window units at scale 1: of one press, and per second while an arrow is held.
constexpr float step = 8.0f, fine_step = 1.0f;
constexpr float slow = 250.0f, fast = 900.0f, fine_speed = 40.0f;
constexpr float wait = 0.25f, growth = 600.0f; // s until it glides, and how its speed grows then

// Where in the world it can be: what a panel covers is no place to point at.
glm::vec2 within_free(const Context& ctx, const glm::vec2& at) {
    const Rectangle& free = ctx.get<Layout>().free;
    if (free.width <= 0.0f || free.height <= 0.0f) {
        return glm::clamp(at, glm::vec2(0.0f), ctx.window_size());
    }
    return {std::clamp(at.x, free.x, free.x + free.width), std::clamp(at.y, free.y, free.y + free.height)};
}

} // namespace

void CrosshairControl::show(Context& ctx) {
    Crosshair& crosshair = ctx.get<Crosshair>();
    if (crosshair.shown) {
        return;
    }
    const Rectangle& free = ctx.get<Layout>().free;
    const glm::vec2 middle(free.x + 0.5f * free.width, free.y + 0.5f * free.height);
    const bool there = ctx.cursor_in_view();
    ctx.cursor = within_free(ctx, there ? ctx.cursor : middle);
    ctx.cursor_inside = true;
    ctx.cursor_over_ui = false;
    crosshair.shown = true;
}

void CrosshairControl::hide(Context& ctx, MouseTool& mouse) {
    end(ctx, mouse);
    ctx.get<Crosshair>().shown = false;
}

void CrosshairControl::begin(Context& ctx, MouseTool& mouse, Holds what) {
    const bool left = what == Holds::click || what == Holds::locked;
    holds_ = what;
    shift_at_press_ = ctx.get<ToolBox>().shift;
    dragged_to_ = ctx.cursor;
    ctx.get<Crosshair>().pressed = left;
    mouse.press(ctx,
                left                   ? MouseButton::left
                : what == Holds::orbit ? MouseButton::right
                                       : MouseButton::middle,
                ctx.cursor);
}

void CrosshairControl::end(Context& ctx, MouseTool& mouse) {
    if (holds_ == Holds::nothing) {
        return;
    }
    const Holds what = holds_;
    holds_ = Holds::nothing;
    ctx.get<Crosshair>().pressed = false;
    const bool left = what == Holds::click || what == Holds::locked;
    mouse.release(ctx,
                  left                   ? MouseButton::left
                  : what == Holds::orbit ? MouseButton::right
                                         : MouseButton::middle,
                  left ? ctx.cursor : dragged_to_);
}

void CrosshairControl::shift(Context& ctx, MouseTool& mouse, const glm::vec2& by) {
    if (holds_ == Holds::orbit || holds_ == Holds::pan) { // what it stands on is what the camera turns about
        dragged_to_ += by;
        mouse.move(ctx, dragged_to_);
        return;
    }
    ctx.cursor = within_free(ctx, ctx.cursor + by);
    mouse.move(ctx, ctx.cursor);
}

void CrosshairControl::press(Context& ctx, MouseTool& mouse, std::string_view action, bool fine, bool repeated) {
    show(ctx);
    const float by = (fine ? fine_step : step) * ctx.window.scale;
    if (action == "aim_nearer" || action == "aim_farther") {
        ToolBox& tools = ctx.get<ToolBox>();
        tools.control = fine; // as the wheel with Ctrl, which is how tools take it for themselves
        mouse.scroll(ctx, action == "aim_nearer" ? 1.0f : -1.0f, ctx.cursor);
        tools.control = false;
    } else if (repeated) {
        return; // what is held goes on by itself
    } else if (action == "aim_left") {
        shift(ctx, mouse, {-by, 0.0f});
    } else if (action == "aim_right") {
        shift(ctx, mouse, {by, 0.0f});
    } else if (action == "aim_up") {
        shift(ctx, mouse, {0.0f, -by});
    } else if (action == "aim_down") {
        shift(ctx, mouse, {0.0f, by});
    } else {
        const Holds before = holds_;
        end(ctx, mouse);
        if (action == "aim_click" && before != Holds::locked) {
            begin(ctx, mouse, Holds::click);
        } else if (action == "aim_hold" && before != Holds::locked) {
            begin(ctx, mouse, Holds::locked);
        } else if (action == "aim_orbit") {
            begin(ctx, mouse, Holds::orbit);
        } else if (action == "aim_pan") {
            begin(ctx, mouse, Holds::pan);
        }
    }
}

void CrosshairControl::follow(Context& ctx, MouseTool& mouse, const CrosshairInput& input, float seconds) {
    if (!ctx.get<Crosshair>().shown) {
        return;
    }
    const glm::vec2 way((input.right ? 1.0f : 0.0f) - (input.left ? 1.0f : 0.0f),
                        (input.down ? 1.0f : 0.0f) - (input.up ? 1.0f : 0.0f));
    moving_ = way == glm::vec2(0.0f) ? 0.0f : moving_ + seconds;
    if (moving_ > wait) {
        const float speed = input.fine ? fine_speed : std::min(slow + growth * (moving_ - wait), fast);
        shift(ctx, mouse, speed * ctx.window.scale * seconds * way);
    }
    const bool goes_on = (holds_ == Holds::click && input.click) || (holds_ == Holds::orbit && input.orbit) ||
                         (holds_ == Holds::pan && input.pan) || holds_ == Holds::locked;
    if (!goes_on) {
        end(ctx, mouse);
    } else if (ctx.get<Crosshair>().pressed) { // Shift makes the arrows fine, and is none of the tool's for that time
        ctx.get<ToolBox>().shift = shift_at_press_;
    }
}

} // namespace cairn::ui
