#include "app/ui/window/window_input.h"

#include "app/ui/browser/scene_browser.h"
#include "app/ui/camera/picking.h"
#include "app/ui/dialogs/question.h"
#include "app/ui/document/document.h"
#include "app/ui/input/actions.h"
#include "app/ui/input/key_codes.h"
#include "app/ui/keys/key_editor.h"
#include "app/ui/opening/drop.h"
#include "app/ui/opening/mesh_import.h"
#include "app/ui/palette/command_palette.h"
#include "app/ui/screen/layout.h"
#include "app/ui/screen/pointing/pointing.h"
#include "app/ui/tools/player/player.h"
#include "app/ui/tools/tool_box.h"
#include "app/ui/tour/tour.h"
#include "app/ui/window/panel_system.h"

#include <algorithm>
#include <imgui_internal.h>

namespace cairn::ui {

namespace {

constexpr ImGuiPopupFlags any_popup = ImGuiPopupFlags_AnyPopup;

// No field, dialog, list or column of panels has the keyboard.
bool world_has_keys(const Context& ctx) {
    return !ImGui::GetIO().WantTextInput && !ctx.get<Dialogs>().modal() && !ctx.get<MeshImport>().is_open() &&
           !ctx.get<KeyEditor>().open && !ctx.get<SceneBrowser>().open && !ctx.get<CommandPalette>().open &&
           ctx.get<Layout>().keyboard == Layout::Keyboard::world && !ImGui::IsPopupOpen("", any_popup);
}

} // namespace

void WindowInput::take_events(Context& ctx) {
    events_.take(happened_);
    for (const WindowEvent& event : happened_) {
        handle(ctx, event);
    }
    ctx.cursor_inside = events_.cursor_inside() || ctx.get<Crosshair>().shown;
    ctx.cursor_over_ui = panels_cover(ctx.cursor);
}

void WindowInput::handle(Context& ctx, const WindowEvent& event) {
    ToolBox& tools = ctx.get<ToolBox>();
    if (const auto* key = std::get_if<KeyEvent>(&event)) {
        // Lists and questions take Enter and Esc once a press, however long it lasts.
        const bool once = key->key == key_enter || key->key == key_keypad_enter || key->key == key_escape;
        const int list_key = once && key->repeated ? key_unknown : key->key;
        if (dialog_key(ctx, list_key) || key_editor_key(ctx, list_key, key->modifiers) ||
            mesh_import_key(ctx, list_key)) {
            return;
        }
        const bool player = ctx.get<Player>().active();
        const Action* action = ctx.actions.of_key(key->key, key->modifiers, key->repeated, player);
        if (ctx.get<Crosshair>().pressed) { // what Ctrl means to the tool it means to a drag by keys, too
            const int others = key->modifiers & ~modifier_control;
            const Action* aim = ctx.actions.of_key(key->key, others, key->repeated, player);
            action = aim != nullptr && aim->id.starts_with("aim_") ? aim : action;
        }
        // These open and close over whatever has the keyboard, and function keys write no text.
        const bool over_text = key->key >= GLFW_KEY_F1 && key->key <= GLFW_KEY_F25;
        const bool opens = action != nullptr && (action->id == "palette" || action->id == "browser");
        const bool always = opens || over_text;
        if (!always && (palette_key(ctx, list_key) || browser_key(ctx, list_key) ||
                        (!ImGui::GetIO().WantTextInput && tour_key(ctx, list_key)))) {
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
        const bool clicks = ctx.get<Crosshair>().shown && (key->key == key_enter || key->key == key_keypad_enter);
        if (!clicks && (key->modifiers & modifier_control) == 0 && !key->repeated && world_has_keys(ctx) &&
            tools.tool().key(ctx, key->key)) {
            return;
        }
        if (action != nullptr && action->id.starts_with("aim_") && world_has_keys(ctx)) {
            tools.shift = (key->modifiers & modifier_shift) != 0;
            crosshair_.press(ctx, mouse_, action->id, tools.shift, key->repeated);
            return;
        }
        if (action != nullptr && !action->held() && (always || !ImGui::GetIO().WantTextInput)) {
            action->run(ctx);
        }
    } else if (const auto* button = std::get_if<ButtonEvent>(&event)) {
        press_button(ctx, *button);
    } else if (const auto* move = std::get_if<MoveEvent>(&event)) {
        crosshair_.hide(ctx, mouse_);
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

void WindowInput::press_button(Context& ctx, const ButtonEvent& button) {
    crosshair_.hide(ctx, mouse_);
    ctx.get<ToolBox>().shift = button.shift;
    ctx.get<ToolBox>().control = button.control;
    Layout& layout = ctx.get<Layout>();
    if (!button.pressed) {
        mouse_.release(ctx, button.button, button.at);
    } else if (!panels_cover(button.at)) {
        if (layout.keyboard != Layout::Keyboard::world) {
            layout.keyboard = Layout::Keyboard::world;
            layout.keyboard_moved = true;
        }
        mouse_.press(ctx, button.button, button.at);
    }
}

void WindowInput::follow_keys(Context& ctx, CrosshairInput& crosshair, float seconds) const {
    Player& player = ctx.get<Player>();
    const bool plays = player.active();
    const auto is_held = [&](std::string_view id, bool alone = false) {
        return std::ranges::any_of(ctx.actions.bindings(), [&](const KeyBinding& b) {
            return b.action->id == id && is_down(b.key) && !(alone && events_.is_command(b.key)) &&
                   ctx.actions.of_key(b.key, b.modifiers, false, plays) == b.action;
        });
    };
    ToolBox& tools = ctx.get<ToolBox>();
    const bool control = tools.control; // with it a letter is a command
    const auto down = [&](std::string_view id) { return !control && is_held(id, true) ? 1.0f : 0.0f; };
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
    crosshair = {false,      false, false, false, is_held("aim_click"), is_held("aim_orbit"), is_held("aim_pan"),
                 tools.shift};
    if (!control || ctx.get<Crosshair>().pressed) {
        crosshair.left = is_held("aim_left");
        crosshair.right = is_held("aim_right");
        crosshair.up = is_held("aim_up");
        crosshair.down = is_held("aim_down");
    }
}

void WindowInput::follow_held(Context& ctx, float seconds) {
    ToolBox& tools = ctx.get<ToolBox>();
    tools.shift = is_down(GLFW_KEY_LEFT_SHIFT) || is_down(GLFW_KEY_RIGHT_SHIFT);
    tools.control = is_down(GLFW_KEY_LEFT_CONTROL) || is_down(GLFW_KEY_RIGHT_CONTROL) || is_down(GLFW_KEY_LEFT_SUPER) ||
                    is_down(GLFW_KEY_RIGHT_SUPER);
    Player& player = ctx.get<Player>();
    player.keys = glm::vec3(0.0f);
    player.right = player.forward = 0.0f;
    CrosshairInput held;
    if (world_has_keys(ctx)) {
        follow_keys(ctx, held, seconds);
    }
    const bool focused = glfwGetWindowAttrib(window_, GLFW_FOCUSED) == GLFW_TRUE; // pads speak to all windows
    gamepad_.follow(ctx, mouse_, crosshair_, read_gamepad(), focused && world_has_keys(ctx), seconds);
    const CrosshairInput& pad = gamepad_.held();
    crosshair_.follow(ctx, mouse_,
                      {held.left || pad.left, held.right || pad.right, held.up || pad.up, held.down || pad.down,
                       held.click || pad.click, held.orbit, held.pan, held.fine},
                      seconds);
}

} // namespace cairn::ui
