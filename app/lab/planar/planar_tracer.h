// GJK and EPA in a plane as steps to look at, in the lab's common format: all marks lie at z = 0.
#pragma once

#include "app/lab/planar/planar_query.h"
#include "app/lab/steps/lab_step.h"

namespace cairn::core::lab::planar {

// Runs the query and reports every round of it. World marks, the outlines of both polygons among them, are less the
// position of A. The backdrop of every step is the difference.
LabRun run_planar(const PlanarPair& pair);

} // namespace cairn::core::lab::planar
