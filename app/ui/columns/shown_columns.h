// Which of the two columns of panels there is room for, beside each other and beside the lab.
#pragma once

#include "app/ui/context/context.h"

namespace cairn::ui {

float column_width(const Context& ctx);
bool is_narrow(const Context& ctx);  // there is room for one column
bool shows_left(const Context& ctx); // the left column is open and has room beside the other, or the lab

enum class Column { left, right };
// Opens it for good; where there is no room for two, what stands in its place closes.
void open_column(Context& ctx, Column column);

} // namespace cairn::ui
