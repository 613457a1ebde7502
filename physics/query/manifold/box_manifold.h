// Contacts of two boxes, by far the commonest pair, from fifteen axes and a rectangle clipped by a rectangle. Internal
// to queries.
#pragma once

#include "physics/query/manifold.h"

namespace cairn::physics {

// False, and nothing filled, where the nearest features are not settled so: boxes apart whose nearest features are
// neither a face and something over it nor two crossing edges, and parallel edges. `a` is the larger box. `out.apart`
// is filled as collide() promises.
//
// Fifteen axes settle every overlap. For boxes apart the greatest separation over the axes is but a lower bound of the
// distance; a pair of points as near as that proves that it is the distance.
bool collide_boxes(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b, double speculative,
                   KeptFeatures kept, Manifold& out);

} // namespace cairn::physics
