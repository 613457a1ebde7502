// Contact manifolds: up to four points that carry the contact between two convex shapes.
#pragma once

#include "physics/query/distance.h"

#include <span>

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

// What a pair remembers from step to step to answer faster. Of a pair apart, the direction that kept it apart: if it
// still does, the pair is apart, and if not, it is forgotten; that never changes the points, to the bit. Of two
// polytopes in contact, the normal: if a face or two edges that it leads to provably carry the contact still, the
// answer is theirs (query/face_contact.h). Where several faces do equally well, within the allowance that any answer
// has, the remembered one is kept, where a query without memory might take another. So the cache is part of the state
// of a simulation: copied with it, and as deterministic.
struct CollideCache {
    Vec3 axis{0.0f};      // in the frame of the shape that the query takes first; zero: none
    Vec3 axis_in_b{0.0f}; // of a contact also in the frame of the other: each shape keeps the faces that it had
    bool contact = false; // the axis is the normal of a contact

    friend bool operator==(const CollideCache&, const CollideCache&) = default;
};

// Names of the points that carried the contact of a pair in the step before.
using KeptFeatures = std::span<const std::uint32_t>;

// Whether collide(a, b) takes A first, the shape in whose frame the cache keeps its axis, and not B. Both orders of a
// pair take the same path: the simpler kind first, the larger of one kind first, so that of two faces that would do the
// larger body's is the reference.
inline bool takes_first(const Shape& a, const Shape& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.volume >= b.volume;
}

// Contact between A and B where they are closer than `speculative_distance` (m, >= 0), else an empty manifold.
// Face contacts are clipped polygons reduced to four points that keep the deepest one and the largest area; of points
// that do nearly as well, those that were `kept` stay.
Manifold collide(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b,
                 float speculative_distance, CollideCache* cache = nullptr, KeptFeatures kept = {});

} // namespace cairn::physics
