#include "physics/geometry/mass_properties.h"

namespace cairn::physics {

namespace {

// I of a point mass at offset d, per kilogram: |d|^2 1 - d d^T. The off-diagonal products carry the minus sign.
glm::dmat3 parallel_axis(const glm::dvec3& d) {
    glm::dmat3 m = -glm::outerProduct(d, d);
    const double d2 = glm::dot(d, d);
    for (int i = 0; i < 3; ++i) {
        m[i][i] += d2;
    }
    return m;
}

glm::dmat3 turned_inertia(const Mat3& inertia, const Quat& orientation) {
    const glm::dmat3 r = glm::mat3_cast(glm::dquat(orientation));
    return r * glm::dmat3(inertia) * glm::transpose(r);
}

// A hair a thousand times as long as thick has moments a million apart. Turned away from its axes and stored in floats,
// the smallest drowns in the rounding of the largest and the tensor has no inverse. Raising all three by least_share of
// their sum changes nothing that can be seen and keeps the inverse within tens of percent of the truth.
void keep_definite(glm::dmat3& inertia) {
    constexpr double least_share = 1e-6;
    const double trace = inertia[0][0] + inertia[1][1] + inertia[2][2];
    // The product of the two greater moments is at most (trace / 2)^2, so this is a lower bound of the least one.
    const double least = glm::determinant(inertia) / (0.25 * trace * trace);
    if (least < least_share * trace) {
        for (int i = 0; i < 3; ++i) {
            inertia[i][i] += least_share * trace;
        }
    }
}

} // namespace

MassProperties mass_properties(std::span<const PlacedShape> shapes, float density) {
    double volume = 0.0;
    glm::dvec3 moment(0.0);
    for (const PlacedShape& placed : shapes) {
        const double v = static_cast<double>(placed.shape->volume);
        volume += v;
        moment += v * glm::dvec3(placed.pose.position);
    }
    MassProperties result;
    if (!(volume > 0.0)) {
        return result;
    }
    const glm::dvec3 centre = moment / volume;
    glm::dmat3 inertia(0.0);
    for (const PlacedShape& placed : shapes) {
        inertia += turned_inertia(placed.shape->unit_inertia, placed.pose.orientation);
        inertia += static_cast<double>(placed.shape->volume) * parallel_axis(glm::dvec3(placed.pose.position) - centre);
    }
    keep_definite(inertia);
    const double rho = static_cast<double>(density);
    result.mass = static_cast<float>(volume * rho);
    result.centre = Vec3(centre);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) { // the mean of both halves: exactly symmetric
            result.inertia[i][j] = static_cast<float>(0.5 * rho * (inertia[i][j] + inertia[j][i]));
        }
    }
    return result;
}

Mat3 inverse_inertia(const Mat3& inertia) {
    // In double: the determinant is a product of three inertias and leaves the range of floats for small bodies.
    const double xx = static_cast<double>(inertia[0][0]);
    const double yy = static_cast<double>(inertia[1][1]);
    const double zz = static_cast<double>(inertia[2][2]);
    const double xy = static_cast<double>(inertia[1][0]);
    const double xz = static_cast<double>(inertia[2][0]);
    const double yz = static_cast<double>(inertia[2][1]);
    const double c_xx = yy * zz - yz * yz;
    const double c_xy = xz * yz - xy * zz;
    const double c_xz = xy * yz - xz * yy;
    const double determinant = xx * c_xx + xy * c_xy + xz * c_xz;
    const double mean = (xx + yy + zz) / 3.0;
    // Sylvester's criterion, and a determinant that is more than the rounding of float entries.
    const bool definite = xx > 0.0 && xx * yy - xy * xy > 0.0 && determinant > 1e-14 * mean * mean * mean;
    if (!definite) {
        return Mat3(0.0f);
    }
    const double s = 1.0 / determinant;
    const double c_yy = xx * zz - xz * xz;
    const double c_yz = xy * xz - xx * yz;
    const double c_zz = xx * yy - xy * xy;
    Mat3 result(0.0f);
    result[0][0] = static_cast<float>(c_xx * s);
    result[1][1] = static_cast<float>(c_yy * s);
    result[2][2] = static_cast<float>(c_zz * s);
    result[0][1] = result[1][0] = static_cast<float>(c_xy * s);
    result[0][2] = result[2][0] = static_cast<float>(c_xz * s);
    result[1][2] = result[2][1] = static_cast<float>(c_yz * s);
    return result;
}

} // namespace cairn::physics
