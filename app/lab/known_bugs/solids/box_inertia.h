// Error 1: the inertia of a box with an offset that does not belong there, of the wrong sign in one row.
#pragma once

#include "app/lab/known_bugs/support/runs.h"
#include "app/lab/known_bugs/support/solid_body.h"

namespace cairn::core::lab::known_bugs {

// Of a box of mass 1 from its two corners, m; kg m^2. About the local origin instead of the centre of mass, and with
// one product of the parallel-axis term of the wrong sign. The row i and column j is [j][i].
glm::dmat3 box_inertia(const DVec3& low, const DVec3& high);

// The box is the bounds of the points.
KnownBugRuns run_box_inertia(const Points& points);

} // namespace cairn::core::lab::known_bugs
