// Numbers as text, independent of the locale: the shortest decimals that read back to the same value.
#pragma once

#include <charconv>
#include <string>

namespace cairn::core {

template <class Number>
void append_number(std::string& out, Number value) {
    char digits[64];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out.append(digits, end);
}

} // namespace cairn::core
