// What the tests of manifolds share.
#pragma once

#include "physics/query/manifold.h"
#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace cairn::physics::manifolds {

inline Quat turn(const Vec3& axis, double angle) {
    const glm::dvec3 a = glm::normalize(glm::dvec3(axis)) * std::sin(angle / 2);
    return Quat(float(std::cos(angle / 2)), float(a.x), float(a.y), float(a.z));
}

inline const Shape floor_box = oracle::make(Box{Vec3(10.0f, 10.0f, 1.0f)}); // top at z = 1

inline std::set<std::uint32_t> features(const Manifold& m) {
    std::set<std::uint32_t> s;
    for (int i = 0; i < m.count; ++i) {
        s.insert(m.points[i].feature);
    }
    return s;
}

inline float deepest(const Manifold& m) {
    float d = 1e30f;
    for (int i = 0; i < m.count; ++i) {
        d = std::min(d, m.points[i].separation);
    }
    return d;
}

} // namespace cairn::physics::manifolds
