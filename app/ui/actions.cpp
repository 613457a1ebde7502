#include "app/ui/actions.h"

#include "app/core/base/error.h"
#include "app/core/scene/scene_sources.h"
#include "app/ui/paths.h"
#include "app/ui/picking.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

namespace {

// A fault in a file or a full disk is the person's to mend; the program goes on.
template <typename Work>
bool attempt(App& app, Work&& work) {
    try {
        work();
        return true;
    } catch (const std::exception& error) {
        app.log.error(error.what());
        return false;
    }
}

bool make_parent(App& app, const std::filesystem::path& path) {
    if (!path.has_parent_path()) {
        return true;
    }
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) {
        app.log.error(path.parent_path().string() + ": cannot make this folder: " + error.message());
    }
    return !error;
}

std::string scene_title(const App& app) {
    const std::string& name = app.simulation.scene().name;
    return name.empty() ? app.file.stem().string() : name;
}

void set_camera_of_scene(App& app) {
    app.camera.set(camera_of(app.simulation.scene().camera));
}

} // namespace

physics::Ray App::cursor_ray() const {
    return ui::cursor_ray(camera.camera(), cursor, window_size());
}

std::optional<physics::WorldRayHit> App::pick(const physics::Ray& ray) const {
    return view.pick(frame(), ray);
}

bool App::can_edit() {
    if (simulation.replaying()) {
        log.info("A replay cannot be changed: stop it first");
        return false;
    }
    return true;
}

void App::submit(physics::Command command, std::string what) {
    if (can_edit()) {
        simulation.submit(std::move(command), {std::move(what), gesture});
    }
}

void History::add(float value) {
    values_[static_cast<std::size_t>(next_)] = value;
    next_ = (next_ + 1) % static_cast<int>(values_.size());
    count_ = std::min(count_ + 1, static_cast<int>(values_.size()));
}

float History::mean() const {
    float sum = 0.0f;
    for (const float value : values_) {
        sum += value;
    }
    return count_ > 0 ? sum / static_cast<float>(count_) : 0.0f;
}

float History::median() const {
    std::array<float, 240> sorted = values_;
    const auto middle = sorted.begin() + count_ / 2, end = sorted.begin() + count_;
    std::nth_element(sorted.begin(), middle, end);
    return count_ > 0 ? *middle : 0.0f;
}

float History::largest() const {
    return *std::max_element(values_.begin(), values_.end());
}

void toggle_pause(App& app) {
    app.simulation.paused = !app.simulation.paused;
}

void single_step(App& app) {
    app.simulation.request_step();
}

void forget_bodies(App& app) {
    app.selected = {};
    app.selection.clear();
    app.hovered = {};
    app.body_panel = {};
    app.sounds.forget();
    app.film.cameras.clear();
    app.timeline.playing = 0;
    app.timeline.marks.clear();
    app.ghosts.line.reset();
    app.ghosts.forget();
    app.simulation.take_marks(app.timeline.taken); // of the world before
    ++app.world_number;
}

void restart(App& app) {
    if (attempt(app, [&] { app.simulation.restart(); })) {
        forget_bodies(app);
    }
}

bool open_file(App& app, const std::filesystem::path& path) {
    if (core::looks_like_capture(path)) {
        start_replay(app, path);
        return app.simulation.replay().has_value();
    }
    std::vector<std::filesystem::path> files;
    const bool loaded = attempt(app, [&] { app.simulation.load(core::read_scene(path, files)); });
    if (loaded) {
        app.file = path;
        app.capture.last_replay.reset();
        app.scenes.save_path.clear();
        forget_bodies(app);
        set_camera_of_scene(app);
        remember_file(app.remembered, path);
        app.opened.look_at(path, files);
    }
    return loaded;
}

void reload(App& app) {
    if (app.file.empty()) {
        restart(app);
        return;
    }
    const render::Camera camera = app.camera.camera();
    if (open_file(app, app.file)) {
        app.camera.set(camera); // reading again after an edit: stay where one looks
        app.log.info("Read " + app.file.filename().string() + " again");
    }
}

