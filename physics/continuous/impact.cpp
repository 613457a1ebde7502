#include "physics/continuous/impact.h"

#include "physics/continuous/impact_side.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

using DVec3 = glm::dvec3;

// Four points of a flat landing pull at each other; twenty passes leave less than a thousandth of the closing speed.
constexpr int max_passes = 40;
constexpr double settled = 1e-7; // of the fastest closing speed: what a pass changes when it may be the last

struct Point {
    DVec3 arm_a{0.0}, arm_b{0.0};
    double normal_mass = 0.0, tangent_mass = 0.0;
    double normal = 0.0, tangent_1 = 0.0, tangent_2 = 0.0; // impulses so far
    double closing = 0.0;                                  // normal velocity before the impact
    double wanted = 0.0;                                   // normal velocity to reach at least
};

struct PairImpact {
    ImpactSide a, b;
    DVec3 n, t1, t2;
    std::array<Point, 4> points;
    int count = 0;
    double friction = 0.0;

    DVec3 relative_velocity(const Point& point) const {
        return (b.velocity + glm::cross(b.spin, point.arm_b)) - (a.velocity + glm::cross(a.spin, point.arm_a));
    }
    void push(const Point& point, const DVec3& impulse) {
        a.push(point.arm_a, -impulse);
        b.push(point.arm_b, impulse);
    }

    // Returns the largest change of a normal velocity.
    double solve_normal(Point& point) {
        const double change = -point.normal_mass * (glm::dot(relative_velocity(point), n) - point.wanted);
        const double next = std::max(point.normal + change, 0.0);
        const double applied = next - point.normal;
        point.normal = next;
        push(point, applied * n);
        return point.normal_mass > 0.0 ? std::abs(applied) / point.normal_mass : 0.0;
    }

    void solve_friction(Point& point) {
        const DVec3 velocity = relative_velocity(point);
        double next_1 = point.tangent_1 - point.tangent_mass * glm::dot(velocity, t1);
        double next_2 = point.tangent_2 - point.tangent_mass * glm::dot(velocity, t2);
        const double limit = friction * point.normal;
        const double length2 = next_1 * next_1 + next_2 * next_2;
        if (length2 > limit * limit) {
            const double scale = limit / std::sqrt(length2);
            next_1 *= scale;
            next_2 *= scale;
        }
        const DVec3 impulse = (next_1 - point.tangent_1) * t1 + (next_2 - point.tangent_2) * t2;
        point.tangent_1 = next_1;
        point.tangent_2 = next_2;
        push(point, impulse);
    }

    void solve(double enough) {
        for (int pass = 0; pass < max_passes; ++pass) {
            double largest = 0.0;
            for (int i = 0; i < count; ++i) {
                Point& point = points[static_cast<std::size_t>(i)];
                largest = std::max(largest, solve_normal(point));
                if (friction > 0.0) {
                    solve_friction(point);
                }
            }
            if (largest <= enough) {
                break;
            }
        }
    }

    DVec3 impulse(const Point& point) const { return point.normal * n + point.tangent_1 * t1 + point.tangent_2 * t2; }
};

// One effective mass for both tangents, that of the direction that gives way most: an impulse then always points
// against the slip.
double tangent_mass(const PairImpact& impact, const Point& point) {
    const auto compliance = [&](const DVec3& d, const DVec3& e) {
        return impact.a.compliance(point.arm_a, d, e) + impact.b.compliance(point.arm_b, d, e);
    };
    const double k11 = compliance(impact.t1, impact.t1);
    const double k12 = compliance(impact.t1, impact.t2);
    const double k22 = compliance(impact.t2, impact.t2);
    const double half_difference = 0.5 * (k11 - k22);
    const double greatest = 0.5 * (k11 + k22) + std::sqrt(half_difference * half_difference + k12 * k12);
    return greatest > 0.0 ? 1.0 / greatest : 0.0;
}

} // namespace

