// Pointing without a mouse: the crosshair that keys and a gamepad move, and how a gamepad is set.
#pragma once

#include "app/ui/context/parts.h"

#include <string>

namespace cairn::ui {

// Stands at Context::cursor, in place of the mouse's arrow, until the mouse moves.
struct Crosshair : Part {
    bool shown = false;
    bool pressed = false; // it holds the left button down
};

struct GamepadSettings : Part {
    bool on = true;
    float speed = 1.0f;      // of flight, looking and the crosshair, times the usual one
    float dead_zone = 0.15f; // of a stick's reach, within which it counts as let go
    std::string connected;   // the name of the one in use; empty: none

    void remember(Context& ctx, SettingsArchive& archive) override;
};

} // namespace cairn::ui
