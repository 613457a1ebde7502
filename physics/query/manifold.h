// Contact manifolds: up to four points that carry the contact between two convex shapes.
#pragma once

#include "physics/query/distance.h"

namespace cairn::physics {

struct ManifoldPoint {
    Vec3 point_a{0.0f};      // world, on the surface of A
    Vec3 point_b{0.0f};      // world, on the surface of B
    float separation = 0.0f; // m along the normal, negative in penetration
    std::uint32_t feature =
        0; // names the features that made the point; survives small motion, unique within the manifold
};

struct Manifold {
    Vec3 normal{0.0f, 0.0f, 1.0f}; // unit, world, from A to B
    int count = 0;                 // 0..4
    // Where count is zero: the shapes are certainly at least this far apart, m. A lower bound, often well below the
    // distance, that costs nothing; 0 where there are points or nothing was proved. It may depend on the cache.
    float apart = 0.0f;
    std::array<ManifoldPoint, 4> points;
};

// What a pair remembers from step to step to answer faster: the direction that kept it apart. If it still does, the
// pair is apart, by a proof and not by a guess; if not, it is forgotten and everything computed anew. So a cache never
// changes the answer, to the bit.
struct CollideCache {
    Vec3 axis{0.0f}; // in the frame of the shape that the query takes first; zero: none
};

// Contact between A and B where they are closer than `speculative_distance` (m, >= 0), else an empty manifold.
// Face contacts are clipped polygons reduced to four points that keep the deepest one and the largest area.
Manifold collide(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b,
                 float speculative_distance, CollideCache* cache = nullptr);

} // namespace cairn::physics
