#include "app/ui/tools/tool_box.h"

#include "app/ui/app.h"
#include "app/ui/settings/settings_archive.h"
#include "app/ui/tools/blast_tool.h"
#include "app/ui/tools/gizmo.h"
#include "app/ui/tools/gizmo_tool.h"
#include "app/ui/tools/join_tool.h"
#include "app/ui/tools/measure_tool.h"
#include "app/ui/tools/place_tool.h"
#include "app/ui/tools/remove_tool.h"
#include "app/ui/tools/select_tool.h"
#include "app/ui/tools/sketch.h"
#include "app/ui/tools/throw_tool.h"
#include "app/ui/tools/wand_tool.h"

#include <cstdarg>
#include <cstdio>

namespace cairn::ui {

void ToolOverlay::write(const glm::vec3& at, const char* format, ...) {
    ToolLabel& label = labels.emplace_back();
    label.at = at;
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(label.text.data(), label.text.size(), format, arguments);
    va_end(arguments);
}

const std::array<ToolInfo, 10>& tool_infos() {
    static const std::array<ToolInfo, 10> infos = {{
        {ToolKind::select, "select", "tool.select", "Select and drag", "Click to select; drag a body on a spring.",
         Action::tool_select},
        {ToolKind::move, "move", "tool.move", "Move", "Drag an arrow, a square or the body itself. Ctrl snaps.",
         Action::tool_move},
        {ToolKind::turn, "turn", "tool.turn", "Rotate", "Drag a ring. Ctrl snaps.", Action::tool_turn},
        {ToolKind::launch, "throw", "tool.throw", "Throw",
         "Press on a body, or on the ground for a new ball, pull back and release. Wheel: steeper, flatter.",
         Action::tool_throw},
        {ToolKind::wand, "wand", "tool.wand", "Push and pull",
         "Hold the button to push bodies near the cursor; Shift pulls.", Action::tool_wand},
        {ToolKind::blast, "blast", "tool.blast", "Blast",
         "Click to blast the bodies within the ring apart; Ctrl+wheel changes its radius.", Action::tool_blast},
        {ToolKind::place, "place", "tool.place", "Insert bodies",
         "Click to insert the body set in the Spawn panel, drag for a row. Red: no room.", Action::tool_place},
        {ToolKind::measure, "measure", "tool.measure", "Measure",
         "Click two points for a distance, a third for an angle.", Action::tool_measure},
        {ToolKind::join, "join", "tool.join", "Join",
         "Click two bodies, or one and the ground, to join them; or two points for a rope.", Action::tool_join},
        {ToolKind::remove, "delete", "tool.delete", "Delete",
         "Click a body to delete it, or drag across several; Shift includes static bodies.", Action::tool_delete},
    }};
    return infos;
}

const ToolInfo& info_of(ToolKind kind) {
    return tool_infos()[static_cast<std::size_t>(kind)];
}

ToolBox::ToolBox()
    : tools_{std::make_unique<SelectTool>(),
             std::make_unique<GizmoTool>(GizmoTool::Mode::move),
             std::make_unique<GizmoTool>(GizmoTool::Mode::turn),
             std::make_unique<ThrowTool>(),
             std::make_unique<WandTool>(),
             std::make_unique<BlastTool>(),
             std::make_unique<PlaceTool>(),
             std::make_unique<MeasureTool>(),
             std::make_unique<JoinTool>(),
             std::make_unique<RemoveTool>()} {
}

ToolBox::~ToolBox() = default;

void ToolBox::choose(App& app, ToolKind kind, bool once) {
    cancel(app);
    if (once && !once_) {
        before_ = active_;
    }
    active_ = kind;
    once_ = once;
}

void ToolBox::after_use(App& app) {
    if (once_) {
        choose(app, before_);
    }
}

void ToolBox::update(App& app) {
    tool().update(app);
    player.update(app);
    overlay.clear();
    tool().write(app, overlay);
}

void ToolBox::remember(SettingsArchive& a) {
    a.enter("tools");
    for (const ToolInfo& info : tool_infos()) {
        a.enter(info.id);
        tools_[static_cast<std::size_t>(info.kind)]->remember(a);
        a.leave();
    }
    a.enter("player");
    player.remember(a);
    a.leave();
    a.leave();
}

void ToolBox::draw(const App& app, render::DrawList& list, MeshSource& meshes) {
    if (app.frame().grab.active) {
        const physics::GrabState& grab = app.frame().grab;
        // The body is drawn where it is between two steps: the spring ends there.
        glm::vec3 held = grab.point;
        const auto slot = find_body(app.frame(), grab.body);
        if (const auto drawn = app.view.drawn_pose(grab.body); slot && drawn) {
            held = physics::to_world(*drawn, physics::to_local(app.frame().bodies[*slot].pose, grab.point));
        }
        sketch::spring(list, held, grab.target,
                       gizmo::reach_on_screen(list.camera, grab.target, app.window_size(), app.window.scale));
    }
    tool().draw(app, list, meshes);
}

} // namespace cairn::ui
