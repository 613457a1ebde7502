// The vertices of a mesh file, for hulls.
#pragma once

#include "physics/base/math.h"

#include <filesystem>
#include <string_view>
#include <vector>

namespace cairn::core {

// All vertices of a Wavefront .obj file in their order, in the file's own units. Throws InputError located in the mesh
// file for a line that is no vertex or face, for a face that names a missing vertex, and for a file without vertices.
std::vector<physics::Vec3> read_mesh_points(const std::filesystem::path& path);
std::vector<physics::Vec3> parse_obj_points(std::string_view text, const std::string& name);

} // namespace cairn::core
