#include "physics/solver/joints/rows/joint_factors.h"

#include "physics/solver/joints/rows/joint_row.h"

#include <algorithm>

namespace cairn::physics {

namespace {

constexpr std::size_t packed(int row, int column) {
    return static_cast<std::size_t>(row * (row + 1) / 2 + column);
}

} // namespace

void factorise(JointRows& joint) {
    std::array<float, 21>& f = joint.factors;
    for (int i = 0; i < joint.count; ++i) {
        const JointRow& row = joint.rows[static_cast<std::size_t>(i)];
        std::array<float, 6> scaled{}; // row i of L D
        float pivot = compliance(joint, row, row);
        for (int j = 0; j < i; ++j) {
            float value = compliance(joint, row, joint.rows[static_cast<std::size_t>(j)]);
            for (int k = 0; k < j; ++k) {
                value -= scaled[static_cast<std::size_t>(k)] * f[packed(j, k)];
            }
            scaled[static_cast<std::size_t>(j)] = value;
            f[packed(i, j)] = value * f[packed(j, j)];
            pivot -= value * f[packed(i, j)];
        }
        f[packed(i, i)] = 1.0f / pivot;
    }
}

std::array<float, 6> solve_factored(const JointRows& joint, std::array<float, 6> x) {
    const std::array<float, 21>& f = joint.factors;
    const auto at = [&x](int i) -> float& { return x[static_cast<std::size_t>(i)]; };
    for (int i = 1; i < joint.count; ++i) {
        for (int k = 0; k < i; ++k) {
            at(i) -= f[packed(i, k)] * at(k);
        }
    }
    for (int i = joint.count - 1; i >= 0; --i) {
        at(i) *= f[packed(i, i)];
        for (int k = i + 1; k < joint.count; ++k) {
            at(i) -= f[packed(k, i)] * at(k);
        }
    }
    return x;
}

float held_mass(const JointRows& joint, const JointRow& row) {
    std::array<float, 6> coupled{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count); ++i) {
        coupled[i] = compliance(joint, joint.rows[i], row);
    }
    const std::array<float, 6> taken = solve_factored(joint, coupled);
    float answer = compliance(joint, row, row);
    const float least = 1e-6f * answer; // rounding must not make it negative
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count); ++i) {
        answer -= coupled[i] * taken[i];
    }
    answer = std::max(answer, least);
    return answer > 0.0f ? 1.0f / answer : 0.0f;
}

} // namespace cairn::physics
