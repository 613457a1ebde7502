#include "app/ui/actions/attempt.h"

namespace cairn::ui {

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

void set_camera_of_scene(App& app) {
    app.camera.set(camera_of(app.simulation.scene().camera));
    app.camera.fit = CameraControl::Fit::at_once;
}

} // namespace cairn::ui
