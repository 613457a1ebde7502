// Contacts as rows of the solver, sixteen side by side: the data.
//
// The contacts of one colour share no body that can be pushed, so that sixteen of them can be solved as one, each in
// its lane of the vector registers. A member of a block holds the values of its sixteen contacts next to each other,
// one or more cache lines: what a pass needs is read as it lies, and what it does not need is not read. How many lanes
// a register holds changes the number of turns through a block and never a result.
#pragma once

#include "physics/base/growth.h"
#include "physics/solver/motion/motion.h"
#include "physics/solver/motion/substep_levels.h"

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
    LaneVec3 start_arm_a;      // m, from A's centre of mass to the point on A at the start of the step
    LaneFloats separation;     // m, at the start of the step
    LaneFloats preload;        // m, as in ContactPoint, at the stiffness of the level
    LaneFloats normal_impulse; // N s, accumulated in the substep
    LaneFloats tangent_impulse_1, tangent_impulse_2;
};

// What the impulses of a point sum up to over the substeps: along the normal and both tangents of the start of the
// step, or of two balls along the axes of the world.
struct RowSums {
    LaneVec3 impulse; // N s, on B
};

// Where the impulses of a block act that are not those of the start of the step any more: m, from the centres of mass.
template <int Points>
struct TurnedArms {
    std::array<LaneVec3, Points> a, b;
};

// Resistance to rolling, in blocks of which a contact has some.
struct RollingRows {
    LaneFloats arm;     // m, 0 in lanes without
    LaneSymmetric mass; // kg m^2
    LaneVec3 impulse;   // N m s
};

// Contacts on the rim of a circle, in blocks of which a contact has one.
struct RimRows {
    LaneVec3 axis;     // unit, at the start of the step
    LaneFloats radius; // m; of A, or negative, of B; 0 in lanes without
    LaneFloats reach;  // m, how far its lowest point may wander
};

// Contacts on the sides of cones by two points, in blocks of which a contact is one.
struct ConeRows {
    LaneFloats wider_a, wider_b; // m, as in Contact; 0 in lanes without
};

// Contacts whose normal turns within the step, in blocks of which a contact is one (Contact::normal_turns).
struct CurvedRows {
    LaneVec3 normal, tangent_1; // as they were at the start of the step
    LaneVec3 flat_1, flat_2;    // the same, of the directions in which the surfaces are flat
    LaneFloats of_a_1, of_a_2;  // 1: the direction turns with A, 0: with B
    LaneFloats turns;           // 1, 0 in lanes without
    LaneFloats reach;           // m, how far the place may wander
};

// Of the sum of their radii: balls that come further against each other within a substep meet along another line than
// that of their centres at its start.
inline constexpr float far_for_balls = 0.1f;

// Lanes without a contact repeat the first one, between bodies that nothing pushes.
template <int Points>
struct RowBlock {
    static constexpr int points_of = Points;
    static constexpr std::uint32_t none = 0xffffffffu;

    std::array<std::uint32_t, block_lanes> motion_a, motion_b; // indices into the motion array
    std::array<std::uint32_t, block_lanes> write_a, write_b;   // the same, 0 where nothing is to be written
    std::uint32_t used = 0;                                    // lanes with a contact, the first ones
    std::uint32_t turned = none, rolling = none;               // its places in the lists of RowBlocks,
    std::uint32_t rim = none, curved = none, cone = none;      // if it has them
    bool in_turn = false;                                      // contacts may share bodies: one lane after the other
    bool round = false, impacts = false;                       // in any lane: see ContactBlocks::impacts
    LaneFloats count;                                          // points in use, 3 or 4 in a block of four
    LaneFloats inverse_mass_a, inverse_mass_b;
    LaneSymmetric inverse_inertia_a, inverse_inertia_b;
    LaneVec3 normal, tangent_1;  // the second tangent is the product of both
    LaneVec3 b_to_a;             // m, from B's centre of mass to A's at the start of the step
    LaneFloats round_a, round_b; // m, what the arms have of a ball, as in Contact
    LaneFloats friction;
    LaneFloats regularisation;                                  // of the normal rows where they push and are not soft
    LaneFloats softening;                                       // where they are: what they add to their compliance
    std::array<LaneFloats, Points*(Points + 1) / 2> compliance; // 1/kg, of the normal rows with each other
    std::array<RowPoint, Points> points;

