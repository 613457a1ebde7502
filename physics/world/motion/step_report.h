// What a step tells its readers. Nothing of it acts on later steps.
#pragma once

#include "physics/world/frame_state.h"

#include <vector>

namespace cairn::physics {

struct StepReport {
    StepStats stats;
    std::vector<BodyId> stopped; // see FrameState
    std::vector<ImpactState> impacts;
    std::vector<BreakState> breaks; // of joints

    void clear() {
        stats = StepStats{};
        stopped.clear();
        impacts.clear();
        breaks.clear();
    }
};

} // namespace cairn::physics
