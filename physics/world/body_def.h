// What a body is, as an author or the UI states it; the world builds its own state from it.
#pragma once

#include "physics/base/colour.h"
#include "physics/geometry/geometry.h"
#include "physics/narrowphase/material.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn::physics {

// Names a body for as long as it exists. The generation grows when a slot is reused, so an old handle never reaches a
// newcomer.
struct BodyId {
    std::uint32_t index = 0xffffffffu;
    std::uint32_t generation = 0;

    friend bool operator==(const BodyId&, const BodyId&) = default;
    explicit operator bool() const { return index != 0xffffffffu; }
};

enum class BodyType : std::uint8_t {
    fixed,     // "static" in files: never moves
    kinematic, // moves with its velocity, pushed by nothing
    dynamic,
};

struct ShapeDef {
    Geometry geometry;
    Transform pose; // in the body's own frame, before it is shifted to the centre of mass
    // Collides with nothing and has no mass; the world reports what overlaps it (sensor_events.h). Not for meshes.
    bool sensor = false;
    ShapeMaterial material{};
    // Of a mesh, by place in MeshData::materials: what is unset is as the shape has it. Empty: all is.
    std::vector<ShapeMaterial> mesh_materials{};

    friend bool operator==(const ShapeDef&, const ShapeDef&) = default;
};

// Two bodies collide if the mask of each holds the group of the other.
struct CollisionFilter {
    static constexpr int groups = 32;
    std::uint8_t group = 0;           // 0..31
    std::uint32_t mask = 0xffffffffu; // bit g: collides with group g

    bool lets_meet(const CollisionFilter& other) const {
        return (mask >> other.group & 1u) != 0 && (other.mask >> group & 1u) != 0;
    }
    friend bool operator==(const CollisionFilter&, const CollisionFilter&) = default;
};

struct BodyDef {
    std::string name;
    BodyType type = BodyType::dynamic;
    Transform pose;               // position is the centre of mass (m), orientation a unit quaternion
    Vec3 linear_velocity{0.0f};   // m/s, of the centre of mass
    Vec3 angular_velocity{0.0f};  // rad/s, world frame
    std::vector<ShapeDef> shapes; // one or more

    // kg; if unset, density decides. A dynamic body all of whose shapes are sensors must state it: its centre of mass
    // and inertia are those of the sensors, as if they were solid.
    std::optional<float> mass;
    float density = 1000.0f; // kg/m^3
    // kg m^2 about the centre of mass and the body's own axes, which are then its principal ones; if unset, it follows
    // from the shapes as if each were solid, and from the mass. Other principal axes are had by turning the shapes in
    // the body's frame, so there are no products of inertia to state.
    std::optional<Vec3> inertia;
    Material material;            // of the shapes, as far as they state none
    float linear_damping = 0.0f;  // 1/s
    float angular_damping = 0.0f; // 1/s
    float gravity_scale = 1.0f;
    bool can_sleep = true;
    CollisionFilter filter;
    std::uint8_t locks = 0; // bits 0 to 5: it does not move along X, Y, Z, or turn about X, Y, Z of the world
    // For people, as the name is: nothing of the motion follows from it, and no hash holds it. If unset, whoever draws
    // the body chooses.
    std::optional<Colour> colour;

    friend bool operator==(const BodyDef&, const BodyDef&) = default;
};

} // namespace cairn::physics
