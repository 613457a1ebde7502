// What an engine's time is worth nothing without: how well the bodies stand at the end. One yardstick for all engines.
#pragma once

#include "bench/peers/engine.h"

#include <optional>

namespace cairn::bench {

// J. The model gives mass and inertia.
double kinetic_energy(const physics::BodyModel& model, const BodyMotionState& body);

struct Quality {
    // Deepest overlap of two bodies, found by Cairn's queries at the engine's poses; m. None if poses are beyond
    // what a world takes.
    std::optional<double> depth;
    double kinetic_energy = 0.0; // J
    double drift = 0.0;          // m, greatest horizontal way of a dynamic body from its start
    std::size_t lost = 0;        // dynamic bodies below or beside everything that is fixed, or nowhere at all
};

Quality quality_of(const physics::FrameState& start, const std::vector<BodyMotionState>& bodies);

} // namespace cairn::bench
