// The preload of a contact's spring: by how much it is shortened, so that it carries a load without sinking.
#pragma once

#include <algorithm>

namespace cairn::physics {

// A spring sinks under a load that stays, and in a heap that has jammed single points carry fifty times the weight of a
// body. What is deeper than the sag that is left alone is recovered: an integral term, and so it must be slow. A load
// of M times the body's mass m swings on the spring with (omega^2 / M); with the damping 2 omega / M of a critical
// spring, the integral is stable below the rate 2 omega / M, 6/s for a hundredfold load and 0.6/s for a thousandfold
// one. (Tried: at 6/s a plate of a hundred times their weight on four balls began to swing by centimetres.) What
// overlaps deeper than any load presses it, because it was put there, is pushed apart by the spring alone, at a limited
// speed: only so much of it counts. `dt`: seconds since the last time; all others in metres.
//
// A spring that became stiffer carries the same force where it is, so it is lengthened by the sag of the softer one;
// that is taken back in half a second, and what lies in another comes out of it.
//
// A preloaded spring reaches beyond the surface, so that what trembles on it keeps its support; but it lifts nothing
// further than `greatest_lift` when it is unloaded, and gives way there.
inline constexpr float greatest_lift = 0.001f;  // m
inline constexpr float deepest_carried = 0.03f; // m

inline float preload_after(float before, float separation, float dt) {
    constexpr float sag = 0.004f;    // m
    constexpr float rise = 0.6f;     // 1/s, of the excess
    constexpr float fall = 5.0f;     // 1/s
    constexpr float ease = 2.0f;     // 1/s
    constexpr float greatest = 0.2f; // m
    if (separation > 0.5f * greatest_lift) {
        return separation < before ? before - dt * fall * before : 0.0f;
    }
    const float excess = std::min(-separation, deepest_carried) - sag;
    const float eased = before < 0.0f ? before - dt * ease * before : before;
    return std::min(eased + dt * rise * std::max(excess, 0.0f), greatest);
}

} // namespace cairn::physics
