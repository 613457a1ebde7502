#include "app/ui/actions.h"

#include "app/ui/actions/attempt.h"
#include "app/ui/lab/lab.h"
#include "app/ui/paths.h"

#include <algorithm>

namespace cairn::ui {

void perform(App& app, Action action) {
    const auto toggle_layer = [&](std::size_t index) {
        bool& shown = app.view_options.layers.*(debug_layers()[index].shown);
        shown = !shown;
    };
    switch (action) {
    case Action::film:
        film(app);
        break;
    case Action::mute:
        app.sounds.settings.on = !app.sounds.settings.on;
        app.log.info(app.sounds.settings.on ? "Sound on" : "Sound off");
        break;
    case Action::click:
        app.sounds.click();
        break;
    case Action::pause:
        toggle_pause(app);
        break;
    case Action::single_step:
        single_step(app);
        break;
    case Action::what_if:
        what_if(app);
        break;
    case Action::hurry:
        hurry(app);
        break;
    case Action::restart:
        restart_safely(app);
        break;
    case Action::reload:
        reload_safely(app);
        break;
    case Action::slower:
        app.simulation.time_scale = std::max(app.simulation.time_scale / 2.0, 0.01);
        break;
    case Action::faster:
        app.simulation.time_scale = std::min(app.simulation.time_scale * 2.0, 10.0);
        break;
    case Action::throw_ball:
        throw_ball(app);
        break;
    case Action::spawn:
        if (const auto point = point_under_cursor(app); point && !app.cursor_over_ui) {
            spawn_at(app, *point);
        }
        break;
    case Action::delete_selected:
        delete_selected(app);
        break;
    case Action::select_all:
        select_all(app);
        break;
    case Action::duplicate:
        duplicate_selected(app);
        break;
    case Action::copy:
        copy_selected(app);
        break;
    case Action::cut:
        cut_selected(app);
        break;
    case Action::paste:
        paste(app);
        break;
    case Action::tool_select:
    case Action::tool_move:
    case Action::tool_turn:
    case Action::tool_throw:
    case Action::tool_wand:
    case Action::tool_blast:
    case Action::tool_place:
    case Action::tool_measure:
    case Action::tool_join:
    case Action::tool_delete:
        app.tools.choose(app, static_cast<ToolKind>(static_cast<int>(action) - static_cast<int>(Action::tool_select)));
        break;
    case Action::toggle_player:
        app.tools.player.toggle(app);
        break;
    case Action::player_shape_1:
    case Action::player_shape_2:
    case Action::player_shape_3:
    case Action::player_shape_4:
    case Action::player_shape_5:
    case Action::player_shape_6:
    case Action::player_shape_7:
    case Action::player_shape_8:
    case Action::player_shape_9:
        app.tools.player.become(app,
                                static_cast<std::size_t>(action) - static_cast<std::size_t>(Action::player_shape_1));
        break;
    case Action::undo:
        undo(app);
        break;
    case Action::redo:
        redo(app);
        break;
    case Action::deselect:
        if (app.show_help) {
            app.show_help = false;
        } else if (app.tools.cancel(app)) {
            break;
        } else if (app.tools.active() != ToolKind::select) {
            app.tools.choose(app, ToolKind::select);
        } else {
            select(app, {});
            app.log.dismiss();
        }
        break;
    case Action::frame_selected:
        frame_selected(app);
        break;
    case Action::frame_all:
        frame_all(app);
        break;
    case Action::view_front:
        look_along(app, {0.0f, 1.0f, 0.0f});
        break;
    case Action::view_right:
        look_along(app, {-1.0f, 0.0f, 0.0f});
        break;
    case Action::view_top:
        look_along(app, {0.0f, 0.0f, -1.0f});
        break;
    case Action::follow:
        toggle_follow(app);
        break;
    case Action::step_back:
        step_back(app);
        break;
    case Action::play_back:
    case Action::play_forward:
        play(app, action == Action::play_back ? -1 : 1);
        break;
    case Action::last_mark:
    case Action::next_mark:
        go_to_mark(app, action == Action::last_mark ? -1 : 1);
        break;
    case Action::lab:
        toggle_lab(app);
        break;
    case Action::lab_back:
        step_lab(app, -1);
        break;
    case Action::lab_step:
        step_lab(app, 1);
        break;
    case Action::save_past:
        save_past(app);
        break;
    case Action::toggle_record:
        if (app.simulation.recording()) {
            stop_recording(app);
        } else {
            start_recording(app);
        }
        break;
    case Action::toggle_ui:
        app.show_ui = !app.show_ui;
        break;
    case Action::toggle_touching:
        app.view_options.colours =
            app.view_options.colours == ColourMode::touching ? ColourMode::palette : ColourMode::touching;
        break;
    case Action::next_colours:
    case Action::last_colours:
        app.view_options.colours = next_mode(app.view_options.colours, action == Action::next_colours ? 1 : -1);
        app.log.info(std::string("Colours: ") + info_of(app.view_options.colours).title);
        break;
    case Action::toggle_grid:
        app.view_options.grid = !app.view_options.grid;
        break;
    case Action::layer_1:
    case Action::layer_2:
    case Action::layer_3:
    case Action::layer_4:
    case Action::layer_5:
    case Action::layer_6:
    case Action::layer_7:
    case Action::layer_8:
    case Action::layer_9:
    case Action::layer_10:
    case Action::layer_11:
    case Action::layer_12:
    case Action::layer_13:
    case Action::layer_14:
    case Action::layer_15:
        toggle_layer(static_cast<std::size_t>(action) - static_cast<std::size_t>(Action::layer_1));
        break;
    case Action::screenshot:
    case Action::screenshot_panels: {
        const auto path = user_folder("screenshots") / (dated_name(app.document.title) + ".png");
        if (make_parent(app, path)) {
            app.screenshot = ScreenshotRequest{path, action == Action::screenshot_panels};
        }
        break;
    }
    case Action::palette:
        open_palette(app);
        break;
    case Action::plots:
        toggle_drawer(app, Drawer::Page::plots);
        break;
    case Action::log:
        toggle_drawer(app, Drawer::Page::log);
        break;
    case Action::browser:
        open_browser(app);
        break;
    case Action::help:
        app.show_help = !app.show_help;
        break;
    case Action::new_scene:
        new_scene(app);
        break;
    case Action::open:
        choose_and_open(app);
        break;
    case Action::save:
        save(app);
        break;
    case Action::save_as:
        save_as(app);
        break;
    case Action::quit:
        quit_safely(app);
        break;
    case Action::fly_forward:
    case Action::fly_back:
    case Action::fly_left:
    case Action::fly_right:
    case Action::fly_up:
    case Action::fly_down:
    case Action::player_left:
    case Action::player_right:
    case Action::player_forward:
    case Action::player_back:
    case Action::player_up:
    case Action::player_down:
        break; // while held
    }
}

} // namespace cairn::ui
