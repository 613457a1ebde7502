#include "app/ui/input_map.h"

#include "app/ui/key_codes.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>

namespace cairn::ui {

namespace {

constexpr int last_f = 314; // F25

struct NamedKey {
    const char* name;
    int key;
};
// The first name of a key is the one that is written.
constexpr NamedKey named_keys[] = {{"Space", key_space},
                                   {"Esc", key_escape},
                                   {"Enter", 257},
                                   {"Tab", key_tab},
                                   {"Backspace", key_backspace},
                                   {"Insert", 260},
                                   {"Del", key_delete},
                                   {"Right", key_right},
                                   {"Left", key_left},
                                   {"Down", key_down},
                                   {"Up", key_up},
                                   {"PageUp", 266},
                                   {"PageDown", 267},
                                   {"Home", key_home},
                                   {"End", 269},
                                   {"Escape", key_escape},
                                   {"Return", 257},
                                   {"Delete", key_delete}};

std::vector<KeyBinding> program_table() {
    std::vector<KeyBinding> table = {
        {Action::pause, "pause", 'P', 0, "Pause or resume", "Time"},
        {Action::single_step, "single_step", 'O', 0, "Single step (pauses first)", "Time", false, true},
        {Action::step_back, "step_back", 'O', modifier_shift, "Step back", "Time", false, true},
        {Action::play_back, "play_back", ',', modifier_shift, "Play the history backwards; press again to stop",
         "Time"},
        {Action::play_forward, "play_forward", '.', modifier_shift, "Play the history forwards; press again to stop",
         "Time"},
        {Action::last_mark, "last_mark", ',', 0, "Go to the previous marker", "Time", false, true},
        {Action::next_mark, "next_mark", '.', 0, "Go to the next marker", "Time", false, true},
        {Action::what_if, "what_if", 'J', 0, "What-if: replay the later commands from here", "Time"},
        {Action::hurry, "hurry", 'J', modifier_shift, "What-if: run to its end at full speed", "Time"},
        {Action::restart, "restart", 'R', 0, "Restart the scene", "Time"},
        {Action::reload, "reload", key_f5, 0, "Reload the scene file", "Time"},
        {Action::slower, "slower", key_left_bracket, 0, "Slower", "Time"},
        {Action::faster, "faster", key_right_bracket, 0, "Faster", "Time"},
        {Action::save_past, "save_past", key_f9, modifier_shift, "Save the history as a capture", "Time"},
        {Action::toggle_record, "toggle_record", key_f9, 0, "Start or stop recording", "Time"},

        {Action::new_scene, "new_scene", 'N', modifier_control, "New scene", "Scenes"},
        {Action::open, "open", 'O', modifier_control | modifier_shift, "Open a file", "Scenes"},
        {Action::browser, "browser", 'O', modifier_control, "Browse scenes", "Scenes"},
        {Action::save, "save", 'S', modifier_control, "Save the scene", "Scenes"},
        {Action::save_as, "save_as", 'S', modifier_control | modifier_shift, "Save the scene as", "Scenes"},
        {Action::quit, "quit", 'Q', modifier_control, "Quit", "Scenes"},

        {Action::throw_ball, "throw_ball", key_space, 0, "Throw a ball at the cursor", "Bodies"},
        {Action::spawn, "spawn", 'N', 0, "Spawn at the cursor", "Bodies"},
        {Action::delete_selected, "delete_selected", key_delete, 0, "Delete the selection", "Bodies"},
        {Action::delete_selected, "delete_selected", key_backspace, 0, "Delete the selection", "Bodies"},
        {Action::select_all, "select_all", 'A', modifier_control, "Select all movable bodies", "Bodies"},
        {Action::duplicate, "duplicate", 'D', modifier_control, "Duplicate the selection", "Bodies"},
        {Action::copy, "copy", 'C', modifier_control, "Copy as scene text", "Bodies"},
        {Action::cut, "cut", 'X', modifier_control, "Cut the selection", "Bodies"},
        {Action::paste, "paste", 'V', modifier_control, "Paste at the cursor", "Bodies", false, true},
        {Action::undo, "undo", 'Z', modifier_control, "Undo the last edit", "Bodies", false, true},
        {Action::redo, "redo", 'Z', modifier_control | modifier_shift, "Redo", "Bodies", false, true},
        {Action::redo, "redo", 'Y', modifier_control, "Redo", "Bodies", false, true},
        {Action::deselect, "deselect", key_escape, 0, "Cancel, close, clear the selection", "Bodies"},

        {Action::tool_select, "tool_select", key_tab, 0, "Select and drag", "Tools"},
        {Action::tool_move, "tool_move", 'B', 0, "Move the selection", "Tools"},
        {Action::tool_turn, "tool_turn", 'U', 0, "Rotate the selection", "Tools"},
        {Action::tool_throw, "tool_throw", 'L', 0, "Throw (pull back and release)", "Tools"},
        {Action::tool_wand, "tool_wand", 'K', 0, "Push and pull", "Tools"},
        {Action::tool_blast, "tool_blast", 'X', 0, "Blast", "Tools"},
        {Action::tool_place, "tool_place", 'I', 0, "Insert bodies", "Tools"},
        {Action::tool_measure, "tool_measure", 'Z', 0, "Measure", "Tools"},
        {Action::tool_join, "tool_join", 'J', modifier_control, "Join bodies, hang ropes", "Tools"},
        {Action::lab, "lab", 'L', modifier_control, "Collision lab", "Tools"},
        {Action::lab_back, "lab_back", key_left, modifier_control, "In the lab: previous step", "Tools", false, true},
        {Action::lab_step, "lab_step", key_right, modifier_control, "In the lab: next step", "Tools", false, true},
        {Action::tool_delete, "tool_delete", key_delete, modifier_shift, "Delete by click", "Tools"},
        {Action::toggle_player, "toggle_player", 'Y', 0, "Control a body; press again to release it", "Tools"},

        {Action::player_left, "player_left", key_left, 0, "Move left along X or Y", "Player", true, false,
         KeyUse::player},
        {Action::player_right, "player_right", key_right, 0, "Move right", "Player", true, false, KeyUse::player},
        {Action::player_forward, "player_forward", key_up, 0, "Move away from the camera", "Player", true, false,
         KeyUse::player},
        {Action::player_back, "player_back", key_down, 0, "Move towards the camera", "Player", true, false,
         KeyUse::player},
        {Action::player_up, "player_up", 'E', 0, "Move up along Z", "Player", true, false, KeyUse::player},
        {Action::player_down, "player_down", 'Q', 0, "Move down", "Player", true, false, KeyUse::player},
        {Action::player_shape_1, "player_shape_1", '1', 0, "Turn into a cube", "Player", false, false, KeyUse::player},
        {Action::player_shape_2, "player_shape_2", '2', 0, "A sphere", "Player", false, false, KeyUse::player},
        {Action::player_shape_3, "player_shape_3", '3', 0, "A cone", "Player", false, false, KeyUse::player},
        {Action::player_shape_4, "player_shape_4", '4', 0, "A cylinder", "Player", false, false, KeyUse::player},
        {Action::player_shape_5, "player_shape_5", '5', 0, "A capsule", "Player", false, false, KeyUse::player},
        {Action::player_shape_6, "player_shape_6", '6', 0, "A diamond", "Player", false, false, KeyUse::player},
        {Action::player_shape_7, "player_shape_7", '7', 0, "A plate", "Player", false, false, KeyUse::player},
        {Action::player_shape_8, "player_shape_8", '8', 0, "A hammer", "Player", false, false, KeyUse::player},
        {Action::player_shape_9, "player_shape_9", '9', 0, "A table", "Player", false, false, KeyUse::player},

        {Action::fly_forward, "fly_forward", 'W', 0, "Fly forward (Shift: fast)", "Camera", true},
        {Action::fly_left, "fly_left", 'A', 0, "Fly left", "Camera", true},
        {Action::fly_back, "fly_back", 'S', 0, "Fly back", "Camera", true},
        {Action::fly_right, "fly_right", 'D', 0, "Fly right", "Camera", true},
        {Action::fly_up, "fly_up", 'E', 0, "Fly up", "Camera", true},
        {Action::fly_down, "fly_down", 'Q', 0, "Fly down", "Camera", true},
        {Action::frame_selected, "frame_selected", 'F', 0, "Frame the selected body", "Camera"},
        {Action::frame_all, "frame_all", key_home, 0, "Frame all movable bodies", "Camera"},
        {Action::follow, "follow", key_home, modifier_shift, "Follow the selected body; press again to stop", "Camera"},
        {Action::view_front, "view_front", 'F', modifier_shift, "View from the front", "Camera"},
        {Action::view_right, "view_right", 'R', modifier_shift, "View from the right", "Camera"},
        {Action::view_top, "view_top", 'T', modifier_shift, "View from the top", "Camera"},

        {Action::layer_1, "contact_points", '1', 0, "Contact points", "View"},
        {Action::layer_2, "contact_normals", '2', 0, "Contact normals", "View"},
        {Action::layer_3, "impulses", '3', 0, "Impulses", "View"},
        {Action::layer_4, "bounds", '4', 0, "Bounds", "View"},
        {Action::layer_5, "velocities", '5', 0, "Velocities", "View"},
        {Action::layer_6, "centres_of_mass", '6', 0, "Centres of mass", "View"},
        {Action::layer_7, "joints", '7', 0, "Joints", "View"},
        {Action::layer_8, "contact_faces", '8', 0, "Contact patches", "View"},
        {Action::layer_9, "trees", '9', 0, "Broadphase trees", "View"},
        {Action::layer_10, "inertia_boxes", '0', 0, "Inertia boxes", "View"},
        {Action::layer_11, "islands", '1', modifier_shift, "Islands", "View"},
        {Action::layer_12, "sleepers", '2', modifier_shift, "Sleeping bodies", "View"},
        {Action::layer_13, "sweeps", '3', modifier_shift, "Swept paths of fast bodies", "View"},
        {Action::layer_14, "names", '4', modifier_shift, "Body numbers and names", "View"},
        {Action::layer_15, "zones", '5', modifier_shift, "Zones of expectations", "View"},
        {Action::next_colours, "next_colours", 'V', 0, "Next colour mode", "View", false, true},
        {Action::last_colours, "last_colours", 'V', modifier_shift, "Previous colour mode", "View", false, true},
        {Action::toggle_touching, "toggle_touching", 'T', 0, "Colour touching bodies", "View"},
        {Action::toggle_grid, "toggle_grid", 'G', 0, "Grid", "View"},
        {Action::toggle_ui, "toggle_ui", 'H', 0, "Hide or show the panels", "View"},
        {Action::mute, "mute", 'M', 0, "Sound on or off", "View"},
        {Action::click, "click", 'C', 0, "Play a test click", "View"},
        {Action::screenshot, "screenshot", key_f12, 0, "Save a screenshot of the world", "View"},
        {Action::screenshot_panels, "screenshot_panels", key_f12, modifier_shift, "Save a screenshot with the panels",
         "View"},
        {Action::film, "film", key_f10, 0, "Film the last seconds; press again to cancel", "View"},
        {Action::palette, "palette", 'P', modifier_control, "Find any action or setting", "View"},
        {Action::plots, "plots", key_f2, 0, "Show or hide the plots", "View"},
        {Action::log, "log", key_f3, 0, "Show or hide the log", "View"},
        {Action::help, "help", key_slash, modifier_shift, "List of keys", "View"},
        {Action::help, "help", key_f1, 0, "List of keys", "View"},
    };
    for (KeyBinding& binding : table) {
        binding.key_name = chord_text(binding.key, binding.modifiers);
    }
    return table;
}

// Keys belong to the person at the keyboard, of whom there is one: so there is one table in force.
std::vector<KeyBinding>& table_in_force() {
    static std::vector<KeyBinding> table = default_key_bindings();
    return table;
}

bool same_letters(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// Whether two bindings answer to the same press: flight keys ignore Shift.
bool same_press(const KeyBinding& a, const KeyBinding& b) {
    const int ignored = a.held || b.held ? modifier_shift : 0;
    return a.use == b.use && a.key == b.key && (a.modifiers & ~ignored) == (b.modifiers & ~ignored);
}

} // namespace

const std::vector<KeyBinding>& default_key_bindings() {
    static const std::vector<KeyBinding> table = program_table();
    return table;
}

const std::vector<KeyBinding>& key_bindings() {
    return table_in_force();
}

std::string chord_text(int key, int modifiers) {
    if (key == key_slash && modifiers == modifier_shift) {
        return "?";
    }
    std::string text;
    if ((modifiers & modifier_control) != 0) {
        text += "Ctrl+";
    }
    if ((modifiers & modifier_shift) != 0) {
        text += "Shift+";
    }
    for (const NamedKey& named : named_keys) {
        if (named.key == key) {
            return text + named.name;
        }
    }
    if (key >= key_f1 && key <= last_f) {
        return text + "F" + std::to_string(key - key_f1 + 1);
    }
    // GLFW numbers the other keys that print something by that character.
    return text + (key > 32 && key < 127 ? std::string(1, static_cast<char>(key)) : "Key " + std::to_string(key));
}

std::optional<std::pair<int, int>> parse_chord(std::string_view text) {
    int modifiers = 0;
    for (;;) {
        const std::size_t plus = text.find('+');
        if (plus == std::string_view::npos || plus == 0 || plus + 1 == text.size()) {
            break; // no more modifiers: what is left is the key, perhaps the plus itself
        }
        const std::string_view word = text.substr(0, plus);
        if (same_letters(word, "Ctrl") || same_letters(word, "Control")) {
            modifiers |= modifier_control;
        } else if (same_letters(word, "Shift")) {
            modifiers |= modifier_shift;
        } else {
            break;
        }
        text.remove_prefix(plus + 1);
    }
    if (text == "?") {
        return std::pair{key_slash + 0, modifiers | modifier_shift};
    }
    for (const NamedKey& named : named_keys) {
        if (same_letters(text, named.name)) {
            return std::pair{named.key, modifiers};
        }
    }
    int number = 0;
    if (text.size() > 1 && (text[0] == 'F' || text[0] == 'f')) {
        const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
        if (error == std::errc() && end == text.data() + text.size() && number >= 1 && key_f1 + number - 1 <= last_f) {
            return std::pair{key_f1 + number - 1, modifiers};
        }
    }
    if (text.size() == 1) {
        const int c = std::toupper(static_cast<unsigned char>(text[0]));
        const std::string_view others = "',-./;=[\\]`";
        if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
            others.find(static_cast<char>(c)) != std::string_view::npos) {
            return std::pair{c, modifiers};
        }
    }
    return std::nullopt;
}

namespace {
std::uint64_t revision = 1; // of the keys in force
}

std::uint64_t keys_revision() {
    return revision;
}

std::vector<KeyComplaint> set_keys(const std::vector<KeyChoice>& choices) {
    ++revision;
    std::vector<KeyBinding> chosen; // what people say, which goes before what the program says
    std::vector<const KeyBinding*> replaced;
    std::vector<KeyComplaint> complaints;
    const std::vector<KeyBinding>& standard = default_key_bindings();
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const KeyChoice& choice = choices[i];
        const auto of_action = std::find_if(standard.begin(), standard.end(),
                                            [&](const KeyBinding& binding) { return choice.id == binding.id; });
        if (of_action == standard.end()) {
            complaints.push_back({i, "unknown action \"" + choice.id + "\""});
            continue;
        }
        if (std::any_of(replaced.begin(), replaced.end(),
                        [&](const KeyBinding* other) { return other->action == of_action->action; })) {
            complaints.push_back({i, "the keys of \"" + choice.id + "\" are given twice"});
            continue;
        }
        replaced.push_back(&*of_action);
        for (const std::string& text : choice.keys) {
            const auto chord = parse_chord(text);
            if (!chord) {
                complaints.push_back(
                    {i, "\"" + text + "\" is not a key; write it like \"P\", \"F5\" or \"Ctrl+Shift+Z\""});
                continue;
            }
            KeyBinding binding = *of_action;
            binding.key = chord->first;
            binding.modifiers = chord->second;
            binding.key_name = chord_text(binding.key, binding.modifiers);
            const auto taken = std::find_if(chosen.begin(), chosen.end(),
                                            [&](const KeyBinding& other) { return same_press(binding, other); });
            if (taken != chosen.end()) {
                complaints.push_back({i, binding.key_name + " is already used by \"" + taken->id + "\""});
                continue;
            }
            chosen.push_back(std::move(binding));
        }
    }
    // In the order of the program's table, whose first binding of an action is the one that is told.
    std::vector<KeyBinding> table;
    for (auto at = standard.begin(); at != standard.end(); ++at) {
        const auto of_this = [&](const KeyBinding& other) { return other.action == at->action; };
        const bool first = std::none_of(standard.begin(), at, of_this);
        if (std::any_of(replaced.begin(), replaced.end(), [&](const KeyBinding* r) { return of_this(*r); })) {
            if (first) {
                std::copy_if(chosen.begin(), chosen.end(), std::back_inserter(table), of_this);
            }
            continue;
        }
        const auto taker =
            std::find_if(chosen.begin(), chosen.end(), [&](const KeyBinding& other) { return same_press(*at, other); });
        if (taker == chosen.end()) {
            table.push_back(*at);
            continue;
        }
        const bool has_others = std::any_of(standard.begin(), standard.end(), [&](const KeyBinding& other) {
            return of_this(other) && std::none_of(chosen.begin(), chosen.end(),
                                                  [&](const KeyBinding& c) { return same_press(other, c); });
        });
        if (!has_others && first) {
            const auto choice =
                std::find_if(choices.begin(), choices.end(), [&](const KeyChoice& c) { return c.id == taker->id; });
            complaints.push_back({static_cast<std::size_t>(choice - choices.begin()),
                                  at->key_name + " is now \"" + taker->id + "\", and \"" + at->id + "\" has no key"});
        }
    }
    table_in_force() = std::move(table);
    return complaints;
}

