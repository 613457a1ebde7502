// What follows the bodies: a joint's rows, their errors and masses.
#include "physics/solver/joints/rows/joint_axes.h"
#include "physics/solver/joints/rows/joint_factors.h"
#include "physics/solver/joints/rows/joint_placement.h"
#include "physics/solver/joints/rows/joint_row.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::physics {

namespace {

void add_row(JointRows& joint, const JointRow& row) {
    const auto i = static_cast<std::size_t>(joint.count++);
    joint.rows[i] = row;
    finish(joint, joint.rows[i]);
}

void add_point_rows(JointRows& joint) {
    for (const Vec3& axis : world_axes) {
        add_row(joint, point_row(joint, axis));
    }
}

// The row that keeps A's X axis at right angles to B's Y axis.
void add_cross_row(JointRows& joint, const Quat& frame_a, const Quat& frame_b) {
    const Vec3 x = rotate(frame_a, Vec3(1, 0, 0));
    const Vec3 y = rotate(frame_b, Vec3(0, 1, 0));
    add_row(joint, turn_row(glm::cross(y, x)));
}

void add_turn_rows(JointRows& joint) {
    for (const Vec3& axis : world_axes) {
        add_row(joint, turn_row(axis));
    }
}

void follow_cone(JointRows& joint, const Vec3& z_a, const Vec3& z_b) {
    const Vec3 normal = glm::cross(z_a, z_b);
    joint.cone_row = turn_row(-normalized_or(normal, any_perpendicular(z_a)));
    finish(joint, joint.cone_row);
    joint.cone_room = joint.cone - plane_angle(glm::length(normal), glm::dot(z_a, z_b));
}

// Moves the twist of B against A. As the swing of the Z axes comes near to a half turn the twist loses its meaning, and
// the row is held to a length of ten.
JointRow twist_row(const Vec3& z_a, const Vec3& z_b) {
    return turn_row((z_a + z_b) / std::max(1.0f + glm::dot(z_a, z_b), 0.1f));
}

// Velocity of B's origin against A's by a unit impulse there.
SymmetricMat3 point_compliance(const JointRows& joint) {
    std::array<JointRow, 3> rows;
    for (std::size_t i = 0; i < 3; ++i) {
        rows[i] = point_row(joint, world_axes[i]);
        finish(joint, rows[i]);
    }
    return {compliance(joint, rows[0], rows[0]), compliance(joint, rows[1], rows[1]),
            compliance(joint, rows[2], rows[2]), compliance(joint, rows[0], rows[1]),
            compliance(joint, rows[0], rows[2]), compliance(joint, rows[1], rows[2])};
}

void follow_axes(JointRows& joint, const Placement& p) {
    const Mat3 a = rotation_matrix(p.frame_a), b = rotation_matrix(p.frame_b);
    const AxisOrder order = order_of(joint.axes);
    const int locked_turns = order.locked - order.lengths;
    const Vec3 node = glm::cross(b[2], a[0]); // about which the second angle turns; as long as its cosine
    const Vec3 middle = normalized_or(node, a[1]);
    const float cosine = std::max(glm::length(node), 0.1f); // the angles lose their meaning at a quarter turn
    for (int k = 0; k < order.all; ++k) {
        const int axis = order.axis[static_cast<std::size_t>(k)];
        if (axis < 3) {
            add_row(joint, carried_row(joint, a[axis]));
        } else if (k < order.locked && locked_turns == 1) {
            const auto [mine, other] = crossed(axis - 3, a, joint.locks_body ? a : b);
            add_row(joint, turn_row(glm::cross(other, mine)));
        } else if (k < order.locked) {
            add_row(joint, turn_row(locked_turns == 3 ? world_axes[static_cast<std::size_t>(axis - 3)] : a[axis - 3]));
        } else if (locked_turns == 2) {
            add_row(joint, turn_row(a[axis - 3]));
        } else {
            add_row(joint, turn_row(axis == 3   ? glm::cross(middle, b[2]) / cosine
                                    : axis == 4 ? middle
                                                : glm::cross(a[0], middle) / cosine));
        }
    }
    joint.count = order.locked;
    joint.acted = order.all - order.locked;
}

void follow(JointRows& joint, const BodyMotion& a, const BodyMotion& b) {
    const Placement at = placement_of(joint, a, b);
    const Vec3 &z_a = at.z_a, &z_b = at.z_b;
    joint.arm_a = at.arm_a;
    joint.arm_b = at.arm_b;
    joint.offset = at.offset;
    joint.error = at.error;
    joint.position = at.position;
    joint.turn_a = at.turn_a;
    joint.turn_b = at.turn_b;
    joint.count = 0;
    joint.axis = turn_row(z_a);
    switch (joint.kind) {
    case JointKind::ball:
        if (joint.has_spring) {
            joint.block_error = joint.offset;
            joint.block_compliance = point_compliance(joint);
        } else {
            add_point_rows(joint);
        }
        if (joint.has_motor) {
            joint.brake_axis = z_a;
        }
        if (joint.has_limits) {
            joint.axis = twist_row(z_a, z_b);
        }
        if (joint.has_cone) {
            follow_cone(joint, z_a, z_b);
        }
        break;
    case JointKind::universal:
        add_point_rows(joint);
        add_cross_row(joint, at.frame_a, at.frame_b);
        if (joint.has_cone) {
            follow_cone(joint, z_a, z_b);
        }
        break;
    case JointKind::gear: {
        JointRow row;
        row.angular_a = z_a;
        row.angular_b = joint.ratio * z_b;
        add_row(joint, row);
        break;
    }
    case JointKind::rack: {
        JointRow row;
        row.linear = z_b;
        row.angular_a = -joint.ratio * z_a;
        add_row(joint, row);
        break;
    }
    case JointKind::pulley: {
        const Vec3 along_a = normalized_or(a.delta_position + joint.arm_a - joint.ground_a, -z_a);
        const Vec3 along_b = normalized_or(b.delta_position + joint.arm_b - joint.ground_b, -z_b);
        joint.axis.linear = joint.ratio * along_b;
        joint.axis.linear_a = along_a + joint.axis.linear;
        joint.axis.angular_a = glm::cross(joint.arm_a, along_a);
        joint.axis.angular_b = joint.ratio * glm::cross(joint.arm_b, along_b);
        break;
    }
    case JointKind::hinge:
        add_point_rows(joint);
        for (const Vec3& across : {Vec3(1, 0, 0), Vec3(0, 1, 0)}) { // these keep the Z axes together
            add_row(joint, turn_row(rotate(at.frame_a, across)));
        }
        break;
    case JointKind::slider:
        for (const Vec3& across : {Vec3(1, 0, 0), Vec3(0, 1, 0)}) {
            add_row(joint, carried_row(joint, rotate(at.frame_a, across)));
        }
        add_turn_rows(joint);
        joint.axis = carried_row(joint, z_a);
        break;
    case JointKind::weld:
        add_point_rows(joint);
        if (joint.has_spring) {
            joint.block_error = rotation_error(at.frame_a, at.frame_b);
            joint.block_compliance = joint.inverse_inertia_a + joint.inverse_inertia_b;
        } else {
            add_turn_rows(joint);
        }
        break;
    case JointKind::distance:
        joint.axis = point_row(joint, normalized_or(joint.offset, z_a));
        if (!joint.has_limits && !joint.has_spring && !joint.has_motor) { // a rod
            add_row(joint, joint.axis);
        }
        break;
    case JointKind::six_dof:
        joint.axis = JointRow{};
        follow_axes(joint, at);
        break;
    }
    finish(joint, joint.axis);
    joint.own = OwnMasses{};
}

} // namespace

int rigid_rows(const JointInput& joint) {
    switch (joint.kind) {
    case JointKind::ball:
        return joint.has_spring ? 0 : 3;
    case JointKind::hinge:
    case JointKind::slider:
        return 5;
    case JointKind::weld:
        return joint.has_spring ? 3 : 6;
    case JointKind::distance:
        return joint.has_limits || joint.has_spring || joint.has_motor ? 0 : 1;
    case JointKind::universal:
        return 4;
    case JointKind::gear:
    case JointKind::rack:
        return 1;
    case JointKind::pulley:
        return 0;
    case JointKind::six_dof:
        return order_of(joint.axes).locked;
    }
    return 0;
}

void refresh(JointRows& joint, std::span<const BodyMotion> motions, std::span<const BodyInertia> inertias) {
    joint.inverse_inertia_a = inertias[joint.motion_a].inverse;
    joint.inverse_inertia_b = inertias[joint.motion_b].inverse;
    follow(joint, motions[joint.motion_a], motions[joint.motion_b]);
}

} // namespace cairn::physics
