// The tools on the screen.
#pragma once

#include "app/ui/context/context.h"

namespace cairn::ui {

// The bar with a button for each tool, beside the left column, between it and x = right and above y = bottom, window
// units. Where it would leave too little of that, it is one button that shows all.
void tool_bar(Context& ctx, float right, float bottom);
// What can be set of the active tool: a part of the left column, or nothing.
void tool_settings(Context& ctx);
// What the active tool writes into the picture; below the panels.
void draw_tool_overlay(Context& ctx);

} // namespace cairn::ui
