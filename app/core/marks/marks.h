// The moments of a run that a person looks for: bodies strike each other, fall asleep or wake, a joint breaks, or
// something is done to the world.
#pragma once

#include "app/core/history/history.h"
#include "app/core/touches/touches.h"

#include <cstdint>
#include <vector>

namespace cairn::core {

enum class MarkKind : std::uint8_t { strike, sleep, wake, command, joint_break };
inline constexpr int mark_kinds = 5;

struct Mark {
    std::uint64_t step = 0; // that shows it first
    std::size_t branch = 0; // of the history
    MarkKind kind = MarkKind::strike;
    friend bool operator==(const Mark&, const Mark&) = default;
};

// Finds the marks of a run step by step, each step of each branch once, however often it is gone through.
class MarkFinder {
  public:
    // Appends those of the step that led from `before` to `after`, at most one of each kind. `history` holds that step
    // on the current branch. `touches`: what find_touches() reports of the step, each a strike; what only drags a held
    // body along is no command.
    void find(const physics::FrameState& before, const physics::FrameState& after, const std::vector<Touch>& touches,
              const History& history, std::vector<Mark>& marks);
    void forget() { seen_.clear(); } // another world begins

  private:
    std::vector<std::vector<bool>> seen_; // of each branch, by step, whether it was looked at
};

} // namespace cairn::core
