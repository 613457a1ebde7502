// Lists in texts: "a, b, c".
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace cairn::core {

// What `word` makes of each, a member or a function, with `between` from one to the next.
template <class All, class Word = std::identity>
std::string joined_words(const All& all, const Word& word = {}, std::string_view between = ", ") {
    std::string text;
    for (const auto& one : all) {
        text += text.empty() ? "" : between;
        text += std::invoke(word, one);
    }
    return text;
}

} // namespace cairn::core
