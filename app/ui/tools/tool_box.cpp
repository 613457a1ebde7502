#include "app/ui/tools/tool_box.h"

#include "app/ui/camera/picking.h"
#include "app/ui/context/context.h"
#include "app/ui/settings/archive/settings_archive.h"
#include "app/ui/tools/sketch.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <stdexcept>

namespace cairn::ui {

void ToolOverlay::write(const glm::vec3& at, const char* format, ...) {
    ToolLabel& label = labels.emplace_back();
    label.at = at;
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(label.text.data(), label.text.size(), format, arguments);
    va_end(arguments);
}

Tool& ToolBox::add(std::unique_ptr<Tool> tool) {
    tools_.push_back(std::move(tool));
    return *tools_.back();
}

void ToolBox::choose(Context& ctx, std::string_view id, bool once) {
    const auto chosen = std::ranges::find_if(tools_, [&](const auto& tool) { return id == tool->info().id; });
    if (chosen == tools_.end()) {
        throw std::logic_error("no tool is called " + std::string(id));
    }
    cancel(ctx);
    if (once && !once_) {
        before_ = active_;
    }
    active_ = static_cast<std::size_t>(chosen - tools_.begin());
    once_ = once;
}

void ToolBox::after_use(Context& ctx) {
    if (once_) {
        choose(ctx, tools_[before_]->info().id);
    }
}

void ToolBox::update(Context& ctx) {
    tool().update(ctx);
    overlay.clear();
    tool().write(ctx, overlay);
}

void ToolBox::remember(Context&, SettingsArchive& a) {
    a.enter("tools");
    const auto visit = [&](const char* id, const auto& visited) {
        a.enter(id);
        visited(a);
        a.leave();
    };
    for (const auto& tool : tools_) {
        visit(tool->info().id, [&](SettingsArchive& archive) { tool->remember(archive); });
    }
    for (const auto& [id, visited] : also_) {
        visit(id, visited);
    }
    a.leave();
}

void ToolBox::draw(const Context& ctx, render::DrawList& list, MeshSource& meshes) {
    if (ctx.frame().grab.active) {
        const physics::GrabState& grab = ctx.frame().grab;
        // The body is drawn where it is between two steps: the spring ends there.
        glm::vec3 held = grab.point;
        const auto slot = find_body(ctx.frame(), grab.body);
        if (const auto drawn = ctx.view.drawn_pose(grab.body); slot && drawn) {
            held = physics::to_world(*drawn, physics::to_local(ctx.frame().bodies[*slot].pose, grab.point));
        }
        sketch::spring(list, held, grab.target,
                       reach_on_screen(list.camera, grab.target, ctx.window_size(), ctx.window.scale));
    }
    tool().draw(ctx, list, meshes);
}

} // namespace cairn::ui
