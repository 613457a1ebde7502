#include "app/ui/browser/scene_browser.h"
#include "app/ui/camera/view_fit.h"
#include "app/ui/columns/shown_columns.h"
#include "app/ui/dialogs/question.h"
#include "app/ui/document/document.h"
#include "app/ui/input/actions.h"
#include "app/ui/keys/key_editor.h"
#include "app/ui/lab/lab.h"
#include "app/ui/lab/lab_state.h"
#include "app/ui/opening/mesh_import.h"
#include "app/ui/opening/opening.h"
#include "app/ui/palette/command_palette.h"
#include "app/ui/panels/body/contacts_panel.h"
#include "app/ui/panels/panels.h"
#include "app/ui/plots/drawer.h"
#include "app/ui/screen/frame_metrics.h"
#include "app/ui/screen/layout.h"
#include "app/ui/screen/panel_list.h"
#include "app/ui/timeline/past.h"
#include "app/ui/timeline/playback.h"
#include "app/ui/tools/bar/tool_bar.h"
#include "app/ui/tools/spawn/bodies.h"
#include "app/ui/tools/tool_box.h"
#include "app/ui/tour/tour.h"
#include "app/ui/widgets/rows/parameter_rows.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace cairn::ui {

namespace {

template <typename Content>
void column(Context& ctx, const char* name, bool left, const bool& open, Content&& content) {
    const float s = ctx.widgets.scale, margin = 8.0f * s;
    const float width = open ? column_width(ctx) : ImGui::GetFrameHeight() + 20.0f * s;
    const float height = ctx.get<Layout>().columns_end - 2.0f * margin;
    const float x = left ? margin : ctx.window_size().x - margin;
    ImGui::SetNextWindowPos(ImVec2(x, margin), ImGuiCond_Always, ImVec2(left ? 0.0f : 1.0f, 0.0f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0.0f), ImVec2(width, std::max(height, 40.0f * s)));
    const bool folded = !open; // the content may change that
    if (folded) {
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(8.0f * s, 8.0f * s));
    }
    const Layout& layout = ctx.get<Layout>();
    const bool keys = open && layout.keyboard == (left ? Layout::Keyboard::left : Layout::Keyboard::right);
    if (keys && layout.keyboard_moved) {
        ImGui::SetNextWindowFocus();
    }
    const ImGuiWindowFlags flags = (keys ? fixed_window & ~ImGuiWindowFlags_NoNav : fixed_window) |
                                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing;
    if (ImGui::Begin(joined(name, open ? "" : ".folded").c_str(), nullptr, flags)) {
        content();
        if (keys) {
            const ImVec2 low = ImGui::GetWindowPos(), room = ImGui::GetWindowSize();
            ImGui::GetForegroundDrawList()->AddRect(low, ImVec2(low.x + room.x, low.y + room.y),
                                                    theme::packed(theme::accent), 6.0f * s, 0, 1.5f * s);
        }
        ctx.widgets.mark_window(joined("column.", name));
    }
    ImGui::End();
    if (folded) {
        ImGui::PopStyleVar();
    }
}

// What the scene's file says is to be tried: rows of the World panel, and both values of a switch beside each other.
void scene_parameters(Context& ctx) {
    Widgets& w = ctx.widgets;
    physics::Settings s = ctx.frame().settings;
    const physics::Settings& at_start = ctx.simulation.scene().settings;
    bool changed = false;
    ImGui::BeginDisabled(ctx.simulation.replaying());
    for (const std::string& key : ctx.simulation.scene().show.parameters) {
        const auto p = std::ranges::find(physics::parameters, key, &physics::Parameter::key);
        if (p == physics::parameters.end()) {
            continue;
        }
        ImGui::PushID("scene");
        changed |= parameter_row(w, *p, s, at_start, "scene.");
        ImGui::PopID();
        if (const auto* flag = std::get_if<bool physics::Settings::*>(&p->member)) {
            physics::Settings other = ctx.frame().settings;
            other.** flag = !(other.**flag);
            const char* title =
                other.**flag ? "Run again with it on, beside this" : "Run again with it off, beside this";
            if (w.button(joined("scene.compare.", p->key).c_str(), title,
                         "Goes back to the start and runs the scene with the other value; this run is shown as ghosts.",
                         ImGui::GetContentRegionAvail().x)) {
                compare_from_start(ctx, other);
            }
        }
    }
    ImGui::EndDisabled();
    if (changed) {
        ctx.submit(physics::SetSettings{s});
    }
}

} // namespace

