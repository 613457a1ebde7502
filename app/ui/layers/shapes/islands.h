// Which bodies hang together: touching each other or tied by joints, directly or over others.
#pragma once

#include "physics/islands/union_find.h"
#include "physics/world/frame_state.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cairn::ui {

// The engine solves and puts to sleep such sets together; what is static or kinematic ties none. They follow from the
// contacts and joints of a published state, so that nothing needs to be published for them.
class Islands {
  public:
    static constexpr std::uint32_t none = 0xffffffffu;

    // Of this state; does nothing if it is the one of the last call.
    void update(const physics::FrameState& frame);
    // By slot in FrameState::bodies: the slot of the island's first body. `none`: no dynamic body.
    std::uint32_t of(std::size_t slot) const { return first_[slot]; }
    std::size_t size() const { return first_.size(); }

  private:
    std::uint64_t step_ = 0, hash_ = 0, revision_ = 0;
    std::vector<std::uint32_t> slots_; // by body index
    physics::UnionFind sets_;
    std::vector<std::uint32_t> first_; // by slot
};

} // namespace cairn::ui
