// Axis-aligned bounds in world space, metres.
#pragma once

#include "physics/base/math.h"

#include <cmath>
#include <limits>

namespace cairn::physics {

struct Aabb {
    Vec3 lower{std::numeric_limits<float>::max()};
    Vec3 upper{-std::numeric_limits<float>::max()};

    friend bool operator==(const Aabb&, const Aabb&) = default;
};

inline bool overlaps(const Aabb& a, const Aabb& b) {
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
           a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

inline bool contains(const Aabb& outer, const Aabb& inner) {
    return outer.lower.x <= inner.lower.x && outer.lower.y <= inner.lower.y && outer.lower.z <= inner.lower.z &&
           inner.upper.x <= outer.upper.x && inner.upper.y <= outer.upper.y && inner.upper.z <= outer.upper.z;
}

inline Aabb united(const Aabb& a, const Aabb& b) {
    return {glm::min(a.lower, b.lower), glm::max(a.upper, b.upper)};
}

inline Aabb grown(const Aabb& box, float margin) {
    return {box.lower - Vec3(margin), box.upper + Vec3(margin)};
}

// Between the nearest points of two boxes, m; 0 if they overlap. Rounding may make it a part in a million less than it
// is, and never more.
inline float distance(const Aabb& a, const Aabb& b) {
    const Vec3 gap = glm::max(glm::max(a.lower - b.upper, b.lower - a.upper), Vec3(0.0f));
    return std::sqrt(glm::dot(gap, gap)) * 0.999999f;
}

// Half of the surface area, m^2: the cost measure of a bounding volume tree (Goldsmith and Salmon 1987).
inline float half_area(const Aabb& box) {
    const Vec3 d = box.upper - box.lower;
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

} // namespace cairn::physics
