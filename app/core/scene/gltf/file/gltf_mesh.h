// glTF files as meshes, and how they are recognised.
#pragma once

#include "app/core/scene/values/file_access.h"
#include "physics/geometry/geometry.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace cairn::core {

// Whether a name ends in .gltf or .glb, in any case; and, for what has no name, whether bytes begin like a .glb.
bool is_gltf_name(const std::filesystem::path& path);
bool looks_like_glb(std::string_view bytes);

// All triangles of its scene, Z up. `points`: there may be none.
physics::MeshData parse_gltf_mesh(std::string bytes, const std::string& name, const std::filesystem::path& folder,
                                  const FileAccess& access, bool points = false);

} // namespace cairn::core
