// Principal axes of a symmetric matrix.
#pragma once

#include "physics/base/math.h"

#include <array>
#include <cmath>

namespace cairn::physics {

// Jacobi's rotations: `m` becomes diagonal, and the unit vectors that it was diagonal in are returned as columns, a
// right-handed frame. A matrix that is diagonal already costs three comparisons.
inline glm::dmat3 diagonalise(glm::dmat3& m) {
    glm::dmat3 vectors(1.0);
    constexpr std::array<std::array<int, 2>, 3> planes{{{0, 1}, {0, 2}, {1, 2}}};
    for (int sweep = 0; sweep < 8; ++sweep) {
        bool changed = false;
        for (const auto& [p, q] : planes) {
            if (std::abs(m[q][p]) <= 1e-15 * (std::abs(m[p][p]) + std::abs(m[q][q]))) {
                continue;
            }
            changed = true;
            const double theta = (m[q][q] - m[p][p]) / (2.0 * m[q][p]);
            const double t = (theta < 0.0 ? -1.0 : 1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
            const double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
            glm::dmat3 rotation(1.0);
            rotation[p][p] = rotation[q][q] = c;
            rotation[q][p] = s;
            rotation[p][q] = -s;
            m = glm::transpose(rotation) * m * rotation;
            vectors = vectors * rotation;
        }
        if (!changed) {
            break;
        }
    }
    return vectors;
}

} // namespace cairn::physics
