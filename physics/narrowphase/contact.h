// What the narrowphase keeps: of every pair of shapes whose bounds overlap a little, of those that touch a contact.
#pragma once

#include "physics/broadphase/broadphase.h"
#include "physics/query/manifold.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace cairn::physics {

inline constexpr std::uint32_t no_index = 0xffffffffu;

// A pair of shapes whose fat bounds overlap. Of ten of a body's in a heap, seven do not touch, so this is small.
struct alignas(64) ShapePair {
    PairKey key = 0; // unique, and the order in which everything serial goes through pairs and contacts
    std::uint32_t body_a = no_index, body_b = no_index; // slots
    std::uint32_t link_a = no_index, link_b = no_index; // positions in the lists of both bodies
    std::uint32_t contact = no_index;                   // of a pair that touches
    bool active = false;                                // at least one body is awake and can move: looked at every step
    CollideCache cache;

    std::uint32_t shape_a() const { return first_of(key); }
    std::uint32_t shape_b() const { return second_of(key); }
    bool touching() const { return contact != no_index; }
};

// What a point carries from step to step: one cache line.
struct alignas(64) ContactPoint {
    // From A's centre of mass to the point halfway between the two surfaces, m, world axes, at the start of the step.
    Vec3 anchor_a{0.0f};
    float separation = 0.0f;     // m at the start of the step, negative in penetration
    Vec3 local_a{0.0f};          // m, the point on A's surface in the frame of A's body
    float normal_impulse = 0.0f; // N s per plain substep; where the next solve starts
    Vec3 local_b{0.0f};          // m, the same of B
    float preload = 0.0f;        // m, by how much the spring is shortened, at the level of its last solve
    Vec3 friction_impulse{0.0f}; // N s per substep on B, world
    std::uint32_t feature = 0;   // as in ManifoldPoint
};
static_assert(sizeof(ContactPoint) == 64);

// What a point has done in the whole of the last step, N s; told to readers and used for nothing.
struct StepImpulse {
    Vec3 friction{0.0f}; // on B, world
    float normal = 0.0f;
};

// A pair that touches, or may do so within the step. Its points lie in the pool that holds it. On lines of its own,
// since the thread that has its neighbour may be another.
struct alignas(64) Contact {
    std::uint32_t pair = no_index;                      // its slot
    std::uint32_t body_a = no_index, body_b = no_index; // slots
    std::uint32_t first_point = no_index;
    Vec3 normal{0.0f, 0.0f, 1.0f}; // unit, world, from A to B
    float friction = 0.0f;
    Vec3 centre_a{0.0f}; // centres of mass at the start of the step, m, world
    float restitution = 0.0f;
    Vec3 centre_b{0.0f};
    float rolling_arm = 0.0f;   // m, rolling torque per unit of normal force
    Vec3 rolling_impulse{0.0f}; // N m s per substep on B, world
    // Radius of a ball, of the balls that a capsule is made of, or of a cylinder on its side; of a cone on its side,
    // how far its axis is from the first point along the normal; 0 where nothing rolls, m.
    float round_a = 0.0f, round_b = 0.0f;
    std::array<std::uint16_t, 4> ages{}; // of the points: steps since the feature appeared, as far as can be counted
    std::uint8_t count = 0;              // of points, 1 to 4; 0 in a record that is not in use
    std::uint8_t solved_at = 0; // one more than the substep level (substep_levels.h) of its last solve; 0: none yet

    // What is needed to take the contact along, see carry.h.
    bool smaller_is_a = false, normal_turns_with_a = false;
    // 1/kg, of both bodies, with the inertia of their loads (world/substeps) in its last solve; 0: without it.
    float loaded_inverse_mass = 0.0f;
    // By how much its spring is softer for those beside it, in this step: 1 until that is found (parallel_contacts.h).
    float parallel = 1.0f;
    // Radius of the rim at a single point of which a cylinder or a cone touches, m: of A, or negative, of B; 0: none.
    float rim_radius = 0.0f;
    float tolerance = 0.0f;  // m, by how much the bodies may move; 0: it cannot be taken along
    float asked = 0.0f;      // m, the speculative distance of the query
    float radius = 0.0f;     // m, of the smaller body
    Transform found_at;      // of the smaller body in the frame of the larger
    Vec3 local_normal{0.0f}; // in the frame of the body that it turns with

    // Where something round touches (round_parts.h): directions in which the surfaces are flat, unit, world. They turn
    // with A or with B, and the normal stays at right angles to them. Zero where there are fewer than two.
    Vec3 flat_1{0.0f}, flat_2{0.0f}; // flat_1 x flat_2 points along the normal
    float flat_reach = 0.0f;         // m, how far the place of the contact may wander on what is flat
    std::uint8_t flat_1_of_a : 1 = 0, flat_2_of_a : 1 = 0;
    std::uint8_t normal_turns : 1 = 0; // within the step; 0: it is taken for fixed

    Vec3 rim_axis{0.0f};    // unit, world, of the rim's circle, which is followed as it turns
    float rim_reach = 0.0f; // m, how far its lowest point may wander and still meet the other body's face

    // Of a contact foreseen within the step (foresight.h); told to readers and asked by seams.
    float meets_at = 0.0f;                           // in steps; 0: it was made where the bodies are
    Vec3 meets{0.0f};                                // m, world: amid the points
    Vec3 meets_centre_a{0.0f}, meets_centre_b{0.0f}; // m, world, of the bodies then

    float wider_a = 0.0f, wider_b = 0.0f; // m, what round_a and round_b are more at the second point: of a cone

    float round_a_at(std::size_t i) const { return i == 1 ? round_a + wider_a : round_a; }
    float round_b_at(std::size_t i) const { return i == 1 ? round_b + wider_b : round_b; }

    Vec3 anchor_a(const ContactPoint& point) const { return point.anchor_a; }
    Vec3 anchor_b(const ContactPoint& point) const { return point.anchor_a + (centre_a - centre_b); }
    // Halfway between the surfaces, m, world, at the start of the step.
    Vec3 world(const ContactPoint& point) const { return centre_a + point.anchor_a; }

    // Whether the bodies move against each other at the point by no more than `most` m/s, however they turn; `velocity`
    // of B against A (m/s), spins in rad/s. What they share of these moves nothing: they ride on something that turns.
    bool is_still(const ContactPoint& point, const Vec3& velocity, const Vec3& spin_a, const Vec3& spin_b,
                  float most) const {
        const Vec3 shared = glm::min(glm::max(spin_a, Vec3(0.0f)), glm::max(spin_b, Vec3(0.0f))) +
                            glm::max(glm::min(spin_a, Vec3(0.0f)), glm::min(spin_b, Vec3(0.0f)));
        return glm::length(velocity - glm::cross(shared, centre_b - centre_a)) +
                   glm::length(spin_a - shared) * glm::length(anchor_a(point)) +
                   glm::length(spin_b - shared) * glm::length(anchor_b(point)) <=
               most;
    }
};

} // namespace cairn::physics