bool save_scene_as(App& app, const std::filesystem::path& path) {
    if (path.empty()) {
        app.log.error("Save as: give the file a name");
        return false;
    }
    const bool saved =
        make_parent(app, path) && attempt(app, [&] {
            const render::Camera& camera = app.camera.camera();
            core::save_scene(core::scene_from(app.frame(), scene_title(app), {camera.eye, camera.target}), path);
        });
    if (saved) {
        app.log.info("Saved " + path.string());
        app.scenes.listed = false;
        if (path == app.file) {
            app.opened.look_at(path, {path}); // the change is our own; what it included is in it now
        }
    }
    return saved;
}

void spawn_at(App& app, const physics::Vec3& base) {
    std::vector<physics::BodyDef> bodies = spawn_bodies(app.spawn, base);
    const std::string what =
        bodies.size() == 1 ? "Spawn " + bodies.front().name : "Spawn " + std::to_string(bodies.size()) + " bodies";
    app.begin_gesture();
    for (physics::BodyDef& body : bodies) {
        app.submit(physics::CreateBody{std::move(body)}, what);
    }
    app.end_gesture();
    app.spawn.seed += static_cast<std::uint32_t>(app.spawn.count);
}

void spawn_from_panel(App& app) {
    if (app.spawn.at_cursor) {
        app.tools.choose(app, app.tools.once() ? ToolKind::select : ToolKind::place, !app.tools.once());
        return;
    }
    const glm::vec3 target = app.camera.camera().target;
    spawn_at(app, {target.x, target.y, std::max(target.z, 0.0f) + app.spawn.height});
}

std::optional<physics::Vec3> point_under_cursor(const App& app) {
    const physics::Ray ray = app.cursor_ray();
    if (const auto hit = app.pick(ray)) {
        return hit->hit.point;
    }
    const auto ground = meet_plane(ray, glm::vec3(0.0f), glm::vec3(0.0f, 0.0f, 1.0f));
    return ground && glm::length(*ground - ray.origin) < 200.0f ? ground : std::nullopt;
}

void throw_ball(App& app) {
    physics::Ray ray = app.cursor_ray();
    if (app.cursor_over_ui || !app.cursor_inside) {
        ray = cursor_ray(app.camera.camera(), 0.5f * app.window_size(), app.window_size());
    }
    app.submit(physics::CreateBody{thrown_ball(app.spawn, ray)}, "Throw a ball");
}

void undo(App& app) {
    if (app.can_edit()) {
        if (app.tools.holding) {
            app.tools.cancel(app); // what is in the hand is the last edit
        }
        const std::string& what = app.simulation.undo_what();
        app.log.info(what.empty() ? "Nothing to undo" : "Undone: " + what);
        app.simulation.undo();
    }
}

void redo(App& app) {
    if (app.can_edit()) {
        const std::string& what = app.simulation.redo_what();
        app.log.info(what.empty() ? "Nothing to do again" : "Done again: " + what);
        app.simulation.redo();
    }
}

namespace {

bool by_slot(physics::BodyId a, physics::BodyId b) {
    return a.index < b.index;
}

} // namespace

void select(App& app, physics::BodyId body) {
    app.selection.clear();
    if (body) {
        app.selection.push_back(body);
    }
    app.selected = body;
    app.body_panel.editing_degrees = false;
}

bool is_selected(const App& app, physics::BodyId body) {
    const auto at = std::lower_bound(app.selection.begin(), app.selection.end(), body, by_slot);
    return at != app.selection.end() && *at == body;
}

void toggle_selected(App& app, physics::BodyId body) {
    const auto at = std::lower_bound(app.selection.begin(), app.selection.end(), body, by_slot);
    if (at != app.selection.end() && *at == body) {
        app.selection.erase(at);
        if (app.selected == body) {
            app.selected = app.selection.empty() ? physics::BodyId{} : app.selection.back();
        }
    } else if (body) {
        app.selection.insert(at, body);
        app.selected = body;
    }
    app.body_panel.editing_degrees = false;
}

