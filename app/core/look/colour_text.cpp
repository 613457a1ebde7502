#include "app/core/look/colour_text.h"

#include <array>
#include <charconv>
#include <cstdio>

namespace cairn::core {

std::string colour_text(const physics::Colour& colour) {
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "#%02x%02x%02x", unsigned{colour.r}, unsigned{colour.g},
                  unsigned{colour.b});
    return text.data();
}

std::optional<physics::Colour> colour_of(std::string_view text) {
    if (text.size() != 7 || text[0] != '#' || text.find_first_not_of("0123456789abcdefABCDEF", 1) != text.npos) {
        return std::nullopt;
    }
    std::uint32_t rgb = 0;
    std::from_chars(text.data() + 1, text.data() + text.size(), rgb, 16);
    return physics::Colour{static_cast<std::uint8_t>(rgb >> 16), static_cast<std::uint8_t>(rgb >> 8),
                           static_cast<std::uint8_t>(rgb)};
}

} // namespace cairn::core
