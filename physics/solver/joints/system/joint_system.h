// The rigid rows of joints that hang together, solved exactly.
//
// Solved one joint after the other, long chains and unequal masses do not come to agree. So the rows of all joints of a
// component are one linear system: its matrix has a block for every two joints that share a body that can be pushed,
// and factors without filling up as long as joints make chains, trees and small loops (docs/how/joints.md). Nets fill
// up: those are left to JointNet.
#pragma once

#include "physics/solver/joints/rows/joint_rows.h"
#include "physics/solver/joints/system/joint_graph.h"
#include "physics/solver/joints/system/row_lanes.h"

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace cairn::physics {

// How a body lies and what it has against its joints, in double precision.
struct JointBody {
    glm::dmat3 orientation{1.0};     // from body to world axes
    glm::dmat3 inverse_inertia{0.0}; // world axes, 1/(kg m^2)
    double slowest_turn = 0.0;       // about 1 / (kg m^2) of its greatest moment
};

class JointSystem {
  public:
    // What the factors of a component may cost, in multiplications: so many for each joint, or so many in all. A joint
    // of a chain takes 60 (balls) to 500 (welds).
    static constexpr std::size_t most_work_each = 1500, most_work = 1000000;
    // Forgets all components. How many joints and motions there are, in all.
    void begin(std::size_t joints, std::size_t motions);

    // Takes a component in, under the next number from 0 on, and chooses the order of its elimination: least degree
    // first, ties by index, so that leaves of trees go before what they hang on. False if its factors would cost too
    // much; it is not taken in, then.
    bool add(const JointGraph& graph, const JointGraph::Component& component);

    std::size_t components() const { return parts_.size(); }
    std::size_t work(std::size_t component) const { return parts_[component].work; } // multiplications

    // Of one component; several may be worked on at the same time. Rows must be up to date where the matrix is
    // factored. `give`: the share of its own compliance, with the greatest moments of its bodies in all directions, by
    // which each joint gives way in the pass with bias; `bodies`: those of the component.
    void factorise(std::size_t component, std::span<JointRows> joints, std::span<const JointBody> joint_bodies,
                   double give);
    void warm_start(std::size_t component, std::span<const std::uint32_t> bodies, std::span<const JointRows> joints,
                    std::span<BodyMotion> motions); // the rigid rows
    void solve(std::size_t component, std::span<const std::uint32_t> bodies, std::span<JointRows> joints,
               std::span<BodyMotion> motions, const JointSolverSettings& settings, bool use_bias);
    // The two halves of solve(), which notes the impulses in the rows between them.
    void find_impulses(std::size_t component, std::span<const JointRows> joints, std::span<const BodyMotion> motions,
                       const JointSolverSettings& settings, bool use_bias);
    void apply(std::size_t component, std::span<const std::uint32_t> bodies, std::span<BodyMotion> motions);

    // By how much a unit impulse in the row, of a joint of the component, changes the row's speed once all rigid rows
    // have answered it, 1/kg or alike.
    double compliance(std::size_t component, const JointRows& joint, const JointRow& row);

    std::size_t memory_bytes() const;

  private:
    struct Part { // of a component: ranges
        std::uint32_t first_rank = 0, end_rank = 0, first_pair = 0, end_pair = 0, first_fill = 0, end_fill = 0;
        std::size_t work = 0;
    };

    JointMatrix matrix_of(const Part& part);
    bool eliminate(const JointGraph& graph, std::span<const std::uint32_t> joints, Part& part);
    void place_blocks(const JointGraph& graph, std::span<const std::uint32_t> joints, Part& part);
    std::uint32_t block_of(std::uint32_t row, std::uint32_t column);

    std::vector<Part> parts_;
    std::vector<std::uint32_t> order_; // joints in the order of elimination, component after component
    std::vector<std::uint32_t> rank_;  // by joint: its place there; none if not in the system
    std::vector<LaneJoint> lanes_;     // by rank, as what follows
    std::vector<JointFront> fronts_;
    std::vector<std::uint32_t> met_;        // ranks; while a component is taken in, its joints
    std::vector<std::uint32_t> met_blocks_; // beside met_: where the blocks begin in below_
    std::vector<std::uint32_t> updates_;    // blocks that an elimination changes, pair by pair
    std::vector<JointPair> pairs_;
    std::vector<double> below_;     // blocks, as high and wide as joints have rows at most
    std::vector<SixLanes> changes_; // by motion
    // Scratch of add(), by joint.
    std::vector<std::vector<std::uint32_t>> neighbours_, first_neighbours_;
    std::vector<std::vector<std::uint32_t>> column_; // blocks below it, as pairs (row, block)
    std::vector<std::uint32_t> merged_;
    std::vector<std::uint8_t> gone_;
    std::vector<std::pair<std::size_t, std::uint32_t>> queue_;
};

} // namespace cairn::physics
