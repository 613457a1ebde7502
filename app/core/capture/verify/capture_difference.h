// Two captures beside each other: where they part, and how far apart they come.
#pragma once

#include "app/core/capture/verify/verification.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cairn::core {

struct CaptureDifference {
    std::optional<std::uint64_t> step; // the first that differs; 0: the start
    std::string what;                  // differs there
};
CaptureDifference first_difference(const Capture& a, const Capture& b);
// The parts of two scenes that are not the same, in words; empty: there are none.
std::string difference_of_scenes(const Scene& a, const Scene& b);
// One line. Captures of which one is cut off are not the same, however equal: what was lost may be what differs.
std::string verdict_of(const Capture& a, const Capture& b, const CaptureDifference& found, const std::string& scenes);
// Of both at the first step from `step` to `last` at which both are known.
Cause explain(RecordedStates& a, RecordedStates& b, std::uint64_t step, std::uint64_t last);
// At so many steps that a plot can show them all, and at keyframes; `progress` 0..1.
std::vector<Deviation> deviations(const Capture& a, const Capture& b, physics::Executor* executor,
                                  const std::function<void(double)>& progress);

} // namespace cairn::core
