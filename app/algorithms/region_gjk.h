// Do two shapes overlap? GJK with the region-based simplex.
#pragma once

#include "physics/query/distance.h"

namespace cairn::algorithms {

using physics::QueryObserver;
using physics::QueryStatus;
using physics::Shape;
using physics::Transform;

struct RegionGjkResult {
    // overlapping or separated; what signed_distance() calls touching counts as overlapping. failed: undecided within
    // the iteration cap.
    QueryStatus status = QueryStatus::failed;
    int iterations = 0;
};

// Boolean GJK in its geometric form: a simplex of support points of the Minkowski difference A - B is led towards the
// origin by asking, with dot and cross products, in the region of which of its vertices, edges and faces the origin
// lies. The shapes are separated as soon as a support point does not pass the origin, and overlap as soon as the
// simplex holds it or comes within the touching tolerance of it. Works for all shapes. Allocates nothing.
RegionGjkResult region_gjk(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b,
                           QueryObserver* observer = nullptr);

} // namespace cairn::algorithms
