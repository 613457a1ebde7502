#include "physics/solver/integrate.h"

#include <algorithm>

namespace cairn::physics {

void integrate_velocity(BodyMotion& motion, const BodyDynamics& dynamics, const Vec3& gravity, float h) {
    if (motion.inverse_mass == 0.0f) {
        return;
    }
    motion.linear_velocity += (h * dynamics.gravity_scale) * gravity;
    motion.linear_velocity *= 1.0f / (1.0f + h * dynamics.linear_damping);
    motion.angular_velocity *= 1.0f / (1.0f + h * dynamics.angular_damping);
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
    const float angle = glm::length(motion.angular_velocity) * h;
    if (!dynamics.spin_limited || motion.inverse_mass == 0.0f || angle <= max_turn) {
        return false;
    }
    motion.angular_velocity *= max_turn / angle;
    return true;
}

namespace {

// A rotation that is one whatever the length of the quaternion. Rounding leaves unit quaternions longer than one more
// often than shorter, by up to 1e-7, and plain rotations there and back would gain twice that every substep: a per cent
// of a spinning body's energy in a minute.
struct Turn {
    Vec3 u;
    float w, scale;

    explicit Turn(const Quat& q)
        : u(q.x, q.y, q.z), w(q.w), scale(2.0f / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z)) {}
    Vec3 to_world(const Vec3& v) const {
        const Vec3 t = glm::cross(u, v);
        return v + scale * (w * t + glm::cross(u, t));
    }
    Vec3 to_body(const Vec3& v) const {
        const Vec3 t = glm::cross(u, v);
        return v - scale * (w * t - glm::cross(u, t));
    }
};

} // namespace

void integrate_position(BodyMotion& motion, const BodyDynamics& dynamics, float h) {
    motion.delta_position += h * motion.linear_velocity;

    Vec3 w = motion.angular_velocity;
    const float angle = glm::length(w) * h;
    if (angle == 0.0f) {
        return;
    }
    if (motion.inverse_mass == 0.0f || !dynamics.gyroscopic) {
        // Split fast rotations, so that the series stays exact. What a ball cannot show is not worth more pieces.
        const int pieces = std::min(static_cast<int>(angle / max_substep_turn), 15) + 1;
        for (int i = 0; i < pieces; ++i) {
            motion.delta_rotation = turned(motion.delta_rotation, w, h / static_cast<float>(pieces));
        }
        return;
    }
    // Free rotation by the midpoint rule on the orientation: the angular momentum L in world axes is constant, the
    // velocity that belongs to the half-turned body turns it all the way. Two fixed-point passes centre it well enough.
    const int pieces = std::min(static_cast<int>(angle / (0.25f * max_substep_turn)), 15) + 1;
    const float piece = h / static_cast<float>(pieces);
    Quat orientation = motion.delta_rotation * dynamics.start_orientation;
    const Turn start(orientation);
    const Vec3 momentum = start.to_world(dynamics.inertia_local * start.to_body(w));
    const auto velocity_at = [&](const Quat& q) {
        const Turn turn(q);
        return turn.to_world(dynamics.inverse_inertia_local * turn.to_body(momentum));
    };
    for (int i = 0; i < pieces; ++i) {
        for (int pass = 0; pass < 2; ++pass) {
            w = velocity_at(turned(orientation, w, 0.5f * piece));
        }
        motion.delta_rotation = turned(motion.delta_rotation, w, piece);
        orientation = motion.delta_rotation * dynamics.start_orientation;
        w = velocity_at(orientation);
    }
    motion.angular_velocity = w;
}

} // namespace cairn::physics
