// Bodies on their way into the solver, and out of it again.
#pragma once

#include "physics/base/executor.h"
#include "physics/broadphase/broadphase.h"
#include "physics/solver/motion/motion.h"
#include "physics/world/islands/partition.h"
#include "physics/world/settings.h"
#include "physics/world/store/joint_store.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// On a body, throughout the next step alone.
struct PendingForce {
    std::uint32_t slot = 0;
    Vec3 force{0.0f}, torque{0.0f}; // N and N m, about the centre of mass, world
};

// Lines for the solver by motion index (Partition), and what the step must look at after they have moved: of a heap
// hardly any body.
class BodyMotions {
  public:
    void gather(Executor& executor, const BodyStore& bodies, const Partition& partition);
    // After gather().
    void add_forces(std::span<const PendingForce> forces, const Partition& partition);
    std::span<BodyMotion> motions() { return motions_; }
    std::span<const BodyMotion> motions() const { return motions_; }
    std::span<BodyDynamics> dynamics() { return dynamics_; }
    std::span<const BodyDynamics> dynamics() const { return dynamics_; }

    // Writes the motions back to the bodies, except for non-finite ones. Bounds for the next step, sleep timers.
    void move(Executor& executor, const Settings& settings, const Broadphase& broadphase, const Partition& partition,
              const AwakeBodies& awake, const GrabRecord& grab, BodyStore& bodies);
    std::span<const Transform> starts() const { return starts_; } // by slot, of awake bodies: poses before move()

    // Slots, ascending, after move():
    std::span<const std::uint32_t> rejected() const { return rejected_; } // the motion was not finite
    std::span<const std::uint32_t> fast() const { return fast_; }         // moved further than its contacts reach
    std::span<const std::uint32_t> strayed() const { return strayed_; }   // may have left its own reach at the start
    // Motions that count as fast for another reason; some may be listed several times, or be fast already.
    void add_fast(const Partition& partition, std::span<const std::vector<std::uint32_t>> motions);
    std::vector<std::uint32_t>& escaped() {
        return escaped_;
    } // the new reach is not held by the trees; may be added to
    bool is_fast(std::uint32_t motion) const { return (marks_[motion] & mark_fast) != 0; }
    bool any_sleep_candidate() const { return any_candidate_; } // some body has rested for the sleep time

    std::size_t memory_bytes() const;

  private:
    static constexpr std::uint8_t mark_rejected = 1, mark_fast = 2, mark_strayed = 4, mark_escaped = 8,
                                  mark_candidate = 16;
    struct World; // what move() reads

    std::uint8_t move_body(const World& world, std::uint32_t slot, const BodyMotion& motion, BodyStore& bodies);
    void list_marked(const Partition& partition, const AwakeBodies& awake);

    std::vector<BodyMotion> motions_;
    std::vector<BodyDynamics> dynamics_;
    std::vector<BodyPush> pushes_; // what dynamics_ points to
    std::vector<Transform> starts_;
    std::vector<std::uint8_t> marks_; // by motion
    std::vector<std::uint32_t> rejected_, fast_, strayed_, escaped_;
    bool any_candidate_ = false;
};

// Whether the body may count as resting after a step in which it has moved by `displacement` m: what is pushed out of
// another body moves without having a speed.
bool below_sleep_threshold(const Settings& settings, const BodyStore& bodies, const GrabRecord& grab,
                           std::uint32_t slot, float displacement);

} // namespace cairn::physics
