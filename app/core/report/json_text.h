// Numbers and strings as text, independent of the locale: the shortest decimals that read back to the same value.
#pragma once

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

namespace cairn::core {

template <class Number>
void append_number(std::string& out, Number value) {
    char digits[64];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out.append(digits, end);
}

// JSON knows no infinities and no NaN: they become null.
template <class Number>
void append_json_number(std::string& out, Number value) {
    if (std::isfinite(value)) {
        append_number(out, value);
    } else {
        out += "null";
    }
}

// The inside of a JSON string.
inline void append_json_escaped(std::string& out, std::string_view text) {
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            constexpr std::string_view digits = "0123456789abcdef";
            out += "\\u00";
            out += digits[static_cast<unsigned char>(c) >> 4];
            out += digits[c & 15];
        } else {
            out += c;
        }
    }
}

} // namespace cairn::core
