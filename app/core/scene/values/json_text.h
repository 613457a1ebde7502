// JSON as scenes are written in it: values as text, and lines that wrap.
#pragma once

#include "physics/base/math.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::core {

// Throw InputError for text that is not UTF-8 and for numbers that are not finite, which `what` names.
std::string json_text(const std::string& text);
std::string json_text(float value, std::string_view what);
std::string json_text(const physics::Vec3& v, std::string_view what = "vector");
std::string json_text(const physics::Quat& q, std::string_view what);

// Tell -0 from 0, which == does not.
bool same_bits(float a, float b);
bool same_bits(const physics::Vec3& a, const physics::Vec3& b);
bool same_bits(const physics::Quat& a, const physics::Quat& b);

// Sets words next to each other and starts a new line where they no longer fit.
class WrappedText {
  public:
    WrappedText(std::string& out, std::size_t indent) : out_(out), indent_(indent), column_(indent) {}

    // `joined` words follow the one before without a space and never start a line.
    void add(const std::string& word, bool joined = false) {
        constexpr std::size_t width = 120;
        if (!joined && !first_) {
            if (column_ + 1 + word.size() > width) {
                out_ += '\n';
                out_.append(indent_, ' ');
                column_ = indent_;
            } else {
                out_ += ' ';
                ++column_;
            }
        }
        out_ += word;
        column_ += word.size();
        first_ = false;
    }
    // A list of so many words, with the commas between them.
    template <class Word>
    void add_list(std::size_t count, const Word& word) {
        add("[");
        for (std::size_t i = 0; i < count; ++i) {
            add(word(i) + (i + 1 < count ? "," : ""), i == 0);
        }
        add("]", true);
    }

  private:
    std::string& out_;
    std::size_t indent_;
    std::size_t column_;
    bool first_ = true;
};

// What `write` adds; `indent`: of the lines after the first.
template <class Write>
std::string wrapped(std::size_t indent, const Write& write) {
    std::string text;
    WrappedText out(text, indent);
    write(out);
    return text;
}

// Members of one object, with the commas between them.
class ObjectText {
  public:
    // `everything`: also what could be left out.
    explicit ObjectText(WrappedText& out, bool everything = false) : out_(out), everything_(everything) {
        out_.add("{");
    }
    void add(std::string_view key, const std::string& value) {
        start(key);
        out_.add(value);
    }
    // Left out where it is what a file without this member means.
    template <class Value>
    void add_unless(const Value& usual, std::string_view key, const Value& value) {
        if (everything_ || !same_bits(value, usual)) {
            add(key, json_text(value, key));
        }
    }
    template <class Value>
    void add_if_any(std::string_view key, const std::optional<Value>& value) {
        if (value) {
            add(key, json_text(*value, key));
        }
    }
    // For a value that the caller writes in several words.
    WrappedText& start(std::string_view key) {
        if (any_) {
            out_.add(",", true);
        }
        out_.add('"' + std::string(key) + "\":", !any_);
        any_ = true;
        return out_;
    }
    void end() { out_.add("}", true); }

  private:
    WrappedText& out_;
    bool everything_;
    bool any_ = false;
};

// A list with a line for each entry.
template <typename Entry, typename Write>
void append_entries(std::string& text, const std::vector<Entry>& entries, const Write& write) {
    text += '[';
    for (std::size_t i = 0; i < entries.size(); ++i) {
        text += i == 0 ? "\n    " : ",\n    ";
        WrappedText out(text, 5);
        write(out, entries[i]);
    }
    text += entries.empty() ? "]" : "\n  ]";
}

} // namespace cairn::core
