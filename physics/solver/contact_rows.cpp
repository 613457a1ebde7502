#include "physics/solver/contact_rows.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

// The two bodies of a contact, loaded once and stored once per pass.
struct BodyPair {
    Vec3 va, wa, vb, wb;
};

BodyPair load(const ContactRows& rows, std::span<const BodyMotion> motions) {
    const BodyMotion& a = motions[rows.motion_a];
    const BodyMotion& b = motions[rows.motion_b];
    return {a.linear_velocity, a.angular_velocity, b.linear_velocity, b.angular_velocity};
}

void save(const ContactRows& rows, const BodyPair& pair, std::span<BodyMotion> motions) {
    if (rows.inverse_mass_a > 0.0f) {
        motions[rows.motion_a].linear_velocity = pair.va;
        motions[rows.motion_a].angular_velocity = pair.wa;
    }
    if (rows.inverse_mass_b > 0.0f) {
        motions[rows.motion_b].linear_velocity = pair.vb;
        motions[rows.motion_b].angular_velocity = pair.wb;
    }
}

// `impulse` acts on B at arm_b, its opposite on A at arm_a.
void apply(const ContactRows& rows, BodyPair& pair, const Vec3& arm_a, const Vec3& arm_b, const Vec3& impulse) {
    pair.va -= rows.inverse_mass_a * impulse;
    pair.wa -= rows.inverse_inertia_a * glm::cross(arm_a, impulse);
    pair.vb += rows.inverse_mass_b * impulse;
    pair.wb += rows.inverse_inertia_b * glm::cross(arm_b, impulse);
}

Vec3 relative_velocity(const BodyPair& pair, const Vec3& arm_a, const Vec3& arm_b) {
    return (pair.vb + glm::cross(pair.wb, arm_b)) - (pair.va + glm::cross(pair.wa, arm_a));
}

// Inverse effective mass of the pair of directions d and e at the point.
float compliance(const ContactRows& rows, const Vec3& arm_a, const Vec3& arm_b, const Vec3& d, const Vec3& e) {
    const float linear = (rows.inverse_mass_a + rows.inverse_mass_b) * glm::dot(d, e);
    const float angular_a = glm::dot(glm::cross(arm_a, d), rows.inverse_inertia_a * glm::cross(arm_a, e));
    const float angular_b = glm::dot(glm::cross(arm_b, d), rows.inverse_inertia_b * glm::cross(arm_b, e));
    return linear + (angular_a + angular_b);
}

// One effective mass for both tangents, that of the direction that gives way most. The exact 2x2 block would turn the
// impulse of a sliding point away from its slip, because it also answers for the spin of the body; opposing corners
// then waste part of their cone against each other (a tenth of the friction of a box on a slope).
float tangent_mass(const ContactRows::Point& point, const ContactRows& rows) {
    const float k11 = compliance(rows, point.arm_a, point.arm_b, rows.tangent_1, rows.tangent_1);
    const float k12 = compliance(rows, point.arm_a, point.arm_b, rows.tangent_1, rows.tangent_2);
    const float k22 = compliance(rows, point.arm_a, point.arm_b, rows.tangent_2, rows.tangent_2);
    const float half_difference = 0.5f * (k11 - k22);
    const float greatest = 0.5f * (k11 + k22) + std::sqrt(half_difference * half_difference + k12 * k12);
    return greatest > 0.0f ? 1.0f / greatest : 0.0f;
}

Mat3 inverse_of(const SymmetricMat3& m) {
    const float cxx = m.yy * m.zz - m.yz * m.yz;
    const float cxy = m.xz * m.yz - m.xy * m.zz;
    const float cxz = m.xy * m.yz - m.xz * m.yy;
    const float determinant = m.xx * cxx + m.xy * cxy + m.xz * cxz;
    if (!(determinant > 0.0f)) {
        return Mat3(0.0f);
    }
    const float s = 1.0f / determinant;
    const float cyy = m.xx * m.zz - m.xz * m.xz;
    const float cyz = m.xy * m.xz - m.xx * m.yz;
    const float czz = m.xx * m.yy - m.xy * m.xy;
    return Mat3(s * cxx, s * cxy, s * cxz, s * cxy, s * cyy, s * cyz, s * cxz, s * cyz, s * czz);
}

} // namespace

