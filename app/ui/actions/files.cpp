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
        app.capture.last_replay.reset();
        forget_bodies(app);
        note_opened(app, path, files);
        set_camera_of_scene(app);
        remember_file(app.remembered, path);
        record_if_wished(app);
    }
    return loaded;
}

void reload(App& app) {
    if (app.document.file.empty()) {
        restart(app);
        return;
    }
    const render::Camera camera = app.camera.camera();
    if (open_file(app, std::filesystem::path(app.document.file))) {
        app.camera.set(camera); // reading again after an edit: stay where one looks
        app.camera.fit = CameraControl::Fit::no;
        app.log.info("Read " + app.document.file.filename().string() + " again");
    }
}

} // namespace cairn::ui
