// Pictures of the window as it is, panels and all.
#pragma once

#include "app/ui/context/context.h"

#include <filesystem>
#include <optional>

namespace cairn::ui {

struct ScreenshotRequest { // written at the end of the frame
    std::filesystem::path path;
    bool with_panels = false;
};

struct Screenshots : Part {
    std::optional<ScreenshotRequest> wanted;
};

// Whether the two below have something to do in this frame.
bool screenshot_due(const Context& ctx, bool last);
// What was asked for without panels: once the world is drawn, and before they are.
void take_world_screenshot(Context& ctx);
// Once a frame, before what was drawn is shown: what a key, a panel or the command line asked for. `last`: the run
// ends with this frame. Throws core::InputError if the command line's picture cannot be written; the others become
// messages.
void take_screenshots(Context& ctx, bool last);

} // namespace cairn::ui
