// What a surface is like to touch.
#pragma once

#include <algorithm>
#include <cmath>

namespace cairn::physics {

struct Material {
    float friction = 0.5f;           // Coulomb coefficient; a contact uses the geometric mean of both
    float restitution = 0.0f;        // elasticity, 0..1; a contact uses the larger of both
    float rolling_resistance = 0.0f; // lever arm of the rolling torque as a share of the shape's radius; larger of both

    friend bool operator==(const Material&, const Material&) = default;
};

// Geometric mean: two rough bodies hold, one slippery body makes the pair slip.
inline float mixed_friction(const Material& a, const Material& b) {
    return std::sqrt(a.friction * b.friction);
}

// The larger: a bouncy ball bounces off a dead floor.
inline float mixed_restitution(const Material& a, const Material& b) {
    return std::max(a.restitution, b.restitution);
}

} // namespace cairn::physics
