#include "app/ui/actions.h"

#include "app/core/scene/scene_sources.h"
#include "app/ui/actions/attempt.h"
#include "app/ui/lab/lab.h"

namespace cairn::ui {

bool open_file(App& app, const std::filesystem::path& path) {
    if (looks_like_questions(path)) {
        return open_questions(app, path);
    }
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
        record_if_wished(app);
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
            core::Scene scene = core::scene_from(app.frame(), scene_title(app), {camera.eye, camera.target});
            core::carry_expectations(app.simulation.expected(), app.frame(), scene);
            core::save_scene(scene, path);
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

} // namespace cairn::ui
