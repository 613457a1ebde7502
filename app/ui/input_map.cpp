#include "app/ui/input_map.h"

namespace cairn::ui {

namespace {

// GLFW 3's numbers for keys that are not characters. Named here so that the table needs no window library.
enum : int {
    key_space = 32,
    key_slash = 47,
    key_left_bracket = 91,
    key_right_bracket = 93,
    key_escape = 256,
    key_backspace = 259,
    key_delete = 261,
    key_home = 268,
    key_f1 = 290,
    key_f5 = 294,
    key_f9 = 298,
    key_f12 = 301,
};

} // namespace

const std::vector<KeyBinding>& key_bindings() {
    static const std::vector<KeyBinding> table = {
        {Action::pause, 'P', 0, "P", "Pause or go on", "Time"},
        {Action::single_step, 'O', 0, "O", "One step (pauses first)", "Time", false, true},
        {Action::restart, 'R', 0, "R", "Restart the scene", "Time"},
        {Action::reload, key_f5, 0, "F5", "Read the scene file again", "Time"},
        {Action::slower, key_left_bracket, 0, "[", "Slower", "Time"},
        {Action::faster, key_right_bracket, 0, "]", "Faster", "Time"},
        {Action::toggle_record, key_f9, 0, "F9", "Record, stop recording", "Time"},

        {Action::throw_ball, key_space, 0, "Space", "Throw a ball at the cursor", "Bodies"},
        {Action::spawn, 'N', 0, "N", "Spawn at the cursor", "Bodies"},
        {Action::delete_selected, key_delete, 0, "Del", "Delete the selected body", "Bodies"},
        {Action::delete_selected, key_backspace, 0, "Backspace", "Delete the selected body", "Bodies"},
        {Action::undo, 'Z', modifier_control, "Ctrl+Z", "Undo the last edit", "Bodies", false, true},
        {Action::redo, 'Z', modifier_control | modifier_shift, "Ctrl+Shift+Z", "Do it again", "Bodies", false, true},
        {Action::redo, 'Y', modifier_control, "Ctrl+Y", "Do it again", "Bodies", false, true},
        {Action::deselect, key_escape, 0, "Esc", "Let go, close, select nothing", "Bodies"},

        {Action::fly_forward, 'W', 0, "W", "Fly forward (Shift: fast)", "Camera", true},
        {Action::fly_left, 'A', 0, "A", "Fly left", "Camera", true},
        {Action::fly_back, 'S', 0, "S", "Fly back", "Camera", true},
        {Action::fly_right, 'D', 0, "D", "Fly right", "Camera", true},
        {Action::fly_up, 'E', 0, "E", "Fly up", "Camera", true},
        {Action::fly_down, 'Q', 0, "Q", "Fly down", "Camera", true},
        {Action::frame_selected, 'F', 0, "F", "Frame the selected body", "Camera"},
        {Action::frame_all, key_home, 0, "Home", "Frame everything that moves", "Camera"},

        {Action::layer_1, '1', 0, "1", "Contact points", "View"},
        {Action::layer_2, '2', 0, "2", "Contact normals", "View"},
        {Action::layer_3, '3', 0, "3", "Impulses", "View"},
        {Action::layer_4, '4', 0, "4", "Bounds", "View"},
        {Action::layer_5, '5', 0, "5", "Velocities", "View"},
        {Action::layer_6, '6', 0, "6", "Centres of mass", "View"},
        {Action::layer_7, '7', 0, "7", "Joints", "View"},
        {Action::toggle_touching, 'T', 0, "T", "Colour what touches", "View"},
        {Action::toggle_grid, 'G', 0, "G", "Grid", "View"},
        {Action::toggle_ui, 'H', 0, "H", "Hide or show the panels", "View"},
        {Action::screenshot, key_f12, 0, "F12", "Save a screenshot", "View"},
        {Action::mute, 'M', 0, "M", "Sound on or off", "View"},
        {Action::click, 'C', 0, "C", "Click", "View"},
        {Action::help, key_slash, modifier_shift, "?", "This overview", "View"},
        {Action::help, key_f1, 0, "F1", "This overview", "View"},
        {Action::quit, 'Q', modifier_control, "Ctrl+Q", "Quit", "View"},
    };
    return table;
}

std::optional<Action> action_of_key(int key, int modifiers, bool repeated) {
    for (const KeyBinding& binding : key_bindings()) {
        const int wanted = binding.held ? modifiers & ~modifier_shift : modifiers;
        if (binding.key == key && binding.modifiers == wanted && (binding.repeats || !repeated)) {
            return binding.action;
        }
    }
    return std::nullopt;
}

std::string key_of(Action action) {
    for (const KeyBinding& binding : key_bindings()) {
        if (binding.action == action) {
            return binding.key_name;
        }
    }
    return {};
}

const std::vector<MouseBinding>& mouse_bindings() {
    static const std::vector<MouseBinding> table = {
        {"Left click", "Select a body"},
        {"Left drag", "Hold the body on a spring; wheel: nearer, farther"},
        {"Right drag", "Orbit about the point under the cursor"},
        {"Middle drag, Shift + right drag", "Move sideways"},
        {"Wheel", "Zoom towards the cursor"},
        {"Drop a file", "Open a scene or a capture"},
    };
    return table;
}

} // namespace cairn::ui
