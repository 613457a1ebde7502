// The solves of a component whose matrix has been factored.
#include "physics/solver/joints/rows/joint_factors.h"
#include "physics/solver/joints/rows/passes/held_rows.h"
#include "physics/solver/joints/system/joint_system.h"

#include <algorithm>

namespace cairn::physics {

using glm::dvec3;

// Calls visit(joint, row, column, entry) for all entries of the factors below the joint of this rank.
template <class Visit>
void JointSystem::for_entries(std::uint32_t rank, Visit&& visit) const {
    const Front& front = fronts_[rank];
    const std::size_t columns = rows_of_[order_[rank]], stride = most_rows_[order_[rank]];
    for (std::uint32_t m = 0; m < front.count; ++m) {
        const std::uint32_t i = met_[front.begin + m];
        const double* const l = &below_[met_blocks_[front.begin + m]];
        for (std::size_t r = 0; r < rows_of_[i]; ++r) {
            for (std::size_t q = 0; q < columns; ++q) {
                visit(i, r, q, l[r * stride + q]);
            }
        }
    }
}

// Takes out of each joint's unknowns what those before it have, and calls divide(joint, rows) when they are done:
// before those after it ask for them.
template <class Divide>
void JointSystem::eliminate_forwards(const Part& part, Divide&& divide) {
    for (std::uint32_t rank = part.first_rank; rank < part.end_rank; ++rank) {
        const std::uint32_t k = order_[rank];
        for_entries(rank, [&](std::uint32_t i, std::size_t r, std::size_t q, double l) {
            unknown_[i][r] -= l * unknown_[k][q];
        });
        divide(k, rows_of_[k]);
    }
}

// With A the matrix of the rigid rows and b what the impulse does to their speeds, b A^-1 b less than of the row alone.
double JointSystem::compliance(std::size_t component, std::span<const JointRows> joints, const JointRows& joint,
                               const JointRow& row) {
    const Part& part = parts_[component];
    const BodyChange of_a{-static_cast<double>(joint.inverse_mass_a) * dvec3(row.linear - row.linear_a),
                          dvec3(row.turn_a)};
    const BodyChange of_b{static_cast<double>(joint.inverse_mass_b) * dvec3(row.linear), dvec3(row.turn_b)};
    const auto change = [&](std::uint32_t motion) {
        return motion == 0                ? BodyChange{}
               : motion == joint.motion_a ? of_a
               : motion == joint.motion_b ? of_b
                                          : BodyChange{};
    };
    for (std::uint32_t rank = part.first_rank; rank < part.end_rank; ++rank) {
        const std::uint32_t i = order_[rank];
        const auto [motion_a, motion_b] = ends_of(joints[i]);
        const BodyChange a = change(motion_a), b = change(motion_b);
        for (std::size_t r = 0; r < rows_of_[i]; ++r) {
            const JointRow& other = row_together(joints[i], r);
            unknown_[i][r] = glm::dot(dvec3(other.linear), b.linear - a.linear) +
                             glm::dot(dvec3(other.linear_a), a.linear) + glm::dot(levers_[i][r].a, a.angular) +
                             glm::dot(levers_[i][r].b, b.angular);
        }
    }
    const double alone = glm::dot(dvec3(row.linear), of_b.linear - of_a.linear) +
                         glm::dot(dvec3(row.linear_a), of_a.linear) + glm::dot(dvec3(row.angular_a), of_a.angular) +
                         glm::dot(dvec3(row.angular_b), of_b.angular);
    double answered = 0.0;
    eliminate_forwards(part, [&](std::uint32_t k, std::size_t n) {
        Vector divided = unknown_[k];
        solve_ldlt<entry>(diagonal_[k], divided.data(), n);
        for (std::size_t q = 0; q < n; ++q) {
            answered += unknown_[k][q] * divided[q];
        }
    });
    return alone - answered;
}

void JointSystem::find_impulses(std::size_t component, std::span<const JointRows> joints,
                                std::span<const BodyMotion> motions, const JointSolverSettings& settings,
                                bool use_bias) {
    const Part& part = parts_[component];
    const std::span<const std::uint32_t> order =
        std::span(order_).subspan(part.first_rank, part.end_rank - part.first_rank);
    for (const std::uint32_t i : order) {
        const JointRows& joint = joints[i];
        const std::array<float, 6> wanted = wanted_change(joint, motions, settings, use_bias);
        std::copy(wanted.begin(), wanted.end(), unknown_[i].begin());
        if (use_bias) { // speeds always agree with each other, errors of position in a loop need not
            const std::size_t count = rows_of_[i];
            for (std::size_t r = 0; r < count; ++r) {
                for (std::size_t c = 0; c < count && has_position(joint, r); ++c) {
                    unknown_[i][r] -= soft_[i][entry(r, c)] * static_cast<double>(impulse_together(joint, c));
                }
            }
        }
    }
    eliminate_forwards(part,
                       [&](std::uint32_t k, std::size_t n) { solve_ldlt<entry>(diagonal_[k], unknown_[k].data(), n); });
    for (std::uint32_t rank = part.end_rank; rank-- > part.first_rank;) {
        const std::uint32_t k = order_[rank];
        for_entries(rank, [&](std::uint32_t i, std::size_t r, std::size_t q, double l) {
            unknown_[k][q] -= l * unknown_[i][r];
        });
    }
}

void JointSystem::solve(std::size_t component, std::span<const std::uint32_t> bodies, std::span<JointRows> joints,
                        std::span<BodyMotion> motions, const JointSolverSettings& settings, bool use_bias) {
    find_impulses(component, joints, motions, settings, use_bias);
    const Part& part = parts_[component];
    for (std::uint32_t rank = part.first_rank; rank < part.end_rank; ++rank) {
        const std::uint32_t i = order_[rank];
        for (std::size_t r = 0; r < rows_of_[i]; ++r) {
            add_impulse_together(joints[i], r, static_cast<float>(unknown_[i][r]));
        }
    }
    apply(component, bodies, joints, motions);
}

void JointSystem::warm_start(std::size_t component, std::span<const std::uint32_t> bodies,
                             std::span<const JointRows> joints, std::span<BodyMotion> motions) {
    const Part& part = parts_[component];
    for (std::uint32_t rank = part.first_rank; rank < part.end_rank; ++rank) {
        const std::uint32_t i = order_[rank];
        for (std::size_t r = 0; r < rows_of_[i]; ++r) {
            unknown_[i][r] = static_cast<double>(impulse_together(joints[i], r));
        }
    }
    apply(component, bodies, joints, motions);
}

// Impulses of a taut chain are far greater than what they leave of each other: they are summed up before they are
// rounded.
void JointSystem::apply(std::size_t component, std::span<const std::uint32_t> bodies, std::span<const JointRows> joints,
                        std::span<BodyMotion> motions) {
    const Part& part = parts_[component];
    for (const std::uint32_t motion : bodies) {
        changes_[motion] = {};
    }
    for (std::uint32_t rank = part.first_rank; rank < part.end_rank; ++rank) {
        const std::uint32_t i = order_[rank];
        const JointRows& joint = joints[i];
        const auto [a, b] = ends_of(joint);
        for (std::size_t r = 0; r < rows_of_[i]; ++r) {
            const double impulse = unknown_[i][r];
            const dvec3 linear = impulse * dvec3(row_together(joint, r).linear);
            if (a != 0) {
                const dvec3 of_a = linear - impulse * dvec3(row_together(joint, r).linear_a);
                changes_[a].linear -= static_cast<double>(joint.inverse_mass_a) * of_a;
                changes_[a].angular += impulse * levers_[i][r].turn_a;
            }
            if (b != 0) {
                changes_[b].linear += static_cast<double>(joint.inverse_mass_b) * linear;
                changes_[b].angular += impulse * levers_[i][r].turn_b;
            }
        }
    }
    for (const std::uint32_t motion : bodies) {
        motions[motion].linear_velocity = Vec3(dvec3(motions[motion].linear_velocity) + changes_[motion].linear);
        motions[motion].angular_velocity = Vec3(dvec3(motions[motion].angular_velocity) + changes_[motion].angular);
    }
}

} // namespace cairn::physics
