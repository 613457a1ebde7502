#include "app/core/scene/scene_camera.h"

#include "app/core/scene/show/camera_path.h"

namespace cairn::core {

SceneCamera camera_of_scene(const Scene& scene, double time) {
    if (scene.show.path.empty()) {
        return scene.camera;
    }
    const CameraKey pose = camera_at(scene.show.path, time);
    return {pose.eye, pose.target};
}

} // namespace cairn::core
