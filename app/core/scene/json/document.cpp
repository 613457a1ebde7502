#include "app/core/scene/json/document.h"

#include "app/core/scene/json/syntax_error.h"
#include "app/core/scene/json/tokens.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

namespace cairn::core {

namespace {

// Single precision as the library's number type: a number is rounded once, from its decimal digits, and an overflow of
// single precision is noticed by the parser.
using StrictJson = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t, float>;

// Deeper than any scene; keeps a hostile file from growing the parser's own stack of states for nothing.
constexpr std::size_t max_depth = 64;
// Offsets are 32-bit; a scene of a million bodies takes about 200 MB.
constexpr std::size_t max_bytes = std::size_t{1} << 30;

bool in_a_number(char c) {
    return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E';
}

} // namespace

std::string_view kind_name(NodeKind kind) {
    static constexpr std::array<std::string_view, 6> names = {"null",     "true or false", "a number",
                                                              "a string", "a list",        "an object"};
    return names[static_cast<std::size_t>(kind)];
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t longest = 60;
    std::string result = "\"";
    std::size_t count = std::min(text.size(), longest);
    // Never cut a character in two.
    while (count > 0 && count < text.size() && (static_cast<unsigned char>(text[count]) & 0xC0u) == 0x80u) {
        --count;
    }
    for (const char c : text.substr(0, count)) {
        result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    }
    return result + (count < text.size() ? "...\"" : "\"");
}

// Receives the library's events. They arrive in the order of the tokens, so the place of each is found by walking the
// text alongside, token by token.
class Document::Builder {
  public:
    explicit Builder(Document& document) : document_(document) {
        // Every value but the first stands after a bracket or a comma, so there are no more than this. A list that
        // grows by doubling would copy itself, and touch twice the memory, when the scene has a hundred thousand
        // bodies.
        const auto count = [&](char c) { return std::ranges::count(document.text_, c); };
        document.nodes_.reserve(static_cast<std::size_t>(1 + count(',') + count('[') + count('{')));
        if (document.text_.substr(0, 3) == byte_order_mark) {
            cursor_ = 3;
        }
    }

    bool null() {
        add_scalar(NodeKind::null);
        return true;
    }
    bool boolean(bool value) {
        add_scalar(NodeKind::boolean).boolean = value;
        return true;
    }
    bool number_integer(std::int64_t value) {
        Node& node = add_scalar(NodeKind::number);
        node.is_integer = true;
        node.integer = value;
        node.number = static_cast<float>(value);
        if (value == 0 && document_.text_[node.begin] == '-') {
            node.number = -0.0f;
        }
        return true;
    }
    bool number_unsigned(std::uint64_t value) {
        Node& node = add_scalar(NodeKind::number);
        node.is_integer = value <= static_cast<std::uint64_t>(INT64_MAX);
        node.integer = node.is_integer ? static_cast<std::int64_t>(value) : 0;
        node.number = static_cast<float>(value);
        return true;
    }
    bool number_float(float value, const std::string&) {
        add_scalar(NodeKind::number).number = value;
        return true;
    }
    bool string(std::string& value) {
        Node& node = add_scalar(NodeKind::string);
        node.string = kept(node.begin, node.end, value);
        return true;
    }
    bool binary(StrictJson::binary_t&) { return false; } // not in JSON texts
    bool start_object(std::size_t) { return open(NodeKind::object); }
    bool start_array(std::size_t) { return open(NodeKind::array); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string& value) {
        const auto [begin, end] = take_token();
        key_begin_ = begin;
        key_end_ = end;
        key_ = kept(begin, end, value);
        return true;
    }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
        const std::string_view text = document_.text_;
        explain_syntax(document_, {.stop = std::min(position == 0 ? 0 : position - 1, text.size()),
                                   .understood = cursor_,
                                   .empty = document_.nodes_.empty(),
                                   .open = open_.empty() ? nullptr : &document_.nodes_[open_.back().node],
                                   .key = key_end_ == cursor_ ? std::optional(key_) : std::nullopt,
                                   .id = error.id,
                                   .what = error.what()});
    }

  private:
    struct Open {
        std::uint32_t node;
        std::uint32_t last_child;
    };

