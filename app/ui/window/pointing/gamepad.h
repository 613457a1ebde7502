// A gamepad: sticks fly, look and move the player, buttons do what keys do.
#pragma once

#include "app/ui/context/context.h"
#include "app/ui/window/pointing/crosshair_control.h"
#include "app/ui/window/pointing/mouse_tool.h"

#include <array>
#include <cstddef>
#include <glm/glm.hpp>
#include <string_view>

namespace cairn::ui {

// As GLFW numbers them, by their places on an Xbox pad.
enum class PadButton : std::size_t {
    a,
    b,
    x,
    y,
    left_bumper,
    right_bumper,
    back,
    start,
    guide,
    left_thumb,
    right_thumb,
    up,
    right,
    down,
    left
};

// What a gamepad says in one frame, wherever it comes from.
struct PadState {
    std::string_view name;                           // empty: none is connected
    glm::vec2 left{0.0f}, right{0.0f};               // sticks, -1..1, y down
    float left_trigger = 0.0f, right_trigger = 0.0f; // 0..1
    std::array<bool, 15> buttons{};

    bool down(PadButton button) const { return buttons[static_cast<std::size_t>(button)]; }
};

// The first gamepad that is connected, as the window library knows it.
PadState read_gamepad();

// Nothing within the dead zone, and from its rim on the whole range; `dead_zone` < 1.
glm::vec2 beyond_dead_zone(const glm::vec2& stick, float dead_zone);

class Gamepad {
  public:
    // Once a frame, after the keys: adds what the pad says to it. `reaches_world`: no question and no list is open.
    void follow(Context& ctx, MouseTool& mouse, CrosshairControl& crosshair, const PadState& state, bool reaches_world,
                float seconds);
    // Of what it holds down in this frame.
    const CrosshairInput& held() const { return held_; }

  private:
    void press_buttons(Context& ctx, MouseTool& mouse, CrosshairControl& crosshair, const PadState& state);
    void move(Context& ctx, const PadState& state, float seconds) const;

    PadState before_;
    CrosshairInput held_;
};

} // namespace cairn::ui
