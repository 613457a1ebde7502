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

// All that follows from where the impulses act.
void set_levers(ContactRows& rows, const ContactSolverSettings& settings) {
    RowValues soft{};
    RowValues relaxing{};
    for (int i = 0; i < rows.count; ++i) {
        ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        const Vec3 moment_a = glm::cross(point.arm_a, rows.normal);
        const Vec3 moment_b = glm::cross(point.arm_b, rows.normal);
        point.turn_a = rows.inverse_inertia_a * moment_a;
        point.turn_b = rows.inverse_inertia_b * moment_b;
        for (int j = 0; j <= i; ++j) {
            const ContactRows::Point& other = rows.points[static_cast<std::size_t>(j)];
            rows.compliance[row_start(i) + j] = (rows.inverse_mass_a + rows.inverse_mass_b) +
                                                (glm::dot(moment_a, other.turn_a) + glm::dot(moment_b, other.turn_b));
        }
        const float k = rows.compliance[row_start(i) + i];
        point.tangent_mass = tangent_mass(point, rows);
        // On the diagonal this makes of a lone row what mass_scale and impulse_scale make of it.
        soft[i] = k * settings.softness.impulse_scale / settings.softness.mass_scale;
        relaxing[i] = k * block_regularisation;
    }
    if (rows.count > 1) {
        rows.soft = factorise(rows.compliance, soft, rows.count);
        rows.relaxing = factorise(rows.compliance, relaxing, rows.count);
    }
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
    rows.round_a = contact.round_a;
    rows.round_b = contact.round_b;
    rows.friction = contact.friction;
    rows.restitution = contact.restitution;
    const float pull_a = a.inverse_mass > 0.0f ? dynamics[motion_a].gravity_scale : 0.0f;
    const float pull_b = b.inverse_mass > 0.0f ? dynamics[motion_b].gravity_scale : 0.0f;
    rows.free_acceleration = (pull_b - pull_a) * glm::dot(settings.gravity, rows.normal);

    rows.rolling_arm = contact.rolling_arm;
    rows.rolling_impulse = Vec3(0.0f);
    if (rows.rolling_arm > 0.0f) {
        rows.rolling_mass = inverse_of(rows.inverse_inertia_a + rows.inverse_inertia_b);
        if (settings.warm_starting) {
            rows.rolling_impulse = settings.plain_substeps * contact.rolling_impulse;
        }
    }

    for (int i = 0; i < rows.count; ++i) {
        const ContactPoint& from = contact.points[static_cast<std::size_t>(i)];
        ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        point = ContactRows::Point{};
        // The anchors lie halfway between the surfaces. Apart, each arm must end on its own surface: that is what turns
        // with the body, and what the other meets when the gap is closed.
        const Vec3 half_gap = (0.5f * std::max(from.separation, 0.0f)) * rows.normal;
        point.start_arm_a = point.arm_a = from.anchor_a - half_gap;
        point.start_arm_b = point.arm_b = from.anchor_b + half_gap;
        point.base_separation = from.separation - glm::dot(point.start_arm_b - point.start_arm_a, rows.normal);
        if (settings.warm_starting) {
            point.normal_impulse = settings.plain_substeps * from.normal_impulse;
            point.tangent_impulse_1 = settings.plain_substeps * glm::dot(from.friction_impulse, rows.tangent_1);
            point.tangent_impulse_2 = settings.plain_substeps * glm::dot(from.friction_impulse, rows.tangent_2);
        }
    }
    set_levers(rows, settings);
}

namespace {

// A radian of this makes a difference of a hundredth of a lever.
constexpr float noticeable_turn = 0.01f;

bool has_turned(const BodyMotion& motion) {
    const Quat& q = motion.delta_rotation;
    const float sine2 = q.x * q.x + q.y * q.y + q.z * q.z; // of half the angle
    return sine2 > 0.25f * noticeable_turn * noticeable_turn;
}

// What an arm has of a ball does not turn with the body: the point of a rolling ball that touches is always the lowest
// one. `round` is that part, from the point back to the ball's centre.
Vec3 turned_arm(const Vec3& arm, const Vec3& round, const BodyMotion& motion) {
    return rotate(motion.delta_rotation, arm + round) - round;
}

} // namespace

