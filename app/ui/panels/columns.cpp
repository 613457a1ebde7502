#include "app/ui/actions.h"
#include "app/ui/lab/lab.h"
#include "app/ui/panels/panels.h"
#include "app/ui/view_fit.h"

#include <algorithm>
#include <utility>

namespace cairn::ui {

namespace {

// A quarter of the window at most, except where that could not hold the text.
float column_width(const App& app) {
    const float s = app.widgets.scale, window = static_cast<float>(app.window.width);
    return std::min({300.0f * s, std::max(0.25f * window - 8.0f * s, 262.0f * s), 0.5f * window - 10.0f * s});
}

template <typename Content>
void column(App& app, const char* name, bool left, const bool& open, Content&& content) {
    const float s = app.widgets.scale, margin = 8.0f * s;
    const float width = open ? column_width(app) : ImGui::GetFrameHeight() + 20.0f * s;
    // Where the drawer has the whole width, the columns end above it.
    const bool above_drawer = app.drawer.open && app.drawer.under_columns;
    const float height = (above_drawer ? app.drawer.place.y : static_cast<float>(app.window.height)) - 2.0f * margin;
    const float x = left ? margin : static_cast<float>(app.window.width) - margin;
    ImGui::SetNextWindowPos(ImVec2(x, margin), ImGuiCond_Always, ImVec2(left ? 0.0f : 1.0f, 0.0f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0.0f), ImVec2(width, std::max(height, 40.0f * s)));
    const bool folded = !open; // the content may change that
    if (folded) {
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(8.0f * s, 8.0f * s));
    }
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;
    if (ImGui::Begin(joined(name, open ? "" : ".folded").c_str(), nullptr, flags)) {
        content();
        const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
        app.widgets.mark(joined("column.", name), {at.x, at.y, size.x, size.y});
    }
    ImGui::End();
    if (folded) {
        ImGui::PopStyleVar();
    }
}

} // namespace

void transport_panel(App& app) {
    Widgets& w = app.widgets;
    ImGui::PushFont(w.fonts.strong);
    ImGui::TextUnformatted(joined(app.document.title, has_unsaved_work(app) ? " *" : "").c_str());
    ImGui::PopFont();
    w.tip(app.simulation.scene().description);
    w.mark("scene.title");
    ImGui::PushFont(w.fonts.mono);
    const FrameText clock = formatted("%.2f s", app.frame().time);
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(clock.c_str()).x);
    ImGui::TextColored(theme::muted, "%s", clock.c_str());
    ImGui::PopFont();
    w.tip_by([&] { return formatted("Simulated time; step %llu", static_cast<unsigned long long>(app.frame().step)); });
    if (!app.simulation.scene().description.empty()) { // what there is to try
        w.muted(app.simulation.scene().description);
        w.mark("scene.description");
    }

    // Nine buttons share the row.
    const float side = ImGui::GetFrameHeight() + 4.0f * w.scale;
    const float gap = std::clamp((ImGui::GetContentRegionAvail().x - 9.0f * side) / 8.0f, 1.0f, 4.0f * w.scale);
    const bool paused = app.simulation.paused;
    if (w.icon_button("transport.pause", paused ? Icon::play : Icon::pause,
                      joined(paused ? "Resume (" : "Pause (", key_of(Action::pause), ")"), paused)) {
        toggle_pause(app);
    }
    ImGui::SameLine(0.0f, gap);
    if (w.icon_button("transport.step", Icon::step, joined("Single step (", key_of(Action::single_step), ")"))) {
        single_step(app);
    }
    ImGui::SameLine(0.0f, gap);
    if (w.icon_button("transport.restart", Icon::restart,
                      joined("Restart the scene (", key_of(Action::restart), ")"))) {
        restart_safely(app);
    }
    ImGui::SameLine(0.0f, gap);
    const auto help_of = [](const char* deed, const std::string& what, Action action) {
        return joined(deed, what.empty() ? "" : ": ", what, " (", key_of(action), ")");
    };
    if (w.icon_button("transport.undo", Icon::undo, help_of("Undo", app.simulation.undo_what(), Action::undo), false,
                      !app.simulation.undo_what().empty())) {
        undo(app);
    }
    ImGui::SameLine(0.0f, gap);
    if (w.icon_button("transport.redo", Icon::redo, help_of("Redo", app.simulation.redo_what(), Action::redo), false,
                      !app.simulation.redo_what().empty())) {
        redo(app);
    }
    ImGui::SameLine(0.0f, gap);
    const bool recording = app.simulation.recording();
    if (w.icon_button("transport.record", recording ? Icon::stop : Icon::record,
                      joined(recording ? "Stop recording (" : "Record a capture (", key_of(Action::toggle_record), ")"),
                      recording, !app.simulation.replay())) {
        perform(app, Action::toggle_record);
    }
    ImGui::SameLine(0.0f, gap);
    if (w.icon_button("transport.screenshot", Icon::camera,
                      joined("Save a screenshot (", key_of(Action::screenshot), ")"))) {
        perform(app, Action::screenshot);
    }
    ImGui::SameLine(0.0f, gap);
    if (w.icon_button("transport.help", Icon::help, joined("All keys (", key_of(Action::help), ")"), app.show_help)) {
        app.show_help = !app.show_help;
    }
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - side);
    if (w.icon_button("column.left.fold", Icon::fold_left,
                      joined("Hide this column (", key_of(Action::toggle_ui), " hides both)"))) {
        app.columns.left = false;
    }
    float speed = static_cast<float>(app.simulation.time_scale);
    const FrameText help =
        joined("Simulation speed: 1 is real time (", key_of(Action::slower), " and ", key_of(Action::faster), ").");
    if (w.number("transport.speed", "Time scale", speed, {"×", 0.01f, 10.0f, 0.01f, "%.2f", help.c_str(), true},
                 1.0f)) {
        app.simulation.time_scale = static_cast<double>(speed);
    }
}

