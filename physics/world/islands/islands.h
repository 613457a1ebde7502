// Islands: sets of awake dynamic bodies that touch or are joined. They are stepped alike, and fall asleep together.
#pragma once

#include "physics/base/executor.h"
#include "physics/islands/union_find.h"
#include "physics/narrowphase/pool/contact_pool.h"
#include "physics/solver/solver.h"
#include "physics/world/islands/partition.h"
#include "physics/world/settings.h"
#include "physics/world/store/joint_store.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// Bodies by motion index, as Partition numbers them. An island is named by the smallest motion in it, its root. What is
// fixed (motion 0) and kinematic bodies connect nothing; each is a set of its own.
class Islands {
  public:
    // `touching`: ContactPool::touching() and `sides` of the same contacts.
    void build(Executor& executor, const BodyStore& bodies, const Partition& partition,
               std::span<const std::uint32_t> touching, std::span<const TouchingSides> sides, const JointStore& joints,
               const ActingSlots& acting);

    std::uint32_t root(std::uint32_t motion) const { return roots_[motion]; }
    std::span<const std::uint32_t> roots() const { return roots_; } // by motion
    std::uint32_t count() const { return count_; }
    bool is_driver(std::uint32_t motion) const { return driver_[motion] != 0; } // kinematic
    // The contacts that touch, with their bodies as motions, by key.
    std::span<const Solver::TouchingContact> touching() const { return touching_; }

    // Bodies connected by joints alone, named as islands are: what no joint holds is one of its own.
    std::uint32_t mechanism(std::uint32_t motion) const { return mechanisms_.empty() ? motion : mechanisms_[motion]; }

    // Slots of the bodies whose island is to sleep, ascending: all of it has rested for the sleep time, it neither
    // touches nor is joined to a moving kinematic body, and neither motors nor springs move anything in it.
    std::span<const std::uint32_t> to_sleep(const BodyStore& bodies, const AwakeBodies& awake,
                                            const Partition& partition, const JointStore& joints,
                                            const ActingSlots& acting, const Settings& settings);

    std::size_t memory_bytes() const;

  private:
    void find_mechanisms(const BodyStore& bodies, const Partition& partition, const JointStore& joints,
                         const ActingSlots& acting);

    std::vector<Solver::TouchingContact> touching_;
    std::vector<std::uint8_t> driver_;      // by motion
    std::vector<std::uint32_t> roots_;      // by motion
    std::vector<std::uint32_t> mechanisms_; // by motion; empty where no joint acts
    std::uint32_t count_ = 0;
    UnionFind joined_;                                 // mechanisms, and
    std::uint64_t joined_by_ = 0, joined_numbers_ = 0; // of which joints, with which numbers of bodies
    UnionFind sets_;                                   // scratch
    std::vector<float> rested_;                        // scratch: s, by root
    std::vector<std::uint32_t> sleepers_;              // scratch
};

// For how long a body counts as resting when its island wants to sleep, s.
inline float time_at_rest(const BodyStore& bodies, std::uint32_t slot) {
    return bodies.kind(slot).def.can_sleep ? bodies[slot].sleep_timer : 0.0f;
}

} // namespace cairn::physics
