// Convex polygons in a plane: what the lab's lessons in two dimensions are about. Metres and radians; angles turn
// counter-clockwise.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace cairn::core::lab::planar {

using DVec2 = glm::dvec2;

// Positive where b lies counter-clockwise of a.
inline double cross(const DVec2& a, const DVec2& b) {
    return a.x * b.y - a.y * b.x;
}
// A quarter to the right: of an edge of a counter-clockwise polygon, outwards.
inline DVec2 right_of(const DVec2& v) {
    return {v.y, -v.x};
}

struct Polygon {
    std::vector<DVec2> corners; // m, local; counter-clockwise, strictly convex, three or more
};

struct PolygonError {
    std::string reason; // a phrase for people: "the points lie on one line"
};

// The hull of any points. Corners that lie within 1e-9 of the extent on the line of their neighbours are left out.
// Rejects, with a reason: fewer than three points, numbers that are not finite, and what is thinner than 1e-6 of its
// extent, so that fewer than three corners are left.
std::variant<Polygon, PolygonError> polygon_of(std::span<const DVec2> points);

struct Placed {
    Polygon polygon;
    DVec2 position{0.0}; // of the polygon's origin, m
    double angle = 0.0;  // rad
};

struct PlanarPair {
    Placed a, b;
    std::string name_a = "A", name_b = "B";
};

// The corners where the pose puts them, less `origin`.
std::vector<DVec2> placed_corners(const Placed& placed, const DVec2& origin);

} // namespace cairn::core::lab::planar