    // What follows is not read by the passes that push.
    std::array<RowSums, Points> sums;
    LaneFloats restitution;
    LaneFloats free_acceleration;                       // m/s^2, of B relative to A along the normal, by gravity alone
    std::array<std::uint32_t, block_lanes> contact;     // indices into the pool
    std::array<std::uint32_t, block_lanes> first_point; // of the contact, in the pool
};

// What decides the code that a contact takes: two balls that can both move, or the number of points.
enum class RowKind : std::uint8_t { balls, one, two, four };
inline constexpr std::size_t row_kinds = 4;

// Blocks of a run of the solver, by kind, colour after colour, and what few of them have.
struct RowBlocks {
    std::vector<RowBlock<1>> balls, one;
    std::vector<RowBlock<2>> two;
    std::vector<RowBlock<4>> four;
    RefilledList<TurnedArms<1>> turned_1;
    RefilledList<TurnedArms<2>> turned_2;
    RefilledList<TurnedArms<4>> turned_4;
    RefilledList<RollingRows> rolling;
    RefilledList<RimRows> rims;
    RefilledList<CurvedRows> curved;
    RefilledList<ConeRows> cones;

    template <int Points>
    RefilledList<TurnedArms<Points>>& turned() {
        if constexpr (Points == 1) {
            return turned_1;
        } else if constexpr (Points == 2) {
            return turned_2;
        } else {
            return turned_4;
        }
    }
};

// Calls visit(block) with the type of block that the kind has.
template <class Blocks, class Visit>
void with_block(Blocks& blocks, RowKind kind, std::size_t i, Visit&& visit) {
    switch (kind) {
    case RowKind::balls:
        visit(blocks.balls[i]);
        break;
    case RowKind::one:
        visit(blocks.one[i]);
        break;
    case RowKind::two:
        visit(blocks.two[i]);
        break;
    case RowKind::four:
        visit(blocks.four[i]);
        break;
    }
}

// Of a body, by motion index.
struct BodyTraits {
    bool pushed : 1 = false;       // it has mass
    bool spin_limited : 1 = false; // not a ball
    bool jointed : 1 = false;      // pushed, and on joints
    bool member : 1 = false;       // moves in this run of the solver
};

// What rows gather of a body when they are made, in words of four floats.
struct alignas(32) BodyInertia {
    SymmetricMat3 inverse;         // world axes, as the body lies now, 1/(kg m^2)
    float gravity_scale = 0.0f;    // 0 if nothing pushes it
    float own_inverse_mass = 0.0f; // 1/kg, without the inertia of its load
};
static_assert(sizeof(BodyInertia) == 32 && sizeof(SymmetricMat3) == 24);

struct ContactSolverSettings {
    float h = 0.0f;    // s, substep
    float step = 0.0f; // s
    // Plain substeps within one of these, at most 1: what a contact keeps is stated for those.
    float plain_substeps = 1.0f;
    std::uint8_t level = 0; // of substeps
    // Of springs by Contact::solved_at, against the stiffness of this level.
    std::array<float, substep_multiples.size() + 1> stiffness{};
    float bias_rate = 0.0f;      // 1/s, as in Softness
    float softening = 0.0f;      // impulse_scale / mass_scale of Softness: what a spring adds to its row's compliance
    float max_push_speed = 0.0f; // m/s
    float restitution_threshold = 0.0f;
    float most_beyond = 0.0f; // m/s, by which over-relaxation aims beyond none: what is faster does not rest
    bool warm_starting = true;
    Vec3 gravity{0.0f}; // m/s^2
};

} // namespace cairn::physics
