// Moves the crosshair and presses the mouse's buttons for those who have no mouse at hand: keys, or a gamepad.
#pragma once

#include "app/ui/context/context.h"
#include "app/ui/window/pointing/mouse_tool.h"

#include <string_view>

namespace cairn::ui {

// What of it is held down in this frame.
struct CrosshairInput {
    bool left = false, right = false, up = false, down = false;
    bool click = false, orbit = false, pan = false;
    bool fine = false;
};

class CrosshairControl {
  public:
    // A key of an action, or a button, whose name begins with "aim_" went down.
    void press(Context& ctx, MouseTool& mouse, std::string_view action, bool fine, bool repeated = false);
    // Once a frame, `seconds` after the last: what is held goes on, and what is held no longer is released.
    void follow(Context& ctx, MouseTool& mouse, const CrosshairInput& input, float seconds);
    // At the cursor if it is in the world, else in the middle of what the panels leave free.
    void show(Context& ctx);
    // The mouse has moved, or has been taken away.
    void hide(Context& ctx, MouseTool& mouse);

  private:
    enum class Holds { nothing, click, locked, orbit, pan };
    void begin(Context& ctx, MouseTool& mouse, Holds what);
    void end(Context& ctx, MouseTool& mouse);
    void shift(Context& ctx, MouseTool& mouse, const glm::vec2& by);

    Holds holds_ = Holds::nothing;
    bool shift_at_press_ = false;
    glm::vec2 dragged_to_{0.0f}; // window units: where the cursor of a mouse would be that moves the camera
    float moving_ = 0.0f;        // s, since an arrow went down
};

} // namespace cairn::ui
