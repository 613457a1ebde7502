// The support vertex of a convex hull.
//
// Small hulls are scanned. Large ones keep, for each cell of a cube map of directions, the few vertices that can be
// farthest along a direction of that cell, and scan those. Climbing the edges, the usual way, was tried and rejected:
// on a hull with edges of 1e-5 of its size the rise along an edge is smaller than the rounding of the vertices
// themselves, so that the climb stops at places which miss the support by a tenth of the hull.
#pragma once

#include "physics/geometry/convex_hull.h"

namespace cairn::physics::detail {

// Hulls of up to this many vertices are scanned: eight lanes wide that takes no longer than a look-up.
inline constexpr std::size_t scan_limit = 64;

// Fills the lanes and the support cells; the vertices and planes must be complete.
void prepare_support(ConvexHull& hull);

// Index of a vertex farthest along `direction` (any finite direction; zero gives some vertex); the smallest index of
// several that round to the same height.
std::uint32_t support_vertex(const ConvexHull& hull, const Vec3& direction);
std::uint32_t support_vertex(const ConvexHull& hull, const glm::dvec3& direction);

// Index of the face whose normal has the greatest dot product with `direction`.
std::uint32_t facing_face(const ConvexHull& hull, const glm::dvec3& direction);

} // namespace cairn::physics::detail
