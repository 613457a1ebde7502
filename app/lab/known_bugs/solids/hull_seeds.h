// Error 7: hulls that depend on where the origin is and how large the input is.
#pragma once

#include "app/lab/known_bugs/support/runs.h"
#include "app/lab/known_bugs/support/solid_body.h"

#include <utility>

namespace cairn::core::lab::known_bugs {

// The first point of the seed is the farthest along x; the second is looked for along -p0, not away from p0.
std::pair<std::size_t, std::size_t> first_two_seeds(const Points& points);

// The four points from which the hull is to grow. Takes the farthest point from a line and from a plane for the third
// and fourth, however near it is.
std::array<std::size_t, 4> seeds(const Points& points);

// Six times the volume of the seed, m^3.
float seed_determinant(const Points& points);

// Points nearer to an earlier one than a centimetre are duplicates.
Points without_duplicates(const Points& points);

KnownBugRuns run_hull_seeds(const Points& points);

} // namespace cairn::core::lab::known_bugs
