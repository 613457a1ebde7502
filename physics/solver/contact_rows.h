// Contacts as rows of the solver: non-penetration, friction and rolling resistance.
#pragma once

#include "physics/narrowphase/contact.h"
#include "physics/solver/motion.h"
#include "physics/solver/normal_block.h"
#include "physics/solver/softness.h"

#include <array>
#include <cstdint>
#include <span>

namespace cairn::physics {

// Prepared once a step, read and written in every substep.
struct ContactRows {
    struct Point {
        Vec3 start_arm_a{0.0f}, start_arm_b{0.0f}; // m, from the centres of mass to the point at the start of the step
        Vec3 arm_a{0.0f}, arm_b{0.0f};             // the same, where impulses act now
        // Change of angular velocity by a unit of normal impulse, 1/(kg m), on B; on A its opposite.
        Vec3 turn_a{0.0f}, turn_b{0.0f};
        float start_gap = 0.0f;       // m, >= 0, between the ends of the arms at the start of the step
        float base_separation = 0.0f; // separation less what the arms contribute, m
        float normal_impulse = 0.0f;  // N s, accumulated in the substep
        float take_up = 0.0f;         // m, as in ContactPoint
        float tangent_impulse_1 = 0.0f, tangent_impulse_2 = 0.0f;
        float step_normal_impulse = 0.0f; // sums over the substeps
        float step_tangent_impulse_1 = 0.0f, step_tangent_impulse_2 = 0.0f;
    };
    std::uint32_t contact = 0;                // slot
    std::uint32_t motion_a = 0, motion_b = 0; // indices into the motion array
    int count = 0;
    bool balls = false; // two that can both move
    float inverse_mass_a = 0.0f, inverse_mass_b = 0.0f;
    SymmetricMat3 inverse_inertia_a, inverse_inertia_b;
    Vec3 normal{0.0f}, tangent_1{0.0f}, tangent_2{0.0f};
    float round_a = 0.0f, round_b = 0.0f; // m, what the arms have of a ball, as in Contact
    float free_acceleration = 0.0f;       // m/s^2, of B relative to A along the normal, by gravity alone
    RowMatrix compliance{};               // 1/kg, of the normal rows with each other
    RowMatrix soft{}, relaxing{};         // its factors with what softens either pass on the diagonal
    float friction = 0.0f, restitution = 0.0f;
    float rolling_arm = 0.0f;
    Mat3 rolling_mass{0.0f}; // kg m^2
    Vec3 rolling_impulse{0.0f};
    std::array<Point, 4> points;
};

struct ContactSolverSettings {
    float h = 0.0f; // s, substep
    float plain_substeps =
        1.0f; // plain substeps within one of these, at most 1: what a contact keeps is stated for those
    Softness softness;
    float max_push_speed = 0.0f;
    float restitution_threshold = 0.0f;
    bool warm_starting = true;
    Vec3 gravity{0.0f}; // m/s^2
};

// Added to the diagonal of the normal rows, as a fraction of it, where they are not soft: with four points there are
// more rows than ways to move, and the impulses of all solutions that are then left stay near to what they were.
inline constexpr float block_regularisation = 0.1f;

void prepare(ContactRows& rows, const Contact& contact, std::span<const ContactPoint> points, std::uint32_t slot,
             std::uint32_t motion_a, std::uint32_t motion_b, std::span<const BodyMotion> motions,
             std::span<const BodyDynamics> dynamics, const ContactSolverSettings& settings);

// Turns the arms with the bodies, if these have turned so far since the start of the step that a lever has changed: a
// corner that comes down turning would be hit beside itself.
void turn_arms(ContactRows& rows, std::span<const BodyMotion> motions, std::span<const BodyDynamics> dynamics,
               const ContactSolverSettings& settings);

// Applies the accumulated impulses.
void warm_start(const ContactRows& rows, std::span<BodyMotion> motions);

// One pass of sequential impulses. With `use_bias`, penetration is pushed out softly; without, the pass relaxes the
// velocity that the push has added (Catto, "Solver2D", 2024).
void solve(ContactRows& rows, std::span<BodyMotion> motions, const ContactSolverSettings& settings, bool use_bias);

// Adds the substep's impulses to the step's sums.
void accumulate(ContactRows& rows);

// The impact of one contact within a substep, by Newton's law of restitution. It is answered before the soft pass, as
// if it took no time: impulses change the velocities, and the poses are set back so that the straight path with the new
// velocities passes where the body is after the impact at its own time. With the free acceleration a along the normal,
// symplectic Euler moves exactly on the parabola of a point that has the speed v - a h / 2 at the start of the substep,
// v being the speed after it; over the separation s the square of that speed changes by -2 a s. So a bounce is exact in
// height and in time.
struct Impact {
    RowFlags hit{};     // points that reach the surface within the substep, faster than the threshold
    RowFlags carried{}; // points that bore a load before: they may not close, and do not bounce
    RowValues time{};   // s, from the start of the substep to the impact
    float first = 0.0f; // s, the least of these
    RowValues wanted{}; // m/s, speeds along the normal after it
    RowValues normal_impulse{}, tangent_impulse_1{}, tangent_impulse_2{}; // of the substep before, put aside
};

// Whether any point of the contact will be hit. `impact` is set only then.
bool foresee(const ContactRows& rows, std::span<const BodyMotion> motions, const ContactSolverSettings& settings,
             Impact& impact);

// Puts the contact's accumulated impulses aside; those of the impact take their place until it is over.
void begin(ContactRows& rows, Impact& impact, std::span<const BodyMotion> motions,
           const ContactSolverSettings& settings);

// One pass over the rows of the impact: all normal rows together, then friction, which answers to the blow as well.
// Returns the greatest speed in m/s by which a row was still wrong before it.
float answer(ContactRows& rows, const Impact& impact, std::span<BodyMotion> motions);

// Sets the poses back and the impulses aside right again.
void finish(ContactRows& rows, const Impact& impact, std::span<BodyMotion> motions,
            std::span<const BodyDynamics> dynamics, const ContactSolverSettings& settings);

// Carries the impulses back to the contact.
void store(const ContactRows& rows, Contact& contact, std::span<ContactPoint> points,
           std::span<StepImpulse> step_impulses, const ContactSolverSettings& settings);

} // namespace cairn::physics
