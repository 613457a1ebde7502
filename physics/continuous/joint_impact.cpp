#include "physics/continuous/joint_impact.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

using DVec3 = glm::dvec3;

constexpr int max_passes = 200;
constexpr double settled = 1e-4; // of the fastest closing speed: what a pass changes when it may be the last

} // namespace

void JointImpact::solve(std::span<const JointContact> contacts, std::span<const float> partings, bool friction,
                        std::span<ImpactBody> bodies) {
    sides_.clear();
    for (const ImpactBody& body : bodies) {
        sides_.emplace_back(body);
    }
    const auto relative_velocity = [this](const Row& row) {
        const ImpactSide& a = sides_[row.a];
        const ImpactSide& b = sides_[row.b];
        return (b.velocity + glm::cross(b.spin, row.arm_b)) - (a.velocity + glm::cross(a.spin, row.arm_a));
    };
    const auto push = [this](const Row& row, const DVec3& impulse) {
        sides_[row.a].push(row.arm_a, -impulse);
        sides_[row.b].push(row.arm_b, impulse);
    };
    rows_.clear();
    double fastest = 0.0;
    for (std::size_t j = 0; j < contacts.size(); ++j) {
        const JointContact& joint = contacts[j];
        for (int i = 0; i < joint.contact.count; ++i) {
            const DVec3 point(joint.contact.points[static_cast<std::size_t>(i)]);
            Row row;
            row.contact = static_cast<std::uint32_t>(j);
            row.a = joint.a;
            row.b = joint.b;
            row.arm_a = point - DVec3(bodies[joint.a].centre);
            row.arm_b = point - DVec3(bodies[joint.b].centre);
            row.n = DVec3(joint.contact.normal);
            row.t1 = DVec3(any_perpendicular(joint.contact.normal));
            row.t2 = glm::cross(row.n, row.t1);
            const auto mass = [&](const DVec3& d) {
                const double k = sides_[row.a].compliance(row.arm_a, d, d) + sides_[row.b].compliance(row.arm_b, d, d);
                return k > 0.0 ? 1.0 / k : 0.0;
            };
            row.normal_mass = mass(row.n);
            // Half of the softer direction's: the greatest compliance in the plane is at most the sum of both.
            const double mass_1 = mass(row.t1);
            const double mass_2 = mass(row.t2);
            row.tangent_mass = mass_1 + mass_2 > 0.0 ? mass_1 * mass_2 / (mass_1 + mass_2) : 0.0;
            row.friction = friction ? double(joint.contact.friction) : 0.0;
            row.parting = partings.empty() ? 0.0 : double(partings[j]);
            fastest = std::max(fastest, row.parting - glm::dot(relative_velocity(row), row.n));
            rows_.push_back(row);
        }
    }
    for (int pass = 0; pass < max_passes; ++pass) {
        double largest = 0.0;
        for (Row& row : rows_) {
            const double lack = row.parting - glm::dot(relative_velocity(row), row.n);
            const double next = std::max(row.normal + row.normal_mass * lack, 0.0);
            const double applied = next - row.normal;
            row.normal = next;
            push(row, applied * row.n);
            largest = std::max(largest, row.normal_mass > 0.0 ? std::abs(applied) / row.normal_mass : 0.0);
            if (row.friction > 0.0) {
                const DVec3 velocity = relative_velocity(row);
                double next_1 = row.tangent_1 - row.tangent_mass * glm::dot(velocity, row.t1);
                double next_2 = row.tangent_2 - row.tangent_mass * glm::dot(velocity, row.t2);
                const double limit = row.friction * row.normal;
                const double length2 = next_1 * next_1 + next_2 * next_2;
                if (length2 > limit * limit) {
                    const double scale = limit / std::sqrt(length2);
                    next_1 *= scale;
                    next_2 *= scale;
                }
                push(row, (next_1 - row.tangent_1) * row.t1 + (next_2 - row.tangent_2) * row.t2);
                row.tangent_1 = next_1;
                row.tangent_2 = next_2;
            }
        }
        if (largest <= settled * fastest) {
            break;
        }
    }
    impulses_.assign(contacts.size(), Vec3(0.0f));
    for (const Row& row : rows_) {
        impulses_[row.contact] += Vec3(row.normal * row.n + row.tangent_1 * row.t1 + row.tangent_2 * row.t2);
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i].inverse_mass > 0.0f) {
            bodies[i].velocity = Vec3(sides_[i].velocity);
            bodies[i].spin = Vec3(sides_[i].spin);
        }
    }
}

} // namespace cairn::physics
