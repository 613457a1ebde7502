#include "app/ui/layers/shapes/inertia_box.h"

#include "physics/base/symmetric_eigen.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

InertiaBox inertia_box(const physics::Mat3& inertia, float mass) {
    glm::dmat3 matrix(inertia);
    const glm::dmat3 vectors = physics::diagonalise(matrix);
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
