// A closed triangle mesh on an integer grid: what is cut to pieces.
#pragma once

#include "physics/geometry/mesh/polygon_fill.h"

#include <array>
#include <glm/glm.hpp>
#include <span>
#include <vector>

namespace cairn::physics::detail {

struct GridBox {
    glm::dvec3 lower{1e300}, upper{-1e300};

    void add(const glm::dvec3& p) {
        lower = glm::min(lower, p);
        upper = glm::max(upper, p);
    }
    void add(const GridBox& box) {
        lower = glm::min(lower, box.lower);
        upper = glm::max(upper, box.upper);
    }
};

// Coordinates are whole numbers within +-2^38, every directed edge is there as often as its reverse. Triangles run
// counter-clockwise seen from outside; those of a cavity are part of the mesh.
struct MeshPart {
    std::vector<glm::dvec3> points;
    std::vector<IndexTriangle> triangles; // those of the surface first, then those that close cuts
    std::size_t surface_count = 0;
};

GridBox bounds_of(const MeshPart& part);

// Signed: where closed meshes overlap, a point counts as often as they wind around it. Grid units cubed.
double volume_of(std::span<const glm::dvec3> points, std::span<const IndexTriangle> triangles);
inline double volume_of(const MeshPart& part) {
    return volume_of(part.points, part.triangles);
}

struct CutPlane {
    glm::dvec3 normal{0.0}; // unit
    double offset = 0.0;    // of dot(normal, x); a whole number where the normal is an axis

    double height(const glm::dvec3& p) const { return glm::dot(normal, p) - offset; }
};

// The part above the plane (side 1) or below it (side 0). Cuts are closed, triangles in the plane are made anew, and
// crossings are rounded to the grid.
MeshPart clip(const MeshPart& part, const CutPlane& plane, int side);

// Split into what hangs together. Cavities go with what surrounds them; what encloses nothing is left out.
std::vector<MeshPart> connected_parts(MeshPart part);

} // namespace cairn::physics::detail
