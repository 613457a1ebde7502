// Pictures of the window as it is, panels and all.
#pragma once

#include "app/ui/app.h"

namespace cairn::ui {

// What was asked for without panels: once the world is drawn, and before they are.
void take_world_screenshot(App& app);
// Once a frame, before what was drawn is shown: what a key, a panel or the command line asked for. `last`: the run
// ends with this frame. Throws core::InputError if the command line's picture cannot be written; the others become
// messages.
void take_screenshots(App& app, bool last);

} // namespace cairn::ui
