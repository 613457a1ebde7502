// Which edges of a mesh are edges of the body that it shows.
#pragma once

#include "render/renderer.h"

#include <vector>

namespace cairn::render {

// For each triangle, how sharp the edges opposite to its three corners are: 0 where the surface goes on smoothly, 1
// from thirty degrees on or where it ends. Judged by the normals on both sides, so that what is shaded round has no
// edges.
std::vector<glm::vec3> crease_strengths(const Mesh& mesh);

} // namespace cairn::render
