// A JSON text as a flat tree that remembers where every key and value stands, so that any complaint about it can name
// line and column. The JSON library stays inside document.cpp: its header costs seconds for every file that sees it.
#pragma once

#include "app/core/base/error.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::core {

enum class NodeKind : std::uint8_t { null, boolean, number, string, array, object };

// "a number", "an object", ...
std::string_view kind_name(NodeKind kind);

// Children of an array or object are linked by index; a document of a million bodies stays one block of memory and is
// freed without recursion.
struct Node {
    static constexpr std::uint32_t none = 0xffffffffu;

    NodeKind kind = NodeKind::null;
    bool boolean = false;
    bool is_integer = false;       // written without point and exponent, and within the range of `integer`
    std::uint32_t begin = 0;       // byte range in the text
    std::uint32_t end = 0;         // one past the last byte
    std::uint32_t key_begin = 0;   // of a member's key (its opening quote)
    std::uint32_t key_end = 0;     // one past its closing quote
    std::uint32_t first = none;    // first child
    std::uint32_t next = none;     // next sibling
    std::uint32_t child_count = 0; // of an array or object
    float number = 0.0f;           // correctly rounded to single precision
    std::int64_t integer = 0;
    std::string_view key;
    std::string_view string;
};

class Document;

// The entries of a list or the members of an object, for range-based loops.
class Children {
  public:
    class Iterator {
      public:
        Iterator(const Document& document, const Node* node) : document_(&document), node_(node) {}
        const Node* operator*() const { return node_; }
        Iterator& operator++();
        bool operator==(const Iterator&) const = default;

      private:
        const Document* document_;
        const Node* node_;
    };

    Children(const Document& document, const Node* first) : document_(document), first_(first) {}
    Iterator begin() const { return {document_, first_}; }
    Iterator end() const { return {document_, nullptr}; }

  private:
    const Document& document_;
    const Node* first_;
};

class Document {
  public:
    // Parses JSON with // and /* */ comments. `text` must outlive the document. Throws InputError located in `name`.
    Document(std::string_view text, std::string name);
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;

    const Node& root() const { return nodes_.front(); }
    const Node* first(const Node& parent) const { return at(parent.first); }
    const Node* next(const Node& node) const { return at(node.next); }
    const Node* last(const Node& parent) const;
    Children children(const Node& parent) const { return {*this, first(parent)}; }
    const Node* member(const Node& object, std::string_view key) const; // nullptr if there is none

    const std::string& name() const { return name_; }
    std::string_view text() const { return text_; }
    Location locate(std::size_t offset) const;

    [[noreturn]] void fail(const Node& value, const std::string& message) const { fail_at(value.begin, message); }
    [[noreturn]] void fail_at_key(const Node& member, const std::string& message) const {
        fail_at(member.key_begin, message);
    }
    [[noreturn]] void fail_at(std::size_t offset, const std::string& message) const;

  private:
    class Builder;
    const Node* at(std::uint32_t index) const { return index == Node::none ? nullptr : &nodes_[index]; }

    std::string_view text_;
    std::string name_;
    std::vector<Node> nodes_;
    std::deque<std::string> unescaped_; // strings that differ from their spelling in the text
};

inline Children::Iterator& Children::Iterator::operator++() {
    node_ = document_->next(*node_);
    return *this;
}

// The members of an object with a fixed set of keys. Rejects unknown and repeated keys on construction.
class ObjectReader {
  public:
    static constexpr std::size_t max_keys = 40;

    // `what` names the object in complaints ("a body"); `keys` must outlive the reader.
    ObjectReader(const Document& document, const Node& object, std::string what,
                 std::span<const std::string_view> keys);

    const Node* find(std::string_view key) const; // `key` must be one of the keys
    const Node& require(std::string_view key) const;
    const Node& object() const { return object_; }
    // A member that may be missing: `target` then stays as it is. `read` is one of value_reader.h, and `more` what it
    // takes beside the value. True if the member is there.
    template <class Target, class Read, class... More>
    bool take(std::string_view key, Target& target, const Read& read, const More&... more) const {
        const Node* node = find(key);
        if (node != nullptr) {
            target = read(document_, *node, key, more...);
        }
        return node != nullptr;
    }

  private:
    const Document& document_;
    const Node& object_;
    std::string what_;
    std::span<const std::string_view> keys_;
    const Node* members_[max_keys] = {};
};

// " did you mean \"friction\"?" or a list of what there is; for complaints about an unknown word.
std::string suggestion(std::string_view word, std::span<const std::string_view> known);

// A string in double quotes, shortened and made printable.
std::string in_quotes(std::string_view text);

} // namespace cairn::core
