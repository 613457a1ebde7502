// The tools that move and turn the selection by handles.
#pragma once

#include "app/ui/tools/tool.h"

#include <memory>

namespace cairn::ui {

std::unique_ptr<Tool> make_move_tool();
std::unique_ptr<Tool> make_turn_tool();

} // namespace cairn::ui
