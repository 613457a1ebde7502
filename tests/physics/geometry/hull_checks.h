// What must hold of every hull, whatever it was built from.
#pragma once

#include "physics/geometry/convex_hull.h"

namespace cairn::physics::geometry_testing {

// Fails the running test for each broken invariant.
void check_hull(const ConvexHull& hull, std::span<const Vec3> input);

// The hull of points that must have one.
ConvexHull hull_of(std::span<const Vec3> points);

} // namespace cairn::physics::geometry_testing
