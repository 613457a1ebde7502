// How far bodies have moved since their pairs were last looked at.
#pragma once

#include "physics/base/math.h"
#include "physics/narrowphase/carry/position_rest.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace cairn::physics {

// What a pair needs to know of one of its bodies to prove that it is still apart: half a cache line, since the list of
// pairs reads them in no order.
struct alignas(32) BodyTrace {
    Vec3 way{0.0f};          // m, world, of the centre of mass
    float lift = 0.0f;       // m, by how much turning has moved the surface outwards in any direction, at most
    float margin = 0.0f;     // m, greatest gap within which a shape of the body makes contacts
    std::uint32_t epoch = 0; // way and lift count for the update of this number and for no other
    PositionRest rest;       // of the centre of mass
};
static_assert(sizeof(BodyTrace) == 32);

// A lift that no gap survives: of a body that was put elsewhere.
inline constexpr float any_lift = std::numeric_limits<float>::max();

// The angle by which a rotation from q to p turns, rad, never less. With v the sine of half of it, asin(v) <= v + 0.571
// v^3, since (asin(v) - v) / v^3 grows to pi/2 - 1 at v = 1. The rest is what quaternions in floats leave open.
inline Vec3 turn_bound(const Quat& q, const Quat& p) {
    const Quat d = p * glm::conjugate(q);
    const Vec3 v(d.x, d.y, d.z);
    const float v2 = glm::dot(v, v);
    return (2.0f + 1.142f * v2) * 1.000001f * v;
}
inline constexpr float turn_rounding = 5e-7f; // rad

// The distance that shapes of two bodies still have at least, m, if it was `gap` before they moved. Along the direction
// in which the shapes were farthest apart, the bodies have come nearer by no more than the difference of their ways and
// what their surfaces have grown by turning: the extents of A and of B along it have changed by that at most. Bodies
// that fall side by side use nothing up.
inline float gap_after(float gap, const BodyTrace& a, const BodyTrace& b, std::uint32_t epoch) {
    const float moved_a = a.epoch == epoch ? 1.0f : 0.0f;
    const float moved_b = b.epoch == epoch ? 1.0f : 0.0f;
    const Vec3 way = moved_b * b.way - moved_a * a.way;
    const float nearer = std::sqrt(glm::dot(way, way)) + (moved_a * a.lift + moved_b * b.lift);
    return gap - 1.00001f * nearer;
}

} // namespace cairn::physics
