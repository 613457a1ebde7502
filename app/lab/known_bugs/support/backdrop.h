// The Minkowski difference behind the steps of an article's version.
#pragma once

#include "app/lab/steps/lab_step.h"

namespace cairn::core::lab::known_bugs {

// Of the true shapes at a time of their sweeps, s. Unlike lab/difference.h, which has the cores of spheres and capsules
// as the engine does: the articles' versions know no cores, and their support points lie on the difference of the whole
// shapes.
std::shared_ptr<const Figure> backdrop_of(const LabPair& pair, double time);

} // namespace cairn::core::lab::known_bugs
