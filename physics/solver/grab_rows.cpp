#include "physics/solver/grab_rows.h"

#include <cmath>

namespace cairn::physics {

namespace {

void apply(const GrabRows& rows, BodyMotion& body, const BodyDynamics& dynamics, const Vec3& impulse) {
    body.linear_velocity += body.inverse_mass * impulse;
    body.angular_velocity += dynamics.inverse_inertia * glm::cross(rotate(body.delta_rotation, rows.arm), impulse);
}

// Velocity change of the held point per unit impulse: a symmetric 3x3 matrix.
Mat3 point_compliance(float inverse_mass, const SymmetricMat3& inverse_inertia, const Vec3& arm) {
    const auto column = [&](const Vec3& axis) {
        return inverse_mass * axis + glm::cross(inverse_inertia * glm::cross(arm, axis), arm);
    };
    return Mat3(column(Vec3(1, 0, 0)), column(Vec3(0, 1, 0)), column(Vec3(0, 0, 1)));
}

} // namespace

void warm_start(const GrabRows& rows, std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics) {
    if (rows.motion != 0) {
        apply(rows, motions[rows.motion], dynamics[rows.motion], rows.impulse);
    }
}

void solve(GrabRows& rows, std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics, float h) {
    if (rows.motion == 0) {
        return;
    }
    BodyMotion& body = motions[rows.motion];
    const BodyDynamics& cold = dynamics[rows.motion];
    body.angular_velocity *= 1.0f / (1.0f + h * rows.angular_drag);

    const Vec3 arm = rotate(body.delta_rotation, rows.arm);
    const Vec3 error = rows.error + body.delta_position + (arm - rows.arm);
    const Vec3 velocity = body.linear_velocity + glm::cross(body.angular_velocity, arm);
    const Mat3 compliance = point_compliance(body.inverse_mass, cold.inverse_inertia, arm);
    const Vec3 wanted = glm::inverse(compliance) * (velocity + rows.softness.bias_rate * error);
    const Vec3 old = rows.impulse;
    Vec3 next = old - rows.softness.mass_scale * wanted - rows.softness.impulse_scale * old;
    const float length2 = glm::dot(next, next);
    if (length2 > rows.max_impulse * rows.max_impulse) {
        next *= rows.max_impulse / std::sqrt(length2);
    }
    rows.impulse = next;
    apply(rows, body, cold, next - old);
}

} // namespace cairn::physics
