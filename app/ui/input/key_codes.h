// GLFW 3's numbers for keys, for what needs no window library otherwise.
#pragma once

namespace cairn::ui {

enum : int {
    key_unknown = -1,
    key_space = 32,
    key_slash = 47,
    key_left_bracket = 91,
    key_right_bracket = 93,
    key_escape = 256,
    key_enter = 257,
    key_tab = 258,
    key_backspace = 259,
    key_delete = 261,
    key_right = 262,
    key_left = 263,
    key_down = 264,
    key_up = 265,
    key_page_up = 266,
    key_page_down = 267,
    key_home = 268,
    key_f1 = 290,
    key_f2 = 291,
    key_f3 = 292,
    key_f5 = 294,
    key_f9 = 298,
    key_f10 = 299,
    key_f12 = 301,
    key_keypad_enter = 335,
};

} // namespace cairn::ui
