// The icons of buttons, drawn as lines and areas.
#pragma once

#include <imgui.h>

namespace cairn::ui {

enum class Icon {
    play,
    pause,
    step,
    step_back,
    play_back,
    restart,
    undo,
    redo,
    record,
    stop,
    help,
    camera,
    reset,
    fold_left,
    fold_right,
    unfold,
    what_if,
    hurry,
    more,
    brush
};

// `r`: half of its width, `stroke`: of its lines, window units.
void draw_icon(ImDrawList& out, Icon icon, const ImVec2& centre, float r, float stroke, ImU32 ink);

} // namespace cairn::ui
