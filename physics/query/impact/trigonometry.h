// Sine, cosine and arc tangent from + - * / and sqrt alone: the maths library's differ from system to system in the
// last bit, and these feed the state.
#pragma once

#include <cmath>

namespace cairn::physics {

// Sine and cosine of x radians to about 1e-16 for |x| up to 1e5; the error grows in proportion to |x| beyond.
inline void sine_cosine(double x, double& sine, double& cosine) {
    constexpr double two_over_pi = 0.63661977236758134308;
    // pi / 2 in two parts, the first with trailing zeros, so that multiples of it are exact (Cody and Waite 1980).
    constexpr double half_pi_high = 1.57079632673412561417;
    constexpr double half_pi_low = 6.07710050650619224932e-11;
    const double turns = x * two_over_pi;
    if (!(std::abs(turns) < 1e15)) { // also NaN: no phase left to speak of
        sine = 0.0;
        cosine = 1.0;
        return;
    }
    const long long quarter = static_cast<long long>(turns + (turns < 0.0 ? -0.5 : 0.5));
    const double q = static_cast<double>(quarter);
    const double r = (x - q * half_pi_high) - q * half_pi_low;
    const double r2 = r * r;
    // Taylor series; on |r| <= pi/4 the first term left out is below 1e-17.
    double s = 1.0 / 355687428096000.0;
    s = s * r2 - 1.0 / 1307674368000.0;
    s = s * r2 + 1.0 / 6227020800.0;
    s = s * r2 - 1.0 / 39916800.0;
    s = s * r2 + 1.0 / 362880.0;
    s = s * r2 - 1.0 / 5040.0;
    s = s * r2 + 1.0 / 120.0;
    s = s * r2 - 1.0 / 6.0;
    s = r + r * r2 * s;
    double c = 1.0 / 20922789888000.0;
    c = c * r2 - 1.0 / 87178291200.0;
    c = c * r2 + 1.0 / 479001600.0;
    c = c * r2 - 1.0 / 3628800.0;
    c = c * r2 + 1.0 / 40320.0;
    c = c * r2 - 1.0 / 720.0;
    c = c * r2 + 1.0 / 24.0;
    c = c * r2 - 0.5;
    c = 1.0 + r2 * c;
    switch (quarter & 3) {
    case 0:
        sine = s;
        cosine = c;
        break;
    case 1:
        sine = c;
        cosine = -s;
        break;
    case 2:
        sine = -s;
        cosine = -c;
        break;
    default:
        sine = -c;
        cosine = s;
        break;
    }
}

// Angle in [0, pi/2] of the point (x, y) in the first quadrant, both coordinates >= 0; 0 for the origin.
inline double first_quadrant_angle(double y, double x) {
    if (!(x > 0.0 || y > 0.0)) {
        return 0.0;
    }
    const bool steep = y > x;
    double t = steep ? x / y : y / x;
    // atan t = 2 atan(t / (1 + sqrt(1 + t^2))): twice takes t from [0, 1] to [0, 0.199].
    t = t / (1.0 + std::sqrt(1.0 + t * t));
    t = t / (1.0 + std::sqrt(1.0 + t * t));
    const double t2 = t * t;
    double sum = 0.0;
    for (int k = 23; k >= 1; k -= 2) { // 0.199^25 / 25 is below 1e-18
        sum = 1.0 / k - t2 * sum;
    }
    const double angle = 4.0 * t * sum;
    return steep ? 1.57079632679489661923 - angle : angle;
}

} // namespace cairn::physics
