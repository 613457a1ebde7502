#include "app/core/scene/json/text_edits.h"

#include <algorithm>
#include <utility>

namespace cairn::core {

namespace {

// Comments in a text, and where each ends; strings may hold what looks like one.
template <typename Visit>
void for_each_comment(std::string_view text, const Visit& visit) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') {
            for (++i; i < text.size() && text[i] != '"'; ++i) {
                i += text[i] == '\\' ? 1 : 0;
            }
        } else if (text.substr(i, 2) == "//" || text.substr(i, 2) == "/*") {
            const bool line = text[i + 1] == '/';
            const std::size_t close = line ? text.find('\n', i) : text.find("*/", i + 2);
            const std::size_t end = close == std::string_view::npos ? text.size() : close + (line ? 0 : 2);
            visit(i, end);
            i = end - 1;
        }
    }
}

} // namespace

std::string with_edits(std::string_view text, std::vector<TextEdit> edits) {
    std::ranges::stable_sort(edits, {}, &TextEdit::begin);
    std::string result;
    std::size_t at = 0;
    for (const TextEdit& edit : edits) {
        result.append(text.substr(at, edit.begin - at)).append(edit.text);
        at = edit.end;
    }
    return result.append(text.substr(at));
}

std::size_t comments_in(std::string_view text) {
    std::size_t count = 0;
    for_each_comment(text, [&](std::size_t, std::size_t) { ++count; });
    return count;
}

Between split(std::string_view gap) {
    std::string text(gap);
    // The comma that is no part of a comment goes: it is written anew.
    std::vector<std::pair<std::size_t, std::size_t>> comments;
    for_each_comment(gap, [&](std::size_t begin, std::size_t end) { comments.emplace_back(begin, end); });
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto inside = std::ranges::find_if(comments, [&](const auto& c) { return i >= c.first && i < c.second; });
        if (inside != comments.end()) {
            i = inside->second - 1;
        } else if (text[i] == ',') {
            text.erase(i, 1);
            break;
        }
    }
    const std::size_t line = text.find('\n');
    return line == std::string::npos ? Between{"", text} : Between{text.substr(0, line), text.substr(line)};
}

std::string list_text(const std::vector<ListEntry>& entries, const std::string& end) {
    std::string text = "[";
    for (std::size_t i = 0; i < entries.size(); ++i) {
        text += entries[i].before + entries[i].text + (i + 1 < entries.size() ? "," : "") + entries[i].after;
    }
    return text + end + ']';
}

} // namespace cairn::core
