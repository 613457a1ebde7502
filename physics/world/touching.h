// What the later stages of a step read of a pair that touches.
#pragma once

#include <cstdint>

namespace cairn::physics {

struct TouchingSides {
    std::uint32_t body_a : 31, deep : 1; // slots; deep: dynamic bodies, deeper in each other than any path may lead
    std::uint32_t body_b : 31, meet : 1; // meet: the surfaces are within a slop of each other

    TouchingSides(std::uint32_t a, std::uint32_t b, bool close, bool sunk)
        : body_a(a & 0x7fffffffu), deep(sunk ? 1 : 0), body_b(b & 0x7fffffffu), meet(close ? 1 : 0) {}
};

} // namespace cairn::physics
