// Makes a closed mesh of what a file holds.
#pragma once

#include "physics/geometry/decomposition/decomposition.h"
#include "physics/geometry/decomposition/parts/mesh_part.h"

#include <variant>
#include <vector>

namespace cairn::physics::detail {

// What encloses volume, on the grid: position = middle + scale * grid coordinates.
struct RepairedMesh {
    MeshPart mesh;
    glm::dvec3 middle{0.0};
    double scale = 1.0;     // metres a grid unit
    double half_size = 0.0; // half the longest side, grid units
    MeshRepairs repairs;
};

std::variant<RepairedMesh, MeshError> repair_mesh(std::span<const Vec3> points,
                                                  std::span<const IndexTriangle> triangles);

} // namespace cairn::physics::detail
