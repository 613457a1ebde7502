// Triangulates plane regions that are given by their boundary.
#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

namespace cairn::physics {

using PolygonEdge = std::array<std::uint32_t, 2>; // from, to: indices of points
using IndexTriangle = std::array<std::uint32_t, 3>;

// Triangles whose boundary is exactly `edges`: in sum over all triangles, each directed edge occurs once more than its
// reverse as often as it is given, and no other edge does. So a mesh whose hole has the reverse of these edges is
// closed afterwards, whatever they look like. Edges must leave each point as often as they reach it.
//
// `points`: whole numbers within +-2^39, no two the same. A boundary that does not cross itself and runs
// counter-clockwise around the region, clockwise around its holes, is filled without overlap. Otherwise triangles
// overlap, or are turned over and cancel each other.
std::vector<IndexTriangle> fill_polygon(std::span<const glm::dvec2> points, std::vector<PolygonEdge> edges);

// Sign of the area of a, b, c: 1 where they run counter-clockwise. Exact for whole numbers within +-2^39.
int exact_turn(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c);

} // namespace cairn::physics
