// What is plotted of a run, and how.
#pragma once

#include "app/core/scene/expectation.h"
#include "app/ui/plots/plot_history.h"
#include "app/ui/widgets/palette.h"

#include <optional>
#include <vector>

namespace cairn::ui {

struct CurveLook {
    Metric curve;
    const char* name;   // in the plot
    const char* column; // of a table, with its unit
    colours::Paint colour;
};

struct PlotInfo {
    const char* id;
    const char* title;
    const char* unit;
    float scale; // from the curves' units
    std::vector<CurveLook> curves;
    Metric watched; // by the threshold
    bool stacked;
    const char* help;
    std::optional<core::Measure> measure; // that can be expected to stay below the threshold
};

// Metrics that the world has layers of have the colours of these layers.
const std::vector<PlotInfo>& plots();

} // namespace cairn::ui
