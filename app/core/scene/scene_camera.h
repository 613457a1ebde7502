// Where a scene is seen from.
#pragma once

#include "app/core/scene/scene.h"

namespace cairn::core {

// At that time of the world, s: on the scene's path if it has one, else where its camera stands.
SceneCamera camera_of_scene(const Scene& scene, double time);

} // namespace cairn::core