void select_bodies(App& app, std::vector<physics::BodyId> bodies) {
    select(app, bodies.empty() ? physics::BodyId{} : bodies.back());
    std::sort(bodies.begin(), bodies.end(), by_slot);
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    app.selection = std::move(bodies);
}

void select_all(App& app) {
    std::vector<physics::BodyId> bodies;
    for (const physics::BodyState& body : app.frame().bodies) {
        if (body.type != physics::BodyType::fixed) {
            bodies.push_back(body.id);
        }
    }
    select_bodies(app, std::move(bodies));
}

std::vector<std::size_t> selected_places(const App& app) {
    std::vector<std::size_t> places;
    places.reserve(app.selection.size());
    for (const physics::BodyId body : app.selection) {
        if (const auto place = find_body(app.frame(), body)) {
            places.push_back(*place);
        }
    }
    return places;
}

void delete_selected(App& app, const std::string& what) {
    if (app.selection.empty() || !app.can_edit()) {
        return;
    }
    const std::string name =
        what.empty() && app.selection.size() > 1 ? "Delete " + std::to_string(app.selection.size()) + " bodies" : what;
    app.begin_gesture();
    for (const physics::BodyId body : app.selection) {
        app.submit(physics::DestroyBody{body}, name);
    }
    app.end_gesture();
    select(app, {});
}

void frame_selected(App& app) {
    physics::Aabb bounds;
    const physics::FrameState& frame = app.frame();
    const std::vector<std::size_t> places = selected_places(app);
    for (const std::size_t place : places) {
        bounds = physics::united(bounds, body_bounds(*frame.models[place], frame.bodies[place].pose));
    }
    if (places.empty()) {
        frame_all(app);
    } else {
        app.camera.frame(bounds, app.window_size().x / app.window_size().y);
    }
}

void frame_all(App& app) {
    app.camera.frame(scene_bounds(app.frame()), app.window_size().x / app.window_size().y);
}

void go_to_step(App& app, std::uint64_t step) {
    app.timeline.playing = 0;
    app.simulation.paused = true;
    app.simulation.go_to(step);
}

void step_back(App& app) {
    if (app.frame().step > 0) {
        go_to_step(app, app.frame().step - 1);
    }
}

void take_line(App& app, std::size_t line) {
    app.timeline.playing = 0;
    app.simulation.paused = true;
    const std::size_t before = app.simulation.current_line();
    if (attempt(app, [&] { app.simulation.take_line(line); }) && app.ghosts.line == line) {
        app.ghosts.line = before; // they change places
    }
}

void save_past(App& app) {
    const std::filesystem::path name =
        app.capture.path.empty() ? dated_name(scene_title(app)) + ".cairn" : app.capture.path;
    const std::filesystem::path path = in_user_folder(name, "captures");
    if (make_parent(app, path) && attempt(app, [&] { app.simulation.save_history(path); })) {
        app.log.info("Saved " + path.string());
        app.capture.listed = false;
    }
}

void start_recording(App& app) {
    const std::filesystem::path name =
        app.capture.path.empty() ? dated_name(scene_title(app)) + ".cairn" : app.capture.path;
    const std::filesystem::path path = in_user_folder(name, "captures");
    // Unless it has not begun yet, the world is made anew from its present state, body by body in the same order: what
    // is selected keeps its place in the list, not its handle.
    const std::vector<std::size_t> selected = selected_places(app);
    const std::size_t bodies = app.frame().bodies.size();
    if (make_parent(app, path) && attempt(app, [&] { app.simulation.start_recording(path, app.capture.from_start); })) {
        app.capture.last_replay.reset();
        forget_bodies(app);
        if (!app.capture.from_start && bodies == app.frame().bodies.size()) {
            std::vector<physics::BodyId> again;
            for (const std::size_t place : selected) {
                again.push_back(app.frame().bodies[place].id);
            }
            select_bodies(app, std::move(again));
        }
        app.log.info("Recording to " + path.string());
    }
}

