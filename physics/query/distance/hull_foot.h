// The point of a convex polyhedron that is nearest to a point. Internal to queries.
#pragma once

#include "physics/query/distance/fast_pairs.h"

namespace cairn::physics {

// `p` in the frame of the hull, outside of it. The plane over which p lies highest nearly always belongs to the face
// that is nearest or to a neighbour of it; the nearest point of that face is believed only if a support plane of the
// hull proves that nothing of it is nearer. From a face that fails the search goes on to the one that looks to p from
// there. False, and nothing filled, where p is not clearly outside, where nothing could be proved, or where the corners
// of the face are not level enough for its plane to be the hull's surface.
bool foot_on_hull(const ConvexHull& hull, double size, const DVec3& p, double eps, Foot& out);

} // namespace cairn::physics
