// What the main thread does for one picture, measured part by part without a window: no driver and no screen is waited
// for. The simulation runs on its own thread, as it does behind the window.
#pragma once

#include "app/core/scene/scene.h"
#include "physics/base/executor.h"

#include <functional>
#include <string>
#include <vector>

namespace cairn::ui {

struct FrameCost {
    struct Part {
        std::string name;
        double median_ms = 0.0, p99_ms = 0.0;
    };
    std::vector<Part> parts; // in the order in which they happen
    Part total;              // of the main thread
    // On the simulation's thread.
    Part publish, step;
    std::size_t bodies = 0, awake = 0, drawn = 0, culled = 0; // at the end
};

struct FrameCostOptions {
    int frames = 120; // measured, one step each
    int warm_up = 30; // steps before
    int width = 1280, height = 720;
};

FrameCost measure_frames(const core::Scene& scene, physics::Executor& workers, const FrameCostOptions& options,
                         const std::function<void(double)>& progress);

} // namespace cairn::ui
