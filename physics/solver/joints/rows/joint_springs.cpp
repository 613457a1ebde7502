#include "physics/solver/joints/rows/joint_springs.h"

#include "physics/base/bytes.h"
#include "physics/solver/joints/rows/joint_axes.h"
#include "physics/solver/joints/rows/joint_factors.h"
#include "physics/solver/joints/rows/joint_row.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cairn::physics {

namespace {

// (h omega)^2, up to which the motion of an undamped spring is followed: h omega = 1/2.
constexpr float most_resolved = 0.25f;

float square(float x) {
    return x * x;
}

// Velocity of the row by a unit impulse, of one body alone, 1/kg or alike.
float compliance_of_a(const JointRows& joint, const JointRow& row) {
    const Vec3 linear = row.linear_a - row.linear;
    return joint.inverse_mass_a * glm::dot(linear, linear) + glm::dot(row.angular_a, row.turn_a);
}

float compliance_of_b(const JointRows& joint, const JointRow& row) {
    return joint.inverse_mass_b * glm::dot(row.linear, row.linear) + glm::dot(row.angular_b, row.turn_b);
}

// 1/kg, of the body's point at `arm`, no less than in any direction.
float compliance_of_point(float inverse_mass, const SymmetricMat3& inverse_inertia, const Vec3& arm) {
    float most = 0.0f;
    for (const Vec3& axis : world_axes) {
        const Vec3 moved = glm::cross(inverse_inertia * glm::cross(arm, axis), arm);
        most = std::max(most, std::abs(moved.x) + std::abs(moved.y) + std::abs(moved.z));
    }
    return inverse_mass + most;
}

// One spring of a joint: (rad/s)^2 of the swing that it makes alone, and of that of each body were the other fixed.
struct Swing {
    std::size_t index = 0; // in JointRows::springs
    float hertz = 0.0f, damping_ratio = 0.0f;
    float own = 0.0f, of_a = 0.0f, of_b = 0.0f;
    float moved_by_mass = 1.0f; // 1 if the bodies move as the spring's stiffness presumes, less if they also turn
};

template <class Task>
void for_springs(JointRows& joint, const Task& task) {
    const auto each = [&](std::size_t index, float hertz, float damping_ratio, float mass, float moved, float of_a,
                          float of_b) {
        const float stiffness = square(2.0f * std::numbers::pi_v<float> * hertz) * mass;
        task(Swing{index, hertz, damping_ratio, stiffness / moved, stiffness * of_a, stiffness * of_b,
                   std::min(moved / mass, 1.0f)});
    };
    const auto along = [&](std::size_t index, float hertz, float damping_ratio, float mass, float moved,
                           const JointRow& row) {
        each(index, hertz, damping_ratio, mass, moved, compliance_of_a(joint, row), compliance_of_b(joint, row));
    };
    if (has_soft_block(joint) && joint.kind == JointKind::ball) {
        const float of_a = compliance_of_point(joint.inverse_mass_a, joint.inverse_inertia_a, joint.arm_a);
        const float of_b = compliance_of_point(joint.inverse_mass_b, joint.inverse_inertia_b, joint.arm_b);
        each(0, joint.spring_hertz, joint.spring_damping_ratio, 1.0f / (joint.inverse_mass_a + joint.inverse_mass_b),
             1.0f / (of_a + of_b), of_a, of_b);
    } else if (has_soft_block(joint)) { // in each direction as stiff as what turns in it makes it
        const SymmetricMat3 &a = joint.inverse_inertia_a, &b = joint.inverse_inertia_b;
        const float of_a = a.xx + a.yy + a.zz, of_b = b.xx + b.yy + b.zz;
        each(0, joint.spring_hertz, joint.spring_damping_ratio, 1.0f, 1.0f, of_a / (of_a + of_b), of_b / (of_a + of_b));
    } else if (joint.has_spring) {
        along(0, joint.spring_hertz, joint.spring_damping_ratio, spring_mass(joint), axis_mass(joint), joint.axis);
    }
    if (joint.acted == 0) {
        return;
    }
    const AxisOrder order = order_of(joint.axes);
    for (int k = order.locked; k < order.all; ++k) {
        const auto row = static_cast<std::size_t>(k);
        const JointAxis& axis = joint.axes[order.axis[row]];
        if (axis.mode == JointAxis::Mode::spring) {
            const float mass = row_mass(joint, row);
            along(row, axis.spring.hertz, axis.spring.damping_ratio, mass, mass, joint.rows[row]);
        }
    }
}

// What is resolved of a swing that a spring makes alone with (h omega)^2 = `own`: the share of its stiffness that may
// act at the position before the substep. Of a spring that also turns its bodies the arms go round meanwhile: `moved`,
// `mass` as below.
float resolved_share(float own, float moved_by_mass) {
    return std::min(1.0f, most_resolved * moved_by_mass / own);
}

} // namespace

