#include "physics/solver/motion/geometric_stiffness.h"

#include "physics/base/symmetric_eigen.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

using glm::dmat3;
using glm::dvec3;

dmat3 full(const SymmetricMat3& m) {
    return dmat3(dvec3(m.xx, m.xy, m.xz), dvec3(m.xy, m.yy, m.yz), dvec3(m.xz, m.yz, m.zz));
}

// L of L L^T, below the diagonal.
dmat3 cholesky(const dmat3& m) {
    dmat3 l(0.0);
    l[0][0] = std::sqrt(m[0][0]);
    l[0][1] = m[0][1] / l[0][0];
    l[0][2] = m[0][2] / l[0][0];
    l[1][1] = std::sqrt(std::max(m[1][1] - l[0][1] * l[0][1], 1e-14 * m[1][1]));
    l[1][2] = (m[1][2] - l[0][1] * l[0][2]) / l[1][1];
    l[2][2] = std::sqrt(std::max(m[2][2] - l[0][2] * l[0][2] - l[1][2] * l[1][2], 1e-14 * m[2][2]));
    return l;
}

} // namespace

void GeometricStiffness::add(const Vec3& arm, const Vec3& impulse, float h) {
    const float along = glm::dot(arm, impulse);
    stiffness_.xx += h * (along - arm.x * impulse.x);
    stiffness_.yy += h * (along - arm.y * impulse.y);
    stiffness_.zz += h * (along - arm.z * impulse.z);
    stiffness_.xy -= 0.5f * h * (arm.x * impulse.y + arm.y * impulse.x);
    stiffness_.xz -= 0.5f * h * (arm.x * impulse.z + arm.z * impulse.x);
    stiffness_.yz -= 0.5f * h * (arm.y * impulse.z + arm.z * impulse.y);
    size_ += 1.5f * h * std::sqrt(glm::dot(arm, arm) * glm::dot(impulse, impulse));
}

bool GeometricStiffness::matters(const glm::dmat3& inverse_inertia) const {
    return static_cast<double>(size_) * (inverse_inertia[0][0] + inverse_inertia[1][1] + inverse_inertia[2][2]) >
           free_stiffness;
}

// With the inverse inertia W = L L^T, the stiffness s of a direction is an eigenvalue of L^T K L, and of the inverse of
// W^-1 + K is left L (1 + s)^-1 L^T.
GeometricStiffness::Stiffened GeometricStiffness::stiffened(const glm::dmat3& inverse_inertia) const {
    const dmat3 l = cholesky(inverse_inertia);
    dmat3 s = glm::transpose(l) * full(stiffness_) * l;
    const dmat3 vectors = diagonalise(s);
    dmat3 left(0.0);
    Stiffened result;
    for (int i = 0; i < 3; ++i) {
        result.greatest = std::max(result.greatest, s[i][i]);
        left[i][i] = 1.0 / (1.0 + std::max(s[i][i] - free_stiffness, 0.0));
    }
    const dmat3 middle = vectors * left * glm::transpose(vectors);
    result.inverse_inertia = l * middle * glm::transpose(l);
    result.keep = l * middle * glm::inverse(l);
    return result;
}

} // namespace cairn::physics
