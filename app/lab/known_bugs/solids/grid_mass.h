// Error 8: mass properties sampled on a grid.
#pragma once

#include "app/lab/known_bugs/support/runs.h"
#include "app/lab/known_bugs/support/solid_body.h"

namespace cairn::core::lab::known_bugs {

struct Sampled {
    DVec3 centre{0.0};       // in the frame of the hull, m
    double volume = 0.0;     // m^3
    glm::dmat3 inertia{0.0}; // about the centre, for density 1 kg/m^3, kg m^2
    int inside = 0;          // of a million points
};

// Counts the points of a grid of 100 steps a side that lie inside; the steps begin at the lower corner of the bounds.
// Those inside are put into `points_inside`, if there is one.
Sampled sample_on_a_grid(const physics::ConvexHull& hull, std::vector<DVec3>* points_inside = nullptr);

KnownBugRuns run_grid_mass(const Points& points);

} // namespace cairn::core::lab::known_bugs
