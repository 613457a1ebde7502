// Which number an awake body has in the solver, and which thread works on it.
#pragma once

#include "physics/base/executor.h"
#include "physics/solver/motion/regions.h"
#include "physics/world/islands/division.h"
#include "physics/world/islands/touching.h"
#include "physics/world/store/awake_bodies.h"
#include "physics/world/store/body_store.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// Awake bodies are numbered from 1 on, those of a region one after the other; 0 stands for all that does not move. The
// numbers and regions are scratch: no result depends on them.
class Partition {
  public:
    // Numbers the bodies anew if the list of those awake or the number of threads has changed, and cuts the regions
    // anew if the contacts have changed much, or after a while. `touching`: of the step before.
    void update(Executor& executor, const BodyStore& bodies, const AwakeBodies& awake,
                std::span<const TouchingSides> touching);
    // The same within a step, after some bodies may have been woken.
    void update_if_woken(Executor& executor, const BodyStore& bodies, const AwakeBodies& awake,
                         std::span<const TouchingSides> touching) {
        if (version_ != awake.version()) {
            update(executor, bodies, awake, touching);
        }
    }
    void forget(); // after all bodies have been exchanged

    std::uint64_t numbering() const { return numbering_; } // grows when bodies get other numbers
    // 0 for a body that was not awake at the last update.
    std::uint32_t motion_of(std::uint32_t slot) const { return motion_of_slot_[slot]; }
    std::uint32_t slot_of(std::uint32_t motion) const { return slot_of_motion_[motion]; } // from 1 on
    const Regions& regions() const { return regions_; }
    // That of body A, or of B if A has none.
    std::size_t region_of(std::uint32_t body_a, std::uint32_t body_b) const {
        const std::uint8_t of_a = listed(body_a), region = of_a != no_region ? of_a : listed(body_b);
        return region < regions_.count() ? region : 0;
    }

    std::size_t memory_bytes() const;

  private:
    static constexpr std::uint8_t no_region = 255;

    std::uint8_t listed(std::uint32_t slot) const {
        return slot < region_of_slot_.size() ? region_of_slot_[slot] : no_region;
    }
    void cut(const BodyStore& bodies, const AwakeBodies& awake, std::span<const TouchingSides> touching,
             std::size_t regions);

    std::vector<std::uint32_t> motion_of_slot_;
    std::vector<std::uint32_t> slot_of_motion_; // from 1 on
    std::vector<std::uint8_t> region_of_slot_;  // of some that are not awake, too
    Regions regions_;                           // of motions
    std::uint64_t version_ = 0;                 // of AwakeBodies, when they were numbered
    std::uint64_t numbering_ = 0;
    Division division_;
    std::uint64_t age_ = 0;                    // of the division, steps
    std::size_t divided_contacts_ = 0;         // that touched then
    std::vector<std::uint32_t> place_of_slot_; // in the division
    std::vector<std::uint32_t> sizes_;         // scratch
};

} // namespace cairn::physics
