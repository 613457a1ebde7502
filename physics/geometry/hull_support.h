// The support vertex of a convex hull: scanned if the hull is small, else found by climbing its edges.
#pragma once

#include "physics/geometry/convex_hull.h"

namespace cairn::physics::detail {

// Hulls of up to this many vertices are scanned: no climb is faster than a straight run over so little memory.
inline constexpr std::size_t scan_limit = 32;

// Fills hull.start_vertices; the rest of the hull must be complete.
void fill_support_starts(ConvexHull& hull);

// Index of a vertex farthest along `direction` (any finite direction; zero gives some vertex).
std::uint32_t support_vertex(const ConvexHull& hull, const Vec3& direction);

} // namespace cairn::physics::detail
