// The rigid rows of all joints that hang together, solved exactly.
//
// Solved one joint after the other, with one pass a substep, long chains and unequal masses never come to agree, and
// taking back errors of position then feeds what they disagree on until it explodes. So the rows of all joints are one
// linear system: its matrix has a block for every two joints that share a body that can be pushed, and factors without
// filling up as long as joints make chains and trees (docs/joints.md).
#pragma once

#include "physics/solver/joint_rows.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

class JointSystem {
  public:
    // A joint that would meet more than so many others in the elimination is taken out of the system and solved by
    // itself, softly: only a pushable body with very many joints, or a net of many loops, does that.
    static constexpr std::size_t widest_front = 16;

    // Chooses the order of elimination. Keeps the last one as long as the same joints tie the same motions.
    void plan(std::span<const JointRows> joints, std::size_t motion_count);

    // Brings the rows up to date and factors their matrix: before the first substep, and when positions have changed.
    void refresh(std::span<JointRows> joints, std::span<const BodyMotion> motions,
                 std::span<const BodyDynamics> dynamics, float h);

    // Starts a substep, when velocities have been integrated: takes the spin off bodies that pulls hold.
    void begin_substep(std::span<BodyMotion> motions) const;

    // One pass: motors, springs and limits one after the other, and all rigid rows together before and after them.
    void solve(std::span<JointRows> joints, std::span<BodyMotion> motions, const JointSolverSettings& settings,
               bool use_bias);

    std::size_t solved_alone() const { return alone_; } // joints that were taken out

  private:
    using Block = std::array<double, 36>; // 6 x 6, row by row
    using Vector = std::array<double, 6>;
    struct Tie { // what the plan depends on
        std::uint32_t a = 0, b = 0;
        int count = 0;
        friend bool operator==(const Tie&, const Tie&) = default;
    };
    struct Pair { // two joints with a body in common
        std::uint32_t first = 0, second = 0, block = 0;
    };
    struct Front {                          // a joint's elimination: the later joints that it meets
        std::uint32_t begin = 0, count = 0; // in met_
        std::uint32_t updates = 0;          // begin in updates_
    };

    void order(std::size_t motion_count);
    std::uint32_t block_of(std::uint32_t row, std::uint32_t column);
    void slow_down(std::span<JointRows> joints, std::span<const BodyDynamics> dynamics, float h);
    void factorise(std::span<const JointRows> joints);
    void solve_rigid(std::span<JointRows> joints, std::span<BodyMotion> motions, const JointSolverSettings& settings,
                     bool use_bias);

    std::vector<Tie> ties_;
    std::vector<std::uint32_t> order_;      // joints in the order of elimination
    std::vector<std::uint32_t> rank_;       // by joint: its place there; none if not in the system
    std::vector<Front> fronts_;             // by rank
    std::vector<std::uint32_t> met_;        // joints
    std::vector<std::uint32_t> met_blocks_; // beside met_
    std::vector<std::uint32_t> updates_;    // blocks that an elimination changes, pair by pair
    std::vector<Pair> pairs_;
    std::vector<std::vector<std::uint32_t>> neighbours_; // by joint
    std::vector<std::vector<std::uint32_t>> tied_;       // by motion: joints
    std::vector<std::vector<std::uint32_t>> column_;     // by joint: blocks below it, as pairs (row, block)
    std::vector<std::pair<std::size_t, std::uint32_t>> queue_;
    std::vector<Block> diagonal_, below_;
    std::vector<Vector> unknown_;
    std::vector<float> stiffness_; // by motion: (h omega)^2 of the pulls on its arms
    std::vector<double> give_;
    bool slow_ = false; // some body is slowed
    std::size_t alone_ = 0;
};

} // namespace cairn::physics
