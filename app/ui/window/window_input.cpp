#include "app/ui/window/window_input.h"

#include "app/ui/actions.h"
#include "app/ui/input_map.h"
#include "app/ui/window/panel_system.h"

#include <imgui.h>

namespace cairn::ui {

void WindowInput::take_events(App& app) {
    events_.take(happened_);
    for (const WindowEvent& event : happened_) {
        handle(app, event);
    }
    app.cursor_inside = events_.cursor_inside();
    app.cursor_over_ui = panels_cover(app.cursor);
}

void WindowInput::handle(App& app, const WindowEvent& event) {
    if (const auto* key = std::get_if<KeyEvent>(&event)) {
        if (document_key(app, key->key)) {
            return;
        }
        const bool player = app.tools.player.active();
        const auto action = action_of_key(key->key, key->modifiers, key->repeated, player);
        // These open and close over whatever has the keyboard, and function keys write no text.
        const bool over_text = key->key >= GLFW_KEY_F1 && key->key <= GLFW_KEY_F25;
        const bool always = action == Action::palette || action == Action::browser || over_text;
        if (!always && (palette_key(app, key->key) || browser_key(app, key->key) ||
                        (!ImGui::GetIO().WantTextInput && tour_key(app, key->key)))) {
            return;
        }
        if (action && (always || !ImGui::GetIO().WantTextInput)) {
            perform(app, *action);
        }
    } else if (const auto* button = std::get_if<ButtonEvent>(&event)) {
        app.tools.shift = button->shift;
        app.tools.control = button->control;
        if (!button->pressed) {
            mouse_.release(app, button->button, button->at);
        } else if (!panels_cover(button->at)) {
            mouse_.press(app, button->button, button->at);
        }
    } else if (const auto* move = std::get_if<MoveEvent>(&event)) {
        app.cursor = move->at;
        mouse_.move(app, move->at);
    } else if (const auto* scroll = std::get_if<ScrollEvent>(&event)) {
        if (!panels_cover(scroll->at)) {
            mouse_.scroll(app, scroll->steps, scroll->at);
        }
    } else if (const auto* drop = std::get_if<DropEvent>(&event)) {
        app.cursor = drop->at;
        drop_file(app, drop->path);
    }
}

void WindowInput::follow_held_keys(App& app, float seconds) {
    ToolBox& tools = app.tools;
    tools.shift = is_down(GLFW_KEY_LEFT_SHIFT) || is_down(GLFW_KEY_RIGHT_SHIFT);
    tools.control = is_down(GLFW_KEY_LEFT_CONTROL) || is_down(GLFW_KEY_RIGHT_CONTROL) || is_down(GLFW_KEY_LEFT_SUPER) ||
                    is_down(GLFW_KEY_RIGHT_SUPER);
    tools.player.keys = glm::vec3(0.0f);
    tools.player.right = tools.player.forward = 0.0f;
    if (ImGui::GetIO().WantTextInput || tools.control || app.document.modal()) {
        return; // Ctrl and a letter is a command
    }
    const bool player = tools.player.active();
    const auto down = [&](Action action) {
        for (const KeyBinding& binding : key_bindings()) {
            if (binding.action == action && is_down(binding.key) &&
                action_of_key(binding.key, binding.modifiers, false, player) == action) {
                return 1.0f;
            }
        }
        return 0.0f;
    };
    if (player) {
        tools.player.right = down(Action::player_right) - down(Action::player_left);
        tools.player.forward = down(Action::player_forward) - down(Action::player_back);
        tools.player.keys = along_world_axes(app.camera.camera(), tools.player.right, tools.player.forward,
                                             down(Action::player_up) - down(Action::player_down));
    }
    FlyInput input;
    input.forward = down(Action::fly_forward) - down(Action::fly_back);
    input.right = down(Action::fly_right) - down(Action::fly_left);
    input.up = down(Action::fly_up) - down(Action::fly_down);
    input.fast = tools.shift;
    app.camera.fly(input, seconds);
}

} // namespace cairn::ui
