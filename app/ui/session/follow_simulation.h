#pragma once

#include "app/ui/context/context.h"

namespace cairn::ui {

// Passes on what the simulation has to say, notices the end of a replay, and drops handles of bodies that are gone.
// Once a frame.
void follow_simulation(Context& ctx);

} // namespace cairn::ui
