// Ball joints of a net as rows of the solver, sixteen side by side, as contacts are (row_blocks.h): the data and the
// passes over it. The joints of one colour share no body that can be pushed.
#pragma once

#include "physics/solver/rows/row_blocks.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn::physics {

// Lanes without a joint tie motion 0 to itself and write nothing.
struct BallBlock {
    std::array<std::uint32_t, block_lanes> motion_a{}, motion_b{}; // indices into the motion array
    std::array<std::uint32_t, block_lanes> write_a{}, write_b{};   // the same, 0 where nothing is to be written
    std::array<std::uint32_t, block_lanes> joint{};                // indices into the list of joints
    std::uint32_t used = 0;                                        // lanes with a joint, the first ones
    LaneFloats inverse_mass_a, inverse_mass_b;                     // 1/kg
    LaneVec3 start_arm_a, start_arm_b;                             // m, world, as in JointRows
    LaneVec3 start_offset;                                         // m, from A's origin to B's
    // Of the substep.
    LaneVec3 arm_a, arm_b, error;                       // m
    LaneSymmetric inverse_inertia_a, inverse_inertia_b; // 1/(kg m^2)
    LaneSymmetric factors;                              // of the compliance, L D L^T: 1/D on the diagonal
    LaneVec3 impulse;                                   // N s on B, accumulated in the substep
    LaneVec3 sum;                                       // N s, over the substeps
};

enum class BallPass : std::uint8_t {
    refresh,    // brings what follows the bodies up to date
    warm_start, // applies the accumulated impulses
    push,       // one pass of sequential impulses; errors of position are taken back softly
    relax,      // the same without taking anything back
    add_up,     // adds the substep's impulses to the step's
};

struct BallWork {
    std::span<BallBlock> blocks;
    BodyMotion* motions = nullptr;
    const BodyInertia* inertias = nullptr;
    float bias_rate = 0.0f, mass_scale = 1.0f, impulse_scale = 0.0f; // as in Softness
    float most_taken_back = 0.0f;                                    // m/s
};

// Blocks [begin, end), one after the other. Those of one colour may run at the same time.
void run_balls(BallPass pass, std::size_t begin, std::size_t end, const BallWork& work);

} // namespace cairn::physics
