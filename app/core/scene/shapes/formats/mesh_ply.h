// Polygon files (.ply), text and binary of either byte order.
#pragma once

#include "physics/geometry/geometry.h"

#include <string>
#include <string_view>

namespace cairn::core {

// The coordinates of the element "vertex" and the corners of the element "face", of which one with more than three
// becomes a fan about its first; everything else in the file is passed over. Throws InputError with line and column in
// a header and in a text, with the byte of a binary file, for anything that is not a whole file of the format, for what
// .obj vertices and faces are refused for, and, unless only `points` are asked for, for no faces.
physics::MeshData parse_ply_mesh(std::string_view bytes, const std::string& name, bool points = false);

bool looks_like_ply(std::string_view bytes); // of a file without a name

} // namespace cairn::core
