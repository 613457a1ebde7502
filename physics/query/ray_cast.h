// Rays against convex shapes.
#pragma once

#include "physics/geometry/shape.h"

#include <optional>

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
};

// First point where the ray enters the shape; a ray that starts inside hits at distance 0.
// Nothing if the ray has no direction. Computed in double, so a start far away costs no precision.
std::optional<RayHit> ray_cast(const Shape& shape, const Transform& pose, const Ray& ray);

} // namespace cairn::physics
