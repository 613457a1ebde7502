#include "app/ui/actions.h"

#include "app/ui/actions/attempt.h"
#include "app/ui/paths.h"

namespace cairn::ui {

namespace {

// A name that no other capture has: by the date, and by a number where a second is not enough.
std::filesystem::path new_capture(const App& app) {
    const std::string stem = dated_name(app.document.title);
    std::filesystem::path path = in_user_folder(stem + ".cairn", "captures");
    std::error_code ignored;
    for (int number = 2; std::filesystem::exists(path, ignored); ++number) {
        path = in_user_folder(stem + "-" + std::to_string(number) + ".cairn", "captures");
    }
    return path;
}

std::filesystem::path wished_capture(const App& app) {
    return app.capture.path.empty() ? new_capture(app) : in_user_folder(app.capture.path, "captures");
}

} // namespace

void save_past(App& app) {
    const std::filesystem::path path = wished_capture(app);
    if (make_parent(app, path) && attempt(app, [&] { app.simulation.save_history(path); })) {
        app.log.info("Saved " + path.string());
        app.capture.listed = false;
    }
}

void start_recording(App& app) {
    record_to(app, wished_capture(app));
}

bool record_to(App& app, const std::filesystem::path& path) {
    if (!make_parent(app, path) || !attempt(app, [&] { app.simulation.start_recording(path); })) {
        return false;
    }
    app.capture.last_replay.reset();
    app.log.info("Recording to " + path.string());
    return true;
}

void record_if_wished(App& app) {
    if (app.capture.always && !app.simulation.replay() && !app.simulation.recording()) {
        record_to(app, new_capture(app));
    }
}

void stop_recording(App& app) {
    if (!app.simulation.recording()) {
        return;
    }
    const std::filesystem::path path = app.simulation.recording_path();
    const std::uint64_t steps = app.simulation.recorded_steps(), from = app.simulation.recording_from();
    if (attempt(app, [&] { app.simulation.stop_recording(); })) {
        app.log.info("Recorded " + std::to_string(steps) + " steps to " + path.string() +
                     (from == 0 ? std::string()
                                : ", which begins with the scene: `--at " + std::to_string(from) + "` opens it here"));
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
        note_opened(app, path, {});
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
