// What if: the commands of a branch of the past, done again step by step in a world that has been changed.
#pragma once

#include "app/core/history/history.h"
#include "physics/world/command.h"
#include "physics/world/settings.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace cairn::core {

class WhatIf {
  public:
    // Of the current branch, after that step of it: what followed there is what is done again.
    WhatIf(const History& history, std::uint64_t step);

    std::size_t branch() const { return branch_; } // that is repeated
    std::uint64_t end() const { return end_; }     // its last step
    std::uint64_t from() const { return from_; }

    // What a command of that branch is in a world that has the settings `now`. Commands come in order. A change of
    // settings changes only the parameters that it changed then: those that are being tried keep their values.
    physics::Command carried(const physics::Command& command, const physics::Settings& now);

  private:
    std::size_t branch_ = 0;
    std::uint64_t from_ = 0, end_ = 0;
    physics::Settings then_; // that apply on that branch
};

// What differs, for people: "Substeps 8, Warm starting off"; empty where nothing does. Of more than three the first
// three are named and the others counted.
std::string settings_changes(const physics::Settings& before, const physics::Settings& after);

} // namespace cairn::core
