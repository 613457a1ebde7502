// Which panels are shown, and what is held down on them.
#pragma once

#include "app/ui/context/parts.h"
#include "app/ui/widgets/widgets.h"

#include <cstdint>

namespace cairn::ui {

struct Layout : Part {
    bool show_ui = true, show_help = false;
    // The two columns of panels. The right one opens for a selection, and closes with it unless it was open before.
    bool left = true, right = false;
    bool right_for_selection = false, had_selection = false;
    static constexpr int least_text = 100, largest_text = 200;
    int text_size = least_text; // percent of what fits the screen
    // The column that keys go through; with the keyboard in the world, none.
    enum class Keyboard { world, left, right } keyboard = Keyboard::world;
    bool keyboard_moved = false; // to another column in this frame

    float columns_end = 0.0f; // y, what stands below them begins there; window units
    Rectangle free;           // of the window, what panels left in the last frame; window units

    bool held = false;         // something on a panel, or it was in the last frame:
    std::uint64_t gesture = 0; // what is edited by that belongs together

    void remember(Context& ctx, SettingsArchive& archive) override;
};

} // namespace cairn::ui
