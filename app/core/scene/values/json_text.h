// JSON as scenes are written in it: values as text, and lines that wrap.
#pragma once

#include "physics/base/math.h"

#include <cstddef>
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

  private:
    std::string& out_;
    std::size_t indent_;
    std::size_t column_;
    bool first_ = true;
};

// Members of one object, with the commas between them.
class ObjectText {
  public:
    explicit ObjectText(WrappedText& out) : out_(out) { out_.add("{"); }
    void add(std::string_view key, const std::string& value) {
        start(key);
        out_.add(value);
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
