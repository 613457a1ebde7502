#include "app/ui/session/registrations.h"

#include "app/ui/browser/scene_browser.h"
#include "app/ui/columns/shown_columns.h"
#include "app/ui/context/attempt.h"
#include "app/ui/context/selection.h"
#include "app/ui/document/captures.h"
#include "app/ui/document/document.h"
#include "app/ui/film/film_state.h"
#include "app/ui/keys/key_editor.h"
#include "app/ui/lab/lab.h"
#include "app/ui/opening/opening.h"
#include "app/ui/palette/command_palette.h"
#include "app/ui/panels/outliner/outliner.h"
#include "app/ui/plots/drawer.h"
#include "app/ui/plots/motion/motion_table.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/screen/layout.h"
#include "app/ui/session/screenshots.h"
#include "app/ui/sound/sounds.h"
#include "app/ui/text/paths.h"
#include "app/ui/timeline/branch_graph.h"
#include "app/ui/timeline/past.h"
#include "app/ui/timeline/playback.h"
#include "app/ui/tools/build/copies.h"
#include "app/ui/tools/player/player.h"
#include "app/ui/tools/spawn/bodies.h"
#include "app/ui/tools/tool_box.h"

#include <algorithm>
#include <functional>
#include <string>
#include <type_traits>

namespace cairn::ui {

namespace {

// What a function does with this argument.
template <class Argument>
std::function<void(Context&)> with(void (*run)(Context&, Argument), std::type_identity_t<Argument> argument) {
    return [run, argument](Context& ctx) { run(ctx, argument); };
}

void next_colours(Context& ctx, int by) {
    ctx.view_options.colours = next_mode(ctx.view_options.colours, by);
    ctx.log.info(std::string("Colours: ") + info_of(ctx.view_options.colours).title);
}

void change_text(Context& ctx, int by) {
    int& size = ctx.get<Layout>().text_size;
    size = std::clamp(size + by, Layout::least_text, Layout::largest_text);
}

// From the world to the left column, to the right one, and back.
void next_keyboard(Context& ctx) {
    Layout& layout = ctx.get<Layout>();
    using Keyboard = Layout::Keyboard;
    layout.keyboard = layout.keyboard == Keyboard::world  ? Keyboard::left
                      : layout.keyboard == Keyboard::left ? Keyboard::right
                                                          : Keyboard::world;
    layout.keyboard_moved = true;
    if (layout.keyboard != Keyboard::world) {
        open_column(ctx, layout.keyboard == Keyboard::left ? Column::left : Column::right);
    }
}

void single_step(Context& ctx) {
    ctx.simulation.request_step();
}

bool has_branches(const Context& ctx) {
    return ctx.simulation.branches().size() > 1;
}

void toggle_recording(Context& ctx) {
    if (ctx.simulation.recording()) {
        stop_recording(ctx);
    } else {
        start_recording(ctx);
    }
}

void ask_for_screenshot(Context& ctx, bool with_panels) {
    const auto path = user_folder("screenshots") / (dated_name(ctx.get<Document>().title) + ".png");
    if (make_parent(ctx, path)) {
        ctx.get<Screenshots>().wanted = ScreenshotRequest{path, with_panels};
    }
}

void add_time_actions(Actions& actions) {
    actions.group("Time");
    actions.add(
        {"pause", "Pause or resume", {"P"}, [](Context& ctx) { ctx.simulation.paused = !ctx.simulation.paused; }});
    actions.add({"single_step", "Single step (pauses first)", {"O"}, single_step, true});
    actions.add({"step_back", "Step back", {"Shift+O"}, step_back, true});
    actions.add({"play_back", "Play the history backwards; press again to stop", {"Shift+,"}, with(play, -1)});
    actions.add({"play_forward", "Play the history forwards; press again to stop", {"Shift+."}, with(play, 1)});
    actions.add({"last_mark", "Go to the previous marker", {","}, with(go_to_mark, -1), true});
    actions.add({"next_mark", "Go to the next marker", {"."}, with(go_to_mark, 1), true});
    actions.add({"what_if", "What-if: replay the later commands from here", {"J"}, what_if});
    actions.add({"hurry", "What-if: run to its end at full speed", {"Shift+J"}, hurry}).enabled =
        [](const Context& ctx) { return ctx.simulation.what_if().has_value(); };
    actions.add({"branch_above", "Take up the branch above", {"Ctrl+Up"}, with(take_branch_beside, -1), true}).enabled =
        has_branches;
    actions.add({"branch_below", "Take up the branch below", {"Ctrl+Down"}, with(take_branch_beside, 1), true})
        .enabled = has_branches;
    actions.add({"restart", "Restart the scene", {"R"}, restart_safely});
    actions.add({"reload", "Reload the scene file", {"F5"}, reload_safely});
    actions.add({"slower", "Slower", {"["}, [](Context& ctx) {
                     ctx.simulation.time_scale = std::max(ctx.simulation.time_scale / 2.0, 0.01);
                 }});
    actions.add({"faster", "Faster", {"]"}, [](Context& ctx) {
                     ctx.simulation.time_scale = std::min(ctx.simulation.time_scale * 2.0, 10.0);
                 }});
    actions.add({"save_past", "Save the history as a capture", {"Shift+F9"}, save_past});
    actions.add({"toggle_record", "Start or stop recording", {"F9"}, toggle_recording}).enabled =
        [](const Context& ctx) { return !ctx.simulation.replaying(); };
}

void add_scenes_actions(Actions& actions) {
    actions.group("Scenes");
    actions.add({"new_scene", "New scene", {"Ctrl+N"}, new_scene});
    actions.add({"open", "Open a file", {"Ctrl+Shift+O"}, choose_and_open});
    actions.add({"browser", "Browse scenes", {"Ctrl+O"}, open_browser});
    actions.add({"save", "Save the scene", {"Ctrl+S"}, [](Context& ctx) { save(ctx); }});
    actions.add({"save_as", "Save the scene as", {"Ctrl+Shift+S"}, [](Context& ctx) { save_as(ctx); }});
    actions.add({"quit", "Quit", {"Ctrl+Q"}, quit_safely});
}

void add_bodies_actions(Actions& actions) {
    actions.group("Bodies");
    actions.add({"throw_ball", "Throw a ball at the cursor", {"Space"}, throw_ball});
    actions.add({"spawn", "Spawn at the cursor", {"N"}, [](Context& ctx) {
                     if (const auto point = point_under_cursor(ctx); point && !ctx.cursor_over_ui) {
                         spawn_at(ctx, *point);
                     }
                 }});
    actions.add(
        {"delete_selected", "Delete the selection", {"Del", "Backspace"}, [](Context& ctx) { delete_selected(ctx); }});
    actions.add({"select_all", "Select all movable bodies", {"Ctrl+A"}, select_all});
    actions.add({"select_next", "Select the next body", {"PageDown"}, with(select_beside, 1), true});
    actions.add({"select_previous", "Select the previous body", {"PageUp"}, with(select_beside, -1), true});
    actions.add({"hide", "Hide the selection, or show all again", {"Shift+H"}, hide_selected});
    actions.add({"duplicate", "Duplicate the selection", {"Ctrl+D"}, duplicate_selected});
    actions.add({"copy", "Copy as scene text", {"Ctrl+C"}, [](Context& ctx) { copy_selected(ctx); }});
    actions.add({"cut", "Cut the selection", {"Ctrl+X"}, cut_selected});
    actions.add({"paste", "Paste at the cursor", {"Ctrl+V"}, paste, true});
    actions.add({"undo", "Undo the last edit", {"Ctrl+Z"}, undo, true}).enabled = [](const Context& ctx) {
        return !ctx.simulation.undo_what().empty();
    };
    actions.add({"redo", "Redo", {"Ctrl+Shift+Z", "Ctrl+Y"}, redo, true}).enabled = [](const Context& ctx) {
        return !ctx.simulation.redo_what().empty();
    };
    actions.add({"deselect", "Cancel, close, clear the selection", {"Esc"}, [](Context& ctx) {
                     if (ctx.get<Layout>().show_help) {
                         ctx.get<Layout>().show_help = false;
                     } else if (ctx.get<ToolBox>().cancel(ctx)) {
                         return;
                     } else if (!ctx.get<ToolBox>().first_is_active()) {
                         ctx.get<ToolBox>().put_away(ctx);
                     } else {
                         select(ctx, {});
                         ctx.log.dismiss();
                     }
                 }});
}

void add_tools_actions(Actions& actions, const Context& ctx) {
    actions.group("Tools");
    for (const auto& tool : ctx.get<ToolBox>().all()) {
        const ToolInfo& info = tool->info();
        actions.add({tool_action(info), info.action, {info.key}, [id = info.id](Context& c) {
                         c.get<ToolBox>().choose(c, id);
                     }});
    }
    actions.add({"lab", "Collision lab", {"Ctrl+L"}, toggle_lab});
    actions.add({"lab_back", "In the lab: previous step", {"Ctrl+Left"}, with(step_lab, -1), true});
    actions.add({"lab_step", "In the lab: next step", {"Ctrl+Right"}, with(step_lab, 1), true});
    actions.add({"toggle_player", "Control a body; press again to release it", {"Y"}, [](Context& ctx) {
                     ctx.get<Player>().toggle(ctx);
                 }});
}

void add_player_actions(Actions& actions) {
    actions.group("Player", KeyUse::player);
    actions.add({"player_left", "Move left along X or Y", {"Left"}});
    actions.add({"player_right", "Move right", {"Right"}});
    actions.add({"player_forward", "Move away from the camera", {"Up"}});
    actions.add({"player_back", "Move towards the camera", {"Down"}});
    actions.add({"player_up", "Move up along Z", {"E"}});
    actions.add({"player_down", "Move down", {"Q"}});
    actions.add({"player_jump", "Jump", {"Shift+Space"}, [](Context& ctx) { ctx.get<Player>().jump(ctx); }});
    for (std::size_t i = 0; i < player_shapes().size(); ++i) {
        const std::string number = std::to_string(i + 1);
        actions.add({"player_shape_" + number, player_shapes()[i].action, {number}, [i](Context& c) {
                         c.get<Player>().become(c, i);
                     }});
    }
}

// Carried out by the window's input, which has the mouse's buttons.
void add_crosshair_actions(Actions& actions) {
    actions.group("Pointing by keyboard");
    actions.add({"aim_left", "Move the crosshair left (Shift: finely)", {"Left"}, {}});
    actions.add({"aim_right", "Move the crosshair right", {"Right"}, {}});
    actions.add({"aim_up", "Move the crosshair up", {"Up"}, {}});
    actions.add({"aim_down", "Move the crosshair down", {"Down"}, {}});
    actions.add({"aim_click", "Click there; hold and move to drag", {"Enter"}, {}});
    actions.add({"aim_hold", "Hold the button down until pressed again", {"Ctrl+Enter"}, {}});
    actions.add({"aim_orbit", "Hold and move: orbit about the point there", {";"}, {}});
    actions.add({"aim_pan", "Hold and move: pan", {"'"}, {}});
    actions.add({"aim_nearer", "As the wheel, forward (Shift: Ctrl+wheel)", {"="}, {}, true});
    actions.add({"aim_farther", "As the wheel, back", {"-"}, {}, true});
}

void add_camera_actions(Actions& actions) {
    actions.group("Camera");
    actions.add({"fly_forward", "Fly forward (Shift: fast)", {"W"}, {}});
    actions.add({"fly_left", "Fly left", {"A"}, {}});
    actions.add({"fly_back", "Fly back", {"S"}, {}});
    actions.add({"fly_right", "Fly right", {"D"}, {}});
    actions.add({"fly_up", "Fly up", {"E"}, {}});
    actions.add({"fly_down", "Fly down", {"Q"}, {}});
    actions.add({"frame_selected", "Frame the selection; all if nothing is selected", {"F"}, frame_selected});
    actions.add({"frame_all", "Frame all movable bodies", {"Home"}, frame_all});
    actions.add({"follow", "Follow the selected body; press again to stop", {"Shift+Home"}, toggle_follow});
    actions.add({"camera_path", "Camera path of the scene on or off", {"Shift+C"}, toggle_camera_path});
    actions.add({"camera_key", "Add this view to the camera path", {"Shift+K"}, add_camera_key});
    actions.add({"clear_camera_path", "Clear the camera path", {"Ctrl+Shift+K"}, clear_camera_path});
    actions.add({"view_front", "View from the front, or the back", {"Shift+F"}, with(look_along, {0.0f, 1.0f, 0.0f})});
    actions.add({"view_right", "View from the right, or the left", {"Shift+R"}, with(look_along, {-1.0f, 0.0f, 0.0f})});
    actions.add({"view_top", "View from the top, or below", {"Shift+T"}, with(look_along, {0.0f, 0.0f, -1.0f})});
    actions.add({"orthographic", "Orthographic view", {"Shift+P"}, toggle_orthographic});
}

void add_view_actions(Actions& actions) {
    actions.group("View");
    for (const DebugLayer& layer : debug_layers()) {
        if (layer.action != nullptr) {
            const auto toggle = [index = layer.index](Context& c) {
                bool& shown = c.view_options.layers[debug_layers()[index]];
                shown = !shown;
            };
            actions.add({layer.action, layer.action_title, {layer.key}, toggle}).in_palette = false;
        }
    }
    actions.add({"next_colours", "Next colour mode", {"V"}, with(next_colours, 1), true});
    actions.add({"last_colours", "Previous colour mode", {"Shift+V"}, with(next_colours, -1), true});
    actions.add({"toggle_touching", "Colour touching bodies", {"T"}, [](Context& ctx) {
                     ctx.view_options.colours =
                         ctx.view_options.colours == ColourMode::touching ? ColourMode::palette : ColourMode::touching;
                 }});
    actions.add({"toggle_grid", "Grid", {"G"}, [](Context& ctx) { ctx.view_options.grid = !ctx.view_options.grid; }});
    actions.add({"toggle_ui", "Hide or show the panels", {"H"}, [](Context& ctx) {
                     ctx.get<Layout>().show_ui = !ctx.get<Layout>().show_ui;
                 }});
    actions.add({"larger_text", "Larger text", {"Ctrl+="}, with(change_text, 25), true});
    actions.add({"smaller_text", "Smaller text", {"Ctrl+-"}, with(change_text, -25), true});
    actions.add({"panel_keys", "Go through the panels by keyboard", {"F6"}, next_keyboard});
    actions.add({"mute", "Sound on or off", {"M"}, [](Context& ctx) {
                     ctx.get<Sounds>().settings.on = !ctx.get<Sounds>().settings.on;
                     ctx.log.info(ctx.get<Sounds>().settings.on ? "Sound on" : "Sound off");
                 }});
    actions.add({"click", "Play a test click", {"C"}, [](Context& ctx) { ctx.get<Sounds>().click(); }});
    actions.add({"screenshot", "Save a screenshot of the world", {"F12"}, with(ask_for_screenshot, false)});
    actions.add(
        {"screenshot_panels", "Save a screenshot with the panels", {"Shift+F12"}, with(ask_for_screenshot, true)});
    actions.add({"film", "Film the last seconds; press again to cancel", {"F10"}, toggle_film});
    actions.add({"palette", "Find any action or setting", {"Ctrl+P"}, open_palette}).in_palette = false;
    actions.add({"plots", "Show or hide the plots", {"F2"}, with(toggle_drawer, Drawer::Page::plots)});
    actions.add({"save_motion", "Save the motion as a table", {"Shift+F2"}, [](Context& ctx) {
                     ctx.get<MotionTable>().toggle(ctx);
                 }});
    actions.add({"log", "Show or hide the log", {"F3"}, with(toggle_drawer, Drawer::Page::log)});
    actions.add({"keys", "Change keys", {"Ctrl+F1"}, open_key_editor});
    actions.add({"help", "List of keys", {"?", "F1"}, [](Context& ctx) {
                     ctx.get<Layout>().show_help = !ctx.get<Layout>().show_help;
                 }});
}

} // namespace

void add_actions(Context& ctx) {
    add_time_actions(ctx.actions);
    add_scenes_actions(ctx.actions);
    add_bodies_actions(ctx.actions);
    add_tools_actions(ctx.actions, ctx);
    add_crosshair_actions(ctx.actions);
    add_player_actions(ctx.actions);
    add_camera_actions(ctx.actions);
    add_view_actions(ctx.actions);
}

} // namespace cairn::ui
