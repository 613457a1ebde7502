#include "app/core/scene/json/tokens.h"

#include <algorithm>

namespace cairn::core {

namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_separator(char c) {
    switch (c) {
    case '{':
    case '}':
    case '[':
    case ']':
    case ':':
    case ',':
    case '"':
    case '/':
        return true;
    default:
        return is_space(c);
    }
}

} // namespace

std::size_t skip_space(std::string_view text, std::size_t from) {
    std::size_t i = from;
    while (i < text.size()) {
        if (is_space(text[i])) {
            ++i;
        } else if (text.substr(i, 2) == "//") {
            i = std::min(text.find_first_of("\r\n", i), text.size());
        } else if (text.substr(i, 2) == "/*") {
            const std::size_t close = text.find("*/", i + 2);
            if (close == std::string_view::npos) {
                return i;
            }
            i = close + 2;
        } else {
            break;
        }
    }
    return i;
}

std::size_t token_end(std::string_view text, std::size_t begin) {
    if (begin >= text.size()) {
        return text.size();
    }
    std::size_t i = begin;
    if (text[i] == '"') {
        for (++i; i < text.size() && text[i] != '"'; ++i) {
            if (text[i] == '\\') {
                ++i;
            }
        }
        return std::min(i + 1, text.size());
    }
    if (is_separator(text[i])) {
        return i + 1;
    }
    while (i < text.size() && !is_separator(text[i])) {
        ++i;
    }
    return i;
}

} // namespace cairn::core
