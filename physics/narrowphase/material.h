// What a surface is like to touch.
#pragma once

namespace cairn::physics {

struct Material {
    float friction = 0.5f;           // Coulomb coefficient; a contact uses the geometric mean of both
    float restitution = 0.0f;        // elasticity, 0..1; a contact uses the larger of both
    float rolling_resistance = 0.0f; // lever arm of the rolling torque as a share of the shape's radius; larger of both

    friend bool operator==(const Material&, const Material&) = default;
};

} // namespace cairn::physics
