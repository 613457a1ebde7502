// What a step tells its readers. Nothing of it acts on later steps.
#pragma once

#include "physics/world/frame_state.h"

#include <vector>

namespace cairn::physics {

struct StepReport {
    float begun = 0.0f; // s, into the step: when the present short step began
    StepStats stats;
    std::vector<BodyId> stopped; // see FrameState
    std::vector<ImpactState> impacts;
    std::vector<BreakState> breaks; // of joints

    void clear() {
        begun = 0.0f;
        stats = StepStats{};
        stopped.clear();
        impacts.clear();
        breaks.clear();
    }
};

} // namespace cairn::physics