void prepare(ContactRows& rows, const Contact& contact, std::uint32_t slot, std::uint32_t motion_a,
             std::uint32_t motion_b, std::span<const BodyMotion> motions, std::span<const BodyDynamics> dynamics,
             const ContactSolverSettings& settings) {
    const BodyMotion& a = motions[motion_a];
    const BodyMotion& b = motions[motion_b];
    rows.contact = slot;
    rows.motion_a = motion_a;
    rows.motion_b = motion_b;
    rows.count = contact.count;
    rows.inverse_mass_a = a.inverse_mass;
    rows.inverse_mass_b = b.inverse_mass;
    rows.inverse_inertia_a = dynamics[motion_a].inverse_inertia;
    rows.inverse_inertia_b = dynamics[motion_b].inverse_inertia;
    rows.normal = contact.normal;
    rows.tangent_1 = any_perpendicular(contact.normal);
    rows.tangent_2 = glm::cross(contact.normal, rows.tangent_1);
    rows.friction = contact.friction;
    rows.restitution = contact.restitution;

    rows.rolling_arm = contact.rolling_arm;
    rows.rolling_impulse = Vec3(0.0f);
    if (rows.rolling_arm > 0.0f) {
        rows.rolling_mass = inverse_of(rows.inverse_inertia_a + rows.inverse_inertia_b);
        if (settings.warm_starting) {
            rows.rolling_impulse = contact.rolling_impulse;
        }
    }

    const BodyPair pair = load(rows, motions);
    for (int i = 0; i < rows.count; ++i) {
        const ContactPoint& from = contact.points[static_cast<std::size_t>(i)];
        ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        point = ContactRows::Point{};
        point.arm_a = from.anchor_a;
        point.arm_b = from.anchor_b;
        point.base_separation = from.separation - glm::dot(from.anchor_b - from.anchor_a, rows.normal);
        point.approach_speed = glm::dot(relative_velocity(pair, point.arm_a, point.arm_b), rows.normal);
        const float k = compliance(rows, point.arm_a, point.arm_b, rows.normal, rows.normal);
        point.normal_mass = k > 0.0f ? 1.0f / k : 0.0f;
        point.tangent_mass = tangent_mass(point, rows);
        if (settings.warm_starting) {
            point.normal_impulse = from.normal_impulse;
            point.tangent_impulse_1 = glm::dot(from.friction_impulse, rows.tangent_1);
            point.tangent_impulse_2 = glm::dot(from.friction_impulse, rows.tangent_2);
        }
    }
}

void warm_start(const ContactRows& rows, std::span<BodyMotion> motions) {
    BodyPair pair = load(rows, motions);
    for (int i = 0; i < rows.count; ++i) {
        const ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        const Vec3 impulse = point.normal_impulse * rows.normal + point.tangent_impulse_1 * rows.tangent_1 +
                             point.tangent_impulse_2 * rows.tangent_2;
        apply(rows, pair, point.arm_a, point.arm_b, impulse);
    }
    if (rows.rolling_arm > 0.0f) {
        pair.wa -= rows.inverse_inertia_a * rows.rolling_impulse;
        pair.wb += rows.inverse_inertia_b * rows.rolling_impulse;
    }
    save(rows, pair, motions);
}

namespace {

// Keeps the impulse within Coulomb's cone: its length at most friction times the normal impulse, in any direction.
void solve_friction(ContactRows& rows, ContactRows::Point& point, BodyPair& pair) {
    const Vec3 velocity = relative_velocity(pair, point.arm_a, point.arm_b);
    const float v1 = glm::dot(velocity, rows.tangent_1);
    const float v2 = glm::dot(velocity, rows.tangent_2);
    float next_1 = point.tangent_impulse_1 - point.tangent_mass * v1;
    float next_2 = point.tangent_impulse_2 - point.tangent_mass * v2;
    const float limit = rows.friction * point.normal_impulse;
    const float length2 = next_1 * next_1 + next_2 * next_2;
    if (length2 > limit * limit) {
        const float scale = limit / std::sqrt(length2);
        next_1 *= scale;
        next_2 *= scale;
    }
    const Vec3 impulse =
        (next_1 - point.tangent_impulse_1) * rows.tangent_1 + (next_2 - point.tangent_impulse_2) * rows.tangent_2;
    point.tangent_impulse_1 = next_1;
    point.tangent_impulse_2 = next_2;
    apply(rows, pair, point.arm_a, point.arm_b, impulse);
}

// A torque against the relative rotation, at most rolling_arm times the normal impulse.
void solve_rolling(ContactRows& rows, BodyPair& pair) {
    float total_normal = 0.0f;
    for (int i = 0; i < rows.count; ++i) {
        total_normal += rows.points[static_cast<std::size_t>(i)].normal_impulse;
    }
    const Vec3 old = rows.rolling_impulse;
    Vec3 next = old - rows.rolling_mass * (pair.wb - pair.wa);
    const float limit = rows.rolling_arm * total_normal;
    const float length2 = glm::dot(next, next);
    if (length2 > limit * limit) {
        next *= limit / std::sqrt(length2);
    }
    rows.rolling_impulse = next;
    const Vec3 impulse = next - old;
    pair.wa -= rows.inverse_inertia_a * impulse;
    pair.wb += rows.inverse_inertia_b * impulse;
}

} // namespace

