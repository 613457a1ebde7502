// The hot state of the solver: what every row reads and writes, one cache line a body.
#pragma once

#include "physics/base/math.h"

#include <cstddef>
#include <cstdint>

namespace cairn::physics {

// Symmetric 3x3 matrix: an inverse inertia tensor in world axes, 1/(kg m^2).
struct SymmetricMat3 {
    float xx = 0.0f, yy = 0.0f, zz = 0.0f, xy = 0.0f, xz = 0.0f, yz = 0.0f;

    friend Vec3 operator*(const SymmetricMat3& m, const Vec3& v) {
        return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
                m.xz * v.x + m.yz * v.y + m.zz * v.z};
    }
    friend SymmetricMat3 operator*(float s, const SymmetricMat3& m) {
        return {s * m.xx, s * m.yy, s * m.zz, s * m.xy, s * m.xz, s * m.yz};
    }
    friend SymmetricMat3 operator+(const SymmetricMat3& a, const SymmetricMat3& b) {
        return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
    }
};

inline SymmetricMat3 symmetric(const Mat3& m) {
    return {m[0][0], m[1][1], m[2][2], m[1][0], m[2][0], m[2][1]};
}

// R m R^T for a rotation R: a tensor in body axes turned into world axes.
inline SymmetricMat3 rotated(const SymmetricMat3& m, const Quat& q) {
    const Mat3 r = rotation_matrix(q);
    const Vec3 x = m * Vec3(r[0][0], r[1][0], r[2][0]); // m times the rows of R
    const Vec3 y = m * Vec3(r[0][1], r[1][1], r[2][1]);
    const Vec3 z = m * Vec3(r[0][2], r[1][2], r[2][2]);
    const auto row = [&r](int i, const Vec3& v) { return r[0][i] * v.x + r[1][i] * v.y + r[2][i] * v.z; };
    return {row(0, x), row(1, y), row(2, z), row(0, y), row(0, z), row(1, z)};
}

// Index 0 of the motion array stands for everything that never moves. Rows write only where inverse_mass is not zero,
// so bodies without mass may be shared by rows that run at the same time.
struct alignas(64) BodyMotion {
    // In words of four floats: rows gather and scatter one at a time.
    Vec3 linear_velocity{0.0f};  // m/s
    float inverse_mass = 0.0f;   // 1/kg; 0 = nothing pushes it
    Vec3 angular_velocity{0.0f}; // rad/s, world
    float unused_1 = 0.0f;
    Vec3 delta_position{0.0f}; // m, since the start of the step
    float unused_2 = 0.0f;
    Quat delta_rotation = identity_orientation; // since the start of the step, world; x, y, z, w in memory
};
static_assert(sizeof(BodyMotion) == 64);
static_assert(offsetof(BodyMotion, angular_velocity) == 16 && offsetof(BodyMotion, delta_position) == 32 &&
              offsetof(BodyMotion, delta_rotation) == 48 && offsetof(Quat, w) == 12);

// The inertia of a body about its principal axes, in double precision.
struct PrincipalInertia {
    glm::dquat axes{1.0, 0.0, 0.0, 0.0}; // from principal to body axes
    glm::dvec3 moments{0.0};             // kg m^2, ascending
};
PrincipalInertia principal_inertia(const SymmetricMat3& inertia); // body axes, kg m^2

// What forces from outside give a body throughout a step, m/s^2 and rad/s^2, world.
struct BodyPush {
    Vec3 linear{0.0f}, angular{0.0f};
};

// What integration needs beside the hot line.
struct BodyDynamics {
    Quat start_orientation = identity_orientation;
    SymmetricMat3 inverse_inertia_local;                 // body axes
    SymmetricMat3 inertia_local;                         // body axes, kg m^2
    SymmetricMat3 inverse_inertia;                       // world axes at the start of the step
    float linear_damping = 0.0f, angular_damping = 0.0f; // 1/s
    float gravity_scale = 1.0f;
    float load_scale = 1.0f; // how many times its inertia the body has by what it carries (world/substeps)
    const PrincipalInertia* principal = nullptr; // none: a multiple of the identity, which is the same in all axes
    const BodyPush* push = nullptr;              // mostly none
    bool spin_limited = false;                   // not a ball: rows and sweeps must resolve its rotation
    bool parting = false;                        // put into others: contacts may speed it up but little
    std::uint8_t locks = 0;                      // as in BodyDef
    bool precesses = false;                      // one turn is locked, and its moments matter to the other two
};

// Gives a body `scale` times its inertia (> 0) throughout the step, and leaves its weight as it is.
inline void scale_inertia(BodyMotion& motion, BodyDynamics& dynamics, float scale) {
    const float inverse = 1.0f / scale;
    motion.inverse_mass *= inverse;
    dynamics.gravity_scale *= inverse;
    dynamics.load_scale *= scale;
    dynamics.inverse_inertia = inverse * dynamics.inverse_inertia;
    dynamics.inverse_inertia_local = inverse * dynamics.inverse_inertia_local;
    dynamics.inertia_local = scale * dynamics.inertia_local;
}

} // namespace cairn::physics
