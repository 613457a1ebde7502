// Penetration depth of two cores by the expanding polytope. Internal to queries.
#pragma once

#include "physics/query/gjk/gjk.h"

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

// A guess for cores that overlap deeply: four support points round the direction in which they will most likely part.
enum class DeepGuess : std::uint8_t {
    none,    // the centres are too far apart for it, nothing is filled
    outside, // the tetrahedron does not hold the origin: as good a start for GJK as any
    inside,  // it does, well inside: the cores overlap, and epa_from() may start from here
};
DeepGuess guess_tetrahedron(const CorePair& pair, std::array<SupportPoint, 4>& points);
EpaResult epa_from(const CorePair& pair, const std::array<SupportPoint, 4>& start);

} // namespace cairn::physics
