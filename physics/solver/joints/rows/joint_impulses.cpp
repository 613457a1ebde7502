// What the impulses of a joint come to.
#include "physics/solver/joints/rows/joint_axes.h"
#include "physics/solver/joints/rows/joint_rows.h"

namespace cairn::physics {

JointImpulses scaled(const JointImpulses& impulses, float share) {
    if (share == 1.0f) {
        return impulses;
    }
    JointImpulses result = impulses;
    for (float& impulse : result.rigid) {
        impulse *= share;
    }
    for (float* impulse : {&result.motor, &result.spring, &result.lower, &result.upper, &result.cone}) {
        *impulse *= share;
    }
    result.soft_block *= share;
    result.brake *= share;
    return result;
}

JointImpulses blended(const JointImpulses& from, const JointImpulses& to, float share) {
    JointImpulses result = scaled(to, share);
    const JointImpulses rest = scaled(from, 1.0f - share);
    for (std::size_t i = 0; i < rest.rigid.size(); ++i) {
        result.rigid[i] += rest.rigid[i];
    }
    result.motor += rest.motor;
    result.spring += rest.spring;
    result.lower += rest.lower;
    result.upper += rest.upper;
    result.cone += rest.cone;
    result.soft_block += rest.soft_block;
    result.brake += rest.brake;
    return result;
}

Vec3 pull_of(const JointInput& joint) {
    const std::array<float, 6>& rigid = joint.impulses.rigid;
    const float axis = joint.impulses.along_axis();
    switch (joint.kind) {
    case JointKind::ball:
        return joint.has_spring ? joint.impulses.soft_block : Vec3(rigid[0], rigid[1], rigid[2]);
    case JointKind::hinge:
    case JointKind::weld:
    case JointKind::universal:
        return {rigid[0], rigid[1], rigid[2]};
    case JointKind::gear:
    case JointKind::rack:
    case JointKind::pulley: // not a point of one body held to a point of the other
        return Vec3(0.0f);
    case JointKind::slider: // two rows across the axis
        return rotate(joint.start_frame_a, Vec3(rigid[0], rigid[1], axis));
    case JointKind::distance:
        return (rigid[0] + axis) * normalized_or(joint.start_offset, Vec3(0.0f));
    case JointKind::six_dof: {
        const AxisOrder order = order_of(joint.axes);
        Vec3 pull(0.0f);
        for (std::size_t k = 0; k < static_cast<std::size_t>(order.all); ++k) {
            if (order.axis[k] < 3) {
                pull[order.axis[k]] = rigid[k];
            }
        }
        return rotate(joint.start_frame_a, pull);
    }
    }
    return Vec3(0.0f);
}

void accumulate(std::span<JointRows> joints) {
    for (JointRows& joint : joints) {
        const JointImpulses& impulses = joint.impulses;
        const auto add = [&joint](const JointRow& row, float impulse) {
            joint.step_force += impulse * row.linear;
            if (row.linear == Vec3(0.0f)) { // of the others the force already tells
                joint.step_torque += impulse * row.angular_b;
            }
        };
        for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count + joint.acted); ++i) {
            add(joint.rows[i], impulses.rigid[i]);
        }
        add(joint.axis, impulses.along_axis());
        if (joint.has_cone) {
            add(joint.cone_row, impulses.cone);
        }
        joint.step_torque += impulses.brake;
        (joint.kind == JointKind::ball ? joint.step_force : joint.step_torque) += impulses.soft_block;
    }
}

} // namespace cairn::physics
