#include "physics/solver/joints/rows/joint_factors.h"

#include "physics/solver/joints/rows/joint_row.h"

#include <algorithm>

namespace cairn::physics {

namespace {

// Where an entry of a lower triangle lies, row by row.
constexpr std::size_t packed(std::size_t row, std::size_t column) {
    return row * (row + 1) / 2 + column;
}

const std::array<float, 21>& factors_of(JointRows& joint) {
    if (!joint.own.factored) {
        const auto n = static_cast<std::size_t>(joint.count);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                joint.own.factors[packed(i, j)] = compliance(joint, joint.rows[i], joint.rows[j]);
            }
        }
        factorise_ldlt<packed>(joint.own.factors, n);
        joint.own.factored = true;
    }
    return joint.own.factors;
}

float held_mass(JointRows& joint, const JointRow& row) {
    std::array<float, 6> coupled{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count); ++i) {
        coupled[i] = compliance(joint, joint.rows[i], row);
    }
    const std::array<float, 6> taken = solve_alone(joint, coupled);
    float answer = compliance(joint, row, row);
    const float least = 1e-6f * answer; // rounding must not make it negative
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count); ++i) {
        answer -= coupled[i] * taken[i];
    }
    answer = std::max(answer, least);
    return answer > 0.0f ? 1.0f / answer : 0.0f;
}

float known_mass(JointRows& joint, float& mass, const JointRow& row) {
    if (mass == OwnMasses::unknown) {
        mass = held_mass(joint, row);
    }
    return mass;
}

} // namespace

std::array<float, 6> solve_alone(JointRows& joint, std::array<float, 6> x) {
    solve_ldlt<packed>(factors_of(joint), x.data(), static_cast<std::size_t>(joint.count));
    return x;
}

float axis_mass(JointRows& joint) {
    return known_mass(joint, joint.own.axis, joint.axis);
}

float spring_mass(JointRows& joint) {
    switch (joint.kind) {
    case JointKind::distance:
        return 1.0f / (joint.inverse_mass_a + joint.inverse_mass_b);
    case JointKind::pulley:
        return 1.0f / (joint.inverse_mass_a + joint.ratio * joint.ratio * joint.inverse_mass_b);
    default:
        return axis_mass(joint);
    }
}

Mat3 block_mass(const JointRows& joint) {
    return joint.kind == JointKind::ball ? Mat3(1.0f / (joint.inverse_mass_a + joint.inverse_mass_b))
                                         : inverse_of(joint.block_compliance);
}

float cone_mass(JointRows& joint) {
    return known_mass(joint, joint.own.cone, joint.cone_row);
}

float row_mass(JointRows& joint, std::size_t row) {
    return known_mass(joint, joint.own.rows[row], joint.rows[row]);
}

} // namespace cairn::physics
