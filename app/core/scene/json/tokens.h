// Where the tokens of a JSON text with comments begin and end, right or wrong as they may be.
#pragma once

#include <cstddef>
#include <string_view>

namespace cairn::core {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// First byte at or after `from` that is neither white space nor inside a comment.
std::size_t skip_space(std::string_view text, std::size_t from);

// One past the token that starts at `begin`. Bytes that start no token count as a word up to the next separator.
std::size_t token_end(std::string_view text, std::size_t begin);

} // namespace cairn::core
