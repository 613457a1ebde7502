// Contacts as rows of the solver, sixteen side by side: the data.
//
// The contacts of one colour share no body that can be pushed, so that sixteen of them can be solved as one, each in
// its lane of the vector registers. A member of a block holds the values of its sixteen contacts next to each other,
// one or more cache lines: what a pass needs is read as it lies, and what it does not need is not read. How many lanes
// a register holds changes the number of turns through a block and never a result.
#pragma once

#include "physics/solver/motion.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cairn::physics {

inline constexpr std::size_t block_lanes = 16;

struct alignas(64) LaneFloats {
    std::array<float, block_lanes> x;
};
struct LaneVec3 {
    LaneFloats x, y, z;
};
struct LaneSymmetric {
    LaneFloats xx, yy, zz, xy, xz, yz;
};

// One point of each of the sixteen manifolds.
struct RowPoint {
    LaneVec3 start_arm_a, start_arm_b; // m, from the centres of mass to the point at the start of the step
    LaneVec3 arm_a, arm_b;             // the same, where impulses act now; only where RowBlock::turned
    // Change of angular velocity by a unit of normal impulse, 1/(kg m), on B; on A its opposite.
    LaneVec3 turn_a, turn_b;
    LaneFloats start_gap;       // m, >= 0, between the ends of the arms at the start of the step
    LaneFloats base_separation; // separation less what the arms contribute, m
    LaneFloats take_up;         // m, as in ContactPoint
    LaneFloats normal_impulse;  // N s, accumulated in the substep
    LaneFloats tangent_impulse_1, tangent_impulse_2;
    LaneFloats step_normal_impulse; // sums over the substeps
    LaneFloats step_tangent_impulse_1, step_tangent_impulse_2;
};

// Lanes without a contact repeat the first one, between bodies that nothing pushes.
template <int Points>
struct RowBlock {
    static constexpr int points_of = Points;

    std::array<std::uint32_t, block_lanes> contact;            // indices into the pool
    std::array<std::uint32_t, block_lanes> first_point;        // of the contact, in the pool
    std::array<std::uint32_t, block_lanes> motion_a, motion_b; // indices into the motion array
    std::array<std::uint32_t, block_lanes> write_a, write_b;   // the same, 0 where nothing is to be written
    std::uint32_t used = 0;                                    // lanes with a contact, the first ones
    bool turned = false;                                       // arms differ from those at the start
    bool in_turn = false;                                      // contacts may share bodies: one lane after the other
    bool round = false, rolling = false, bouncy = false;       // in any lane
    LaneFloats count;                                          // points in use, 3 or 4 in a block of four
    LaneFloats inverse_mass_a, inverse_mass_b;
    LaneSymmetric inverse_inertia_a, inverse_inertia_b;
    LaneVec3 normal, tangent_1;   // the second tangent is the product of both
    LaneFloats round_a, round_b;  // m, what the arms have of a ball, as in Contact
    LaneFloats free_acceleration; // m/s^2, of B relative to A along the normal, by gravity alone
    LaneFloats friction, restitution;
    LaneFloats rolling_arm;
    LaneSymmetric rolling_mass; // kg m^2
    LaneVec3 rolling_impulse;
    std::array<LaneFloats, Points*(Points + 1) / 2> compliance;     // 1/kg, of the normal rows with each other
    std::array<LaneFloats, Points*(Points + 1) / 2> soft, relaxing; // its factors with what softens either pass
    std::array<RowPoint, Points> points;
};

// What decides the code that a contact takes: two balls that can both move, or the number of points.
enum class RowKind : std::uint8_t { balls, one, two, four };
inline constexpr std::size_t row_kinds = 4;

// Blocks of a run of the solver, by kind, colour after colour.
struct RowBlocks {
    std::vector<RowBlock<1>> balls, one;
    std::vector<RowBlock<2>> two;
    std::vector<RowBlock<4>> four;
};

// Calls deed(block) with the type of block that the kind has.
template <class Blocks, class Deed>
void with_block(Blocks& blocks, RowKind kind, std::size_t i, Deed&& deed) {
    switch (kind) {
    case RowKind::balls:
        deed(blocks.balls[i]);
        break;
    case RowKind::one:
        deed(blocks.one[i]);
        break;
    case RowKind::two:
        deed(blocks.two[i]);
        break;
    case RowKind::four:
        deed(blocks.four[i]);
        break;
    }
}

// What rows gather of a body when they are made, in words of four floats.
struct alignas(32) BodyInertia {
    SymmetricMat3 inverse;      // world axes, as the body lies now, 1/(kg m^2)
    float gravity_scale = 0.0f; // 0 if nothing pushes it
    float unused = 0.0f;
};
static_assert(sizeof(BodyInertia) == 32 && sizeof(SymmetricMat3) == 24);

struct ContactSolverSettings {
    float h = 0.0f; // s, substep
    // Plain substeps within one of these, at most 1: what a contact keeps is stated for those.
    float plain_substeps = 1.0f;
    float bias_rate = 0.0f;      // 1/s, as in Softness
    float softening = 0.0f;      // impulse_scale / mass_scale of Softness: what a soft row adds to its compliance
    float max_push_speed = 0.0f; // m/s
    float restitution_threshold = 0.0f;
    bool warm_starting = true;
    Vec3 gravity{0.0f}; // m/s^2
};

} // namespace cairn::physics