void turn_arms(ContactRows& rows, std::span<const BodyMotion> motions, const ContactSolverSettings& settings) {
    const BodyMotion& a = motions[rows.motion_a];
    const BodyMotion& b = motions[rows.motion_b];
    if (!has_turned(a) && !has_turned(b)) {
        return;
    }
    for (int i = 0; i < rows.count; ++i) {
        ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        point.arm_a = turned_arm(point.start_arm_a, -rows.round_a * rows.normal, a);
        point.arm_b = turned_arm(point.start_arm_b, rows.round_b * rows.normal, b);
    }
    set_levers(rows, settings);
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

// Changes of the normal impulses, all at once.
void apply_normal(ContactRows& rows, BodyPair& pair, const RowValues& change) {
    float sum = 0.0f;
    for (int i = 0; i < rows.count; ++i) {
        ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        point.normal_impulse += change[i];
        sum += change[i];
        pair.wa -= change[i] * point.turn_a;
        pair.wb += change[i] * point.turn_b;
    }
    pair.va -= (rows.inverse_mass_a * sum) * rows.normal;
    pair.vb += (rows.inverse_mass_b * sum) * rows.normal;
}

float normal_speed(const ContactRows& rows, const ContactRows::Point& point, const BodyPair& pair) {
    return glm::dot(relative_velocity(pair, point.arm_a, point.arm_b), rows.normal);
}

// Separations at the poses that the bodies have reached. Only the components of the turned arms along the normal count:
// those of the arms along the normal turned back.
RowValues separations(const ContactRows& rows, const BodyMotion& a, const BodyMotion& b) {
    const Vec3& n = rows.normal;
    const Vec3 n_a = inverse_rotate(a.delta_rotation, n);
    const Vec3 n_b = inverse_rotate(b.delta_rotation, n);
    // What the balls in the arms keep, turned or not, less what the dot products below count of them.
    const float rounds = rows.round_a * (glm::dot(n_a, n) - 1.0f) + rows.round_b * (glm::dot(n_b, n) - 1.0f);
    const float moved = glm::dot(b.delta_position - a.delta_position, n) + rounds;
    RowValues out{};
    for (int i = 0; i < rows.count; ++i) {
        const ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        out[i] =
            point.base_separation + (moved + (glm::dot(n_b, point.start_arm_b) - glm::dot(n_a, point.start_arm_a)));
    }
    return out;
}

void solve_normals(ContactRows& rows, BodyPair& pair, const RowValues& separation,
                   const ContactSolverSettings& settings, bool use_bias) {
    const Softness& softness = settings.softness;
    RowValues right{};
    RowValues least{};
    RowValues softening{};
    RowFlags idle{};
    bool closed = true; // all points
    for (int i = 0; i < rows.count; ++i) {
        const ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        const float speed = normal_speed(rows, point, pair);
        const float k = rows.compliance[row_start(i) + i];
        least[i] = -point.normal_impulse;
        softening[i] = rows.count > 1 ? k * block_regularisation : 0.0f;
        if (separation[i] > 0.0f) { // may close the gap within this substep, not more
            // Relaxing leaves alone what the substep did not reach: that is for the next one, which must see the whole
            // speed of an impact.
            idle[i] = !use_bias && point.normal_impulse == 0.0f;
            right[i] = -(speed + separation[i] / settings.h);
            closed = false;
        } else if (use_bias) {
            softening[i] = k * softness.impulse_scale / softness.mass_scale;
            const float bias = std::max(softness.bias_rate * separation[i], -settings.max_push_speed);
            right[i] = -(speed + bias + softening[i] * point.normal_impulse);
        } else {
            right[i] = -speed;
        }
    }
    RowValues change{};
    if (rows.count == 1) {
        const float k = rows.compliance[0] + softening[0];
        change[0] = k > 0.0f && !idle[0] ? std::max(right[0] / k, least[0]) : 0.0f;
        apply_normal(rows, pair, change);
        return;
    }
    bool within = closed;
    if (closed) {
        change = solve(use_bias ? rows.soft : rows.relaxing, right, rows.count);
        for (int i = 0; i < rows.count; ++i) {
            within = within && change[i] >= least[i];
        }
    }
    if (!within) {
        change = solve_bounded(rows.compliance, softening, right, least, idle, rows.count);
    }
    apply_normal(rows, pair, change);
}

} // namespace

