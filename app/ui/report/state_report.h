// The program's state as JSON, for tests and scripts that drive the window: what `--stats` writes.
#pragma once

#include "app/ui/context/context.h"

#include <string>
#include <vector>

namespace cairn::ui {

struct GlReport {
    int errors = 0;
    std::vector<std::string> messages;
};

// Rectangles and positions are window units from the top left, [x, y, width, height] and [x, y].
std::string state_report(const Context& ctx, const GlReport& gl);

} // namespace cairn::ui
