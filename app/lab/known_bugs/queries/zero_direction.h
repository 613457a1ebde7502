// Error 9: boolean GJK by regions, without a cap, with directions of no length, and with touching taken for apart.
#pragma once

#include "app/lab/known_bugs/support/step_report.h"

namespace cairn::core::lab::known_bugs {

// Without a cap of its own: `patience` stands in for the user's. The line's direction is zero if the line goes through
// the origin; a support that only reaches the origin counts as short of it. `start` is the first direction.
Answer overlap_by_regions(Difference& difference, const DVec3& start, StepReport& report);

LabRun run_zero_direction(const LabPair& pair);

} // namespace cairn::core::lab::known_bugs