bool solve_impact(const ImpactContact& contact, ImpactBody& a, ImpactBody& b) {
    PairImpact impact{ImpactSide(a), ImpactSide(b),           DVec3(contact.normal), DVec3(0.0), DVec3(0.0), {},
                      contact.count, double(contact.friction)};
    impact.t1 = DVec3(any_perpendicular(contact.normal));
    impact.t2 = glm::cross(impact.n, impact.t1);
    const ImpactSide before_a = impact.a;
    const ImpactSide before_b = impact.b;
    std::array<DVec3, 4> velocity_before{};
    double fastest = 0.0;
    for (int i = 0; i < impact.count; ++i) {
        const auto index = static_cast<std::size_t>(i);
        Point& point = impact.points[index];
        point.arm_a = DVec3(contact.points[index]) - DVec3(a.centre);
        point.arm_b = DVec3(contact.points[index]) - DVec3(b.centre);
        const double k =
            impact.a.compliance(point.arm_a, impact.n, impact.n) + impact.b.compliance(point.arm_b, impact.n, impact.n);
        point.normal_mass = k > 0.0 ? 1.0 / k : 0.0;
        point.tangent_mass = tangent_mass(impact, point);
        velocity_before[index] = impact.relative_velocity(point);
        point.closing = glm::dot(velocity_before[index], impact.n);
        fastest = std::max(fastest, -point.closing);
    }
    if (!(fastest > 0.0)) {
        return false;
    }

    impact.solve(settled * fastest);
    const ImpactSide compressed_a = impact.a;
    const ImpactSide compressed_b = impact.b;
    const std::array<Point, 4> compressed = impact.points;

    bool bounces = false;
    for (int i = 0; i < impact.count; ++i) {
        Point& point = impact.points[static_cast<std::size_t>(i)];
        if (-point.closing > double(contact.restitution_threshold) && contact.restitution > 0.0f) {
            point.wanted = -double(contact.restitution) * point.closing;
            bounces = true;
        }
    }
    double share = 0.0; // of the second phase
    if (bounces) {
        impact.solve(settled * fastest);
        // The impulses P(s) = P0 + s P1 act on relative velocities that are linear in them, so their work, impulse
        // times the mean of the velocities before and after, is c + b s + a s^2. It must not be positive. At s = 0 it
        // is not: every row of the first phase takes energy out.
        double work_0 = 0.0;
        double work_1 = 0.0;
        double work_2 = 0.0;
        double scale = 0.0;
        for (int i = 0; i < impact.count; ++i) {
            const auto index = static_cast<std::size_t>(i);
            const Point& point = impact.points[index];
            const DVec3 after = impact.relative_velocity(point);
            const DVec3 middle = (compressed_b.velocity + glm::cross(compressed_b.spin, point.arm_b)) -
                                 (compressed_a.velocity + glm::cross(compressed_a.spin, point.arm_a));
            const DVec3 first = impact.impulse(compressed[index]);
            const DVec3 second = impact.impulse(point) - first;
            const DVec3 start = velocity_before[index] + middle;
            work_0 += 0.5 * glm::dot(first, start);
            work_1 += 0.5 * (glm::dot(second, start) + glm::dot(first, after - middle));
            work_2 += 0.5 * glm::dot(second, after - middle);
            scale += std::abs(glm::dot(first, start));
        }
        share = 1.0;
        if (work_0 + work_1 + work_2 > 1e-9 * scale && work_2 > 0.0) {
            const double root = std::sqrt(std::max(work_1 * work_1 - 4.0 * work_2 * std::min(work_0, 0.0), 0.0));
            share = std::clamp((root - work_1) / (2.0 * work_2), 0.0, 1.0);
        }
    }
    const auto mix = [share](const DVec3& from, const DVec3& to) { return Vec3(from + share * (to - from)); };
    if (before_a.inverse_mass > 0.0) {
        a.velocity = mix(compressed_a.velocity, impact.a.velocity);
        a.spin = mix(compressed_a.spin, impact.a.spin);
    }
    if (before_b.inverse_mass > 0.0) {
        b.velocity = mix(compressed_b.velocity, impact.b.velocity);
        b.spin = mix(compressed_b.spin, impact.b.spin);
    }
    return true;
}

} // namespace cairn::physics
