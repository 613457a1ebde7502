// The solves of a component whose matrix has been factored.
#include "physics/solver/joints/rows/passes/held_rows.h"
#include "physics/solver/joints/system/joint_system.h"

#include <algorithm>

namespace cairn::physics {

using glm::dvec3;

// With A the matrix of the rigid rows and b what the impulse does to their speeds, b A^-1 b less than of the row alone.
double JointSystem::compliance(std::size_t component, const JointRows& joint, const JointRow& row) {
    const Part& part = parts_[component];
    const auto mass_a = static_cast<double>(joint.inverse_mass_a), mass_b = static_cast<double>(joint.inverse_mass_b);
    const dvec3 pushed_a = mass_a * dvec3(row.linear_a - row.linear), pushed_b = mass_b * dvec3(row.linear);
    const dvec3 turned_a(row.turn_a), turned_b(row.turn_b);
    for (std::uint32_t rank = part.first_rank; rank < part.end_rank; ++rank) {
        LaneJoint& other = lanes_[rank];
        other.unknown.fill(0.0);
        const auto add = [&](const std::array<SixLanes, 6>& factors, const dvec3& pushed, const dvec3& turned) {
            for (int c = 0; c < 3; ++c) {
                const auto i = static_cast<std::size_t>(c);
                for (std::size_t r = 0; r < other.rows; ++r) {
                    other.unknown[r] += factors[i][r] * pushed[c] + factors[i + 3][r] * turned[c];
                }
            }
        };
        const auto add_end = [&](bool is_pushed, std::uint32_t motion, const std::array<SixLanes, 6>& factors) {
            if (is_pushed && motion == joint.motion_a) {
                add(factors, pushed_a, turned_a);
            } else if (is_pushed && motion == joint.motion_b) {
                add(factors, pushed_b, turned_b);
            }
        };
        add_end(other.pushed_a, other.motion_a, other.of_a);
        add_end(other.pushed_b, other.motion_b, other.of_b);
    }
    const double alone = glm::dot(dvec3(row.linear), pushed_b - pushed_a) + glm::dot(dvec3(row.linear_a), pushed_a) +
                         glm::dot(dvec3(row.angular_a), turned_a) + glm::dot(dvec3(row.angular_b), turned_b);
    return alone - square_of_unknowns(matrix_of(part));
}

void JointSystem::find_impulses(std::size_t component, std::span<const JointRows> joints,
                                std::span<const BodyMotion> motions, const JointSolverSettings& settings,
                                bool use_bias) {
    const Part& part = parts_[component];
    for (std::uint32_t rank = part.first_rank; rank < part.end_rank; ++rank) {
        const JointRows& joint = joints[order_[rank]];
        LaneJoint& lanes = lanes_[rank];
        const std::array<float, 6> wanted = wanted_speeds(joint, settings, use_bias);
        for (std::size_t r = 0; r < lanes.rows; ++r) {
            lanes.unknown[r] = static_cast<double>(wanted[r]);
            // Speeds always agree with each other; errors of position in a loop need not, and give way.
            if (is_spring(joint, r) ? !joint.relaxes : use_bias && has_position(joint, r)) {
                for (std::size_t c = 0; c < lanes.rows; ++c) {
                    lanes.unknown[r] -= lanes.give[r][c] * static_cast<double>(impulse_together(joint, c));
                }
            }
        }
        std::fill(lanes.unknown.begin() + lanes.rows, lanes.unknown.end(), 0.0);
    }
    cairn::physics::find_impulses(matrix_of(part), motions);
}

void JointSystem::solve(std::size_t component, std::span<const std::uint32_t> bodies, std::span<JointRows> joints,
                        std::span<BodyMotion> motions, const JointSolverSettings& settings, bool use_bias) {
    find_impulses(component, joints, motions, settings, use_bias);
    const Part& part = parts_[component];
    for (std::uint32_t rank = part.first_rank; rank < part.end_rank; ++rank) {
        for (std::size_t r = 0; r < lanes_[rank].rows; ++r) {
            add_impulse_together(joints[order_[rank]], r, static_cast<float>(lanes_[rank].unknown[r]));
        }
    }
    apply(component, bodies, motions);
}

void JointSystem::warm_start(std::size_t component, std::span<const std::uint32_t> bodies,
                             std::span<const JointRows> joints, std::span<BodyMotion> motions) {
    const Part& part = parts_[component];
    for (std::uint32_t rank = part.first_rank; rank < part.end_rank; ++rank) {
        for (std::size_t r = 0; r < lanes_[rank].rows; ++r) {
            lanes_[rank].unknown[r] = static_cast<double>(impulse_together(joints[order_[rank]], r));
        }
    }
    apply(component, bodies, motions);
}

void JointSystem::apply(std::size_t component, std::span<const std::uint32_t> bodies, std::span<BodyMotion> motions) {
    apply_impulses(matrix_of(parts_[component]), bodies, changes_, motions);
}

} // namespace cairn::physics
