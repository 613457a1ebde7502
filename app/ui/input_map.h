// The one table of keys. The handler, the overlay of all keys and the tooltips are made from it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cairn::ui {

enum class Action {
    fly_forward, // the six of flight act while held
    fly_back,
    fly_left,
    fly_right,
    fly_up,
    fly_down,
    pause,
    single_step,
    restart,
    reload,
    slower,
    faster,
    throw_ball,
    spawn,
    delete_selected,
    undo,
    redo,
    frame_selected,
    frame_all,
    deselect,
    toggle_record,
    toggle_ui,
    toggle_touching,
    toggle_grid,
    layer_1, // debug layers in the order of debug_layers()
    layer_2,
    layer_3,
    layer_4,
    layer_5,
    layer_6,
    layer_7,
    screenshot,
    mute,
    click,
    help,
    quit,
};

enum KeyModifiers : int { modifier_none = 0, modifier_shift = 1, modifier_control = 2 };

struct KeyBinding {
    Action action;
    int key; // GLFW's number; letters are their upper-case ASCII code
    int modifiers;
    const char* key_name;
    const char* description;
    const char* group;
    bool held = false;    // acts for as long as the key is down
    bool repeats = false; // acts again on the keyboard's own repetition
};

const std::vector<KeyBinding>& key_bindings();

// What a key press means; nullopt = nothing. `repeated`: the keyboard's own repetition, which most actions ignore.
// Flight keys ignore Shift, which makes them fast.
std::optional<Action> action_of_key(int key, int modifiers, bool repeated = false);

// The first binding of an action as text ("Ctrl+S"), for tooltips.
std::string key_of(Action action);

// What the mouse does; part of the overlay.
struct MouseBinding {
    const char* gesture;
    const char* description;
};
const std::vector<MouseBinding>& mouse_bindings();

} // namespace cairn::ui
