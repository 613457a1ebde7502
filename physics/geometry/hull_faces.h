// Merges the nearly coplanar triangles of a triangulated hull to polygons.
#pragma once

#include "physics/geometry/hull_triangulation.h"

namespace cairn::physics::detail {

struct PolygonHull {
    std::vector<std::vector<std::uint32_t>> polygons; // vertex indices, counter-clockwise from outside
    // Vertices that are no corners: they lie within the tolerance inside a polygon or on the edge between two. If there
    // are any, the caller leaves them out and triangulates again.
    std::vector<std::uint32_t> redundant;
    bool valid = false; // false: the tolerance was too coarse for this input (two polygons share more than one edge)
};

PolygonHull merge_coplanar(std::span<const DVec3> points, std::span<const HullTriangle> triangles, double tolerance);

} // namespace cairn::physics::detail
