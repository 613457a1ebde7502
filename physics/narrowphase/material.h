// What a surface is like to touch.
#pragma once

#include "physics/base/colour.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace cairn::physics {

struct Material {
    float friction = 0.5f;           // Coulomb coefficient; a contact uses the geometric mean of both
    float restitution = 0.0f;        // elasticity, 0..1; a contact uses the larger of both
    float rolling_resistance = 0.0f; // lever arm of the rolling torque as a share of the shape's radius; larger of both

    friend bool operator==(const Material&, const Material&) = default;
};

// Of one shape of a body, or of triangles of a mesh: what is unset is as the body has it.
struct ShapeMaterial {
    std::optional<float> friction, restitution, rolling_resistance;
    std::optional<Colour> colour{}; // as BodyDef::colour

    bool any() const { return friction || restitution || rolling_resistance; } // to the touch
    bool feels_like(const ShapeMaterial& other) const {
        return friction == other.friction && restitution == other.restitution &&
               rolling_resistance == other.rolling_resistance;
    }
    Material over(const Material& body) const {
        return {friction.value_or(body.friction), restitution.value_or(body.restitution),
                rolling_resistance.value_or(body.rolling_resistance)};
    }
    std::optional<float>& of(float Material::*number) {
        return number == &Material::friction      ? friction
               : number == &Material::restitution ? restitution
                                                  : rolling_resistance;
    }
    const std::optional<float>& of(float Material::*number) const {
        return const_cast<ShapeMaterial*>(this)->of(number);
    }
    friend bool operator==(const ShapeMaterial&, const ShapeMaterial&) = default;
};

// What the triangles of a mesh are made of, by place in MeshData::materials.
struct MeshMaterials {
    std::vector<Material> all;
    std::vector<std::uint16_t> first_alike; // the first place with an equal material
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
