// One row of a joint: what it measures, and what an impulse along it does.
#pragma once

#include "physics/solver/joints/rows/joint_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::physics {

inline constexpr std::array<Vec3, 3> world_axes{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};

// Change of `row` by a unit impulse in `other`, both of this joint, 1/kg or alike.
inline float compliance(const JointRows& joint, const JointRow& row, const JointRow& other) {
    const float of_a_alone = glm::dot(row.linear_a, other.linear_a) - glm::dot(row.linear_a, other.linear) -
                             glm::dot(row.linear, other.linear_a);
    return (joint.inverse_mass_a + joint.inverse_mass_b) * glm::dot(row.linear, other.linear) +
           joint.inverse_mass_a * of_a_alone + glm::dot(row.angular_a, other.turn_a) +
           glm::dot(row.angular_b, other.turn_b);
}

// What the row measures, m/s or rad/s.
inline float speed(const JointRow& row, const BodyMotion& a, const BodyMotion& b) {
    return glm::dot(row.linear, b.linear_velocity - a.linear_velocity) + glm::dot(row.linear_a, a.linear_velocity) +
           glm::dot(row.angular_a, a.angular_velocity) + glm::dot(row.angular_b, b.angular_velocity);
}

// Of B's origin against A's.
inline Vec3 origin_velocity(const JointRows& joint, const BodyMotion& a, const BodyMotion& b) {
    return b.linear_velocity + glm::cross(b.angular_velocity, joint.arm_b) - a.linear_velocity -
           glm::cross(a.angular_velocity, joint.arm_a);
}

// Bodies without mass are never written: rows that run at the same time may share them.
inline void apply(const JointRows& joint, const JointRow& row, float impulse, BodyMotion& a, BodyMotion& b) {
    if (joint.inverse_mass_a > 0.0f) {
        a.linear_velocity -= (joint.inverse_mass_a * impulse) * (row.linear - row.linear_a);
        a.angular_velocity += impulse * row.turn_a;
    }
    if (joint.inverse_mass_b > 0.0f) {
        b.linear_velocity += (joint.inverse_mass_b * impulse) * row.linear;
        b.angular_velocity += impulse * row.turn_b;
    }
}

inline void apply_turn(const JointRows& joint, const Vec3& impulse, BodyMotion& a, BodyMotion& b) {
    if (joint.inverse_mass_a > 0.0f) {
        a.angular_velocity -= joint.inverse_inertia_a * impulse;
    }
    if (joint.inverse_mass_b > 0.0f) {
        b.angular_velocity += joint.inverse_inertia_b * impulse;
    }
}

inline void apply_point(const JointRows& joint, const Vec3& impulse, BodyMotion& a, BodyMotion& b) {
    if (joint.inverse_mass_a > 0.0f) {
        a.linear_velocity -= joint.inverse_mass_a * impulse;
        a.angular_velocity -= joint.inverse_inertia_a * glm::cross(joint.arm_a, impulse);
    }
    if (joint.inverse_mass_b > 0.0f) {
        b.linear_velocity += joint.inverse_mass_b * impulse;
        b.angular_velocity += joint.inverse_inertia_b * glm::cross(joint.arm_b, impulse);
    }
}

// Moves B's origin along `direction` against A's.
inline JointRow point_row(const JointRows& joint, const Vec3& direction) {
    JointRow row;
    row.linear = direction;
    row.angular_a = -glm::cross(joint.arm_a, direction);
    row.angular_b = glm::cross(joint.arm_b, direction);
    return row;
}

// The same for a direction that turns with A: the rate of the offset's part along it.
inline JointRow carried_row(const JointRows& joint, const Vec3& direction) {
    JointRow row = point_row(joint, direction);
    row.angular_a = -glm::cross(joint.arm_a + joint.offset, direction);
    return row;
}

inline JointRow turn_row(const Vec3& axis) {
    JointRow row;
    row.angular_a = -axis;
    row.angular_b = axis;
    return row;
}

// What a unit impulse turns, of a row whose other parts are there.
inline void finish(const JointRows& joint, JointRow& row) {
    row.turn_a = joint.inverse_inertia_a * row.angular_a;
    row.turn_b = joint.inverse_inertia_b * row.angular_b;
}

// How far beyond a limit of the row its position counts, rad or m: what is further away, since the limit was changed,
// or the joint made there, comes back at the speed at which overlapping bodies part, and throws nothing off. A body
// reaches as far from the pivot as a rod of its mass and moment of inertia would.
inline float most_beyond(const JointRows& joint, const JointRow& row, const JointSolverSettings& settings) {
    constexpr float least_speed = 0.1f; // m/s: limits end drift, too, where nothing is to be pushed
    const auto reach_of = [](float inverse_mass, const Vec3& arm, const Vec3& angular, const Vec3& turn) {
        const float inverse_inertia = glm::dot(angular, turn);
        return inverse_inertia > 0.0f ? glm::length(arm) + std::sqrt(3.0f * inverse_mass / inverse_inertia) : 0.0f;
    };
    const float push = std::max(settings.max_push_speed, least_speed);
    float speed = most_taken_back;
    if (row.linear != Vec3(0.0f)) {
        speed = std::min(push, speed);
    } else if (const float reach =
                   std::max(reach_of(joint.inverse_mass_a, joint.arm_a, row.angular_a, row.turn_a),
                            reach_of(joint.inverse_mass_b, joint.arm_b, row.angular_b, row.turn_b)); // m for each rad
               reach > 0.0f) {
        speed = std::min(push / reach, speed);
    }
    return speed / settings.softness.bias_rate;
}

inline float near_limits(const JointRows& joint, const JointRow& row, const JointLimits& limits, float position,
                         const JointSolverSettings& settings) {
    if (joint.kind == JointKind::pulley) { // its parts turn by any angle where they come to their wheels
        return position;
    }
    const float most = most_beyond(joint, row, settings);
    return std::clamp(position, limits.lower - most, limits.upper + most);
}

// rad; negative beyond the cone.
inline float cone_room(const JointRows& joint, const JointSolverSettings& settings) {
    return std::max(joint.cone_room, -most_beyond(joint, joint.cone_row, settings));
}

inline Mat3 as_matrix(const SymmetricMat3& m) {
    return Mat3(m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz);
}

inline Mat3 inverse_of(const SymmetricMat3& m) {
    return glm::inverse(as_matrix(m));
}

} // namespace cairn::physics
