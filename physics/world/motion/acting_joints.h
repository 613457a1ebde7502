// Joints in a step: which act, their rows for the solver, and what comes back.
#pragma once

#include "physics/base/executor.h"
#include "physics/solver/joints/rows/joint_rows.h"
#include "physics/world/islands/partition.h"
#include "physics/world/store/joint_store.h"
#include "physics/world/substeps/island_substeps.h"
#include "physics/world/substeps/short_steps.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// Joints of which a body is awake and dynamic. The mouse drag and locked axes of bodies are rows of joints, too, though
// no joint is stored for them.
class ActingJoints {
  public:
    // Found from the bodies that are awake: a resting world may hold any number of joints. `revision`: of the world.
    void list(const BodyStore& bodies, const AwakeBodies& awake, const JointStore& joints, std::uint64_t revision);
    ActingSlots slots() const { return {slots_, version_}; }

    // What rows are made step. `motions` and `dynamics`: by motion, as the solver gets them.
    struct Input {
        const Settings& settings;
        ShortStep short_step;
        const BodyStore& bodies;
        const Partition& partition;
        const IslandSubsteps& substeps;
        std::span<const BodyMotion> motions;
        std::span<const BodyDynamics> dynamics;
    };
    // Rows by time step class, then by slot, with locks and the mouse drag behind those of their class.
    std::span<JointInput> gather(Executor& executor, const Input& in, const JointStore& joints, const GrabRecord& grab);
    // Impulses and loads that the solver has left in the rows. Loads are means over the step, of all its short steps.
    void store(Executor& executor, const Input& in, JointStore& joints, GrabRecord& grab);
    // Slots of joints that carried more than they bear in this step, ascending. Asked once: forgets them.
    std::span<const std::uint32_t> take_broken();

    std::size_t memory_bytes() const;

  private:
    struct ClassStep; // of the rows that are gathered together

    std::size_t gather(Executor& executor, const Input& in, const ClassStep& step, const JointStore& joints,
                       const GrabRecord& grab, std::size_t count);
    std::size_t gather_locks(const Input& in, const ClassStep& step, std::size_t count);
    void add_drag(const Input& in, const ClassStep& step, const GrabRecord& grab, JointInput& rows) const;
    JointInput& next_row(std::size_t count);

    std::vector<std::uint32_t> slots_;
    std::array<std::uint64_t, 3> listed_by_{}; // versions of what they were found from
    std::uint64_t version_ = 1;
    std::vector<std::uint32_t> of_class_; // of them, of one time step class
    std::vector<JointInput> rows_;
    std::vector<std::vector<JointAxes>> axes_; // by time step class, then as rows_: those of six_dof
    std::atomic<bool> any_broken_ = false;
    std::vector<std::uint32_t> broken_;
};

} // namespace cairn::physics
