// The one table of keys. The handler, the overlay of all keys, the tooltips, the command palette and the settings file
// are made from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
    step_back,
    play_back,
    play_forward,
    last_mark,
    next_mark,
    what_if,
    hurry,
    restart,
    reload,
    slower,
    faster,
    throw_ball,
    spawn,
    delete_selected,
    select_all,
    duplicate,
    copy,
    cut,
    paste,
    undo,
    redo,
    frame_selected,
    frame_all,
    view_front,
    view_right,
    view_top,
    follow,
    deselect,
    tool_select, // in the order of ToolKind
    tool_move,
    tool_turn,
    tool_throw,
    tool_wand,
    tool_blast,
    tool_place,
    tool_measure,
    tool_join,
    tool_delete,
    toggle_player,
    player_left, // the six of the player act while held
    player_right,
    player_forward,
    player_back,
    player_up,
    player_down,
    player_shape_1, // in the order of player_shapes()
    player_shape_2,
    player_shape_3,
    player_shape_4,
    player_shape_5,
    player_shape_6,
    player_shape_7,
    player_shape_8,
    player_shape_9,
    lab,
    lab_back,
    lab_step,
    toggle_record,
    save_past,
    toggle_ui,
    toggle_touching,
    next_colours,
    last_colours,
    toggle_grid,
    layer_1, // debug layers in the order of debug_layers()
    layer_2,
    layer_3,
    layer_4,
    layer_5,
    layer_6,
    layer_7,
    layer_8,
    layer_9,
    layer_10,
    layer_11,
    layer_12,
    layer_13,
    layer_14,
    layer_15,
    screenshot,
    screenshot_panels,
    film,
    mute,
    click,
    help,
    palette,
    plots,
    log,
    browser,
    new_scene,
    open,
    save,
    save_as,
    quit,
};

enum KeyModifiers : int { modifier_none = 0, modifier_shift = 1, modifier_control = 2 };

// While keys move the player's body, these mean what they mean to it; all others mean what they always do.
enum class KeyUse { always, player };

struct KeyBinding {
    Action action;
    const char* id; // of the action, in the settings file: it stays what it is
    int key;        // GLFW's number; letters are their upper-case ASCII code
    int modifiers;
    const char* description;
    const char* group;
    bool held = false;    // acts for as long as the key is down
    bool repeats = false; // acts again on the keyboard's own repetition
    KeyUse use = KeyUse::always;
    std::string key_name{}; // "Ctrl+Z"; filled in by the table
};

// The bindings in force: those of the program, but for what set_keys() has changed. An action whose keys were taken
// away has none.
const std::vector<KeyBinding>& key_bindings();
// Those of the program itself, in the order in which people read them.
const std::vector<KeyBinding>& default_key_bindings();

// A key with its modifiers as people write it, "Ctrl+Shift+Z"; "?" is Shift with the slash.
std::string chord_text(int key, int modifiers);
// The other way round, in any case of letters: key and modifiers; nullopt for what names no key.
std::optional<std::pair<int, int>> parse_chord(std::string_view text);

// The keys that a person wants for one action, which take the place of all of the program's for it; none: no key.
struct KeyChoice {
    std::string id;
    std::vector<std::string> keys;
};
// Puts the program's keys in force and then `choices`, in order. What names no action or no key, or is taken, is left
// out and told: one sentence each, with the index of the choice. A key that the program gives to another action goes
// to the person's choice; that is told too if the other action then has none.
struct KeyComplaint {
    std::size_t choice;
    std::string text;
};
std::vector<KeyComplaint> set_keys(const std::vector<KeyChoice>& choices);
std::uint64_t keys_revision(); // grows with every set_keys(); at least 1
// What is in force as such choices: the actions whose keys differ from the program's.
std::vector<KeyChoice> changed_keys();

// What a key press means; nullopt = nothing. `repeated`: the keyboard's own repetition, which most actions ignore.
// Flight keys ignore Shift, which makes them fast. `player`: the player's keys come first.
std::optional<Action> action_of_key(int key, int modifiers, bool repeated = false, bool player = false);

// The first binding of an action as text ("Ctrl+S"), for tooltips; empty if it has no key.
const std::string& key_of(Action action);
// The action of this id in the settings file.
std::optional<Action> action_of_id(std::string_view id);

// What the mouse does; part of the overlay.
struct MouseBinding {
    const char* gesture;
    const char* description;
};
const std::vector<MouseBinding>& mouse_bindings();

} // namespace cairn::ui
