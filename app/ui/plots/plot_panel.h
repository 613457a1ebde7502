// The page of plots in the drawer.
#pragma once

#include "app/ui/context/context.h"

#include <imgui.h>

namespace cairn::ui {

void plot_controls(Context& ctx); // in the row of the drawer's tabs
void plot_page(Context& ctx);
// One of plots(). Returns whether it was clicked.
bool draw_plot(Context& ctx, std::size_t index, const ImVec2& size, bool large);

} // namespace cairn::ui
