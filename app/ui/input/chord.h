// A key with its modifiers, and how people write it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::ui {

enum KeyModifiers : int { modifier_none = 0, modifier_shift = 1, modifier_control = 2 };

// As people write it, "Ctrl+Shift+Z"; "?" is Shift with the slash. Keys have GLFW's numbers; letters are their
// upper-case ASCII code.
std::string chord_text(int key, int modifiers);
// The other way round, in any case of letters: key and modifiers; nullopt for what names no key.
std::optional<std::pair<int, int>> parse_chord(std::string_view text);

} // namespace cairn::ui
