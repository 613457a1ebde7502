// Numbers of the last steps, as small curves in a panel.
#pragma once

#include "app/ui/widgets/widgets.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::ui {

// One value a step and curve: those of steps between two frames are interpolated. A long gap, in which nobody looked,
// an earlier step, or another number of curves begins anew.
struct StepCourse {
    std::uint64_t step = 0;
    std::vector<std::vector<float>> curves;  // oldest first, all of one length
    static constexpr std::size_t most = 240; // steps

    void clear() { curves.clear(); }
    void add(std::uint64_t now, std::span<const float> values);
};

struct CourseCurve {
    std::span<const float> values;
    ImU32 ink;
};

// A row with all of them over one range, which its title states: "Speed, m/s: 0 .. 3.2".
void plot_course(Widgets& w, const char* id, const char* title, std::span<const CourseCurve> curves);

} // namespace cairn::ui
