#include "physics/solver/motion/integrate.h"

#include "physics/base/symmetric_eigen.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace cairn::physics {

void integrate_velocity(BodyMotion& motion, const BodyDynamics& dynamics, const Vec3& gravity, float h) {
    if (motion.inverse_mass == 0.0f) {
        return;
    }
    motion.linear_velocity += (h * dynamics.gravity_scale) * gravity;
    if (dynamics.push != nullptr) {
        motion.linear_velocity += h * dynamics.push->linear;
        motion.angular_velocity += h * dynamics.push->angular;
    }
    if (dynamics.linear_damping != 0.0f) {
        motion.linear_velocity *= 1.0f / (1.0f + h * dynamics.linear_damping);
    }
    if (dynamics.angular_damping != 0.0f) {
        motion.angular_velocity *= 1.0f / (1.0f + h * dynamics.angular_damping);
    }
}

void hold_locks(BodyMotion& motion, std::uint8_t locks) {
    bool turned_back = false;
    for (int axis = 0; axis < 3; ++axis) {
        if ((locks >> axis & 1u) != 0) {
            motion.linear_velocity[axis] = 0.0f;
            motion.delta_position[axis] = 0.0f;
        }
        if ((locks >> (3 + axis) & 1u) != 0) {
            motion.angular_velocity[axis] = 0.0f;
            turned_back = true;
        }
    }
    if (turned_back && std::popcount(unsigned{locks} >> 3u) > 1) { // of the axes, one at most turns
        Quat& q = motion.delta_rotation;
        Vec3 part(q.x, q.y, q.z);
        for (int axis = 0; axis < 3; ++axis) {
            part[axis] = (locks >> (3 + axis) & 1u) != 0 ? 0.0f : part[axis];
        }
        q = normalized(Quat(q.w, part.x, part.y, part.z));
    }
}

// In the plane of the two turns that are left, G w' = -k J w: the torque w x I w is at right angles to w there, and
// does no work. The implicit midpoint rule, with k and G at the pose after the turn, keeps w . G w; a turn by w does so
// as well, since w stays what it is in the body's axes.
void precess(BodyMotion& motion, const BodyDynamics& dynamics, float h) {
    const int locked = std::countr_zero(unsigned{dynamics.locks} >> 3u), i = (locked + 1) % 3, j = (locked + 2) % 3;
    const glm::dmat3 inertia = precise_inertia(motion, dynamics).inertia;
    const glm::dvec3 w(motion.angular_velocity);
    const double square = w[i] * w[i] + w[j] * w[j];
    if (square == 0.0) {
        return;
    }
    const glm::dvec3 torque = glm::cross(w, inertia * w);
    const double c = 0.5 * static_cast<double>(h) * (w[i] * torque[j] - w[j] * torque[i]) / square; // h k / 2
    const double g_ii = inertia[i][i], g_ij = inertia[i][j], g_jj = inertia[j][j];
    const double b_i = g_ii * w[i] + (g_ij + c) * w[j], b_j = (g_ij - c) * w[i] + g_jj * w[j];
    const double scale = 1.0 / (g_ii * g_jj - g_ij * g_ij + c * c);
    motion.angular_velocity[i] = static_cast<float>(scale * (g_jj * b_i - (g_ij - c) * b_j));
    motion.angular_velocity[j] = static_cast<float>(scale * (g_ii * b_j - (g_ij + c) * b_i));
}

// The Schur complement: what a body yields that is held in these turns by whatever it takes.
SymmetricMat3 without_locked_turns(const SymmetricMat3& inverse, std::uint8_t locks) {
    Mat3 m(inverse.xx, inverse.xy, inverse.xz, inverse.xy, inverse.yy, inverse.yz, inverse.xz, inverse.yz, inverse.zz);
    for (int axis = 0; axis < 3; ++axis) {
        if ((locks >> (3 + axis) & 1u) == 0 || !(m[axis][axis] > 0.0f)) {
            continue;
        }
        const Vec3 column = m[axis];
        for (int i = 0; i < 3; ++i) {
            m[i] -= column * (column[i] / column[axis]);
        }
        for (int i = 0; i < 3; ++i) {
            m[axis][i] = m[i][axis] = 0.0f;
        }
    }
    return symmetric(m);
}

Quat turned(const Quat& q, const Vec3& angular_velocity, float h) {
    // The rotation by the angle 2a about the unit axis u is (cos a, u sin a) ~ (1 - a^2/3, u a) after normalisation:
    // tan a = a + a^3/3 + ..., and a / (1 - a^2/3) agrees with it to fifth order.
    const Vec3 half = (0.5f * h) * angular_velocity;
    const float a2 = glm::dot(half, half);
    const Quat step(1.0f - a2 * (1.0f / 3.0f), half.x, half.y, half.z);
    return normalized(step * q);
}

bool limit_spin(BodyMotion& motion, const BodyDynamics& dynamics, float max_turn, float h) {
    if (!dynamics.spin_limited || motion.inverse_mass == 0.0f) {
        return false;
    }
    const Vec3 turn = h * motion.angular_velocity;
    const float surely = 0.99f * max_turn;
    if (glm::dot(turn, turn) < surely * surely) { // mostly, and without a root
        return false;
    }
    const float angle = glm::length(motion.angular_velocity) * h;
    if (angle <= max_turn) {
        return false;
    }
    motion.angular_velocity *= max_turn / angle;
    return true;
}