void stop_recording(App& app) {
    if (!app.simulation.recording()) {
        return;
    }
    const std::filesystem::path path = app.simulation.recording_path();
    const std::uint64_t steps = app.simulation.recorded_steps();
    if (attempt(app, [&] { app.simulation.stop_recording(); })) {
        app.log.info("Recorded " + std::to_string(steps) + " steps to " + path.string());
        app.capture.replay_path = name_in_user_folder(path, "captures");
        app.capture.listed = false;
    }
}

void start_replay(App& app, const std::filesystem::path& path, std::optional<std::uint64_t> at) {
    if (at) { // before the world stands there, or it would go on at once
        app.simulation.paused = true;
    }
    if (attempt(app, [&] { app.simulation.start_replay(path, at.value_or(0)); })) {
        app.capture.last_replay.reset();
        app.capture.replay_path = name_in_user_folder(path, "captures");
        app.simulation.paused = at.has_value();
        forget_bodies(app);
        set_camera_of_scene(app);
        remember_file(app.remembered, path);
        app.log.info("Replaying " + path.filename().string() + (at ? ", at step " + std::to_string(*at) : ""));
    }
}

void stop_replay(App& app) {
    app.capture.last_replay = app.simulation.replay();
    app.simulation.stop_replay();
}

namespace {

void follow_pace(App& app) {
    FrameFigures& f = app.figures;
    const double now = app.log.time(), time = app.frame().time;
    const double real = now - f.pace_from, simulated = time - f.pace_from_time;
    if (app.simulation.paused || simulated < 0.0) {
        f.pace = 1.0;
    } else if (real < 1.0 || simulated == 0.0) {
        return; // a second at least, and a step
    } else {
        f.pace = simulated / (real * std::clamp(app.simulation.time_scale, 0.01, 10.0));
    }
    f.pace_from = now;
    f.pace_from_time = time;
}

} // namespace

void follow_simulation(App& app) {
    for (const core::Simulation::Message& message : app.simulation.take_messages()) {
        if (message.error) {
            app.log.error(message.text);
        } else {
            app.log.warning(message.text);
        }
    }
    for (const double seconds : app.simulation.take_step_seconds()) {
        app.figures.step_ms.add(static_cast<float>(seconds * 1e3));
    }
    if (const auto replay = app.simulation.replay(); replay && replay->finished) {
        stop_replay(app);
        app.simulation.paused = true; // the end of the recording stays in view; going on is the person's choice
        if (replay->divergence) {
            app.log.error("Replay differs at step " + std::to_string(replay->divergence->step) + ": " +
                          replay->divergence->what);
        } else {
            app.log.info("Replay finished: all " + std::to_string(replay->steps) + " steps equal");
        }
    }
    auto here = app.frame().bodies.begin(); // both lists ascend
    std::erase_if(app.selection, [&](physics::BodyId body) {
        while (here != app.frame().bodies.end() && here->id.index < body.index) {
            ++here;
        }
        return here == app.frame().bodies.end() || here->id != body;
    });
    if (app.selected && !is_selected(app, app.selected)) {
        app.selected = app.selection.empty() ? physics::BodyId{} : app.selection.back();
        app.body_panel.editing_degrees = false;
    }
    follow_copies(app);
    follow_pace(app);
    const double dropped = app.simulation.dropped_seconds();
    if (dropped > app.figures.dropped_seen) {
        app.figures.dropped_at = app.log.time();
    }
    app.figures.dropped_seen = dropped;
}

void film(App& app) {
    (app.film.running ? app.film.given_up : app.film.wanted) = true;
}

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
    case Action::restart:
        restart(app);
        break;
    case Action::reload:
        reload(app);
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
        toggle_layer(static_cast<std::size_t>(action) - static_cast<std::size_t>(Action::layer_1));
        break;
    case Action::screenshot: {
        const auto path = user_folder("screenshots") / (dated_name(scene_title(app)) + ".png");
        if (make_parent(app, path)) {
            app.screenshot_request = path;
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
    case Action::quit:
        app.quit = true;
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
