#include "app/ui/window/pointing/mouse_tool.h"

#include "app/ui/camera/picking.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/tools/player/player.h"
#include "app/ui/tools/tool_box.h"

namespace cairn::ui {

void MouseTool::press(Context& ctx, MouseButton button, const glm::vec2& at) {
    if (gesture_ != Gesture::none) {
        return; // one gesture at a time
    }
    ctx.cursor = last_ = at;
    ctx.cursor_inside = true; // whoever clicks is there
    ctx.cursor_over_ui = false;
    button_ = button;
    ToolBox& tools = ctx.get<ToolBox>();
    if (button == MouseButton::left) {
        gesture_ = Gesture::tool;
        tools.holding = true;
        tools.tool().press(ctx, at);
        return;
    }
    // The camera turns about what is under the cursor; in the void, about the point that it looks at.
    const auto hit = ctx.pick(ctx.cursor_ray());
    pivot_ = hit ? hit->hit.point : ctx.camera.camera().target;
    gesture_ = button == MouseButton::middle || tools.shift ? Gesture::pan : Gesture::orbit;
}

void MouseTool::move(Context& ctx, const glm::vec2& at) {
    const glm::vec2 drag = at - last_;
    last_ = at;
    if (gesture_ == Gesture::orbit) {
        ctx.camera.orbit(pivot_, drag, ctx.window_size().y);
    } else if (gesture_ == Gesture::pan) {
        ctx.camera.pan(pivot_, drag, ctx.window_size().y);
    } else if (gesture_ == Gesture::tool) {
        ctx.get<ToolBox>().tool().move(ctx, at);
    }
}

void MouseTool::release(Context& ctx, MouseButton button, const glm::vec2& at) {
    if (gesture_ == Gesture::none || button != button_) {
        return;
    }
    move(ctx, at);
    if (gesture_ == Gesture::tool) {
        ctx.get<ToolBox>().tool().release(ctx, at);
        ctx.get<ToolBox>().holding = false;
    }
    gesture_ = Gesture::none;
}

void MouseTool::scroll(Context& ctx, float steps, const glm::vec2& at) {
    ctx.cursor = at;
    if (ctx.get<ToolBox>().tool().scroll(ctx, steps)) {
        return;
    }
    // Into the void, zoom goes towards the plane of the target.
    const physics::Ray ray = ctx.cursor_ray();
    const CameraAxes axes = axes_of(ctx.camera.camera());
    auto focus = point_under_cursor(ctx);
    if (!focus) {
        focus = meet_plane(ray, ctx.camera.camera().target, axes.forward);
    }
    ctx.camera.zoom(focus.value_or(ctx.camera.camera().target), steps);
}

void MouseTool::update(Context& ctx) {
    ctx.get<ToolBox>().update(ctx);
    ctx.get<Player>().update(ctx);
    ctx.hovered = {};
    if (gesture_ == Gesture::none && ctx.cursor_in_view() && ctx.get<ToolBox>().tool().points_at_bodies()) {
        if (const auto hit = ctx.pick(ctx.cursor_ray())) {
            const auto slot = find_body(ctx.frame(), hit->body);
            if (slot && ctx.frame().bodies[*slot].type != physics::BodyType::fixed) {
                ctx.hovered = hit->body;
            }
        }
    }
}

void MouseTool::cancel(Context& ctx) {
    ctx.get<ToolBox>().cancel(ctx);
    ctx.get<ToolBox>().holding = false;
    gesture_ = Gesture::none;
}

} // namespace cairn::ui
