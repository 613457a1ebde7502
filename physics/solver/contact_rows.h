// Contacts as rows of the solver: non-penetration, friction and rolling resistance.
#pragma once

#include "physics/narrowphase/contact.h"
#include "physics/solver/motion.h"
#include "physics/solver/softness.h"

#include <array>
#include <cstdint>
#include <span>

namespace cairn::physics {

// Prepared once a step, read and written in every substep.
struct ContactRows {
    struct Point {
        Vec3 arm_a{0.0f}, arm_b{0.0f}; // m, from the centres of mass to the point, world, at the start of the step
        float base_separation = 0.0f;  // separation less what the arms contribute, m
        float approach_speed = 0.0f;   // normal velocity at the start of the step, m/s, negative when closing
        float normal_mass = 0.0f;      // kg
        float tangent_mass = 0.0f;     // kg, for any direction in the tangent plane
        float normal_impulse = 0.0f;   // N s, accumulated in the substep
        float tangent_impulse_1 = 0.0f, tangent_impulse_2 = 0.0f;
        float greatest_normal_impulse = 0.0f; // of the substeps, for restitution
        float step_normal_impulse = 0.0f;     // sums over the substeps
        float step_tangent_impulse_1 = 0.0f, step_tangent_impulse_2 = 0.0f;
    };
    std::uint32_t contact = 0;                // slot
    std::uint32_t motion_a = 0, motion_b = 0; // indices into the motion array
    int count = 0;
    float inverse_mass_a = 0.0f, inverse_mass_b = 0.0f;
    SymmetricMat3 inverse_inertia_a, inverse_inertia_b;
    Vec3 normal{0.0f}, tangent_1{0.0f}, tangent_2{0.0f};
    float friction = 0.0f, restitution = 0.0f;
    float rolling_arm = 0.0f;
    Mat3 rolling_mass{0.0f}; // kg m^2
    Vec3 rolling_impulse{0.0f};
    std::array<Point, 4> points;
};

struct ContactSolverSettings {
    float h = 0.0f; // s, substep
    Softness softness;
    float max_push_speed = 0.0f;
    float restitution_threshold = 0.0f;
    bool warm_starting = true;
};

void prepare(ContactRows& rows, const Contact& contact, std::uint32_t slot, std::uint32_t motion_a,
             std::uint32_t motion_b, std::span<const BodyMotion> motions, std::span<const BodyDynamics> dynamics,
             const ContactSolverSettings& settings);

// Applies the accumulated impulses.
void warm_start(const ContactRows& rows, std::span<BodyMotion> motions);

// One pass of sequential impulses. With `use_bias`, penetration is pushed out softly; without, the pass relaxes the
// velocity that the push has added (Catto, "Solver2D", 2024).
void solve(ContactRows& rows, std::span<BodyMotion> motions, const ContactSolverSettings& settings, bool use_bias);

// Adds the substep's impulses to the step's sums.
void accumulate(ContactRows& rows);

// Newton's law of restitution, applied once after the substeps to points that came in faster than the threshold.
void apply_restitution(ContactRows& rows, std::span<BodyMotion> motions, float threshold);

// Carries the impulses back to the contact.
void store(const ContactRows& rows, Contact& contact);

} // namespace cairn::physics