// With K the diagonal matrix of stiffnesses, as far as they act before the substep, and A that of compliances, the
// fastest swing of all has the greatest eigenvalue of K^1/2 A K^1/2 as w^2, which is no more than the greatest sum of a
// row's absolute values (Gershgorin); of each of these, Cauchy and Schwarz have a bound that takes two passes over the
// springs.
void JointSprings::state(std::span<JointRows> rows, std::span<const std::uint32_t> list, float h) {
    bool any = false;
    const auto for_pulls = [&](const JointRows& joint, const Swing& swing, const auto& task) {
        const float share = resolved_share(h * h * swing.own, swing.moved_by_mass);
        if (joint.inverse_mass_a > 0.0f) {
            task(pulls_[joint.motion_a], std::sqrt(share * swing.of_a));
        }
        if (joint.inverse_mass_b > 0.0f) {
            task(pulls_[joint.motion_b], std::sqrt(share * swing.of_b));
        }
        return share;
    };
    for (const std::uint32_t i : list) {
        for_springs(rows[i], [&](const Swing& swing) {
            any = true;
            for_pulls(rows[i], swing, [](float& sum, float pull) { sum += pull; });
        });
    }
    if (!any) {
        return;
    }
    for (const std::uint32_t i : list) {
        JointRows& joint = rows[i];
        for_springs(joint, [&](const Swing& swing) {
            float others = 0.0f;
            const float alone = for_pulls(joint, swing, [&](float sum, float pull) { others += pull * (sum - pull); });
            const float own = h * h * swing.own, all = alone * own + h * h * std::max(others, 0.0f);
            const float share = alone * std::min(1.0f, most_resolved * swing.moved_by_mass / all);
            SpringTerms& terms = joint.springs[swing.index];
            terms = make_spring(swing.hertz, swing.damping_ratio, h, own, share);
            terms.swing = share * std::min(all, most_resolved);
        });
    }
    for (const std::uint32_t i : list) {
        for_springs(rows[i],
                    [&](const Swing& swing) { for_pulls(rows[i], swing, [](float& sum, float) { sum = 0.0f; }); });
    }
}

// A force that is taken at the position x before the substep gives k x v h where the spring stores k x^2 / 2. The
// difference is greatest at x = v h: the kinetic energy times (h w)^2. It comes back within the swing. Of a spring that
// is taken ahead only the rest of its force acts so.
JointSprings::Work JointSprings::work_of(JointRows& joint, float h) {
    Work work;
    for_springs(joint, [&](const Swing& swing) {
        float stored = 0.0f; // by a spring of 1 rad/s
        if (has_soft_block(joint)) {
            stored = 0.5f * glm::dot(joint.block_error, block_mass(joint) * joint.block_error);
        } else if (joint.has_spring) {
            stored = 0.5f * spring_mass(joint) * square(joint.position - joint.spring_target);
        } else {
            const float target = joint.axes[order_of(joint.axes).axis[swing.index]].spring.target;
            stored = 0.5f * row_mass(joint, swing.index) * square(joint.error[swing.index] - target);
        }
        const float at_once = std::min(1.0f, square(most_taken_back_at_once / h) / swing.own);
        work.stored += static_cast<double>(square(2.0f * std::numbers::pi_v<float> * swing.hertz) * stored * at_once);
        work.swing = std::max(work.swing, static_cast<double>(joint.springs[swing.index].swing));
    });
    return work;
}

std::size_t JointSprings::memory_bytes() const {
    return bytes_of(pulls_);
}

} // namespace cairn::physics
