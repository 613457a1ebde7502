// What the closed forms of rotating bodies need.
#pragma once

#include <cmath>
#include <numbers>

namespace cairn::physics::testing {

// Complete elliptic integral of the first kind of modulus k, by the arithmetic-geometric mean (Gauss).
inline double elliptic_k(double k) {
    double a = 1.0, b = std::sqrt(1.0 - k * k);
    for (int i = 0; i < 40 && a - b > 1e-15 * a; ++i) {
        const double mean = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = mean;
    }
    return std::numbers::pi / (2.0 * a);
}

} // namespace cairn::physics::testing
