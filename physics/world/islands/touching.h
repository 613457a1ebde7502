// What the later stages of a step read of a pair that touches.
#pragma once

#include <cstdint>

namespace cairn::physics {

struct TouchingSides {
    std::uint32_t body_a : 31, deep : 1; // slots; deep: dynamic bodies, deeper in each other than any path may lead
    std::uint32_t body_b : 30;
    std::uint32_t meet : 1;     // the surfaces are within a slop of each other
    std::uint32_t overlaps : 1; // or in each other

    TouchingSides(std::uint32_t a, std::uint32_t b, bool close, bool in_each_other, bool sunk)
        : body_a(a & 0x7fffffffu),
          deep(sunk ? 1 : 0),
          body_b(b & 0x3fffffffu),
          meet(close ? 1 : 0),
          overlaps(in_each_other ? 1 : 0) {}
};

} // namespace cairn::physics
