// The desktop window: one call from main().
#pragma once

#include "app/ui/context/window_options.h"

namespace cairn::ui {

// Returns the exit code: 0, or 1 if GL reported an error in a run with `frames`. Throws core::MachineError when there
// is no display or no GL, core::InputError for bad files and where `capture` cannot be written.
int run_window(const WindowOptions& options);

} // namespace cairn::ui
