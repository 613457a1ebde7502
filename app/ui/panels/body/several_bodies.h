// What is shown of several selected bodies, and changed of all of them.
#pragma once

#include "app/ui/context/context.h"
#include "app/ui/widgets/colour/colour_row.h"

#include <cstddef>

namespace cairn::ui {

// `leader`: in the frame; the one whose numbers are shown where all agree, and which the others are lined up with.
void several_bodies(Context& ctx, ColourRow& colour, std::size_t leader);

// Opens the lab on the selection.
void lab_button(Context& ctx, const char* title);

} // namespace cairn::ui
