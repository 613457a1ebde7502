#include "physics/solver/contact_rows.h"

#include "physics/solver/integrate.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

// From the centre of A to that of B, for balls.
Vec3 centre_distance(const ContactRows& rows, const BodyMotion& a, const BodyMotion& b) {
    const ContactRows::Point& point = rows.points[0];
    const Vec3 arms = point.start_arm_a - point.start_arm_b;
    return (1.0f + point.start_gap / glm::length(arms)) * arms + (b.delta_position - a.delta_position);
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

Vec3 relative_velocity(const BodyPair& pair, const Vec3& arm_a, const Vec3& arm_b) {
    return (pair.vb + glm::cross(pair.wb, arm_b)) - (pair.va + glm::cross(pair.wa, arm_a));
}

// The friction of a contact as a whole, at its centre of pressure.
struct Patch {
    Vec3 arm_a{0.0f}, arm_b{0.0f};    // m, to the centre of pressure
    RowValues offset_1{}, offset_2{}; // m, of the points from there along the tangents
    RowValues mass{};                 // kg, for each point when all are solved from the same velocities
};

// The points of a contact lie in one plane, so that their slips follow from three numbers: the slip at the centre and
// the twist about the normal. Let point i take the share w_i of an impulse, w_i being (nearly) its share of the
// pressure. By the impulses that all points ask for, their slips then change as the matrix B W B^T diag(w), W being the
// response of the three to impulses of their kind; with the centre of pressure as centre, B^T diag(w) B = diag(1, 1,
// r^2), r^2 being the mean square distance. So one over the greatest eigenvalue is a step that converges from the same
// velocities for all points. Points solved in turn give a box that slides straight a yaw by their order.
Patch friction_patch(const ContactRows& rows) {
    // A little for points that bear nothing yet, which else would answer a pass late.
    constexpr float even_share = 0.1f;
    const float even = 1.0f / static_cast<float>(rows.count);
    RowValues share{};
    float total = 0.0f;
    for (int i = 0; i < rows.count; ++i) {
        total += rows.points[static_cast<std::size_t>(i)].normal_impulse;
    }
    Patch patch;
    for (int i = 0; i < rows.count; ++i) {
        const ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        share[i] = total > 0.0f ? (1.0f - even_share) * (point.normal_impulse / total) + even_share * even : even;
        patch.arm_a += share[i] * point.arm_a;
        patch.arm_b += share[i] * point.arm_b;
    }
    const Vec3 &a = patch.arm_a, &b = patch.arm_b;
    const Vec3 a1 = glm::cross(a, rows.tangent_1), a2 = glm::cross(a, rows.tangent_2);
    const Vec3 b1 = glm::cross(b, rows.tangent_1), b2 = glm::cross(b, rows.tangent_2);
    const Vec3 turn_a1 = rows.inverse_inertia_a * a1, turn_a2 = rows.inverse_inertia_a * a2;
    const Vec3 turn_b1 = rows.inverse_inertia_b * b1, turn_b2 = rows.inverse_inertia_b * b2;
    const float linear = rows.inverse_mass_a + rows.inverse_mass_b;
    const float k11 = linear + (glm::dot(a1, turn_a1) + glm::dot(b1, turn_b1));
    const float k12 = glm::dot(a1, turn_a2) + glm::dot(b1, turn_b2);
    const float k22 = linear + (glm::dot(a2, turn_a2) + glm::dot(b2, turn_b2));
    const float half_difference = 0.5f * (k11 - k22);
    float greatest = 0.5f * (k11 + k22) + std::sqrt(half_difference * half_difference + k12 * k12);
    if (rows.count > 1) {
        float spread = 0.0f;
        for (int i = 0; i < rows.count; ++i) {
            const ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
            // Where both bodies move, their arms end in one place; else those of the one that moves count.
            const Vec3 offset = rows.inverse_mass_b > 0.0f ? point.arm_b - b : point.arm_a - a;
            patch.offset_1[i] = glm::dot(offset, rows.tangent_1);
            patch.offset_2[i] = glm::dot(offset, rows.tangent_2);
            spread += share[i] * (patch.offset_1[i] * patch.offset_1[i] + patch.offset_2[i] * patch.offset_2[i]);
        }
        const float k33 = glm::dot(rows.normal, (rows.inverse_inertia_a + rows.inverse_inertia_b) * rows.normal);
        const float k13 = glm::dot(rows.normal, turn_a1 + turn_b1), k23 = glm::dot(rows.normal, turn_a2 + turn_b2);
        // The greatest eigenvalue of the slip's block, the twist and what couples them is at most that of their norms.
        const float twist = spread * k33;
        const float half = 0.5f * (greatest - twist);
        greatest = 0.5f * (greatest + twist) + std::sqrt(half * half + spread * (k13 * k13 + k23 * k23));
    }
    const float mass = greatest > 0.0f ? 1.0f / greatest : 0.0f;
    for (int i = 0; i < rows.count; ++i) {
        patch.mass[i] = share[i] * mass;
    }
    return patch;
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

void prepare(ContactRows& rows, const Contact& contact, std::span<const ContactPoint> points, std::uint32_t slot,
             std::uint32_t motion_a, std::uint32_t motion_b, std::span<const BodyMotion> motions,
             std::span<const BodyDynamics> dynamics, const ContactSolverSettings& settings) {
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

    // Unless one has swallowed the other's centre: then its line says nothing.
    rows.balls = a.inverse_mass > 0.0f && b.inverse_mass > 0.0f && !dynamics[motion_a].spin_limited &&
                 !dynamics[motion_b].spin_limited && glm::dot(contact.anchor_a(points[0]), rows.normal) > 0.0f &&
                 glm::dot(contact.anchor_b(points[0]), rows.normal) < 0.0f;

    rows.rolling_arm = contact.rolling_arm;
    rows.rolling_impulse = Vec3(0.0f);
    if (rows.rolling_arm > 0.0f) {
        rows.rolling_mass = inverse_of(rows.inverse_inertia_a + rows.inverse_inertia_b);
        if (settings.warm_starting) {
            rows.rolling_impulse = settings.plain_substeps * contact.rolling_impulse;
        }
    }

    for (int i = 0; i < rows.count; ++i) {
        const ContactPoint& from = points[static_cast<std::size_t>(i)];
        ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        point = ContactRows::Point{};
        // The anchors lie halfway between the surfaces. Apart, each arm must end on its own surface: that is what turns
        // with the body, and what the other meets when the gap is closed.
        point.start_gap = std::max(from.separation, 0.0f);
        const Vec3 half_gap = (0.5f * point.start_gap) * rows.normal;
        point.start_arm_a = point.arm_a = contact.anchor_a(from) - half_gap;
        point.start_arm_b = point.arm_b = contact.anchor_b(from) + half_gap;
        point.take_up = from.take_up;
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

// Whether two bodies that move have slid past each other so far that their arms end in different places.
bool have_parted(const ContactRows& rows, const BodyMotion& a, const BodyMotion& b) {
    if (rows.inverse_mass_a == 0.0f || rows.inverse_mass_b == 0.0f) {
        return false;
    }
    const Vec3 slip = b.delta_position - a.delta_position;
    const Vec3& arm = rows.points[0].start_arm_a;
    return glm::dot(slip, slip) > noticeable_turn * noticeable_turn * glm::dot(arm, arm);
}

// Brings both arms of a point to one place. The points of the bodies that met at the start of the step slip apart;
// impulses that act on each body at its own point would be a couple and feed angular momentum to the pair. What is
// fixed has no momentum to keep, and the moving body's own point is the right one. What is round touches where it is
// lowest; the other body is touched there. Two of a kind meet halfway. `more` is what B slips before the impulses act.
void meet(const ContactRows& rows, ContactRows::Point& point, const BodyMotion& a, const BodyMotion& b,
          const Vec3& more) {
    if (rows.inverse_mass_a == 0.0f || rows.inverse_mass_b == 0.0f) {
        return;
    }
    const Vec3 apart = (b.delta_position - a.delta_position) + (point.arm_b - point.start_arm_b) -
                       (point.arm_a - point.start_arm_a) + (point.start_gap * rows.normal + more);
    const bool round_a = rows.round_a > 0.0f, round_b = rows.round_b > 0.0f;
    const float share = round_a == round_b ? 0.5f : (round_a ? 0.0f : 1.0f);
    point.arm_a += share * apart;
    point.arm_b -= (1.0f - share) * apart;
}

// Balls touch on the line of their centres, however far they have moved: B lies at `centre_b` from A.
void point_at(ContactRows& rows, const Vec3& centre_b) {
    ContactRows::Point& point = rows.points[0];
    const float distance = glm::length(centre_b);
    if (!(distance > 0.0f)) {
        return;
    }
    rows.normal = centre_b / distance;
    const Vec3 flat = rows.tangent_1 - glm::dot(rows.tangent_1, rows.normal) * rows.normal;
    rows.tangent_1 = glm::dot(flat, flat) > 0.25f ? glm::normalize(flat) : any_perpendicular(rows.normal);
    rows.tangent_2 = glm::cross(rows.normal, rows.tangent_1);
    const Vec3 start = point.start_arm_a - point.start_arm_b;
    const float share = glm::dot(point.start_arm_a, start) / glm::dot(start, start);
    point.arm_a = share * centre_b;
    point.arm_b = (share - 1.0f) * centre_b;
}

SymmetricMat3 inverse_inertia_now(const BodyMotion& motion, const BodyDynamics& dynamics) {
    return rotated(dynamics.inverse_inertia_local, motion.delta_rotation * dynamics.start_orientation);
}

void set_arms(ContactRows& rows, std::span<const BodyMotion> motions, std::span<const BodyDynamics> dynamics,
              const ContactSolverSettings& settings) {
    const BodyMotion& a = motions[rows.motion_a];
    const BodyMotion& b = motions[rows.motion_b];
    // The tensors have turned as well; with those of the start of the step, impulses would not add what they are to the
    // angular momentum.
    if (dynamics[rows.motion_a].gyroscopic && a.inverse_mass > 0.0f) {
        rows.inverse_inertia_a = inverse_inertia_now(a, dynamics[rows.motion_a]);
    }
    if (dynamics[rows.motion_b].gyroscopic && b.inverse_mass > 0.0f) {
        rows.inverse_inertia_b = inverse_inertia_now(b, dynamics[rows.motion_b]);
    }
    if (rows.balls) {
        point_at(rows, centre_distance(rows, a, b));
        set_levers(rows, settings);
        return;
    }
    for (int i = 0; i < rows.count; ++i) {
        ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        point.arm_a = turned_arm(point.start_arm_a, -rows.round_a * rows.normal, a);
        point.arm_b = turned_arm(point.start_arm_b, rows.round_b * rows.normal, b);
        meet(rows, point, a, b, Vec3(0.0f));
    }
    set_levers(rows, settings);
}

} // namespace

void turn_arms(ContactRows& rows, std::span<const BodyMotion> motions, std::span<const BodyDynamics> dynamics,
               const ContactSolverSettings& settings) {
    const BodyMotion& a = motions[rows.motion_a];
    const BodyMotion& b = motions[rows.motion_b];
    if (!has_turned(a) && !has_turned(b) && !have_parted(rows, a, b)) {
        return;
    }
    set_arms(rows, motions, dynamics, settings);
}

void warm_start(const ContactRows& rows, std::span<BodyMotion> motions) {
    BodyPair pair = load(rows, motions);
    Vec3 impulse(0.0f), moment_a(0.0f), moment_b(0.0f);
    for (int i = 0; i < rows.count; ++i) {
        const ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        const Vec3 one = point.normal_impulse * rows.normal + point.tangent_impulse_1 * rows.tangent_1 +
                         point.tangent_impulse_2 * rows.tangent_2;
        impulse += one;
        moment_a += glm::cross(point.arm_a, one);
        moment_b += glm::cross(point.arm_b, one);
    }
    pair.va -= rows.inverse_mass_a * impulse;
    pair.wa -= rows.inverse_inertia_a * moment_a;
    pair.vb += rows.inverse_mass_b * impulse;
    pair.wb += rows.inverse_inertia_b * moment_b;
    if (rows.rolling_arm > 0.0f) {
        pair.wa -= rows.inverse_inertia_a * rows.rolling_impulse;
        pair.wb += rows.inverse_inertia_b * rows.rolling_impulse;
    }
    save(rows, pair, motions);
}

namespace {

// Keeps the impulse of each point within Coulomb's cone: its length at most friction times the normal impulse, in any
// direction.
void solve_friction(ContactRows& rows, BodyPair& pair) {
    const Patch patch = friction_patch(rows);
    const Vec3 velocity = relative_velocity(pair, patch.arm_a, patch.arm_b);
    const float v1 = glm::dot(velocity, rows.tangent_1);
    const float v2 = glm::dot(velocity, rows.tangent_2);
    const float spin = glm::dot(pair.wb - pair.wa, rows.normal);
    float sum_1 = 0.0f, sum_2 = 0.0f, twist = 0.0f;
    for (int i = 0; i < rows.count; ++i) {
        ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        const float old_1 = point.tangent_impulse_1, old_2 = point.tangent_impulse_2;
        float next_1 = old_1 - patch.mass[i] * (v1 - spin * patch.offset_2[i]);
        float next_2 = old_2 - patch.mass[i] * (v2 + spin * patch.offset_1[i]);
        const float limit = rows.friction * point.normal_impulse;
        const float length2 = next_1 * next_1 + next_2 * next_2;
        if (length2 > limit * limit) {
            const float scale = limit / std::sqrt(length2);
            next_1 *= scale;
            next_2 *= scale;
        }
        point.tangent_impulse_1 = next_1;
        point.tangent_impulse_2 = next_2;
        sum_1 += next_1 - old_1;
        sum_2 += next_2 - old_2;
        twist += patch.offset_1[i] * (next_2 - old_2) - patch.offset_2[i] * (next_1 - old_1);
    }
    const Vec3 impulse = sum_1 * rows.tangent_1 + sum_2 * rows.tangent_2;
    const Vec3 couple = twist * rows.normal;
    pair.va -= rows.inverse_mass_a * impulse;
    pair.wa -= rows.inverse_inertia_a * (glm::cross(patch.arm_a, impulse) + couple);
    pair.vb += rows.inverse_mass_b * impulse;
    pair.wb += rows.inverse_inertia_b * (glm::cross(patch.arm_b, impulse) + couple);
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
    if (rows.balls) { // both arms lie on the line of the centres
        const ContactRows::Point& point = rows.points[0];
        const float arms = glm::length(point.start_arm_a - point.start_arm_b);
        const float separation = point.base_separation - arms;
        out[0] = glm::length(centre_distance(rows, a, b)) - (arms + point.start_gap) + separation;
        return out;
    }
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
            const float bias = std::max(softness.bias_rate * (separation[i] - point.take_up), -settings.max_push_speed);
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
        solve_friction(rows, pair);
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

bool foresee(const ContactRows& rows, std::span<const BodyMotion> motions, const ContactSolverSettings& settings,
             Impact& impact) {
    if (rows.restitution == 0.0f) {
        return false;
    }
    const BodyPair pair = load(rows, motions);
    RowValues speed{};
    bool closing = false;
    for (int i = 0; i < rows.count; ++i) {
        speed[i] = normal_speed(rows, rows.points[static_cast<std::size_t>(i)], pair);
        closing = closing || speed[i] < -settings.restitution_threshold;
    }
    if (!closing) {
        return false;
    }
    const RowValues separation = separations(rows, motions[rows.motion_a], motions[rows.motion_b]);
    const float a = rows.free_acceleration;
    float first = settings.h, last = -1.0f; // times of hits
    impact = Impact{};
    for (int i = 0; i < rows.count; ++i) {
        if (speed[i] < -settings.restitution_threshold && separation[i] + settings.h * speed[i] <= 0.0f) {
            const float gap = std::max(separation[i], 0.0f);
            const float start = speed[i] - 0.5f * settings.h * a;
            const float end = std::sqrt(std::max(start * start - 2.0f * a * gap, 0.0f));
            // The way is the time times the mean of both speeds.
            const float time =
                std::min(2.0f * gap / std::max(end - start, settings.restitution_threshold + 1e-6f), settings.h);
            impact.hit[i] = true;
            impact.time[i] = time;
            impact.wanted[i] = rows.restitution * end + a * (0.5f * settings.h - time);
            first = std::min(first, time);
            last = std::max(last, time);
        }
    }
    if (last < 0.0f) {
        return false;
    }
    impact.first = first;
    for (int i = 0; i < rows.count; ++i) {
        if (!impact.hit[i]) {
            impact.carried[i] = rows.points[static_cast<std::size_t>(i)].normal_impulse > 0.0f;
            impact.time[i] = last;
        }
    }
    return true;
}

void begin(ContactRows& rows, Impact& impact, std::span<const BodyMotion> motions,
           const ContactSolverSettings& settings) {
    const BodyMotion& a = motions[rows.motion_a];
    const BodyMotion& b = motions[rows.motion_b];
    const BodyPair pair = load(rows, motions);
    const bool free = rows.inverse_mass_a > 0.0f && rows.inverse_mass_b > 0.0f;
    for (int i = 0; i < rows.count; ++i) {
        ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        if (rows.balls) {
            point_at(rows, centre_distance(rows, a, b) + impact.time[i] * (pair.vb - pair.va));
        } else if (free) {
            point.arm_a = turned_arm(point.start_arm_a, -rows.round_a * rows.normal, a);
            point.arm_b = turned_arm(point.start_arm_b, rows.round_b * rows.normal, b);
            point.arm_a += impact.time[i] * glm::cross(pair.wa, point.arm_a - rows.round_a * rows.normal);
            point.arm_b += impact.time[i] * glm::cross(pair.wb, point.arm_b + rows.round_b * rows.normal);
            meet(rows, point, a, b, impact.time[i] * (pair.vb - pair.va));
        }
        impact.normal_impulse[i] = std::exchange(point.normal_impulse, 0.0f);
        impact.tangent_impulse_1[i] = std::exchange(point.tangent_impulse_1, 0.0f);
        impact.tangent_impulse_2[i] = std::exchange(point.tangent_impulse_2, 0.0f);
        if (free && impact.hit[i]) { // by the speed of the place where the impulse acts
            const float acceleration = rows.free_acceleration;
            const float speed = normal_speed(rows, point, pair) + acceleration * (impact.time[i] - 0.5f * settings.h);
            impact.wanted[i] =
                rows.restitution * std::max(-speed, 0.0f) + acceleration * (0.5f * settings.h - impact.time[i]);
        }
    }
    if (free) {
        set_levers(rows, settings);
    }
}

float answer(ContactRows& rows, const Impact& impact, std::span<BodyMotion> motions) {
    BodyPair pair = load(rows, motions);
    RowValues right{};
    RowValues least{};
    RowValues softening{};
    RowFlags idle{};
    float error = 0.0f;
    for (int i = 0; i < rows.count; ++i) {
        const ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        idle[i] = !impact.hit[i] && !impact.carried[i];
        right[i] = impact.wanted[i] - normal_speed(rows, point, pair);
        least[i] = -point.normal_impulse;
        softening[i] = rows.count > 1 ? rows.compliance[row_start(i) + i] * 1e-3f : 0.0f;
        if (!idle[i]) {
            error = std::max(error, point.normal_impulse > 0.0f ? std::abs(right[i]) : right[i]);
        }
    }
    apply_normal(rows, pair, solve_bounded(rows.compliance, softening, right, least, idle, rows.count));
    if (rows.friction > 0.0f) {
        solve_friction(rows, pair);
    }
    save(rows, pair, motions);
    return error;
}

namespace {

// Turns the body by the vector `turn`, radians, at most so far that it still stands for a short piece of a way, and
// leaves it its angular momentum. A beam that is hit at its end by something heavy would be asked for many turns; a
// momentum across it would come to lie along it, where a hundredth of the inertia makes a hundred times the energy of
// it.
void turn_by(BodyMotion& motion, const BodyDynamics& dynamics, const Vec3& wanted) {
    constexpr float most = 0.1f;
    const float angle = glm::length(wanted);
    const Vec3 turn = angle > most ? (most / angle) * wanted : wanted;
    if (!dynamics.gyroscopic) {
        motion.delta_rotation = turned(motion.delta_rotation, turn, 1.0f);
        return;
    }
    const Vec3 momentum =
        rotated(dynamics.inertia_local, motion.delta_rotation * dynamics.start_orientation) * motion.angular_velocity;
    motion.delta_rotation = turned(motion.delta_rotation, turn, 1.0f);
    const float energy = glm::dot(momentum, motion.angular_velocity);
    motion.angular_velocity = inverse_inertia_now(motion, dynamics) * momentum;
    // A path of free rotation would keep the energy as well; this one is a chord of it.
    constexpr float most_gain = 1.01f;
    const float now = glm::dot(momentum, motion.angular_velocity);
    if (now > most_gain * energy) {
        motion.angular_velocity *= std::sqrt(most_gain * std::max(energy, 0.0f) / now);
    }
}

} // namespace

void finish(ContactRows& rows, const Impact& impact, std::span<BodyMotion> motions,
            std::span<const BodyDynamics> dynamics, const ContactSolverSettings& settings) {
    Vec3 moment(0.0f); // impulses times their times
    Vec3 moment_a(0.0f), moment_b(0.0f);
    for (int i = 0; i < rows.count; ++i) {
        ContactRows::Point& point = rows.points[static_cast<std::size_t>(i)];
        const Vec3 impulse =
            impact.time[i] * (point.normal_impulse * rows.normal + point.tangent_impulse_1 * rows.tangent_1 +
                              point.tangent_impulse_2 * rows.tangent_2);
        moment += impulse;
        moment_a += glm::cross(point.arm_a, impulse);
        moment_b += glm::cross(point.arm_b, impulse);
        point.step_normal_impulse += point.normal_impulse;
        point.step_tangent_impulse_1 += point.tangent_impulse_1;
        point.step_tangent_impulse_2 += point.tangent_impulse_2;
        // What was hit flies: the soft pass has nothing to start from.
        const bool flies = impact.hit[i];
        point.normal_impulse = flies ? 0.0f : impact.normal_impulse[i];
        point.tangent_impulse_1 = flies ? 0.0f : impact.tangent_impulse_1[i];
        point.tangent_impulse_2 = flies ? 0.0f : impact.tangent_impulse_2[i];
    }
    if (rows.inverse_mass_a > 0.0f) {
        BodyMotion& a = motions[rows.motion_a];
        a.delta_position += rows.inverse_mass_a * moment;
        turn_by(a, dynamics[rows.motion_a], rows.inverse_inertia_a * moment_a);
    }
    if (rows.inverse_mass_b > 0.0f) {
        BodyMotion& b = motions[rows.motion_b];
        b.delta_position -= rows.inverse_mass_b * moment;
        turn_by(b, dynamics[rows.motion_b], -(rows.inverse_inertia_b * moment_b));
    }
    if (rows.inverse_mass_a > 0.0f && rows.inverse_mass_b > 0.0f) {
        set_arms(rows, motions, dynamics, settings);
    }
}

void store(const ContactRows& rows, Contact& contact, std::span<ContactPoint> points,
           std::span<StepImpulse> step_impulses, const ContactSolverSettings& settings) {
    const float to_plain = 1.0f / settings.plain_substeps;
    for (int i = 0; i < rows.count; ++i) {
        const ContactRows::Point& from = rows.points[static_cast<std::size_t>(i)];
        ContactPoint& point = points[static_cast<std::size_t>(i)];
        StepImpulse& step = step_impulses[static_cast<std::size_t>(i)];
        point.normal_impulse = to_plain * from.normal_impulse;
        point.friction_impulse =
            to_plain * (from.tangent_impulse_1 * rows.tangent_1 + from.tangent_impulse_2 * rows.tangent_2);
        step.normal = from.step_normal_impulse;
        step.friction = from.step_tangent_impulse_1 * rows.tangent_1 + from.step_tangent_impulse_2 * rows.tangent_2;
    }
    contact.rolling_impulse = to_plain * rows.rolling_impulse;
}

} // namespace cairn::physics
