// Which points of an input are the corners of its hull, and the polygons between them.
#pragma once

#include "physics/geometry/hull/hull_faces.h"

#include <optional>

namespace cairn::physics::detail {

struct HullCorners {
    Flatness flatness = Flatness::solid;                 // the rest is empty unless solid
    std::vector<std::uint32_t> input;                    // the input point of each corner, ascending
    Polygons polygons;                                   // of corners, counter-clockwise from outside
    std::vector<std::array<std::uint32_t, 3>> triangles; // of corners; together exactly convex
    // Input points that count as flat against the polygons and are therefore no corners. With the corners they hold
    // every vertex of the hull without tolerance.
    std::vector<std::uint32_t> left_out;
};

// How much a hull may differ from the exact one, grid units.
struct HullTolerance {
    double coplanar = 0.0;   // depth of the slab in which triangles count as one polygon
    double loss = 0.0;       // how far outside the polygons' planes a point may end
    double flat_limit = 0.0; // point sets not thicker than this are called flat
};

// Triangulates, merges, leaves out what is no corner, and repeats until every vertex is one. Nothing if the tolerance
// is too coarse for this input: at the edge of a blade a point within the tolerance of both sides may still be a tip
// that sticks out far beyond the rest. With a coplanar tolerance of zero every solid has its corners.
std::optional<HullCorners> find_hull_corners(std::span<const DVec3> grid, const HullTolerance& tolerance);

// Newell's normal (unit): the area vector of the polygon, the best plane for corners that are not quite coplanar.
DVec3 newell_normal(std::span<const DVec3> points, std::span<const std::uint32_t> polygon);

// Offset of the plane with that normal in front of all corners of the polygon.
double polygon_offset(std::span<const DVec3> points, std::span<const std::uint32_t> polygon, const DVec3& normal);

} // namespace cairn::physics::detail
