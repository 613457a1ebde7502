// 64-bit hashing of plain values: equal bits give equal hashes, and one changed bit changes about half of the result.
#pragma once

#include "physics/base/math.h"

#include <bit>
#include <cstdint>

namespace cairn::physics {

// The finaliser of Steele, Lea and Flood's SplitMix (2014): a bijection on 64 bits with good avalanche.
constexpr std::uint64_t mix_bits(std::uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    x ^= x >> 31;
    return x;
}

// Hashes a sequence of values; the order matters.
class Hasher {
  public:
    constexpr explicit Hasher(std::uint64_t seed) : state_(mix_bits(seed + 0x9e3779b97f4a7c15ull)) {}

    constexpr Hasher& add(std::uint64_t value) {
        state_ = mix_bits(state_ ^ value) + 0x9e3779b97f4a7c15ull;
        return *this;
    }
    constexpr Hasher& add(std::uint32_t high, std::uint32_t low) {
        return add((static_cast<std::uint64_t>(high) << 32) | low);
    }
    Hasher& add(float a, float b) { return add(std::bit_cast<std::uint32_t>(a), std::bit_cast<std::uint32_t>(b)); }
    Hasher& add(const Vec3& v) { return add(v.x, v.y).add(v.z, 0.0f); }
    Hasher& add(const Vec3& a, const Vec3& b) { return add(a.x, a.y).add(a.z, b.x).add(b.y, b.z); }
    Hasher& add(const Quat& q) { return add(q.w, q.x).add(q.y, q.z); }

    constexpr std::uint64_t value() const { return mix_bits(state_); }

  private:
    std::uint64_t state_;
};

} // namespace cairn::physics
