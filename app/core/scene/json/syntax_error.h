// Why a text is no JSON, in the words of someone who edits a scene.
#pragma once

#include "app/core/scene/json/document.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace cairn::core {

// How far the text was understood until the library gave up.
struct BrokenSyntax {
    std::size_t stop = 0;                // bytes that the library accepted
    std::size_t understood = 0;          // one past the last token that became a node or a key
    bool empty = true;                   // there is no node yet
    const Node* open = nullptr;          // the innermost object or list that is not closed; none: there is none
    std::optional<std::string_view> key; // if that token is a key
    int id = 0;                          // of the library's error
    std::string_view what;               // its text
};

// Throws InputError with the place.
[[noreturn]] void explain_syntax(const Document& document, const BrokenSyntax& at);

} // namespace cairn::core
