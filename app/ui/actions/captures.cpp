#include "app/ui/actions.h"

#include "app/ui/actions/attempt.h"
#include "app/ui/paths.h"

namespace cairn::ui {

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

} // namespace cairn::ui
