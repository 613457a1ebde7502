// Penetration depth of two cores by the expanding polytope. Internal to queries.
#pragma once

#include "physics/query/gjk.h"

namespace cairn::physics {

struct EpaResult {
    double depth = 0.0; // moving B by this along `normal` separates the cores, m
    double lower = 0.0; // no direction separates them with less than this, m
    DVec3 normal{0.0};  // unit, from A to B, frame of A
    DVec3 point_a{0.0}; // on the boundary of the cores, frame of A; point_b - point_a == -depth * normal up to the
    DVec3 point_b{0.0}; // difference between depth and lower
    int iterations = 0;
};

// `touching` must be the outcome of gjk(). Works for cores of any dimension: points, segments and plates included.
EpaResult epa(const CorePair& pair, const GjkResult& touching);

} // namespace cairn::physics
