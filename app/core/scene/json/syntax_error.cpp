#include "app/core/scene/json/syntax_error.h"

#include "app/core/scene/json/tokens.h"

#include <cstring>
#include <string>

namespace cairn::core {

namespace {

// The library's own reason without its preamble and without the text it repeats.
std::string reason(std::string text) {
    if (const std::size_t start = text.find("syntax error "); start != std::string::npos) {
        text.erase(0, start + std::strlen("syntax error "));
    }
    if (const std::size_t last = text.find("; last read: "); last != std::string::npos) {
        const std::size_t expected = text.find("; expected ", last);
        text.erase(last, expected == std::string::npos ? std::string::npos : expected - last);
    }
    for (char& c : text) {
        c = static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
    return text;
}

} // namespace

void explain_syntax(const Document& document, const BrokenSyntax& at) {
    const std::string_view text = document.text();
    // The token in which the library stopped, and the one before it.
    std::size_t previous = std::string_view::npos;
    std::size_t begin = skip_space(text, at.understood);
    std::size_t end = token_end(text, begin);
    const bool open_string = at.what.find("missing closing quote") != std::string_view::npos;
    while (begin < text.size() && end <= at.stop) {
        if (text.substr(begin, 2) == "/*" || (open_string && text[begin] == '"' && end == text.size())) {
            break;
        }
        // A number or word is read one byte too far; that byte belongs to no token that matters.
        const bool word = std::strchr("{}[]:,\"", text[begin]) == nullptr;
        if (word && end == at.stop) {
            break;
        }
        previous = begin;
        begin = skip_space(text, end);
        end = token_end(text, begin);
    }
    const std::string_view token = text.substr(std::min(begin, text.size()), end - std::min(begin, text.size()));
    const char before = previous == std::string_view::npos
                            ? (at.understood > 0 && at.understood <= text.size() ? text[at.understood - 1] : '\0')
                            : text[previous];

    if (at.id == 406) {
        document.fail_at(begin,
                         "the number " + in_quotes(token) + " is too large; the largest is 3.4e38 (single precision)");
    }
    if (begin >= text.size()) {
        if (at.empty) {
            document.fail_at(begin, "the file is empty; a scene starts with { \"cairn\": 1, ...");
        }
        std::string message = "the file ends too early";
        if (at.open != nullptr) {
            const Location begun = document.locate(at.open->begin);
            message += at.open->kind == NodeKind::object ? "; the { of line " : "; the [ of line ";
            message += std::to_string(begun.line) + ", column " + std::to_string(begun.column) + " is not closed";
        }
        document.fail_at(begin, message);
    }
    const char c = token.empty() ? '\0' : token.front();
    if (c == '/') {
        document.fail_at(begin, text.substr(begin, 2) == "/*" ? "this comment is not closed; end it with */"
                                                              : "a comment starts with // or /*");
    }
    if (c == '"' && at.stop > begin && at.stop <= end) {
        const std::size_t line_end = text.find_first_of("\r\n", begin);
        if (line_end <= at.stop || (end == text.size() && (token.size() < 2 || token.back() != '"'))) {
            document.fail_at(begin, "this string is not closed on its line; end it with \"");
        }
        if (token.back() != '"' || at.stop + 1 != end) {
            document.fail_at(at.stop, "bad character in a string: " + reason(std::string(at.what)));
        }
    }
    if (token == "NaN" || token == "nan" || token == "Infinity" || token == "inf" || token == "-Infinity" ||
        token == "-inf" || token == "-NaN" || token == "-nan") {
        document.fail_at(begin, std::string(token) + " is not a number that a scene can hold; write a finite one");
    }
    if (c == '\'') {
        document.fail_at(begin, "strings take double quotes (\")");
    }
    if ((c == ']' || c == '}') && before == ',') {
        document.fail_at(begin, std::string("one comma too many before this ") + c);
    }
    if (c == ',' && (before == ',' || before == '[' || before == '{')) {
        document.fail_at(begin, "one comma too many");
    }
    if (at.open == nullptr) {
        document.fail_at(begin, at.empty ? "a scene starts with {" : "nothing may follow the end of the scene");
    }
    const bool in_object = at.open->kind == NodeKind::object;
    const bool starts_value = c == '"' || c == '{' || c == '[' || c == '-' || (c >= '0' && c <= '9') ||
                              token == "true" || token == "false" || token == "null";
    if (starts_value && at.id == 101 && at.what.find("unexpected") != std::string::npos) {
        if (in_object && at.key && previous == std::string_view::npos) {
            document.fail_at(begin, "a colon is missing between the key " + in_quotes(*at.key) + " and its value");
        }
        if (before != ',' && before != ':' && before != '{' && before != '[') {
            document.fail_at(begin, "a comma is missing before this");
        }
        document.fail_at(begin, "a key in double quotes must stand here");
    }
    document.fail_at(begin, "not valid JSON here: " + reason(std::string(at.what)));
}

} // namespace cairn::core
