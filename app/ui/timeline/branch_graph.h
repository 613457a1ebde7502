// The branches of the past as a picture: one row for each, along the time of the track below it.
#pragma once

#include "app/core/history/history.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::ui {

struct Context;

// Where steps are along the track of the timeline, window units.
struct TrackScale {
    float low = 0.0f, high = 1.0f;    // x of the first and of the last step shown
    double first = 0.0, length = 1.0; // steps
    float x_of(std::uint64_t step) const;
    bool shows(std::uint64_t step) const {
        return static_cast<double>(step) >= first && static_cast<double>(step) <= first + length;
    }
};

// The branches from the top row down: each is followed by those that leave it, the latest first, so that no connection
// crosses a row that is not its own.
std::vector<std::size_t> branch_order(std::span<const core::History::Branch> branches);

// How high the picture is; 0 where there is one branch.
float branch_graph_height(const Context& ctx);
// At the cursor of the panel that is being drawn, `width` wide; names are left of the track. A click takes up the
// branch, with Shift it shows it as ghosts.
void branch_graph(Context& ctx, const TrackScale& scale, float width);

// Takes up the branch one row above or below the one in force.
void take_branch_beside(Context& ctx, int rows);

} // namespace cairn::ui