std::vector<KeyChoice> changed_keys() {
    const auto keys_in = [](const std::vector<KeyBinding>& table, Action action) {
        std::vector<std::string> keys;
        for (const KeyBinding& binding : table) {
            if (binding.action == action) {
                keys.push_back(binding.key_name);
            }
        }
        return keys;
    };
    std::vector<KeyChoice> changed;
    for (const KeyBinding& binding : default_key_bindings()) {
        std::vector<std::string> keys = keys_in(key_bindings(), binding.action);
        const bool seen = std::any_of(changed.begin(), changed.end(),
                                      [&](const KeyChoice& choice) { return choice.id == binding.id; });
        if (!seen && keys != keys_in(default_key_bindings(), binding.action)) {
            changed.push_back({binding.id, std::move(keys)});
        }
    }
    return changed;
}

std::optional<Action> action_of_id(std::string_view id) {
    for (const KeyBinding& binding : default_key_bindings()) {
        if (id == binding.id) {
            return binding.action;
        }
    }
    return std::nullopt;
}

std::optional<Action> action_of_key(int key, int modifiers, bool repeated, bool player) {
    for (const KeyUse use : {KeyUse::player, KeyUse::always}) {
        for (const KeyBinding& binding : key_bindings()) {
            const int wanted = binding.held ? modifiers & ~modifier_shift : modifiers;
            if (binding.use == use && (use == KeyUse::always || player) && binding.key == key &&
                binding.modifiers == wanted && (binding.repeats || !repeated)) {
                return binding.action;
            }
        }
    }
    return std::nullopt;
}

const std::string& key_of(Action action) {
    for (const KeyBinding& binding : key_bindings()) {
        if (binding.action == action) {
            return binding.key_name;
        }
    }
    static const std::string none;
    return none;
}

const std::vector<MouseBinding>& mouse_bindings() {
    static const std::vector<MouseBinding> table = {
        {"Left click, Shift + click", "Select a body; add or remove one"},
        {"Left drag on a body", "Drag it on a spring; wheel: nearer, farther"},
        {"Left drag on the background", "Box selection (Shift: add to the selection)"},
        {"Right drag", "Orbit about the point under the cursor"},
        {"Middle drag, Shift + right drag", "Pan"},
        {"Wheel", "Zoom towards the cursor"},
        {"Drop a file", "Open a scene or a capture; a mesh becomes a body"},
    };
    return table;
}

} // namespace cairn::ui
