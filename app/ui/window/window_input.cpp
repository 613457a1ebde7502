#include "app/ui/window/window_input.h"

#include "app/ui/browser/scene_browser.h"
#include "app/ui/dialogs/question.h"
#include "app/ui/document/document.h"
#include "app/ui/input/actions.h"
#include "app/ui/input/key_codes.h"
#include "app/ui/keys/key_editor.h"
#include "app/ui/opening/drop.h"
#include "app/ui/opening/mesh_import.h"
#include "app/ui/palette/command_palette.h"
#include "app/ui/screen/layout.h"
#include "app/ui/tools/player/player.h"
#include "app/ui/tools/tool_box.h"
#include "app/ui/tour/tour.h"
#include "app/ui/window/panel_system.h"

#include <imgui_internal.h>

namespace cairn::ui {

namespace {

constexpr ImGuiPopupFlags any_popup = ImGuiPopupFlags_AnyPopup;

} // namespace

void WindowInput::take_events(Context& ctx) {
    events_.take(happened_);
    for (const WindowEvent& event : happened_) {
        handle(ctx, event);
    }
    ctx.cursor_inside = events_.cursor_inside();
    ctx.cursor_over_ui = panels_cover(ctx.cursor);
}

void WindowInput::handle(Context& ctx, const WindowEvent& event) {
    if (const auto* key = std::get_if<KeyEvent>(&event)) {
        if (dialog_key(ctx, key->key) || key_editor_key(ctx, key->key, key->modifiers) ||
            mesh_import_key(ctx, key->key)) {
            return;
        }
        const bool player = ctx.get<Player>().active();
        const Action* action = ctx.actions.of_key(key->key, key->modifiers, key->repeated, player);
        // These open and close over whatever has the keyboard, and function keys write no text.
        const bool over_text = key->key >= GLFW_KEY_F1 && key->key <= GLFW_KEY_F25;
        const bool opens = action != nullptr && (action->id == "palette" || action->id == "browser");
        const bool always = opens || over_text;
        if (!always && (palette_key(ctx, key->key) || browser_key(ctx, key->key) ||
                        (!ImGui::GetIO().WantTextInput && tour_key(ctx, key->key)))) {
            return;
        }
        Layout& layout = ctx.get<Layout>();
        if (layout.keyboard != Layout::Keyboard::world && !always && (key->modifiers & modifier_control) == 0) {
            if (key->key == key_escape && !ImGui::GetIO().WantTextInput && !ImGui::IsPopupOpen("", any_popup)) {
                layout.keyboard = Layout::Keyboard::world;
                layout.keyboard_moved = true;
            }
            return;
        }
        if (key->key == key_escape && !ImGui::GetIO().WantTextInput && ImGui::IsPopupOpen("", any_popup)) {
            ImGui::ClosePopupToLevel(0, true); // what is open over a panel, before what it belongs to
            return;
        }
        if (action != nullptr && !action->held() && (always || !ImGui::GetIO().WantTextInput)) {
            action->run(ctx);
        }
    } else if (const auto* button = std::get_if<ButtonEvent>(&event)) {
        ctx.get<ToolBox>().shift = button->shift;
        ctx.get<ToolBox>().control = button->control;
        if (!button->pressed) {
            mouse_.release(ctx, button->button, button->at);
        } else if (!panels_cover(button->at)) {
            if (ctx.get<Layout>().keyboard != Layout::Keyboard::world) {
                ctx.get<Layout>().keyboard = Layout::Keyboard::world;
                ctx.get<Layout>().keyboard_moved = true;
            }
            mouse_.press(ctx, button->button, button->at);
        }
    } else if (const auto* move = std::get_if<MoveEvent>(&event)) {
        ctx.cursor = move->at;
        mouse_.move(ctx, move->at);
    } else if (const auto* scroll = std::get_if<ScrollEvent>(&event)) {
        if (!panels_cover(scroll->at)) {
            mouse_.scroll(ctx, scroll->steps, scroll->at);
        }
    } else if (const auto* drop = std::get_if<DropEvent>(&event)) {
        ctx.cursor = drop->at;
        drop_file(ctx, drop->path);
    }
}

void WindowInput::follow_held_keys(Context& ctx, float seconds) {
    ToolBox& tools = ctx.get<ToolBox>();
    tools.shift = is_down(GLFW_KEY_LEFT_SHIFT) || is_down(GLFW_KEY_RIGHT_SHIFT);
    tools.control = is_down(GLFW_KEY_LEFT_CONTROL) || is_down(GLFW_KEY_RIGHT_CONTROL) || is_down(GLFW_KEY_LEFT_SUPER) ||
                    is_down(GLFW_KEY_RIGHT_SUPER);
    Player& player = ctx.get<Player>();
    player.keys = glm::vec3(0.0f);
    player.right = player.forward = 0.0f;
    if (ImGui::GetIO().WantTextInput || tools.control || ctx.get<Dialogs>().modal() ||
        ctx.get<MeshImport>().is_open() || ctx.get<KeyEditor>().open ||
        ctx.get<Layout>().keyboard != Layout::Keyboard::world) {
        return; // Ctrl and a letter is a command
    }
    const bool plays = player.active();
    const auto down = [&](std::string_view id) {
        for (const KeyBinding& binding : ctx.actions.bindings()) {
            if (binding.action->id == id && is_down(binding.key) &&
                ctx.actions.of_key(binding.key, binding.modifiers, false, plays) == binding.action) {
                return 1.0f;
            }
        }
        return 0.0f;
    };
    if (plays) {
        player.right = down("player_right") - down("player_left");
        player.forward = down("player_forward") - down("player_back");
        player.keys = along_world_axes(ctx.camera.camera(), player.right, player.forward,
                                       down("player_up") - down("player_down"));
    }
    FlyInput input;
    input.forward = down("fly_forward") - down("fly_back");
    input.right = down("fly_right") - down("fly_left");
    input.up = down("fly_up") - down("fly_down");
    input.fast = tools.shift;
    ctx.camera.fly(input, seconds);
}

} // namespace cairn::ui
