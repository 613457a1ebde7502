// Error 3: GJK takes unused slots of its simplex for points that it has.
#pragma once

#include "app/lab/known_bugs/support/step_report.h"

namespace cairn::core::lab::known_bugs {

// Boolean GJK by signed volumes. A support point that the simplex has already means that there is nothing beyond: but
// with `unused_slots_too`, as in the article, the comparison also reads the slots that are not in use, which are zero.
struct BySignedVolumes {
    Answer answer = Answer::runs_on;
    std::vector<Vertex> simplex; // of a hit: the points between which the origin lies
};
BySignedVolumes overlap_by_signed_volumes(Difference& difference, bool unused_slots_too, StepReport& report);

LabRun run_unused_slots(const LabPair& pair);

} // namespace cairn::core::lab::known_bugs