    // The next token that is a value, a key or a closing bracket; commas, colons and comments are passed over.
    std::pair<std::uint32_t, std::uint32_t> take_token() {
        std::size_t begin = skip_space(document_.text_, cursor_);
        while (begin < document_.text_.size() && (document_.text_[begin] == ',' || document_.text_[begin] == ':')) {
            begin = skip_space(document_.text_, begin + 1);
        }
        cursor_ = token_end(document_.text_, begin);
        return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(cursor_)};
    }

    std::string_view kept(std::uint32_t begin, std::uint32_t end, const std::string& value) {
        const std::string_view spelling = document_.text_.substr(begin + 1, end - begin - 2);
        if (spelling == value) {
            return spelling;
        }
        return document_.unescaped_.emplace_back(value);
    }

    std::uint32_t add(NodeKind kind) {
        const auto [begin, end] = take_token();
        const auto index = static_cast<std::uint32_t>(document_.nodes_.size());
        Node& node = document_.nodes_.emplace_back();
        node.kind = kind;
        node.begin = begin;
        node.end = end;
        if (!open_.empty()) {
            Open& parent = open_.back();
            if (document_.nodes_[parent.node].kind == NodeKind::object) {
                node.key = key_;
                node.key_begin = key_begin_;
                node.key_end = key_end_;
            }
            (parent.last_child == Node::none ? document_.nodes_[parent.node].first
                                             : document_.nodes_[parent.last_child].next) = index;
            parent.last_child = index;
            ++document_.nodes_[parent.node].child_count;
        }
        return index;
    }
    // Numbers and words end where the library thinks only if no letter or digit follows at once, as in 01 or 1.5m. It
    // would complain about the second half; the whole is what is wrong.
    Node& add_scalar(NodeKind kind) {
        Node& node = document_.nodes_[add(kind)];
        const std::string_view token = document_.text_.substr(node.begin, node.end - node.begin);
        const std::size_t digits = kind == NodeKind::number && token.front() == '-' ? 1 : 0;
        const bool good = kind == NodeKind::string ||
                          (kind == NodeKind::number ? std::ranges::all_of(token, in_a_number) &&
                                                          (token[digits] != '0' ||
                                                           token.find_first_of("0123456789", digits + 1) != digits + 1)
                                                    : token == "true" || token == "false" || token == "null");
        if (!good) {
            document_.fail(node, "malformed value " + in_quotes(token) +
                                     (kind == NodeKind::number ? "; a number has no leading zeros and no unit" : ""));
        }
        return node;
    }

    bool open(NodeKind kind) {
        const std::uint32_t index = add(kind);
        if (open_.size() >= max_depth) {
            document_.fail(document_.nodes_[index], "nested more than " + std::to_string(max_depth) + " levels deep");
        }
        open_.push_back({index, Node::none});
        return true;
    }
    bool close() {
        document_.nodes_[open_.back().node].end = take_token().second;
        open_.pop_back();
        return true;
    }

    Document& document_;
    std::size_t cursor_ = 0; // one past the last token accounted for
    std::vector<Open> open_;
    std::string_view key_;
    std::uint32_t key_begin_ = 0, key_end_ = 0;
};

Document::Document(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {
    if (text.size() > max_bytes) {
        throw InputError({name_, 0, 0}, "the file is larger than 1 GiB");
    }
    // The library takes a zero byte for the end of the text and would silently drop what follows.
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
        fail_at(zero, "there is a zero byte here; save the file as UTF-8 text");
    }
    Builder builder(*this);
    StrictJson::sax_parse(text.begin(), text.end(), &builder, nlohmann::detail::input_format_t::json, true, true);
}

const Node* Document::last(const Node& parent) const {
    const Node* last = nullptr;
    for (const Node* node : children(parent)) {
        last = node;
    }
    return last;
}

const Node* Document::member(const Node& object, std::string_view key) const {
    for (const Node* node : children(object)) {
        if (node->key == key) {
            return node;
        }
    }
    return nullptr;
}

Location Document::locate(std::size_t offset) const {
    Location at{name_, 1, 1};
    const std::size_t start = text_.substr(0, 3) == byte_order_mark ? 3 : 0;
    for (std::size_t i = start; i < std::min(offset, text_.size()); ++i) {
        const char c = text_[i];
        if (c == '\n' || (c == '\r' && (i + 1 == text_.size() || text_[i + 1] != '\n'))) {
            ++at.line;
            at.column = 1;
        } else if ((static_cast<unsigned char>(c) & 0xC0u) != 0x80u) {
            ++at.column;
        }
    }
    return at;
}

void Document::fail_at(std::size_t offset, const std::string& message) const {
    throw InputError(locate(offset), message);
}

} // namespace cairn::core
