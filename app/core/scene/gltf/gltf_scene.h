// glTF files as scenes.
#pragma once

#include "app/core/scene/scene.h"
#include "app/core/scene/values/file_access.h"

#include <filesystem>
#include <string>

namespace cairn::core {

// The file as a scene: see docs/reference/gltf.md. Files that it names start at `folder`; `access` says which may be
// read. Throws InputError with the place.
Scene scene_from_gltf(std::string bytes, const std::string& name, const std::filesystem::path& folder,
                      const FileAccess& access, const SceneReading& how);

// Whether it says how anything moves or collides: then it is more than a mesh.
bool gltf_has_bodies(const std::filesystem::path& path);

} // namespace cairn::core
