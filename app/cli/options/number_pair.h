// Two numbers in one word.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace cairn::cli {

// Of "1280x720" or "3/16": the numbers on both sides of `between`; none if the text is anything else.
template <typename Number>
std::optional<std::pair<Number, Number>> number_pair(std::string_view text, char between) {
    std::pair<Number, Number> numbers;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, numbers.first);
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != between) {
        return {};
    }
    const auto second = std::from_chars(first.ptr + 1, end, numbers.second);
    return second.ec == std::errc{} && second.ptr == end ? std::optional(numbers) : std::nullopt;
}

} // namespace cairn::cli
