// Random numbers that are the same on every machine and in every version: scenes name a seed and mean these numbers.
#pragma once

#include "physics/base/hash.h"

#include <cstdint>

namespace cairn::core {

// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): a counter and a mixing
// function, with no state to warm up, so that near seeds give unrelated sequences.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() { return physics::mix_bits(state_ += 0x9e3779b97f4a7c15u); }

    // Uniform in [0, 1), a multiple of 2^-24: exact in single precision.
    float unit() { return static_cast<float>(bits() >> 40) * 0x1p-24f; }
    // Uniform in [-1, 1), a multiple of 2^-23.
    float signed_unit() { return 2.0f * unit() - 1.0f; }

  private:
    std::uint64_t state_;
};

} // namespace cairn::core
