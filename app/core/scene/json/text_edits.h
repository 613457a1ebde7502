// Changes of a text that leave the rest of it as it was written, comments included.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::core {

struct TextEdit {
    std::size_t begin, end; // of the old text
    std::string text;
};
std::string with_edits(std::string_view text, std::vector<TextEdit> edits);

std::size_t comments_in(std::string_view text);

// What stands between two entries of a list, or behind the last: what is said of the one before on its own line, and
// what stands before the next.
struct Between {
    std::string after, before;
};
Between split(std::string_view gap);

// One entry of a list with what belongs to it.
struct ListEntry {
    std::string before, text, after;
};
std::string list_text(const std::vector<ListEntry>& entries, const std::string& end);

} // namespace cairn::core
