// Merges the nearly coplanar triangles of a triangulated hull to polygons.
#pragma once

#include "physics/geometry/hull/hull_triangulation.h"

namespace cairn::physics::detail {

// Polygons of vertex indices, one after the other in one array.
struct Polygons {
    std::vector<std::uint32_t> corners;
    std::vector<std::uint32_t> start{0}; // of each polygon in `corners`, and the end of the last

    std::size_t size() const { return start.size() - 1; }
    std::span<const std::uint32_t> operator[](std::size_t i) const {
        return {corners.data() + start[i], start[i + 1] - start[i]};
    }
    void push_back(std::span<const std::uint32_t> polygon) {
        corners.insert(corners.end(), polygon.begin(), polygon.end());
        start.push_back(static_cast<std::uint32_t>(corners.size()));
    }
};

struct PolygonHull {
    Polygons polygons; // counter-clockwise from outside, each from its smallest index on
    // Vertices that are no corners: they lie within the tolerance inside a polygon or on the edge between two. If there
    // are any, the caller leaves them out and triangulates again.
    std::vector<std::uint32_t> redundant;
    bool valid = false; // false: the tolerance was too coarse for this input (two polygons share more than one edge)
};

// `tolerance` in grid units: how far a corner may lie from the plane of the largest triangle of its polygon.
PolygonHull merge_coplanar(std::span<const DVec3> points, std::span<const HullTriangle> triangles, double tolerance);

} // namespace cairn::physics::detail
