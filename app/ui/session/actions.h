#pragma once

#include "app/ui/context/context.h"

namespace cairn::ui {

// All that can be done, with the keys of the program; those of tools and layers come from them.
void add_actions(Context& ctx);

} // namespace cairn::ui
