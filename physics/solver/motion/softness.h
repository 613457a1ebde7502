// Soft constraints: a row that behaves like a damped spring, stated by frequency and damping ratio.
#pragma once

namespace cairn::physics {

// Coefficients of the implicit Euler solution of a damped spring over one substep (Catto, "Soft Constraints", GDC
// 2011). The row solves impulse = -mass * mass_scale * (velocity + bias_rate * error) - impulse_scale * accumulated.
struct Softness {
    float bias_rate = 0.0f;     // 1/s
    float mass_scale = 1.0f;    // 0..1
    float impulse_scale = 0.0f; // 0..1
};

// `hertz` > 0 natural frequency, `damping_ratio` 1 = critical, `h` substep in seconds.
inline Softness make_soft(float hertz, float damping_ratio, float h) {
    const float omega = 6.28318531f * hertz;
    const float a = 2.0f * damping_ratio + h * omega;
    const float b = h * omega * a;
    const float c = 1.0f / (1.0f + b);
    return {omega / a, b * c, c};
}

} // namespace cairn::physics
