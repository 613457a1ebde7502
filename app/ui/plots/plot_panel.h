// The page of plots in the drawer.
#pragma once

#include "app/ui/context/context.h"

namespace cairn::ui {

void plot_controls(Context& ctx); // in the row of the drawer's tabs
void plot_page(Context& ctx);

} // namespace cairn::ui
