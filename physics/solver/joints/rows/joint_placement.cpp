#include "physics/solver/joints/rows/joint_placement.h"

#include "physics/query/impact/trigonometry.h"
#include "physics/solver/joints/rows/joint_axes.h"

#include <cmath>
#include <numbers>

namespace cairn::physics {

namespace {

constexpr float pi = std::numbers::pi_v<float>;

} // namespace

float plane_angle(float y, float x) {
    const double first = first_quadrant_angle(std::abs(static_cast<double>(y)), std::abs(static_cast<double>(x)));
    const double upper = x < 0.0f ? 3.14159265358979323846 - first : first;
    return static_cast<float>(y < 0.0f ? -upper : upper);
}

float unwrapped(float angle, float near) {
    return angle + 2.0f * pi * std::floor((near - angle) / (2.0f * pi) + 0.5f);
}

Vec3 rotation_error(const Quat& from, const Quat& to) {
    const Quat q = to * glm::conjugate(from);
    const float sign = q.w < 0.0f ? -2.0f : 2.0f;
    return sign * Vec3(q.x, q.y, q.z);
}

namespace {

// The turn of `to` against `from` about their Z axes, in -pi .. pi.
float twist(const Quat& from, const Quat& to) {
    const Quat q = glm::conjugate(from) * to;
    const float angle = 2.0f * plane_angle(q.z, q.w);
    return angle > pi ? angle - 2.0f * pi : (angle < -pi ? angle + 2.0f * pi : angle);
}

// By how much `rotation` turns about the unit vector `axis`, rad: the angle next to `near`.
float turn_about(const Vec3& axis, const Quat& rotation, float near) {
    return unwrapped(2.0f * plane_angle(glm::dot(Vec3(rotation.x, rotation.y, rotation.z), axis), rotation.w), near);
}

// The errors of locked axes, and behind them the positions of those that are acted on.
void place_axes(const JointRows& joint, Placement& p) {
    const Mat3 a = rotation_matrix(p.frame_a), b = rotation_matrix(p.frame_b);
    const AxisOrder order = order_of(joint.axes);
    const int locked_turns = order.locked - order.lengths;
    const int free = free_turn(joint.axes);
    Vec3 turn(0.0f); // error of the orientation, as far as several turns are locked
    if (locked_turns == 3) {
        turn = rotation_error(p.frame_a, p.frame_b);
    } else if (locked_turns == 2) {
        turn = glm::cross(a[free], b[free]);
        if (glm::dot(a[free], b[free]) < 0.0f) {
            turn = normalized_or(turn, a[(free + 1) % 3]);
        }
    }
    for (int k = 0; k < order.all; ++k) {
        const int axis = order.axis[static_cast<std::size_t>(k)];
        float& error = p.error[static_cast<std::size_t>(k)];
        if (axis < 3) {
            error = glm::dot(a[axis], p.offset);
        } else if (k < order.locked && locked_turns == 1) {
            const auto [mine, other] = crossed(axis - 3, a, b);
            error = glm::dot(mine, other);
        } else if (k < order.locked) {
            error = locked_turns == 3 ? turn[axis - 3] : glm::dot(a[axis - 3], turn);
        } else if (locked_turns == 2) { // like a hinge
            const Quat q = glm::conjugate(p.frame_a) * p.frame_b;
            error = unwrapped(2.0f * plane_angle(axis == 3 ? q.x : axis == 4 ? q.y : q.z, q.w), 0.0f);
        } else if (axis == 3) {
            error = plane_angle(-glm::dot(a[1], b[2]), glm::dot(a[2], b[2]));
        } else if (axis == 4) {
            error = plane_angle(glm::dot(a[0], b[2]), glm::length(glm::cross(a[0], b[2])));
        } else {
            error = plane_angle(-glm::dot(a[0], b[1]), glm::dot(a[0], b[0]));
        }
    }
}

} // namespace

Placement placement_of(const JointRows& joint, const BodyMotion& a, const BodyMotion& b) {
    Placement p;
    p.arm_a = rotate(a.delta_rotation, joint.start_arm_a);
    p.arm_b = rotate(b.delta_rotation, joint.start_arm_b);
    p.offset = joint.start_offset + (b.delta_position - a.delta_position) + (p.arm_b - joint.start_arm_b) -
               (p.arm_a - joint.start_arm_a);
    p.frame_a = a.delta_rotation * joint.start_frame_a;
    p.frame_b = b.delta_rotation * joint.start_frame_b;
    p.z_a = rotate(p.frame_a, Vec3(0, 0, 1));
    p.z_b = rotate(p.frame_b, Vec3(0, 0, 1));
    const auto x_of = [](const Quat& frame) { return rotate(frame, Vec3(1, 0, 0)); };
    const auto y_of = [](const Quat& frame) { return rotate(frame, Vec3(0, 1, 0)); };
    const auto put = [&p](std::size_t row, const Vec3& error) {
        p.error[row] = error.x;
        p.error[row + 1] = error.y;
        p.error[row + 2] = error.z;
    };
    switch (joint.kind) {
    case JointKind::ball:
        put(0, p.offset);
        p.position = joint.has_limits ? twist(p.frame_a, p.frame_b) : 0.0f;
        break;
    case JointKind::universal:
        put(0, p.offset);
        p.error[3] = glm::dot(x_of(p.frame_a), y_of(p.frame_b));
        break;
    case JointKind::gear:
        p.turn_a = turn_about(p.z_a, a.delta_rotation, joint.turn_a);
        p.turn_b = turn_about(p.z_b, b.delta_rotation, joint.turn_b);
        p.error[0] = p.position = joint.start_position + p.turn_a + joint.ratio * p.turn_b;
        break;
    case JointKind::rack:
        p.turn_a = turn_about(p.z_a, a.delta_rotation, joint.turn_a);
        p.error[0] = p.position =
            joint.start_position + glm::dot(p.z_b, b.delta_position - a.delta_position) - joint.ratio * p.turn_a;
        break;
    case JointKind::pulley:
        p.position = glm::length(a.delta_position + p.arm_a - joint.ground_a) +
                     joint.ratio * glm::length(b.delta_position + p.arm_b - joint.ground_b);
        break;
    case JointKind::hinge: {
        put(0, p.offset);
        // For axes that point against each other the way back is a free choice.
        const Vec3 x = x_of(p.frame_a);
        Vec3 tilt = glm::cross(p.z_a, p.z_b);
        if (glm::dot(p.z_a, p.z_b) < 0.0f) {
            tilt = normalized_or(tilt, x);
        }
        p.error[3] = glm::dot(x, tilt);
        p.error[4] = glm::dot(y_of(p.frame_a), tilt);
        p.position = unwrapped(twist(p.frame_a, p.frame_b), joint.position);
        break;
    }
    case JointKind::slider:
        p.error[0] = glm::dot(x_of(p.frame_a), p.offset);
        p.error[1] = glm::dot(y_of(p.frame_a), p.offset);
        put(2, rotation_error(p.frame_a, p.frame_b));
        p.position = glm::dot(p.z_a, p.offset);
        break;
    case JointKind::weld:
        put(0, p.offset);
        put(3, rotation_error(p.frame_a, p.frame_b));
        break;
    case JointKind::distance:
        p.position = glm::length(p.offset);
        p.error[0] = p.position - joint.length;
        break;
    case JointKind::six_dof:
        if (!joint.locks_body) {
            place_axes(joint, p);
        }
        break;
    }
    return p;
}

float joint_position(JointKind kind, const Transform& frame_a, const Transform& frame_b, float near) {
    const Vec3 offset = frame_b.position - frame_a.position;
    const Vec3 z_a = rotate(frame_a.orientation, Vec3(0, 0, 1));
    const Vec3 z_b = rotate(frame_b.orientation, Vec3(0, 0, 1));
    switch (kind) {
    case JointKind::ball:
    case JointKind::universal:
        return plane_angle(glm::length(glm::cross(z_a, z_b)), glm::dot(z_a, z_b));
    case JointKind::hinge:
        return unwrapped(twist(frame_a.orientation, frame_b.orientation), near);
    case JointKind::slider:
        return glm::dot(z_a, offset);
    case JointKind::weld:
        return 0.0f;
    case JointKind::gear:
    case JointKind::rack:
    case JointKind::pulley:
        return near;
    case JointKind::distance:
    case JointKind::six_dof:
        return glm::length(offset);
    }
    return 0.0f;
}

} // namespace cairn::physics
