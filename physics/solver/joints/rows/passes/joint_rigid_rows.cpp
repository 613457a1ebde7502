// The rows by which a joint holds: their errors are taken back, and nothing else gives way.
#include "physics/solver/joints/rows/joint_axes.h"
#include "physics/solver/joints/rows/joint_factors.h"
#include "physics/solver/joints/rows/joint_placement.h"
#include "physics/solver/joints/rows/joint_row.h"
#include "physics/solver/joints/rows/passes/held_rows.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

void warm_start_rigid_rows(const JointRows& joint, std::span<BodyMotion> motions) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count); ++i) {
        apply(joint, joint.rows[i], joint.impulses.rigid[i], motions[joint.motion_a], motions[joint.motion_b]);
    }
}

float note_arcs(JointRows& joint, std::span<const BodyMotion> motions, const BodyMotion& end_a, const BodyMotion& end_b,
                float h) {
    if (joint.locks_body) { // holds no place
        return 0.0f;
    }
    const BodyMotion& a = motions[joint.motion_a];
    const BodyMotion& b = motions[joint.motion_b];
    const Placement end = placement_of(joint, end_a, end_b);
    float most = 0.0f;
    const auto count = static_cast<std::size_t>(joint.count);
    for (std::size_t i = 0; i < count + static_cast<std::size_t>(joint.acted); ++i) {
        const float change = end.error[i] - joint.error[i];
        const bool angle = i >= count && joint.rows[i].linear == Vec3(0.0f);
        const float bend = (angle ? unwrapped(change, 0.0f) : change) / h - speed(joint.rows[i], a, b);
        most = std::max(most, std::abs(bend - joint.bend.rigid[i]));
        joint.bend.rigid[i] = bend;
    }
    const float change = end.position - joint.position;
    const bool wraps = joint.kind == JointKind::ball;
    const float bend = (wraps ? unwrapped(change, 0.0f) : change) / h - speed(joint.axis, a, b);
    if (is_held(joint, HeldRow::Kind::spring)) {
        most = std::max(most, std::abs(bend - joint.bend.axis));
    }
    joint.bend.axis = bend;
    if (is_held(joint, HeldRow::Kind::soft_block)) {
        const bool point = joint.kind == JointKind::ball;
        const Vec3 after = point ? end.offset : rotation_error(end.frame_a, end.frame_b);
        const Vec3 rate = point ? origin_velocity(joint, a, b) : b.angular_velocity - a.angular_velocity;
        joint.bend.block = (after - joint.block_error) / h - rate;
    }
    return most;
}

namespace {

// The speeds by which the rows bring their joint back together.
std::array<float, 6> taken_back(const JointRows& joint, float rate) {
    std::array<float, 6> errors{}, speeds{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count); ++i) {
        errors[i] = rate * joint.error[i];
    }
    const auto add = [&speeds](const std::array<float, 6>& wanted, std::size_t begin, std::size_t end) {
        float length2 = 0.0f;
        for (std::size_t i = begin; i < end; ++i) {
            length2 += wanted[i] * wanted[i];
        }
        const bool held = length2 > most_taken_back * most_taken_back;
        const float scale = held ? most_taken_back / std::sqrt(length2) : 1.0f;
        for (std::size_t i = begin; i < end; ++i) {
            speeds[i] += held ? wanted[i] * scale : wanted[i];
        }
    };
    const auto count = static_cast<std::size_t>(joint.count);
    const std::size_t lengths = joint.kind == JointKind::six_dof
                                    ? static_cast<std::size_t>(order_of(joint.axes).lengths)
                                    : std::min<std::size_t>(count, joint.kind == JointKind::slider ? 2 : 3);
    add(errors, 0, lengths);
    add(errors, lengths, count);
    add(joint.bend.rigid, 0, lengths);
    add(joint.bend.rigid, lengths, count);
    return speeds;
}

} // namespace

std::array<float, 6> wanted_speeds(const JointRows& joint, const JointSolverSettings& settings, bool use_bias) {
    std::array<float, 6> speeds{};
    if (use_bias) {
        speeds = taken_back(joint, settings.softness.bias_rate);
        for (float& each : speeds) {
            each = -each;
        }
    }
    for (std::size_t i = static_cast<std::size_t>(joint.count); i < rows_together(joint); ++i) {
        const HeldRow& held = joint.held[i - static_cast<std::size_t>(joint.count)];
        speeds[i] = held_speed(joint, held, settings, use_bias);
    }
    return speeds;
}

void solve_rigid_rows(JointRows& joint, std::span<BodyMotion> motions, const JointSolverSettings& settings,
                      bool use_bias) {
    std::array<float, 6> change = wanted_speeds(joint, settings, use_bias);
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count); ++i) {
        change[i] -= speed(joint.rows[i], motions[joint.motion_a], motions[joint.motion_b]);
    }
    std::array<float, 6> impulses = solve_alone(joint, change);
    if (use_bias) {
        for (std::size_t i = 0; i < impulses.size(); ++i) {
            impulses[i] =
                settings.softness.mass_scale * impulses[i] - settings.softness.impulse_scale * joint.impulses.rigid[i];
        }
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count); ++i) {
        apply(joint, joint.rows[i], impulses[i], motions[joint.motion_a], motions[joint.motion_b]);
        joint.impulses.rigid[i] += impulses[i];
    }
}

float speed_back(const JointRows& joint, const JointSolverSettings& settings) {
    const float reach = std::max(glm::length(joint.arm_a), glm::length(joint.arm_b));
    float square = 0.0f; // turns move what is as far away as the pivot
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count); ++i) {
        const bool turns = joint.rows[i].linear == Vec3(0.0f);
        const float error = joint.error[i] * (turns ? reach : 1.0f);
        square += error * error;
    }
    if (joint.has_limits) {
        const bool turns = joint.axis.linear == Vec3(0.0f);
        const float error = std::max({joint.limits.lower - joint.position, joint.position - joint.limits.upper, 0.0f}) *
                            (turns ? reach : 1.0f);
        square += error * error;
    }
    return std::min(settings.softness.bias_rate * std::sqrt(square), most_taken_back);
}

} // namespace cairn::physics
