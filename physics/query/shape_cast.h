// A shape moved along a straight line, without turning, until it meets another.
#pragma once

#include "physics/query/distance.h"

namespace cairn::physics {

enum class ShapeCastStatus : std::uint8_t {
    hit,               // the distance falls to the target at `fraction`
    miss,              // stays above the target all the way
    initial,           // already at or below the target at the start: overlapping, if the target is 0
    out_of_iterations, // `fraction` is safe: no contact before it
};

struct ShapeCast {
    ShapeCastStatus status = ShapeCastStatus::miss;
    float fraction = 1.0f;  // of the translation that is free, 0 .. 1; rounded towards 0
    float travelled = 0.0f; // the same, m
    // Where A then is. On a miss they belong to the last place that had to be examined; if the balls about both shapes
    // do not meet, `distance` is a lower bound of the least distance on the way, the normal is opposite to the points'
    // difference of centres there, and the points are not set.
    float distance = 0.0f; // signed, m
    Vec3 normal{0.0f};     // unit, world, from A to B
    Vec3 point_a{0.0f}, point_b{0.0f};
    std::uint32_t triangle = MeshTriangle::none; // of a mesh B: the one that the normal and the points are of
    int iterations = 0;                          // closest points asked for
    int gjk_iterations = 0;                      // all of theirs together, EPA's at an initial overlap included
};

struct ShapeCastSettings {
    float target = 0.0f; // signed distance that counts as contact, m
    // The distance at a hit lies within target .. target + tolerance, m. Less than 1e-7 of the size of both shapes, as
    // much as their poses round, is taken as that.
    float tolerance = 1e-5f;
    int max_iterations = 64;
};

// Moves A from `from` by `translation` (m, world) towards B, which stays at `at`. Never later than the true contact.
// Newton's iteration on the signed distance, which is a convex function of the way: along the direction between the
// closest points the separation falls at a constant rate, so the zero of that line is reached without overshooting, and
// where it does not fall there is no contact at all. The support planes are those that van den Bergen 2004 clips his
// ray by. A graze within the tolerance may be a hit or a miss. Allocates nothing.
ShapeCast shape_cast(const Shape& a, const Transform& from, const Vec3& translation, const Shape& b,
                     const Transform& at, const ShapeCastSettings& settings = {});

} // namespace cairn::physics
