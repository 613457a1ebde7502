#include "app/core/scene/shapes/formats/mesh_text.h"

#include "app/core/base/error.h"
#include "app/core/scene/values/scene_keys.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace cairn::core {

using physics::Vec3;

MeshLines::MeshLines(std::string_view text, const std::string& name, const MeshLineRules& rules)
    : text_(text), name_(name), rules_(rules) {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") { // byte order mark
        first_ = end_ = 3;
    }
    if (const std::size_t zero = text_.find('\0'); zero != std::string_view::npos) {
        fail(zero, "there is a zero byte here; this is not a text file");
    }
}

bool MeshLines::next(std::vector<MeshWord>& words) {
    words.clear();
    if (end_ >= text_.size()) {
        return false;
    }
    std::size_t at = end_;
    bool comment = false;
    while (at < text_.size() && text_[at] != '\n') {
        const std::size_t joined = joint_at(at);
        if (joined != 0) {
            at += joined;
        } else if (comment || (rules_.comments && text_[at] == '#')) {
            comment = true;
            ++at;
        } else if (separates(text_[at])) {
            ++at;
        } else {
            const std::size_t begin = at;
            while (at < text_.size() && text_[at] != '\n' && !(rules_.comments && text_[at] == '#') &&
                   !separates(text_[at]) && joint_at(at) == 0) {
                ++at;
            }
            words.push_back({text_.substr(begin, at - begin), begin});
        }
    }
    line_end_ = at;
    end_ = at + 1;
    return true;
}

bool MeshLines::next_filled(std::vector<MeshWord>& words) {
    while (next(words)) {
        if (!words.empty()) {
            return true;
        }
    }
    return false;
}

void MeshLines::fail(std::size_t offset, const std::string& what) const {
    const auto until = [this, offset](std::size_t begin) { return text_.substr(begin, offset - begin); };
    const std::string_view before = until(0);
    const std::size_t newline = before.rfind('\n');
    const std::string_view on_the_line = until(newline == std::string_view::npos ? first_ : newline + 1);
    const auto line = 1 + std::ranges::count(before, '\n');
    const auto column = 1 + std::ranges::count_if(on_the_line, [](char c) {
                            return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; // not inside a code point
                        });
    throw InputError({name_, static_cast<std::size_t>(line), static_cast<std::size_t>(column)}, what);
}

std::size_t MeshLines::joint_at(std::size_t at) const {
    if (!rules_.joints || text_[at] != '\\') {
        return 0;
    }
    return text_.substr(at + 1, 1) == "\n" ? 2u : (text_.substr(at + 1, 2) == "\r\n" ? 3u : 0u);
}

// For messages: at most 40 bytes, and nothing in them that a terminal might obey.
std::string quoted_word(std::string_view word) {
    std::string out = "\"";
    for (const char c : word.substr(0, 40)) {
        if (c >= ' ' && c <= '~') {
            out += c;
        } else {
            std::array<char, 8> hex{};
            std::snprintf(hex.data(), hex.size(), "\\x%02X", unsigned{static_cast<unsigned char>(c)});
            out += hex.data();
        }
    }
    return out + '"';
}

float read_coordinate(const MeshLines& lines, const MeshWord& word) {
    const char* first = word.text.data() + (word.text[0] == '+' ? 1 : 0); // from_chars knows no plus sign
    const char* last = word.text.data() + word.text.size();
    float value = 0.0f;
    const auto [stop, error] = std::from_chars(first, last, value);
    if (error == std::errc::result_out_of_range && stop == last) {
        // Too small for single precision is zero; too large is an error. Beyond doubles the exponent's sign tells.
        double wide = 0.0;
        const bool large =
            std::from_chars(first, last, wide).ec == std::errc()
                ? std::abs(wide) > 1.0
                : word.text.find("e-") == std::string_view::npos && word.text.find("E-") == std::string_view::npos;
        if (large) {
            lines.fail(word.offset, "the coordinate " + std::string(word.text.substr(0, 40)) + " is too large");
        }
        value = 0.0f;
    } else if (error != std::errc() || stop != last) {
        lines.fail(word.offset, quoted_word(word.text) + " is not a number");
    }
    if (!std::isfinite(value) || std::abs(value) > coordinate_range.max) {
        lines.fail(word.offset,
                   "the coordinate " + std::string(word.text.substr(0, 40)) + " is not within -1e6 .. 1e6");
    }
    return value;
}

void add_point(std::vector<Vec3>& points, const MeshLines& lines, const MeshWord* words) {
    if (points.size() == max_hull_points) {
        lines.fail(words[0].offset, "more than " + std::to_string(max_hull_points) + " points");
    }
    const float x = read_coordinate(lines, words[0]);
    const float y = read_coordinate(lines, words[1]);
    points.emplace_back(x, y, read_coordinate(lines, words[2]));
}

} // namespace cairn::core