void transport_panel(Context& ctx) {
    Widgets& w = ctx.widgets;
    w.heading(joined(ctx.get<Document>().title, has_unsaved_work(ctx) ? " *" : ""));
    w.tip(ctx.simulation.scene().description);
    w.mark("scene.title");
    ImGui::PushFont(w.fonts.mono);
    const FrameText clock = formatted("%.2f s", ctx.frame().time);
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(clock.c_str()).x);
    ImGui::TextColored(theme::muted, "%s", clock.c_str());
    ImGui::PopFont();
    w.tip_by([&] { return formatted("Simulated time; step %llu", static_cast<unsigned long long>(ctx.frame().step)); });
    if (!ctx.simulation.scene().description.empty()) { // what there is to try
        w.muted(ctx.simulation.scene().description);
        w.mark("scene.description");
    }
    scene_parameters(ctx);

    // Nine buttons share the row, or two where the text is too large for that.
    const float side = ImGui::GetFrameHeight() + 4.0f * w.scale, room = ImGui::GetContentRegionAvail().x;
    const float gap = std::clamp((room - 9.0f * side) / 8.0f, 1.0f, 4.0f * w.scale);
    const int in_row = room >= 9.0f * side + 8.0f ? 9 : 5;
    int placed = 0;
    const auto next_button = [&] {
        if (placed++ % in_row != 0) {
            ImGui::SameLine(0.0f, gap);
        }
    };
    const auto button = [&](const char* id, Icon icon, std::string_view title, const char* action, bool lit = false) {
        next_button();
        if (w.icon_button(id, icon, joined(title, " (", ctx.key_of(action), ")"), lit,
                          ctx.actions.enabled(ctx, action))) {
            ctx.perform(action);
        }
    };
    const auto of_edit = [](const char* edit, const std::string& what) {
        return joined(edit, what.empty() ? "" : ": ", what);
    };
    const bool paused = ctx.simulation.paused, recording = ctx.simulation.recording();
    button("transport.pause", paused ? Icon::play : Icon::pause, paused ? "Resume" : "Pause", "pause", paused);
    button("transport.step", Icon::step, "Single step", "single_step");
    button("transport.restart", Icon::restart, "Restart the scene", "restart");
    button("transport.undo", Icon::undo, of_edit("Undo", ctx.simulation.undo_what()), "undo");
    button("transport.redo", Icon::redo, of_edit("Redo", ctx.simulation.redo_what()), "redo");
    button("transport.record", recording ? Icon::stop : Icon::record, recording ? "Stop recording" : "Record a capture",
           "toggle_record", recording);
    button("transport.screenshot", Icon::camera, "Save a screenshot", "screenshot");
    button("transport.help", Icon::help, "All keys", "help", ctx.get<Layout>().show_help);
    if (in_row == 9) {
        ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - side);
    } else {
        next_button();
    }
    if (w.icon_button("column.left.fold", Icon::fold_left,
                      joined("Hide this column (", ctx.key_of("toggle_ui"), " hides both)"))) {
        ctx.get<Layout>().left = false;
    }
    float speed = static_cast<float>(ctx.simulation.time_scale);
    const FrameText help =
        joined("Simulation speed: 1 is real time (", ctx.key_of("slower"), " and ", ctx.key_of("faster"), ").");
    if (w.number("transport.speed", "Time scale", speed, {"×", 0.01f, 10.0f, 0.01f, "%.2f", help.c_str(), true},
                 1.0f)) {
        ctx.simulation.time_scale = static_cast<double>(speed);
    }
}

