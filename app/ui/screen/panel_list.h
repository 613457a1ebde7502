// The panels of the two columns, from the top down. A panel that keeps something is an object with operator().
#pragma once

#include "app/ui/context/parts.h"

#include <functional>
#include <vector>

namespace cairn::ui {

struct PanelList : Part {
    using Draw = std::function<void(Context&)>;
    std::vector<Draw> left, right;
};

} // namespace cairn::ui