void solve(ContactRows& rows, std::span<BodyMotion> motions, const ContactSolverSettings& settings, bool use_bias) {
    BodyPair pair = load(rows, motions);
    const RowValues separation = separations(rows, motions[rows.motion_a], motions[rows.motion_b]);
    solve_normals(rows, pair, separation, settings, use_bias);
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

void note_impacts(ContactRows& rows, std::span<const BodyMotion> motions, const ContactSolverSettings& settings) {
    if (rows.restitution == 0.0f) {
        return;
    }
    const BodyPair pair = load(rows, motions);
    const RowValues separation = separations(rows, motions[rows.motion_a], motions[rows.motion_b]);
    const float a = rows.free_acceleration;
    for (int i = 0; i < rows.count; ++i) {
        ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        const float speed = normal_speed(rows, point, pair);
        point.impact_speed = 0.0f;
        if (speed < -settings.restitution_threshold && separation[i] + settings.h * speed <= 0.0f) {
            const float start = speed - 0.5f * settings.h * a;
            const float square = start * start - 2.0f * a * std::max(separation[i], 0.0f);
            point.impact_speed = std::sqrt(std::max(square, 0.0f));
        }
    }
}

void bounce(ContactRows& rows, std::span<BodyMotion> motions, const ContactSolverSettings& settings) {
    if (rows.restitution == 0.0f) {
        return;
    }
    std::array<bool, 4> hit{};
    bool any = false;
    const std::array<ContactRows::Point, 4> before = rows.points;
    for (int i = 0; i < rows.count; ++i) {
        const ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        hit[i] = point.impact_speed > 0.0f && point.normal_impulse > 0.0f;
        any = any || hit[i];
    }
    if (!any) {
        return;
    }
    BodyPair pair = load(rows, motions);
    // An impact that slides is braked by its bounce too, and that changes what the bounce must give: two rounds.
    for (int round = 0; round < 2; ++round) {
        RowValues right{};
        RowValues least{};
        RowValues softening{};
        RowFlags idle{};
        for (int i = 0; i < rows.count; ++i) {
            const ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
            // Points that are carried but not hit may not close; those in the air have nothing to push against.
            idle[i] = !hit[i] && point.normal_impulse == 0.0f;
            const float wanted =
                hit[i] ? rows.restitution * point.impact_speed - 0.5f * settings.h * rows.free_acceleration : 0.0f;
            right[i] = wanted - normal_speed(rows, point, pair);
            least[i] = before[i].normal_impulse - point.normal_impulse;
            softening[i] = rows.count > 1 ? rows.compliance[row_start(i) + i] * 1e-3f : 0.0f;
        }
        apply_normal(rows, pair, solve_bounded(rows.compliance, softening, right, least, idle, rows.count));
        if (rows.friction > 0.0f) {
            for (int i = 0; i < rows.count; ++i) {
                solve_friction(rows, rows.points[static_cast<std::size_t>(i)], pair);
            }
        }
    }
    for (int i = 0; i < rows.count; ++i) {
        ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        const ContactRows::Point& old = before[static_cast<std::size_t>(i)];
        point.step_normal_impulse += point.normal_impulse - old.normal_impulse;
        point.step_tangent_impulse_1 += point.tangent_impulse_1 - old.tangent_impulse_1;
        point.step_tangent_impulse_2 += point.tangent_impulse_2 - old.tangent_impulse_2;
        if (hit[i]) { // it flies: the next substep has nothing to start from
            point.normal_impulse = 0.0f;
            point.tangent_impulse_1 = 0.0f;
            point.tangent_impulse_2 = 0.0f;
        }
    }
    save(rows, pair, motions);
}

void store(const ContactRows& rows, Contact& contact, const ContactSolverSettings& settings) {
    const float to_plain = 1.0f / settings.plain_substeps;
    for (int i = 0; i < rows.count; ++i) {
        const ContactRows::Point& from = rows.points[static_cast<std::size_t>(i)];
        ContactPoint& point = contact.points[static_cast<std::size_t>(i)];
        point.normal_impulse = to_plain * from.normal_impulse;
        point.friction_impulse =
            to_plain * (from.tangent_impulse_1 * rows.tangent_1 + from.tangent_impulse_2 * rows.tangent_2);
        point.step_normal_impulse = from.step_normal_impulse;
        point.step_friction_impulse =
            from.step_tangent_impulse_1 * rows.tangent_1 + from.step_tangent_impulse_2 * rows.tangent_2;
    }
    contact.rolling_impulse = to_plain * rows.rolling_impulse;
}

} // namespace cairn::physics
