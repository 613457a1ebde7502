// A direction that separates two moving shapes for a whole while.
#pragma once

#include "physics/query/time_of_impact.h"

namespace cairn::physics {

// True only if the signed distance certainly stays above `target` (m; may be negative) in all of [0, duration] (s),
// because the shapes stay that far apart along `direction` (of any length, world, from A to B). False says nothing. A
// tenth of what closest points cost; a good direction is the normal of the pair's contact, or the one that separated it
// last.
//
// A point p about the centre of mass moves along the fixed direction n by n.p(t) <= n.p + t p.(n x w) + r w^2 t^2 / 2,
// so the extent of the shape at t is at most its support along n + t (n x w), plus the last term. That support is
// convex in t, hence the separation is least at one of the two ends.
bool axis_keeps_apart(const Shape& a, const Sweep& sweep_a, const Shape& b, const Sweep& sweep_b, float duration,
                      const Vec3& direction, float target);

// The same by one support of each shape, for what hardly turns, and for sweeps that begin at different times: it is
// about all of [age, age + duration] of each, s after its start.
bool lift_keeps_apart(const Shape& a, const Sweep& sweep_a, float age_a, const Shape& b, const Sweep& sweep_b,
                      float age_b, float duration, const Vec3& direction, float target);

// Of all points of the shape in [0, duration] (s), the least position along `direction` (unit, world), m, or less.
double least_along(const Shape& shape, const Sweep& sweep, float duration, const DVec3& direction);

} // namespace cairn::physics
