#include "app/ui/window/pointing/gamepad.h"

#include "app/ui/camera/picking.h"
#include "app/ui/screen/pointing/pointing.h"
#include "app/ui/tools/player/player.h"

#include <GLFW/glfw3.h>
#include <algorithm>

namespace cairn::ui {

namespace {

constexpr float turn = 0.8f; // window heights per second at a stick's end; one is half a turn

// What buttons do that keys do as well.
struct PadAction {
    PadButton button;
    const char* action;
};
constexpr PadAction pad_actions[] = {
    {PadButton::b, "deselect"},
    {PadButton::y, "toggle_player"},
    {PadButton::start, "pause"},
    {PadButton::back, "frame_all"},
    {PadButton::left_bumper, "step_back"},
    {PadButton::right_bumper, "single_step"},
    {PadButton::left_thumb, "frame_selected"},
};
constexpr PadAction aim_actions[] = {
    {PadButton::x, "aim_click"}, {PadButton::left, "aim_left"}, {PadButton::right, "aim_right"},
    {PadButton::up, "aim_up"},   {PadButton::down, "aim_down"},
};

bool is_used(const PadState& state, float dead_zone) {
    return std::ranges::find(state.buttons, true) != state.buttons.end() ||
           beyond_dead_zone(state.left, dead_zone) != glm::vec2(0.0f) ||
           beyond_dead_zone(state.right, dead_zone) != glm::vec2(0.0f) ||
           std::max(state.left_trigger, state.right_trigger) > dead_zone;
}

} // namespace

PadState read_gamepad() {
    for (int number = GLFW_JOYSTICK_1; number <= GLFW_JOYSTICK_LAST; ++number) {
        GLFWgamepadstate read;
        if (glfwJoystickIsGamepad(number) == GLFW_FALSE || glfwGetGamepadState(number, &read) == GLFW_FALSE) {
            continue;
        }
        PadState state;
        const char* name = glfwGetGamepadName(number);
        state.name = name != nullptr ? name : "gamepad";
        state.left = {read.axes[GLFW_GAMEPAD_AXIS_LEFT_X], read.axes[GLFW_GAMEPAD_AXIS_LEFT_Y]};
        state.right = {read.axes[GLFW_GAMEPAD_AXIS_RIGHT_X], read.axes[GLFW_GAMEPAD_AXIS_RIGHT_Y]};
        state.left_trigger = 0.5f + 0.5f * read.axes[GLFW_GAMEPAD_AXIS_LEFT_TRIGGER];
        state.right_trigger = 0.5f + 0.5f * read.axes[GLFW_GAMEPAD_AXIS_RIGHT_TRIGGER];
        static_assert(std::tuple_size_v<decltype(state.buttons)> == GLFW_GAMEPAD_BUTTON_LAST + 1);
        for (std::size_t i = 0; i < state.buttons.size(); ++i) {
            state.buttons[i] = read.buttons[i] == GLFW_PRESS;
        }
        return state;
    }
    return {};
}

glm::vec2 beyond_dead_zone(const glm::vec2& stick, float dead_zone) {
    const float reach = glm::length(stick);
    if (!(reach > dead_zone)) {
        return glm::vec2(0.0f);
    }
    return stick * (std::min((reach - dead_zone) / (1.0f - dead_zone), 1.0f) / reach);
}

void Gamepad::press_buttons(Context& ctx, MouseTool& mouse, CrosshairControl& crosshair, const PadState& state) {
    const auto went_down = [&](PadButton button) { return state.down(button) && !before_.down(button); };
    if (went_down(PadButton::a)) {
        if (ctx.get<Player>().active()) {
            ctx.get<Player>().jump(ctx);
        } else {
            ctx.perform("throw_ball");
        }
    }
    for (const PadAction& each : pad_actions) {
        if (went_down(each.button)) {
            ctx.perform(each.action);
        }
    }
    for (const PadAction& each : aim_actions) {
        if (went_down(each.button)) {
            crosshair.press(ctx, mouse, each.action, false);
        }
    }
    held_.click = state.down(PadButton::x);
    held_.left = state.down(PadButton::left);
    held_.right = state.down(PadButton::right);
    held_.up = state.down(PadButton::up);
    held_.down = state.down(PadButton::down);
}

void Gamepad::move(Context& ctx, const PadState& state, float seconds) const {
    const GamepadSettings& settings = ctx.get<GamepadSettings>();
    const glm::vec2 stick = beyond_dead_zone(state.left, settings.dead_zone);
    const auto trigger = [&](float value) { return beyond_dead_zone({value, 0.0f}, settings.dead_zone).x; };
    const float up = trigger(state.right_trigger) - trigger(state.left_trigger);
    Player& player = ctx.get<Player>();
    glm::vec3 pivot = ctx.camera.camera().eye; // whoever flies turns the head
    if (player.active()) {
        player.right += stick.x;
        player.forward -= stick.y;
        player.keys += along_world_axes(ctx.camera.camera(), stick.x, -stick.y, up);
        const auto body = player.find(ctx.frame());
        pivot = body ? ctx.frame().bodies[*body].pose.position : ctx.camera.camera().target;
    } else {
        FlyInput fly;
        fly.right = stick.x;
        fly.forward = -stick.y;
        fly.up = up;
        fly.speed = settings.speed;
        ctx.camera.fly(fly, seconds);
    }
    const glm::vec2 look = beyond_dead_zone(state.right, settings.dead_zone);
    if (look != glm::vec2(0.0f)) {
        const float height = ctx.window_size().y;
        ctx.camera.orbit(pivot, settings.speed * turn * height * seconds * look, height);
    }
}

void Gamepad::follow(Context& ctx, MouseTool& mouse, CrosshairControl& crosshair, const PadState& state,
                     bool reaches_world, float seconds) {
    held_ = {};
    GamepadSettings& settings = ctx.get<GamepadSettings>();
    if (settings.connected != state.name) {
        settings.connected = std::string(state.name);
        if (!state.name.empty() && settings.on) {
            ctx.log.info("Gamepad: left stick flies, right stick looks, triggers go up and down, A throws, X clicks, "
                         "Y controls a body");
        }
    }
    if (settings.on && !state.name.empty() && reaches_world) {
        if (is_used(state, settings.dead_zone)) {
            crosshair.show(ctx);
        }
        press_buttons(ctx, mouse, crosshair, state);
        move(ctx, state, seconds);
    }
    before_ = state; // what is held while it does not count is not pressed when it does
}

} // namespace cairn::ui
