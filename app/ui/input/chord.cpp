#include "app/ui/input/chord.h"

#include "app/ui/input/key_codes.h"

#include <algorithm>
#include <cctype>
#include <charconv>

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

bool same_letters(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b,
                              [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

} // namespace

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

} // namespace cairn::ui
