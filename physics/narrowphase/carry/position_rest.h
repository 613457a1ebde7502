// What a position has beyond its floats.
#pragma once

#include "physics/base/math.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cairn::physics {

// Ten metres from the origin a float steps by a micrometre, and a contact's spring answers half of that with 50 um/s:
// what rounding takes from a position shakes heaps for ever (1e-4 J in two thousand boxes of a ton, ten times as much
// as without). So the rest is kept, in units of 1.9 nm. It holds half a step of a float up to two kilometres from the
// origin; further out it is cut off.
class PositionRest {
  public:
    PositionRest() = default;

    Vec3 metres() const { return unit * Vec3(float(x_), float(y_), float(z_)); }
    std::uint64_t bits() const {
        return std::uint64_t(std::uint16_t(x_)) << 32 | std::uint64_t(std::uint16_t(y_)) << 16 | std::uint16_t(z_);
    }

    static PositionRest from_bits(std::uint64_t bits) {
        PositionRest rest;
        rest.x_ = static_cast<std::int16_t>(static_cast<std::uint16_t>(bits >> 32));
        rest.y_ = static_cast<std::int16_t>(static_cast<std::uint16_t>(bits >> 16));
        rest.z_ = static_cast<std::int16_t>(static_cast<std::uint16_t>(bits));
        return rest;
    }

    // Moves `position` by `way`, both in m, and keeps what the sum has lost (Knuth, "The Art of Computer Programming",
    // vol. 2, 4.2.2: the error of a sum of two floats is a float).
    void move(Vec3& position, const Vec3& way) {
        const Vec3 before = position;
        const Vec3 added = way + metres();
        position = before + added;
        const Vec3 came = position - before;
        const Vec3 lost = (before - (position - came)) + (added - came);
        x_ = units(lost.x);
        y_ = units(lost.y);
        z_ = units(lost.z);
    }

  private:
    static constexpr float unit = 1.0f / float(1 << 29); // m
    static std::int16_t units(float length) {
        return static_cast<std::int16_t>(std::lrint(std::clamp(length / unit, -32767.0f, 32767.0f)));
    }

    std::int16_t x_ = 0, y_ = 0, z_ = 0;
};
static_assert(sizeof(PositionRest) == 6);

} // namespace cairn::physics
