// Keys and mouse: what happened to the window becomes actions, the tool's work and the camera's motion, as far as no
// panel wants it for itself.
#pragma once

#include "app/ui/window/pointing/crosshair_control.h"
#include "app/ui/window/pointing/gamepad.h"
#include "app/ui/window/pointing/mouse_tool.h"
#include "app/ui/window/window_events.h"

#include <vector>

namespace cairn::ui {

class WindowInput {
  public:
    // Before the panels' backend, which calls on what it finds installed.
    explicit WindowInput(GLFWwindow* window) : window_(window), events_(window) {}

    // Before the panels' frame begins.
    void hold_short_keys() { events_.hold_short_keys(); }
    // Once a frame each, in this order. What has happened since the last frame,
    void take_events(Context& ctx);
    // what acts while a key, a stick or a button is held: the camera's flight, the player and the crosshair; `seconds`
    // since the last frame,
    void follow_held(Context& ctx, float seconds);
    // and what follows the cursor, once the camera has moved.
    void follow_cursor(Context& ctx) { mouse_.update(ctx); }

    bool had_events() const { return !happened_.empty(); } // since the last frame
    bool take_exposed() { return events_.take_exposed(); }

    // Lets go of what is held.
    void cancel(Context& ctx) {
        crosshair_.hide(ctx, mouse_);
        mouse_.cancel(ctx);
    }

  private:
    void handle(Context& ctx, const WindowEvent& event);
    void press_button(Context& ctx, const ButtonEvent& button);
    // Of all held keys, or of none while something else has the keyboard.
    void follow_keys(Context& ctx, CrosshairInput& crosshair, float seconds) const;
    bool is_down(int key) const { return glfwGetKey(window_, key) == GLFW_PRESS; }

    GLFWwindow* window_;
    WindowEvents events_;
    std::vector<WindowEvent> happened_; // in this frame
    MouseTool mouse_;
    CrosshairControl crosshair_;
    Gamepad gamepad_;
};

} // namespace cairn::ui