bool has_turned(const BodyMotion& motion) {
    const Quat& q = motion.delta_rotation;
    const float sine2 = q.x * q.x + q.y * q.y + q.z * q.z; // of half the angle
    return sine2 > 0.25f * noticeable_turn * noticeable_turn;
}

SymmetricMat3 inverse_inertia_now(const BodyMotion& motion, const BodyDynamics& dynamics) {
    const SymmetricMat3 inverse =
        rotated(dynamics.inverse_inertia_local, motion.delta_rotation * dynamics.start_orientation);
    return dynamics.locks == 0 ? inverse : without_locked_turns(inverse, dynamics.locks);
}

namespace {

using DVec3 = glm::dvec3;
using DQuat = glm::dquat;

// The tensor of inertia in body axes and its inverse. The stored inverse is rounded: there and back by it, the momentum
// about each axis would change a little every substep, again always to the same side.
struct Tensor {
    glm::dmat3 inertia, inverse;

    explicit Tensor(const SymmetricMat3& m) {
        const double xx = static_cast<double>(m.xx), yy = static_cast<double>(m.yy), zz = static_cast<double>(m.zz);
        const double xy = static_cast<double>(m.xy), xz = static_cast<double>(m.xz), yz = static_cast<double>(m.yz);
        inertia = glm::dmat3(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        const double cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
        const double cyy = xx * zz - xz * xz, cyz = xy * xz - xx * yz, czz = xx * yy - xy * xy;
        const double s = 1.0 / (xx * cxx + xy * cxy + xz * cxz);
        inverse = glm::dmat3(s * cxx, s * cxy, s * cxz, s * cxy, s * cyy, s * cyz, s * cxz, s * cyz, s * czz);
    }
};

} // namespace

Vec3 spin_of_energy(const PrincipalInertia& inertia, const Quat& to, const Vec3& momentum, float energy) {
    // The nearest momentum is L / (1 + m / I) along each principal axis, m being a Lagrange multiplier: found by
    // Newton's method on one over the root of the energy, which is linear in m where one axis has most of it.
    const glm::dquat axes = glm::dquat(to) * inertia.axes;
    const glm::dvec3 along = glm::conjugate(axes) * glm::dvec3(momentum);
    const auto wanted = static_cast<double>(energy);
    double multiplier = 0.0;
    glm::dvec3 spin(0.0);
    for (int i = 0; wanted > 0.0 && i < 8; ++i) {
        const glm::dvec3 moments = inertia.moments + multiplier;
        spin = along / moments;
        const glm::dvec3 parts = inertia.moments * spin * spin, slopes = parts / moments;
        const double now = parts.x + parts.y + parts.z, slope = 2.0 * (slopes.x + slopes.y + slopes.z);
        if (now <= wanted || slope <= 0.0) {
            break;
        }
        multiplier += 2.0 * now / slope * (std::sqrt(now / wanted) - 1.0);
    }
    return Vec3(axes * spin);
}

PrincipalInertia principal_inertia(const SymmetricMat3& inertia) {
    glm::dmat3 moments = Tensor(inertia).inertia;
    const glm::dmat3 axes = diagonalise(moments);
    std::array<int, 3> by_size{0, 1, 2};
    std::sort(by_size.begin(), by_size.end(), [&](int a, int b) { return moments[a][a] < moments[b][b]; });
    glm::dmat3 sorted;
    PrincipalInertia result;
    for (int i = 0; i < 3; ++i) {
        const int from = by_size[static_cast<std::size_t>(i)];
        sorted[i] = axes[from];
        result.moments[i] = moments[from][from];
    }
    sorted[2] = glm::cross(sorted[0], sorted[1]);
    result.axes = glm::normalize(glm::quat_cast(sorted));
    return result;
}

PreciseInertia precise_inertia(const BodyMotion& motion, const BodyDynamics& dynamics) {
    PreciseInertia result;
    const Quat& d = motion.delta_rotation;
    const Quat& s = dynamics.start_orientation;
    const DQuat turn = glm::normalize(DQuat(double(d.w), double(d.x), double(d.y), double(d.z)) *
                                      DQuat(double(s.w), double(s.x), double(s.y), double(s.z)));
    result.orientation = glm::mat3_cast(turn);
    if (motion.inverse_mass > 0.0f) {
        const Tensor tensor(dynamics.inertia_local);
        result.inertia = result.orientation * tensor.inertia * glm::transpose(result.orientation);
        result.inverse = result.orientation * tensor.inverse * glm::transpose(result.orientation);
    }
    return result;
}

double kinetic_energy(float inverse_mass, const PreciseInertia& inertia, const glm::dvec3& v, const glm::dvec3& w) {
    return 0.5 * (1.0 / static_cast<double>(inverse_mass) * glm::dot(v, v) + glm::dot(w, inertia.inertia * w));
}

} // namespace cairn::physics
