// Everything that the window is made of, named once: whoever adds a part, a panel or a tool adds a line here.
#pragma once

#include "app/ui/context/context.h"

#include <functional>

namespace cairn::ui {

// A context with all parts, panels and tools of the window, and with what `more` (may be empty) registers.
struct WindowContext : Context {
    WindowContext(const WindowOptions& window_options, core::Simulation& the_simulation,
                  const std::function<void(Context&)>& more = {});
};

// All that can be done, with the keys of the program; those of tools and layers come from them.
void add_actions(Context& ctx);

} // namespace cairn::ui