namespace {

// Heads the right column: how well the machine keeps up.
void performance_row(App& app) {
    Widgets& w = app.widgets;
    const float frame_ms = app.figures.frame_ms.mean();
    ImGui::AlignTextToFramePadding();
    ImGui::PushFont(w.fonts.mono);
    ImGui::TextUnformatted(formatted("%.0f FPS", frame_ms > 0.0f ? 1e3 / static_cast<double>(frame_ms) : 0.0).c_str());
    ImGui::SameLine();
    ImGui::TextColored(theme::muted, "%u bodies  %.2f ms/step", app.frame().stats.bodies,
                       static_cast<double>(app.figures.step_ms.mean()));
    ImGui::PopFont();
    const float side = ImGui::GetFrameHeight() + 4.0f * w.scale;
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - side);
    if (w.icon_button("column.right.fold", Icon::fold_right,
                      joined("Hide this column (", key_of(Action::toggle_ui), " hides both)"))) {
        app.columns.right = app.columns.right_for_selection = false;
    }
}

// `free`: what the panels leave of the window.
void fit_camera(App& app, Rectangle free) {
    if (const Rectangle* tools = app.widgets.place("column.tools")) {
        const float edge = tools->x + tools->width;
        free.width -= edge - free.x;
        free.x = edge;
    }
    const bool glides = std::exchange(app.camera.fit, CameraControl::Fit::no) == CameraControl::Fit::glide;
    const render::Camera goal = fitted(app.camera.camera(), what_matters(app.frame()), app.window_size(), free);
    if (glides) {
        app.camera.glide_to(goal);
    } else {
        app.camera.set(goal);
    }
}

void open_for_selection(App& app) {
    Columns& c = app.columns;
    const bool any = !app.selection.empty();
    if (any && !c.had_selection && !c.right) {
        c.right = c.right_for_selection = true;
    } else if (!any && c.right_for_selection) {
        c.right = c.right_for_selection = false;
    }
    c.had_selection = any;
}

// In a narrow window there is room for one column.
bool shows_left(const App& app) {
    const bool narrow = static_cast<float>(app.window.width) < 900.0f * app.widgets.scale;
    return app.columns.left && !(narrow && app.columns.right && !app.lab.open);
}

} // namespace

void draw_panels(App& app) {
    open_for_selection(app);
    // While an item is held, and in the frame after, in which what was typed arrives.
    const bool held = ImGui::IsAnyItemActive();
    if (held && !app.panel_held) {
        app.panel_gesture = app.new_gesture();
    }
    app.gesture = held || app.panel_held ? app.panel_gesture : 0;
    app.panel_held = held;
    place_drawer(app, column_width(app));
    if (app.show_ui) {
        bool left_open = shows_left(app);
        column(app, "left", true, left_open, [&] {
            if (!left_open) {
                if (app.widgets.icon_button("column.left.unfold", Icon::unfold, "Show the panels")) {
                    app.columns.left = true;
                    if (!shows_left(app)) { // there is room for one
                        app.columns.right = app.columns.right_for_selection = false;
                    }
                }
                return;
            }
            transport_panel(app);
            tool_settings(app);
            scenes_panel(app);
            spawn_panel(app);
            world_panel(app);
        });
        if (app.lab.open) { // it stands where the right column does
            app.contacts_panel.pointed.reset();
        } else {
            column(app, "right", false, app.columns.right, [&] {
                if (!app.columns.right) {
                    app.columns.right = app.widgets.icon_button("column.right.unfold", Icon::unfold, "Show the panels");
                    return;
                }
                performance_row(app);
                body_panel(app);
                joints_panel(app);
                contacts_panel(app);
                expectations_panel(app);
                capture_panel(app);
                film_panel(app);
                layers_panel(app);
                sound_panel(app);
                stats_panel(app);
            });
        }
        draw_drawer(app);
    } else {
        app.contacts_panel.pointed.reset();
    }
    const float margin = 8.0f * app.widgets.scale;
    float left = margin, right = static_cast<float>(app.window.width) - margin;
    float bottom = static_cast<float>(app.window.height);
    if (app.show_ui) {
        const float folded = ImGui::GetFrameHeight() + 20.0f * app.widgets.scale;
        left += (shows_left(app) ? column_width(app) : folded) + margin;
        right -= (app.lab.open ? lab_width(app) : app.columns.right ? column_width(app) : folded) + margin;
        bottom = app.drawer.open ? app.drawer.place.y : bottom;
        bottom = timeline(app, left, right, bottom - margin);
        tool_bar(app, bottom - margin);
    }
    draw_lab(app);
    if (app.camera.fit != CameraControl::Fit::no && app.figures.frames > 0) {
        fit_camera(app, {left, margin, right - left, bottom - 2.0f * margin});
    }
    for (const std::string& refusal : app.widgets.take_refusals()) {
        app.log.error(refusal);
    }
    draw_notes(app, left, right, bottom - margin);
    draw_tour(app);
    draw_help(app);
    draw_browser(app);
    draw_palette(app);
    draw_document(app);
    app.end_gesture();
}

} // namespace cairn::ui
