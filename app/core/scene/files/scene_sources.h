// Of which files a scene is made.
#pragma once

#include "app/core/scene/scene.h"

#include <filesystem>
#include <vector>

namespace cairn::core {

// As read_scene(), and adds to `files` what the reading opens or tries to: the scene's own file, then included files
// and meshes, in the order in which they are named, each once. After an exception `files` holds what was known by then.
Scene read_scene(const std::filesystem::path& path, std::vector<std::filesystem::path>& files,
                 const SceneReading& how = {});

} // namespace cairn::core