void solve(ContactRows& rows, std::span<BodyMotion> motions, const ContactSolverSettings& settings, bool use_bias) {
    BodyPair pair = load(rows, motions);
    const BodyMotion& a = motions[rows.motion_a];
    const BodyMotion& b = motions[rows.motion_b];
    const Vec3 delta = b.delta_position - a.delta_position;
    for (int i = 0; i < rows.count; ++i) {
        ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        const Vec3 moved = delta + (rotate(b.delta_rotation, point.arm_b) - rotate(a.delta_rotation, point.arm_a));
        const float separation = point.base_separation + glm::dot(moved, rows.normal);

        float bias = 0.0f;
        Softness softness = rigid;
        if (separation > 0.0f) { // may close the gap within this substep, not more
            bias = separation / settings.h;
        } else if (use_bias) {
            softness = settings.softness;
            bias = std::max(softness.bias_rate * separation, -settings.max_push_speed);
        }
        const float speed = glm::dot(relative_velocity(pair, point.arm_a, point.arm_b), rows.normal);
        const float change =
            -point.normal_mass * softness.mass_scale * (speed + bias) - softness.impulse_scale * point.normal_impulse;
        const float next = std::max(point.normal_impulse + change, 0.0f);
        const float impulse = next - point.normal_impulse;
        point.normal_impulse = next;
        point.greatest_normal_impulse = std::max(point.greatest_normal_impulse, next);
        apply(rows, pair, point.arm_a, point.arm_b, impulse * rows.normal);
    }
    // Friction last, because its limit must come from the normal impulse that stays: in the relaxing pass the normal
    // rows undo what the soft rows gave way, and a limit taken before that would be too small (by an eighth on a plain
    // slope).
    if (rows.rolling_arm > 0.0f) {
        solve_rolling(rows, pair);
    }
    if (rows.friction > 0.0f) {
        for (int i = 0; i < rows.count; ++i) {
            solve_friction(rows, rows.points[static_cast<std::size_t>(i)], pair);
        }
    }
    save(rows, pair, motions);
}

void accumulate(ContactRows& rows) {
    for (int i = 0; i < rows.count; ++i) {
        ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        point.step_normal_impulse += point.normal_impulse;
        point.step_tangent_impulse_1 += point.tangent_impulse_1;
        point.step_tangent_impulse_2 += point.tangent_impulse_2;
    }
}

void apply_restitution(ContactRows& rows, std::span<BodyMotion> motions, float threshold) {
    if (rows.restitution == 0.0f) {
        return;
    }
    BodyPair pair = load(rows, motions);
    for (int i = 0; i < rows.count; ++i) {
        ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        if (point.approach_speed > -threshold || point.greatest_normal_impulse == 0.0f) {
            continue;
        }
        const float speed = glm::dot(relative_velocity(pair, point.arm_a, point.arm_b), rows.normal);
        const float change = -point.normal_mass * (speed + rows.restitution * point.approach_speed);
        const float next = std::max(point.normal_impulse + change, 0.0f);
        const float impulse = next - point.normal_impulse;
        point.normal_impulse = next;
        point.step_normal_impulse += impulse;
        apply(rows, pair, point.arm_a, point.arm_b, impulse * rows.normal);
    }
    save(rows, pair, motions);
}

void store(const ContactRows& rows, Contact& contact) {
    for (int i = 0; i < rows.count; ++i) {
        const ContactRows::Point& from = rows.points[static_cast<std::size_t>(i)];
        ContactPoint& point = contact.points[static_cast<std::size_t>(i)];
        point.normal_impulse = from.normal_impulse;
        point.friction_impulse = from.tangent_impulse_1 * rows.tangent_1 + from.tangent_impulse_2 * rows.tangent_2;
        point.step_normal_impulse = from.step_normal_impulse;
        point.step_friction_impulse =
            from.step_tangent_impulse_1 * rows.tangent_1 + from.step_tangent_impulse_2 * rows.tangent_2;
    }
    contact.rolling_impulse = rows.rolling_impulse;
}

} // namespace cairn::physics
