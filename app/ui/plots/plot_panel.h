// The page of plots in the drawer.
#pragma once

#include "app/ui/app.h"

namespace cairn::ui {

void plot_controls(App& app); // in the row of the drawer's tabs
void plot_page(App& app);

} // namespace cairn::ui
