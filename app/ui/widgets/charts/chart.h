// Curves over a rectangle of the current window: plots, the lab and the stats draw theirs with it.
#pragma once

#include "app/ui/text/frame_text.h"

#include <algorithm>
#include <imgui.h>
#include <vector>

namespace cairn::ui {

struct Chart {                       // window units
    ImVec2 low, high;                // corners, of the curves
    double from = 0.0, to = 1.0;     // what its width stands for
    float bottom = 0.0f, top = 1.0f; // and its height
    float x(double value) const { return low.x + (high.x - low.x) * static_cast<float>((value - from) / (to - from)); }
    float y(float value) const { return high.y - (high.y - low.y) * (value - bottom) / (top - bottom); }
    ImVec2 at(double across, float up) const { return {x(across), y(up)}; }
};

// The least and greatest value in each column of pixels: what lies between two columns is not lost.
struct ChartColumns {
    std::vector<float> lowest, highest; // lowest > highest: no sample here

    void clear(const Chart& chart) {
        const auto count = static_cast<std::size_t>(std::max(chart.high.x - chart.low.x, 1.0f));
        lowest.assign(count, 1.0f);
        highest.assign(count, 0.0f);
    }
    void add(const Chart& chart, double across, float value);
};

void draw_curve(ImDrawList& out, const Chart& chart, const ChartColumns& columns, ImU32 ink, float stroke);
// Lines across at round values, with these to the left of them in the current font; about `count` of them.
void draw_grid(ImDrawList& out, const Chart& chart, float count, float scale);

// At most seven signs: "-12.3k".
FrameText brief_number(float value);
// "1.17 MJ"; units of several words keep their number plain, "12.3k kg m/s".
FrameText brief_number(float value, std::string_view unit);

} // namespace cairn::ui
