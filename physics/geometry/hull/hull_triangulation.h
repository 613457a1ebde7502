// The triangulated convex hull of points on an integer grid, by quickhull with exact side tests.
//
// Why a grid: with coordinates that are whole numbers of at most 40 bits, the orientation of four points is a
// determinant that fits 128 bits. It is exact, so visible regions are always discs, horizons are always simple loops,
// and no input can make the hull fold over itself. Float input of extent e loses at most e * 2^-40 by going onto the
// grid, far below its own rounding.
#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

namespace cairn::physics::detail {

using DVec3 = glm::dvec3;

// Grid coordinates lie within +-grid_half.
inline constexpr double grid_half = 549755813888.0; // 2^39

// Distances from planes are rounded products of correctly rounded normals with exact differences, so their error stays
// below 1e-15 of the grid's size. Beyond this bound the sign of a distance is certain; within it, exact_side decides.
inline constexpr double certain_distance = 2.0 * grid_half * 1e-14;

struct HullTriangle {
    std::array<std::uint32_t, 3> vertex{};    // indices into the points, counter-clockwise from outside
    std::array<std::uint32_t, 3> neighbour{}; // triangle across the edge vertex[i] -> vertex[i + 1]
    DVec3 normal{0.0};                        // unit, outwards
    double double_area = 0.0;                 // twice the area, grid units squared
};

enum class Flatness : std::uint8_t { solid, point, line, plane };

struct TriangulatedHull {
    Flatness flatness = Flatness::solid; // triangles are empty unless solid
    std::vector<HullTriangle> triangles;
    std::vector<std::uint32_t> left_outside; // points that lie outside, within the tolerance
};

// Sign (-1, 0, 1) of dot((b - a) x (c - a), p - a), exact: positive where p lies on the outer side of a triangle a, b,
// c.
int exact_side(const DVec3& a, const DVec3& b, const DVec3& c, const DVec3& p);

// Hull of `points` (whole numbers within +-grid_half). Exactly convex. Points no farther than `tolerance` outside every
// face's plane may be left out. Point sets not thicker than `flat_limit` are called flat. Both in grid units.
TriangulatedHull triangulate_hull(std::span<const DVec3> points, double tolerance, double flat_limit);

} // namespace cairn::physics::detail