void performance_panel(Context& ctx) {
    Widgets& w = ctx.widgets;
    const float frame_ms = ctx.get<FrameMetrics>().frame_ms.mean();
    ImGui::AlignTextToFramePadding();
    ImGui::PushFont(w.fonts.mono);
    ImGui::TextUnformatted(formatted("%.0f FPS", frame_ms > 0.0f ? 1e3 / static_cast<double>(frame_ms) : 0.0).c_str());
    ImGui::SameLine();
    const float side = ImGui::GetFrameHeight() + 4.0f * w.scale, fold = ImGui::GetWindowContentRegionMax().x - side;
    const FrameText step = formatted("%.2f ms/step", static_cast<double>(ctx.get<FrameMetrics>().step_ms.mean()));
    const FrameText all = joined(formatted("%u bodies  ", ctx.frame().stats.bodies), step);
    const bool fits = ImGui::GetCursorPosX() + ImGui::CalcTextSize(all.c_str()).x < fold;
    ImGui::TextColored(theme::muted, "%s", (fits ? all : step).c_str());
    w.mark("performance.step");
    ImGui::PopFont();
    w.tip(all);
    ImGui::SameLine(fold);
    if (w.icon_button("column.right.fold", Icon::fold_right,
                      joined("Hide this column (", ctx.key_of("toggle_ui"), " hides both)"))) {
        ctx.get<Layout>().right = ctx.get<Layout>().right_for_selection = false;
    }
}

namespace {

void draw_all(Context& ctx, const std::vector<Panel>& panels) {
    for (const Panel& panel : panels) {
        const bool shown = panel.shown == nullptr || panel.shown(ctx);
        if (shown && (!panel.is_section() || ctx.widgets.section(panel.id, panel.title, panel.open(ctx)))) {
            panel.draw(ctx);
        }
    }
}

// What the panels leave of the window: between these edges, and beside the bar of tools.
Rectangle free_part(const Context& ctx, Rectangle free) {
    if (const Rectangle* tools = ctx.widgets.place("column.tools")) {
        const float edge = tools->x + tools->width;
        free.width -= edge - free.x;
        free.x = edge;
    }
    return free;
}

void fit_camera(Context& ctx) {
    const Rectangle& free = ctx.get<Layout>().free;
    const bool glides = std::exchange(ctx.camera.fit, CameraControl::Fit::no) == CameraControl::Fit::glide;
    if (ctx.camera.on_path) { // which says what is seen
        return;
    }
    const bool moves = std::ranges::any_of(
        ctx.frame().bodies, [](const physics::BodyState& body) { return body.type != physics::BodyType::fixed; });
    if (!glides && !moves &&
        ctx.simulation.scene().camera != core::SceneCamera{}) { // ground, of which the scene shows a part
        return;
    }
    std::vector<glm::vec3> points = what_matters(ctx.frame());
    const std::vector<physics::Vec3>& also = ctx.simulation.scene().show.points;
    points.insert(points.end(), also.begin(), also.end());
    const render::Camera goal = fitted(ctx.camera.camera(), points, ctx.window_size(), free);
    if (glides) {
        ctx.camera.glide_to(goal);
    } else {
        ctx.camera.set(goal);
    }
}

// A selection opens the right column. In a narrow window the options of a tool, which are on the left, come first.
void open_for_selection(Context& ctx) {
    Layout& c = ctx.get<Layout>();
    const bool any = !ctx.selection.empty();
    const bool options = !ctx.get<ToolBox>().first_is_active() && is_narrow(ctx);
    if (any && !c.had_selection && !c.right && !options) {
        c.right = c.right_for_selection = true;
    } else if (options && c.right_for_selection) {
        c.right = c.right_for_selection = false;
    } else if (!any && c.right_for_selection) {
        c.right = c.right_for_selection = false;
    }
    c.had_selection = any;
}

// What the columns leave between them, window units. Where that is too narrow for the timeline, it stands below them
// from side to side.
struct Between {
    float left = 0.0f, right = 0.0f;
    bool timeline_across = false;
};

Between between_columns(const Context& ctx, bool left_open) {
    const Layout& layout = ctx.get<Layout>();
    const float s = ctx.widgets.scale, margin = 8.0f * s, folded = ImGui::GetFrameHeight() + 20.0f * s;
    Between out{margin, ctx.window_size().x - margin};
    if (layout.show_ui) {
        out.left += (left_open ? column_width(ctx) : folded) + margin;
        out.right -= (ctx.get<LabState>().open ? lab_width(ctx) : layout.right ? column_width(ctx) : folded) + margin;
        out.timeline_across = out.right - out.left < least_timeline_width * s;
    }
    return out;
}

// Above the timeline, and the drawer, where these have the whole width.
float end_of_columns(const Context& ctx, bool timeline_across) {
    const Drawer& drawer = ctx.get<Drawer>();
    const float below = drawer.open && drawer.under_columns ? drawer.place.y : ctx.window_size().y;
    return timeline_across ? below - timeline_height(ctx) - 8.0f * ctx.widgets.scale : below;
}

} // namespace

