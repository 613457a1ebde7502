// The list of awake bodies, which is what a step iterates over.
#pragma once

#include "physics/world/store/body_store.h"

#include <cstdint>
#include <vector>

namespace cairn::physics {

// Slots of awake bodies, ascending. Any number of changes cost one sort, at the next commit(): the step commits,
// commands do not, so that a thousand of them cost no more than one each. BodyRecord::awake is always up to date.
class AwakeBodies {
  public:
    void woke(std::uint32_t slot) { newly_awake_.push_back(slot); }
    void slept() { slept_ = true; }
    // Brings the list up to date with the flags of the bodies.
    void commit(const BodyStore& bodies);
    // Whether nothing has changed since the last commit.
    bool listed() const { return newly_awake_.empty() && !slept_; }
    std::uint64_t version() const { return version_; } // grows when the list changes

    std::size_t size() const { return slots_.size(); }
    std::uint32_t operator[](std::size_t i) const { return slots_[i]; }
    auto begin() const { return slots_.begin(); }
    auto end() const { return slots_.end(); }

    std::vector<std::uint32_t>& stack() { return stack_; } // for Waking; empty
    std::size_t memory_bytes() const;

  private:
    std::vector<std::uint32_t> slots_;       // as of the last commit
    std::vector<std::uint32_t> newly_awake_; // not yet in slots_; some may sleep again
    bool slept_ = false;                     // slots_ holds some that sleep or are gone
    std::uint64_t version_ = 1;
    std::vector<std::uint32_t> merged_, stack_; // scratch
};

} // namespace cairn::physics
