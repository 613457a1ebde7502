// Rays against convex shapes.
#pragma once

#include "physics/geometry/shape.h"

#include <cstdint>

namespace cairn::physics {

struct Ray {
    Vec3 origin{0.0f};
    Vec3 direction{0.0f, 0.0f, -1.0f}; // unit
    float max_distance = 1e6f;         // m
};

struct RayHit {
    float distance = 0.0f; // m along the ray
    Vec3 point{0.0f};      // world
    Vec3 normal{0.0f};     // unit, world, outwards; minus the ray's direction where the ray starts inside
    std::uint32_t triangle = MeshTriangle::none; // of a mesh or a height field, by its place in TriangleMesh
};

enum class RayStatus : std::uint8_t {
    hit,    // enters the shape at `distance`
    inside, // starts in the shape or on its surface: a hit at distance 0
    miss,   // no hit within max_distance: `distance` is max_distance and `point` lies there; or no direction
};

struct RayCast {
    RayStatus status = RayStatus::miss;
    RayHit best;
    int iterations = 0; // surfaces that the ray was clipped by; 0 if already the ball about the shape is missed

    explicit operator bool() const { return status != RayStatus::miss; }
    const RayHit* operator->() const { return &best; }
    const RayHit& operator*() const { return best; }
};

// First point where the ray enters the shape. A closed form for every kind: a hull is clipped by each of its faces
// once, so the cost is bounded by their number. Computed in double from a start next to the shape, so one far away
// costs no precision. A ray along a face, an edge or a side, to within rounding, may hit or miss. Allocates nothing.
RayCast ray_cast(const Shape& shape, const Transform& pose, const Ray& ray);

} // namespace cairn::physics
