// What a body or a surface looks like: for people alone.
#pragma once

#include <cstdint>

namespace cairn::physics {

// sRGB, eight bits each.
struct Colour {
    std::uint8_t r = 0, g = 0, b = 0;
    friend bool operator==(const Colour&, const Colour&) = default;
};

} // namespace cairn::physics
