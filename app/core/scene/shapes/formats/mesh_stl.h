// Stereolithography files (.stl), text and binary: triangles that share no corners until equal ones are joined.
#pragma once

#include "physics/geometry/geometry.h"

#include <string>
#include <string_view>

namespace cairn::core {

// Corners of exactly equal coordinates are one vertex; -0 equals 0. Normals are not read: programs disagree on them,
// and the order of the corners says the same. Throws InputError with line and column of a text, with the byte of a
// binary file, for anything that is not a whole file of the format and for what .obj vertices are refused for.
physics::MeshData parse_stl_mesh(std::string_view bytes, const std::string& name);

// Of a file without a name. A text of it is taken for one by its first word.
bool looks_like_stl(std::string_view bytes);

} // namespace cairn::core
