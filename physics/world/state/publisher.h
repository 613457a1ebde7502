// From the state of a world to the frame that readers get.
#pragma once

#include "physics/world/frame_state.h"
#include "physics/world/motion/fast_bodies.h"
#include "physics/world/state/world_state.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// What rests is written into a frame once, and again only when it has changed: a world of 100,000 sleeping bodies would
// else copy some 50 MB a frame.
class Publisher {
  public:
    void watch(const FrameDetails& details);
    const FrameDetails& watched() const { return watched_; }
    // Before the solver runs: gets the colour of each contact, by its index. Empty: nobody watches colours.
    std::span<std::uint8_t> colours(std::size_t contacts);
    void begin_step() { sweeps_.clear(); }
    void note_sweeps(const BodyStore& bodies, const FastBodies& fast_bodies, const BodyMotions& motions);
    void forget(); // after the whole state has been exchanged

    void publish(Executor& executor, const WorldData& data, std::uint64_t hash, FrameState& frame) const;

    std::size_t memory_bytes() const;

  private:
    void publish_contacts(const WorldData& data, bool listed, bool known, FrameState& frame) const;
    void publish_awake_contacts(const WorldData& data, FrameState& frame) const;

    FrameDetails watched_;
    // Names the state among all in the process, anew after each exchange: a frame with this and
    // BodyStore::resting_revision up to date needs only what is awake.
    std::uint64_t source_ = next_source();
    static std::uint64_t next_source();
    std::vector<SweepState> sweeps_;
    std::vector<std::uint8_t> colour_of_contact_;
};

BodyState state_of(const BodyStore& bodies, std::uint32_t slot); // without its hash

} // namespace cairn::physics
