// The rigid rows of joints that hang together, solved exactly.
//
// Solved one joint after the other, long chains and unequal masses do not come to agree. So the rows of all joints of a
// component are one linear system: its matrix has a block for every two joints that share a body that can be pushed,
// and factors without filling up as long as joints make chains, trees and small loops (docs/how/joints.md). Nets fill
// up: those are left to JointNet.
#pragma once

#include "physics/solver/joints/rows/joint_rows.h"
#include "physics/solver/joints/system/joint_graph.h"

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
    // Joints that one elimination may meet.
    static constexpr std::size_t widest_front = 48;

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
    void factorise(std::size_t component, std::span<const JointRows> joints, std::span<const JointBody> joint_bodies,
                   double give);
    void warm_start(std::size_t component, std::span<const std::uint32_t> bodies, std::span<const JointRows> joints,
                    std::span<BodyMotion> motions); // the rigid rows
    void solve(std::size_t component, std::span<const std::uint32_t> bodies, std::span<JointRows> joints,
               std::span<BodyMotion> motions, const JointSolverSettings& settings, bool use_bias);
    // The two halves of solve(), which notes the impulses in the rows between them.
    void find_impulses(std::size_t component, std::span<const JointRows> joints, std::span<const BodyMotion> motions,
                       const JointSolverSettings& settings, bool use_bias);
    void apply(std::size_t component, std::span<const std::uint32_t> bodies, std::span<const JointRows> joints,
               std::span<BodyMotion> motions);

    // By how much a unit impulse in the row, of a joint of the component, changes the row's speed once all rigid rows
    // have answered it, 1/kg or alike.
    double compliance(std::size_t component, std::span<const JointRows> joints, const JointRows& joint,
                      const JointRow& row);

    std::size_t memory_bytes() const;

  private:
    using Block = std::array<double, 36>; // 6 x 6, row by row
    using Vector = std::array<double, 6>;
    static constexpr std::size_t entry(std::size_t row, std::size_t column) { return 6 * row + column; }
    struct Levers { // of a row, m or 1, and the changes of angular velocity by a unit impulse in it
        glm::dvec3 a{0.0}, b{0.0}, turn_a{0.0}, turn_b{0.0};
    };
    struct BodyChange { // of velocities, m/s and rad/s
        glm::dvec3 linear{0.0}, angular{0.0};
    };
    struct Pair { // two joints with a body in common
        std::uint32_t first = 0, second = 0, block = 0;
    };
    struct Front {                          // a joint's elimination: the later joints that it meets
        std::uint32_t begin = 0, count = 0; // in met_
        std::uint32_t updates = 0;          // begin in updates_
    };
    struct Part { // of a component: ranges
        std::uint32_t first_rank = 0, end_rank = 0, first_pair = 0, end_pair = 0, first_block = 0, end_block = 0;
        std::size_t work = 0;
    };

    static Levers levers_of(const JointRows& joint, const JointRow& row, const JointBody& a, const JointBody& b);
    template <class Visit>
    void for_entries(std::uint32_t rank, Visit&& visit) const;
    template <class Divide>
    void eliminate_forwards(const Part& part, Divide&& divide);
    void take_out(std::uint32_t rank);
    bool eliminate(const JointGraph& graph, std::span<const std::uint32_t> joints, Part& part);
    void place_blocks(std::span<const std::uint32_t> joints, Part& part);
    std::uint32_t block_of(std::uint32_t row, std::uint32_t column);

    std::vector<Part> parts_;
    std::vector<std::uint32_t> order_;      // joints in the order of elimination, component after component
    std::vector<std::uint32_t> rank_;       // by joint: its place there; none if not in the system
    std::vector<Front> fronts_;             // by rank
    std::vector<std::uint32_t> met_;        // joints
    std::vector<std::uint32_t> met_blocks_; // beside met_: where the blocks begin in below_
    std::vector<std::uint32_t> updates_;    // blocks that an elimination changes, pair by pair
    std::vector<Pair> pairs_;
    std::vector<Block> diagonal_;
    std::vector<double> below_;                     // blocks, as high and wide as joints have rows at most
    std::vector<std::uint8_t> most_rows_, rows_of_; // by joint: at most, and as last factored
    std::vector<Block> soft_;                       // by joint: what of its diagonal block is there to give way
    std::vector<Vector> unknown_;                   // by joint
    std::vector<std::array<Levers, 6>> levers_;     // by joint and row
    std::vector<BodyChange> changes_;               // by motion
    // Scratch of add(), by joint.
    std::vector<std::vector<std::uint32_t>> neighbours_, first_neighbours_;
    std::vector<std::vector<std::uint32_t>> column_; // blocks below it, as pairs (row, block)
    std::vector<std::uint8_t> gone_;
    std::vector<std::pair<std::size_t, std::uint32_t>> queue_;
};

} // namespace cairn::physics
