// glTF files as scenes and as meshes.
#pragma once

#include "app/core/scene/file_access.h"
#include "app/core/scene/scene.h"
#include "physics/geometry/geometry.h"

#include <filesystem>
#include <string>

namespace cairn::core {

// Whether a name ends in .gltf or .glb, in any case; and, for what has no name, whether bytes begin like a .glb.
bool is_gltf_name(const std::filesystem::path& path);
bool looks_like_glb(std::string_view bytes);

// The file as a scene: see docs/reference/gltf.md. Files that it names start at `folder`; `access` says which may be
// read. Throws InputError with the place.
Scene scene_from_gltf(std::string bytes, const std::string& name, const std::filesystem::path& folder,
                      const FileAccess& access, const SceneReading& how);

// All triangles of its scene, Z up. `points`: there may be none.
physics::MeshData parse_gltf_mesh(std::string bytes, const std::string& name, const std::filesystem::path& folder,
                                  const FileAccess& access, bool points = false);

// Whether it says how anything moves or collides: then it is more than a mesh.
bool gltf_has_bodies(const std::filesystem::path& path);

} // namespace cairn::core
