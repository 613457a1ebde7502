// The load that a contact's spring learns to carry.
#pragma once

#include <algorithm>

namespace cairn::physics {

// A spring sags under a load that stays, and in a heap that has jammed single points carry fifty times the weight of a
// body. What lies deeper than the sag that is left alone is taken up: an integral term, and so it must be slow. A load
// of M times the body's mass m swings on the spring with (omega^2 / M); with the damping 2 omega / M of a critical
// spring, the integral is stable below the rate 2 omega / M, 6/s for a hundredfold load and 0.6/s for a thousandfold
// one. (Tried: at 6/s a plate of a hundred times their weight on four balls began to swing by centimetres.) A point
// that comes up lets go three times as fast. What overlaps deeper than any load presses it, because it was put there,
// is pushed apart by the spring alone, at a speed that is held: only so much of it counts. `dt`: seconds since the last
// time; all others in metres.
inline float taken_up(float before, float separation, float dt) {
    constexpr float sag = 0.004f;             // m
    constexpr float greatest = 0.2f;          // m
    constexpr float rise = 0.6f, fall = 1.8f; // 1/s, of the excess
    constexpr float deepest = 0.03f;          // m, that counts
    const float excess = std::min(-separation, deepest) - sag;
    return std::clamp(before + dt * (excess > 0.0f ? rise : fall) * excess, 0.0f, greatest);
}

} // namespace cairn::physics
