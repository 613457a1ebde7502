// How far points are from a mesh, and whether it encloses them.
#pragma once

#include "physics/geometry/decomposition/parts/mesh_part.h"

#include <cstdint>
#include <vector>

namespace cairn::physics::detail {

// A bounding-volume tree over triangles, of which it keeps a copy.
class MeshTree {
  public:
    MeshTree(std::span<const glm::dvec3> points, std::span<const IndexTriangle> triangles);
    explicit MeshTree(const MeshPart& part) : MeshTree(part.points, part.triangles) {}

    // Distance from the nearest triangle, grid units. Any distance of at most `enough` will do where the true one is
    // not greater.
    double distance(const glm::dvec3& p, double enough = 0.0) const;

    // How often the mesh winds around p: 0 outside. Exact for whole numbers off the surface.
    int winding(const glm::dvec3& p) const;

  private:
    struct Node {
        GridBox box;
        std::uint32_t first = 0, count = 0; // triangles of a leaf
        std::uint32_t right = 0;            // child; the left one follows the node
    };
    struct Triangle {
        glm::dvec3 a, b, c;
    };
    void build(std::size_t begin, std::size_t end);

    std::vector<Node> nodes_;
    std::vector<Triangle> triangles_;
};

} // namespace cairn::physics::detail
