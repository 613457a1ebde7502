#include "app/ui/layers/inertia_box.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::ui {

namespace {

// Jacobi's rotations: each makes one pair of entries off the diagonal vanish; a 3 x 3 matrix needs about six.
void diagonalise(glm::dmat3& matrix, glm::dmat3& vectors) {
    vectors = glm::dmat3(1.0);
    for (int round = 0; round < 32; ++round) {
        int p = 0, q = 1;
        for (const auto& [i, j] : {std::pair{0, 2}, std::pair{1, 2}}) {
            if (std::abs(matrix[i][j]) > std::abs(matrix[p][q])) {
                p = i;
                q = j;
            }
        }
        const double size = std::abs(matrix[0][0]) + std::abs(matrix[1][1]) + std::abs(matrix[2][2]);
        if (std::abs(matrix[p][q]) <= 1e-12 * size) {
            return;
        }
        const double theta = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
        const double t = (theta < 0.0 ? -1.0 : 1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
        const double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
        glm::dmat3 turn(1.0);
        turn[p][p] = turn[q][q] = c;
        turn[q][p] = s;
        turn[p][q] = -s;
        matrix = glm::transpose(turn) * matrix * turn;
        vectors = vectors * turn;
    }
}

} // namespace

InertiaBox inertia_box(const physics::Mat3& inertia, float mass) {
    glm::dmat3 matrix(inertia), vectors(1.0);
    diagonalise(matrix, vectors);
    if (glm::determinant(vectors) < 0.0) {
        vectors[2] = -vectors[2];
    }
    // I_x = m (b^2 + c^2) / 3 and so on, solved for the half extents a, b, c.
    InertiaBox box;
    const glm::dvec3 moments(matrix[0][0], matrix[1][1], matrix[2][2]);
    const double sum = moments.x + moments.y + moments.z;
    for (int axis = 0; axis < 3; ++axis) {
        const double square = 1.5 * (sum - 2.0 * moments[axis]) / static_cast<double>(mass);
        box.half_extents[axis] = static_cast<float>(std::sqrt(std::max(square, 0.0)));
    }
    box.axes = physics::normalized(glm::quat_cast(physics::Mat3(vectors)));
    return box;
}

} // namespace cairn::ui
