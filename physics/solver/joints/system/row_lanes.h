// The matrix of JointSystem, and what is done with it: several rows of a joint side by side in vector lanes.
#pragma once

#include "physics/solver/motion/motion.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn::physics {

// Numbers of a joint's rows, six at most, or of the six velocities of a body: linear and angular, world axes. Those
// behind are zero.
using SixLanes = std::array<double, 8>;

// As many as lie side by side in a block of the matrix: a multiple of what vectors hold.
constexpr std::size_t lanes_for(std::size_t rows) {
    return rows <= 4 ? 4 : 8;
}

// The rows of one joint.
struct LaneJoint {
    std::array<SixLanes, 6> of_a{}, of_b{};         // by velocity of the body: its factor in each row
    std::array<SixLanes, 6> change_a{}, change_b{}; // by row: what a unit impulse changes of the body's velocities
    // By row: the inverse of the joint's own block, once the joints before it have been eliminated; and what a unit
    // impulse in the row lets each row give way.
    std::array<SixLanes, 6> inverse{}, give{};
    // By row: what a unit impulse in a spring lets it give way besides.
    bool soft = false;
    std::array<SixLanes, 6> springs{};
    SixLanes unknown{}; // by row: the requested speed, then the impulse
    std::uint32_t motion_a = 0, motion_b = 0;
    bool pushed_a = false, pushed_b = false; // whether the body can be
    std::uint8_t rows = 0, most_rows = 0;
    // Share of its compliance, of linear and angular velocities, by which each row gives way: 1/kg and 1/(kg m^2).
    std::array<double, 2> give_a{}, give_b{};
};

// A joint's elimination: the later joints that it meets.
struct JointFront {
    std::uint32_t begin = 0, count = 0; // in `met`
    std::uint32_t updates = 0;          // begin in `updates`
};

// Two joints with a body in common, by rank, the later one first.
struct JointPair {
    std::uint32_t row = 0, column = 0, block = 0;
};

// A component of JointSystem. Joints go by rank, their place in the order of elimination. A block belongs to two of
// them; it has the rows of the later one, each with the columns of the earlier one side by side, and behind these, of
// the factors, the same the other way round.
struct JointMatrix {
    std::span<LaneJoint> joints;            // of all components
    std::span<const JointFront> fronts;     // by rank
    std::span<const std::uint32_t> met;     // ranks
    std::span<const std::uint32_t> blocks;  // beside `met`: where the blocks begin in `below`
    std::span<const std::uint32_t> updates; // blocks that an elimination changes, pair by pair
    std::span<const JointPair> pairs;       // of this component
    std::span<double> below;
    std::uint32_t first_rank = 0, end_rank = 0; // of this component
    std::uint32_t first_fill = 0, end_fill = 0; // in `below`: blocks of joints that have no body in common
};

constexpr std::size_t block_size(std::size_t rows, std::size_t columns) {
    return rows * lanes_for(columns) + columns * lanes_for(rows);
}

// Joints that one elimination may meet.
inline constexpr std::size_t widest_front = 48;

// Forms the matrix of the rows and factors it.
void factorise_rows(const JointMatrix& matrix);
// Replaces the requested speeds by the impulses that lead from the velocities to them.
void find_impulses(const JointMatrix& matrix, std::span<const BodyMotion> motions);
// Applies them. `bodies`: of the component; `changes`: scratch, by motion.
void apply_impulses(const JointMatrix& matrix, std::span<const std::uint32_t> bodies, std::span<SixLanes> changes,
                    std::span<BodyMotion> motions);
// With b the unknowns and A the matrix: b A^-1 b.
double square_of_unknowns(const JointMatrix& matrix);

} // namespace cairn::physics