void draw_panels(Context& ctx) {
    Layout& layout = ctx.get<Layout>();
    ImGuiIO& io = ImGui::GetIO();
    if (layout.keyboard != Layout::Keyboard::world) {
        io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    } else if (layout.keyboard_moved) {
        io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
        ImGui::SetWindowFocus(nullptr);
    }
    open_for_selection(ctx);
    ctx.get<ContactsPanel>().pointed.reset();
    // While an item is held, from the press that takes hold of it (a colour follows that at once), and in the frame
    // after, in which what was typed arrives.
    const bool held = ImGui::IsAnyItemActive() || (io.WantCaptureMouse && ImGui::IsMouseClicked(ImGuiMouseButton_Left));
    if (held && !layout.held) {
        layout.gesture = ctx.new_gesture();
    }
    ctx.gesture = held || layout.held ? layout.gesture : 0;
    layout.held = held;
    const bool left_open = shows_left(ctx);
    const Between between = between_columns(ctx, left_open);
    place_drawer(ctx, between.left, between.right);
    layout.columns_end = end_of_columns(ctx, between.timeline_across);
    const bool any_room = between.left < between.right; // else the lab has it all, until it is closed
    if (layout.show_ui) {
        if (any_room) {
            column(ctx, "left", true, left_open, [&] {
                if (!left_open) {
                    if (ctx.widgets.icon_button("column.left.unfold", Icon::unfold, "Show the panels")) {
                        open_column(ctx, Column::left);
                    }
                    return;
                }
                draw_all(ctx, ctx.get<PanelList>().left);
            });
        }
        if (!ctx.get<LabState>().open) { // which stands there, too
            column(ctx, "right", false, layout.right, [&] {
                if (!layout.right) {
                    layout.right = ctx.widgets.icon_button("column.right.unfold", Icon::unfold, "Show the panels");
                    return;
                }
                draw_all(ctx, ctx.get<PanelList>().right);
            });
        }
        draw_drawer(ctx);
    }
    const float margin = 8.0f * ctx.widgets.scale;
    const float left = between.left, right = between.right;
    float bottom = ctx.window_size().y;
    if (layout.show_ui) {
        bottom = ctx.get<Drawer>().open ? ctx.get<Drawer>().place.y : bottom;
        bottom = between.timeline_across ? timeline(ctx, margin, ctx.window_size().x - margin, bottom - margin)
                                         : timeline(ctx, left, right, bottom - margin);
        if (any_room) {
            tool_bar(ctx, right, bottom - margin);
        }
    }
    draw_lab(ctx);
    layout.free = free_part(ctx, {left, margin, right - left, bottom - 2.0f * margin});
    if (ctx.camera.fit != CameraControl::Fit::no && ctx.get<FrameMetrics>().frames > 0) {
        fit_camera(ctx);
    }
    for (const std::string& rejection : ctx.widgets.take_rejections()) {
        ctx.log.error(rejection);
    }
    draw_notes(ctx, left, right, bottom - margin);
    draw_tour(ctx);
    draw_help(ctx);
    draw_browser(ctx);
    draw_palette(ctx);
    draw_mesh_import(ctx);
    draw_key_editor(ctx);
    draw_dialogs(ctx);
    layout.keyboard_moved = false;
    ctx.end_gesture();
}

} // namespace cairn::ui
