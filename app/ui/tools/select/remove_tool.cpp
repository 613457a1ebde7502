#include "app/ui/tools/select/remove_tool.h"

#include "app/ui/camera/picking.h"
#include "app/ui/context/context.h"
#include "app/ui/tools/tool_box.h"
#include "app/ui/tools/tool_icon.h"

#include <algorithm>
#include <utility>

namespace cairn::ui {

RemoveTool::RemoveTool()
    : Tool({"delete", "Delete", "Click a body to delete it, or drag across several; Shift includes static bodies.",
            "Delete by click", "Shift+Del",
            [](const IconPen& pen) { // a cross
                pen.line(-0.85f, -0.85f, 0.85f, 0.85f);
                pen.line(-0.85f, 0.85f, 0.85f, -0.85f);
            }}) {
}

void RemoveTool::press(Context& ctx, const glm::vec2& at) {
    if (!ctx.can_edit()) {
        return;
    }
    wiping_ = true;
    gesture_ = ctx.new_gesture();
    gone_.clear();
    remove_at(ctx, at);
}

void RemoveTool::remove_at(Context& ctx, const glm::vec2& at) {
    const auto hit = ctx.pick(cursor_ray(ctx.camera.camera(), at, ctx.window_size()));
    const auto slot = hit ? find_body(ctx.frame(), hit->body) : std::nullopt;
    // A click beside a body does not mean the ground.
    if (!slot || (ctx.frame().bodies[*slot].type == physics::BodyType::fixed && !ctx.get<ToolBox>().shift) ||
        std::ranges::find(gone_, hit->body) != gone_.end()) {
        return;
    }
    gone_.push_back(hit->body);
    const GestureScope scope(ctx, gesture_);
    ctx.submit(physics::DestroyBody{hit->body});
}

void RemoveTool::move(Context& ctx, const glm::vec2& at) {
    if (wiping_) {
        remove_at(ctx, at);
    }
}

void RemoveTool::release(Context&, const glm::vec2&) {
    wiping_ = false;
}

bool RemoveTool::cancel(Context&) {
    return std::exchange(wiping_, false);
}

} // namespace cairn::ui
