// A contact: a pair of shapes whose bounds overlap, with the manifold and impulses that it carries from step to step.
#pragma once

#include "physics/broadphase/broadphase.h"
#include "physics/query/manifold.h"

#include <array>
#include <cstdint>

namespace cairn::physics {

inline constexpr std::uint32_t no_index = 0xffffffffu;

struct ContactPoint {
    Vec3 point{0.0f}; // m, world, at the start of the step, halfway between the two surfaces
    // From the centres of mass to the point halfway between the two surfaces, m, world axes.
    Vec3 anchor_a{0.0f}, anchor_b{0.0f};
    float separation = 0.0f;          // m at the start of the step, negative in penetration
    std::uint32_t feature = 0;        // as in ManifoldPoint
    float normal_impulse = 0.0f;      // N s per plain substep; where the next solve starts
    Vec3 friction_impulse{0.0f};      // N s per substep on B, world
    float take_up = 0.0f;             // m, by how much the spring has been shortened to carry a load that stays
    float step_normal_impulse = 0;    // N s over the whole step
    Vec3 step_friction_impulse{0.0f}; // N s over the whole step on B, world
    std::uint32_t age = 0;            // steps since the feature appeared
};

struct Contact {
    PairKey key = 0; // shape_a < shape_b; unique, and the order in which everything serial goes through contacts
    std::uint32_t shape_a = no_index, shape_b = no_index;
    std::uint32_t body_a = no_index, body_b = no_index;           // slots
    std::uint32_t body_link_a = no_index, body_link_b = no_index; // positions in the contact lists of both bodies
    bool active = false; // at least one body is awake and can move: updated every step

    int count = 0;                 // points in use
    Vec3 normal{0.0f, 0.0f, 1.0f}; // unit, world, from A to B
    std::array<ContactPoint, 4> points;
    Vec3 rolling_impulse{0.0f}; // N m s per substep on B, world
    float friction = 0.0f, restitution = 0.0f;
    float rolling_arm = 0.0f; // m, rolling torque per unit of normal force
    // Radius of a ball, of the balls that a capsule is made of, or of a cylinder on its side; 0 where nothing rolls, m.
    float round_a = 0.0f, round_b = 0.0f;
    float column = 0.0f;       // what rests here, as the cube of the bodies of a lone column (solver/fineness.h)
    std::uint8_t fineness = 0; // rung of the ladder of substeps that the load asks for (solver/fineness.h)
    std::uint8_t settling = 0; // steps left in which bodies that were put down touching find their impulses
    CollideCache cache;
    std::uint64_t hash = 0;

    bool touching() const { return count != 0; }
};

} // namespace cairn::physics
