// The farthest of many points along a direction, or of many planes from a point: what supports of small hulls and the
// choice of a face are.
#pragma once

#include "physics/base/math.h"

#include <array>
#include <cstdint>
#include <vector>

namespace cairn::physics::detail {

// Points or normals in structure-of-arrays order for wide arithmetic: all x, then all y, then all z, each block padded
// to a multiple of `block` with copies of the last point.
struct Lanes {
    static constexpr std::size_t block = 8;
    struct alignas(64) Block { // one cache line, and the widest vector that there is
        std::array<double, block> values;
    };

    std::vector<Block> blocks;
    std::uint32_t count = 0;  // of the points
    std::uint32_t stride = 0; // from x to y and from y to z: the count padded

    void assign(const std::vector<Vec3>& points);
    // The normals of planes, and behind z their offsets.
    void assign(const std::vector<Vec3>& normals, const std::vector<float>& offsets);
};

// Index of a point with the greatest dot(point, direction), the smallest of several that round to the same. There must
// be a point. The products are rounded one by one, so that the answer is the same at every vector width.
std::uint32_t highest(const Lanes& points, const glm::dvec3& direction);

// Index of a plane with the greatest dot(normal, point) - offset, chosen in the same way. The lanes must hold offsets.
std::uint32_t highest_over(const Lanes& planes, const glm::dvec3& point);

} // namespace cairn::physics::detail
