// Continuous collision in the world: bodies that moved far in the step are followed along their path.
#pragma once

#include "physics/base/executor.h"
#include "physics/continuous/continuous.h"
#include "physics/world/islands/islands.h"
#include "physics/world/motion/body_motions.h"
#include "physics/world/motion/step_report.h"
#include "physics/world/substeps/island_substeps.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// Reads what the step has found, and changes poses and velocities of bodies that met something on their path.
class FastBodies {
  public:
    struct World {
        Executor& executor;
        const Settings& settings;
        const AwakeBodies& awake;
        const ContactPool& contacts;
        const JointStore& joints;
        const GrabRecord& grab;
        const Partition& partition;
        const Islands& islands;
        const IslandSubsteps& substeps;
        BodyStore& bodies;
        Broadphase& broadphase;
        BodyMotions& motions;
    };
    // `foreseen`: slots of pairs that the solver was to answer where they will meet; reported as impacts, too.
    // `at_slopes`: of bodies that come on to slopes of which the solver did not know. They count as fast.
    void follow(const World& world, std::span<const std::uint32_t> foreseen, std::span<const std::uint32_t> at_slopes,
                StepReport& report);
    // Sleeping bodies that were hit: they have their new pose and velocity, and must wake.
    std::span<const std::uint32_t> hit_sleepers() const { return hit_sleepers_; }

    // Where the followed bodies were when the last step began.
    void list_sweeps(const BodyStore& bodies, const BodyMotions& motions, std::vector<SweepState>& out) const;

    std::size_t memory_bytes() const;

  private:
    void add_pressed(const World& world, std::span<const std::uint32_t> at_slopes);
    void list_pairs(const World& world);
    void hold_mechanisms(const World& world, const ContinuousWorld& view, StepReport& report);
    void adopt(const World& world);

    ContinuousCollision continuous_;
    bool followed_ = false;        // any, in the last step
    std::vector<KnownPair> pairs_; // by key
    std::vector<std::uint32_t> hit_sleepers_;
    std::vector<std::uint32_t> held_;                        // slots of bodies of mechanisms that were held, ascending
    std::vector<float> held_at_;                             // in steps, by mechanism: when it was
    std::vector<std::vector<KnownPair>> blocks_;             // scratch
    std::vector<std::vector<std::uint32_t>> pressed_blocks_; // scratch: motions
};

} // namespace cairn::physics
