// The rigid rows of joints in nets, solved one joint after the other, softly, in a few sweeps a pass.
//
// The matrix of a net fills up when it is factored (joint_system.h), while its errors have short ways to go: to a post,
// or round a mesh. Joints are coloured so that those of one colour share no body that can be pushed. Ball joints go in
// lanes, as contacts do; the others, of which nets have few, one at a time.
#pragma once

#include "physics/base/executor.h"
#include "physics/solver/joints/joint_blocks.h"
#include "physics/solver/joints/rows/joint_rows.h"
#include "physics/solver/joints/system/joint_graph.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

class JointNet {
  public:
    // Sweeps over all joints in a pass, there and back in turns.
    static constexpr int sweeps = 4;

    // Takes the components with these numbers, of any number that share no body.
    void plan(const JointGraph& graph, std::span<const std::uint32_t> components);

    std::size_t size() const { return joints_; } // joints
    bool empty() const { return joints_ == 0; }

    // Before the first substep and after the last one: moves what a step states and remembers to the lanes and back.
    void load(Executor& executor, std::span<const JointInput> joints);
    void store(Executor& executor, std::span<JointInput> joints) const;
    std::span<const std::uint32_t> others() const { return others_; } // joints that do not go in lanes

    // Brings the rows up to date: before the first substep, and when positions have changed.
    void refresh(Executor& executor, std::span<JointRows> joints, std::span<BodyMotion> motions,
                 std::span<const BodyInertia> inertias);
    void warm_start(Executor& executor, std::span<JointRows> joints, std::span<BodyMotion> motions);
    void solve(Executor& executor, std::span<JointRows> joints, std::span<BodyMotion> motions,
               const JointSolverSettings& settings, bool use_bias);
    // Adds the substep's impulses to the step's.
    void accumulate(Executor& executor, std::span<JointRows> joints);

    std::size_t memory_bytes() const;

  private:
    struct Colour { // ranges
        std::uint32_t first_block = 0, end_block = 0, first_other = 0, end_other = 0;
        bool in_turn = false; // its joints may share bodies
    };

    template <class Blocks, class Others>
    void for_all(Executor& executor, const Blocks& on_blocks, const Others& on_others) const;
    template <class Blocks, class Others>
    void by_colours(Executor& executor, int sweep_count, const Blocks& on_blocks, const Others& on_others);

    std::vector<Colour> colours_;
    std::vector<BallBlock> blocks_;
    std::vector<std::uint32_t> others_; // joints that go one at a time, colour after colour
    std::vector<std::uint32_t> needs_;  // of stages
    std::size_t joints_ = 0;
};

} // namespace cairn::physics
