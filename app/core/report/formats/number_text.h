// Numbers as text, independent of the locale.
#pragma once

#include <charconv>
#include <string>

namespace cairn::core {

// The shortest decimals that read back to the same value.
template <class Number>
void append_number(std::string& out, Number value) {
    char digits[64];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out.append(digits, end);
}

template <class Number>
std::string number_text(Number value) {
    std::string text;
    append_number(text, value);
    return text;
}

// Rounded to so many significant digits, 1 to 17, without trailing zeros: three are enough for people.
inline std::string short_number(double value, int digits = 3) {
    char text[40];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr;
    return {text, end};
}

} // namespace cairn::core
