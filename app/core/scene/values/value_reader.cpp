#include "app/core/scene/values/value_reader.h"

#include "app/core/look/colour_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace cairn::core {

namespace {

std::string spelling(const Document& document, const Node& node) {
    constexpr std::size_t longest = 40;
    const std::string_view text = document.text().substr(node.begin, node.end - node.begin);
    return std::string(text.substr(0, longest)) + (text.size() > longest ? "..." : "");
}

void expect(const Document& document, const Node& node, std::string_view what, NodeKind kind) {
    if (node.kind != kind) {
        document.fail(
            node, in_quotes(what) + " must be " + std::string(kind_name(kind)) + ", not " +
                      (node.kind == NodeKind::boolean ? spelling(document, node) : std::string(kind_name(node.kind))));
    }
}

// The elements of a list of exactly N numbers.
template <std::size_t N>
std::array<const Node*, N> number_list(const Document& document, const Node& node, std::string_view what,
                                       std::string_view form) {
    if (node.kind != NodeKind::array || node.child_count != N) {
        document.fail(node, in_quotes(what) + " must be a list " + std::string(form) + ", not " +
                                (node.kind == NodeKind::array ? "one of " + std::to_string(node.child_count)
                                                              : std::string(kind_name(node.kind))));
    }
    std::array<const Node*, N> numbers{};
    const Node* child = document.first(node);
    for (const Node*& number : numbers) {
        expect(document, *child, what, NodeKind::number);
        number = child;
        child = document.next(*child);
    }
    return numbers;
}

} // namespace

std::string float_text(float value) {
    if (value == 0.0f) {
        return std::signbit(value) ? "-0.0" : "0";
    }
    char buffer[32];
    // People read 0.0001 and 20000 better than 1e-04 and 2e+04; beyond that, zeros no longer help.
    const float size = std::abs(value);
    const auto result = size >= 1e-4f && size < 1e7f
                            ? std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed)
                            : std::to_chars(buffer, buffer + sizeof buffer, value);
    return std::string(buffer, result.ptr);
}

float read_number(const Document& document, const Node& node, std::string_view what, const Range& range) {
    expect(document, node, what, NodeKind::number);
    if (!(node.number >= range.min && node.number <= range.max)) {
        std::string message = in_quotes(what);
        message += " must be within " + float_text(range.min) + " .. " + float_text(range.max);
        if (!range.unit.empty()) {
            message += ' ';
            message += range.unit;
        }
        document.fail(node, message + ", not " + spelling(document, node));
    }
    return node.number;
}

std::int64_t read_integer(const Document& document, const Node& node, std::string_view what, std::int64_t min,
                          std::int64_t max) {
    expect(document, node, what, NodeKind::number);
    if (!node.is_integer || node.integer < min || node.integer > max) {
        document.fail(node, in_quotes(what) + " must be a whole number within " + std::to_string(min) + " .. " +
                                std::to_string(max) + ", not " + spelling(document, node));
    }
    return node.integer;
}

bool read_boolean(const Document& document, const Node& node, std::string_view what) {
    expect(document, node, what, NodeKind::boolean);
    return node.boolean;
}

std::string read_string(const Document& document, const Node& node, std::string_view what) {
    expect(document, node, what, NodeKind::string);
    return std::string(node.string);
}

physics::Vec3 read_vector(const Document& document, const Node& node, std::string_view what, const Range& range) {
    const auto numbers = number_list<3>(document, node, what, "[x, y, z] of three numbers");
    return {read_number(document, *numbers[0], what, range), read_number(document, *numbers[1], what, range),
            read_number(document, *numbers[2], what, range)};
}

physics::Quat read_orientation(const Document& document, const Node& node, std::string_view what) {
    const auto numbers = number_list<4>(document, node, what, "[w, x, y, z] of four numbers");
    // Double precision holds the squares of all floats: no overflow, and no length is lost to underflow.
    double length2 = 0.0;
    for (const Node* number : numbers) {
        length2 += static_cast<double>(number->number) * static_cast<double>(number->number);
    }
    if (!(length2 > 0.0)) {
        document.fail(node, in_quotes(what) + " has length zero; [1, 0, 0, 0] is the identity");
    }
    // The squared length of a quaternion normalised in single precision is off by a few 2^-24.
    constexpr double rounding = 1e-6;
    if (std::abs(length2 - 1.0) <= rounding) {
        return {numbers[0]->number, numbers[1]->number, numbers[2]->number, numbers[3]->number};
    }
    const double scale = 1.0 / std::sqrt(length2);
    const auto part = [&](std::size_t i) {
        return static_cast<float>(static_cast<double>(numbers[i]->number) * scale);
    };
    return {part(0), part(1), part(2), part(3)};
}

std::optional<physics::Colour> read_colour(const Document& document, const Node& node, std::string_view what) {
    const std::string text = read_string(document, node, what);
    const std::optional<physics::Colour> colour = colour_of(text);
    if (!colour && text != automatic_colour) {
        document.fail(node, in_quotes(what) + " must be \"#rrggbb\", six hexadecimal digits, or \"" +
                                std::string(automatic_colour) + "\", not " + in_quotes(text));
    }
    return colour;
}

Children expect_list(const Document& document, const Node& node, std::string_view what, std::string_view of) {
    if (node.kind != NodeKind::array) {
        document.fail(node, in_quotes(what) + " must be a list of " + std::string(of) + ", not " +
                                std::string(kind_name(node.kind)));
    }
    return document.children(node);
}

} // namespace cairn::core
