#include "physics/solver/joint_rows.h"

#include "physics/query/trigonometry.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

float compliance(const JointRows& joint, const JointRow& row, const JointRow& other) {
    const float of_a_alone = glm::dot(row.linear_a, other.linear_a) - glm::dot(row.linear_a, other.linear) -
                             glm::dot(row.linear, other.linear_a);
    return (joint.inverse_mass_a + joint.inverse_mass_b) * glm::dot(row.linear, other.linear) +
           joint.inverse_mass_a * of_a_alone + glm::dot(row.angular_a, other.turn_a) +
           glm::dot(row.angular_b, other.turn_b);
}

namespace {

constexpr float pi = 3.14159265f;

constexpr std::size_t packed(int row, int column) {
    return static_cast<std::size_t>(row * (row + 1) / 2 + column);
}

// Angle of the point (x, y) of the plane, in -pi .. pi.
float plane_angle(float y, float x) {
    const double first = first_quadrant_angle(std::abs(static_cast<double>(y)), std::abs(static_cast<double>(x)));
    const double upper = x < 0.0f ? 3.14159265358979323846 - first : first;
    return static_cast<float>(y < 0.0f ? -upper : upper);
}

// The turn of `to` against `from` about their Z axes, in -pi .. pi.
float twist(const Quat& from, const Quat& to) {
    const Quat q = glm::conjugate(from) * to;
    const float angle = 2.0f * plane_angle(q.z, q.w);
    return angle > pi ? angle - 2.0f * pi : (angle < -pi ? angle + 2.0f * pi : angle);
}

// The angle next to `near` that differs from `angle` by whole turns.
float unwrapped(float angle, float near) {
    return angle + 2.0f * pi * std::floor((near - angle) / (2.0f * pi) + 0.5f);
}

// By how much `rotation` turns about the unit vector `axis`, rad: the angle next to `near`.
float turn_about(const Vec3& axis, const Quat& rotation, float near) {
    return unwrapped(2.0f * plane_angle(glm::dot(Vec3(rotation.x, rotation.y, rotation.z), axis), rotation.w), near);
}

// The small rotation that takes `from` to `to`, as a vector in world axes, rad.
Vec3 rotation_error(const Quat& from, const Quat& to) {
    const Quat q = to * glm::conjugate(from);
    const float sign = q.w < 0.0f ? -2.0f : 2.0f;
    return sign * Vec3(q.x, q.y, q.z);
}

float speed(const JointRow& row, const BodyMotion& a, const BodyMotion& b) {
    return glm::dot(row.linear, b.linear_velocity - a.linear_velocity) + glm::dot(row.linear_a, a.linear_velocity) +
           glm::dot(row.angular_a, a.angular_velocity) + glm::dot(row.angular_b, b.angular_velocity);
}

// Of B's origin against A's.
Vec3 origin_velocity(const JointRows& joint, const BodyMotion& a, const BodyMotion& b) {
    return b.linear_velocity + glm::cross(b.angular_velocity, joint.arm_b) - a.linear_velocity -
           glm::cross(a.angular_velocity, joint.arm_a);
}

// Bodies without mass are never written: rows that run at the same time may share them.
void apply(const JointRows& joint, const JointRow& row, float impulse, BodyMotion& a, BodyMotion& b) {
    if (joint.inverse_mass_a > 0.0f) {
        a.linear_velocity -= (joint.inverse_mass_a * impulse) * (row.linear - row.linear_a);
        a.angular_velocity += impulse * row.turn_a;
    }
    if (joint.inverse_mass_b > 0.0f) {
        b.linear_velocity += (joint.inverse_mass_b * impulse) * row.linear;
        b.angular_velocity += impulse * row.turn_b;
    }
}

void apply_turn(const JointRows& joint, const Vec3& impulse, BodyMotion& a, BodyMotion& b) {
    if (joint.inverse_mass_a > 0.0f) {
        a.angular_velocity -= joint.inverse_inertia_a * impulse;
    }
    if (joint.inverse_mass_b > 0.0f) {
        b.angular_velocity += joint.inverse_inertia_b * impulse;
    }
}

void apply_point(const JointRows& joint, const Vec3& impulse, BodyMotion& a, BodyMotion& b) {
    if (joint.inverse_mass_a > 0.0f) {
        a.linear_velocity -= joint.inverse_mass_a * impulse;
        a.angular_velocity -= joint.inverse_inertia_a * glm::cross(joint.arm_a, impulse);
    }
    if (joint.inverse_mass_b > 0.0f) {
        b.linear_velocity += joint.inverse_mass_b * impulse;
        b.angular_velocity += joint.inverse_inertia_b * glm::cross(joint.arm_b, impulse);
    }
}

// Moves B's origin along `direction` against A's.
JointRow point_row(const JointRows& joint, const Vec3& direction) {
    JointRow row;
    row.linear = direction;
    row.angular_a = -glm::cross(joint.arm_a, direction);
    row.angular_b = glm::cross(joint.arm_b, direction);
    return row;
}

// The same for a direction that turns with A: the rate of the offset's part along it.
JointRow carried_row(const JointRows& joint, const Vec3& direction) {
    JointRow row = point_row(joint, direction);
    row.angular_a = -glm::cross(joint.arm_a + joint.offset, direction);
    return row;
}

JointRow turn_row(const Vec3& axis) {
    JointRow row;
    row.angular_a = -axis;
    row.angular_b = axis;
    return row;
}

void finish(const JointRows& joint, JointRow& row) {
    row.turn_a = joint.inverse_inertia_a * row.angular_a;
    row.turn_b = joint.inverse_inertia_b * row.angular_b;
}

} // namespace

// L D L^T of the rigid rows' compliance. Positive definite as long as one of the bodies can be pushed.
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

namespace {

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

// What a row of motor, spring or limit moves: the bodies as they are while the joint's rigid rows hold. Their factors
// must be there.
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

void add_row(JointRows& joint, const JointRow& row, float error) {
    const auto i = static_cast<std::size_t>(joint.count++);
    joint.rows[i] = row;
    joint.error[i] = error;
    finish(joint, joint.rows[i]);
}

constexpr std::array<Vec3, 3> world_axes{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};

void add_point_rows(JointRows& joint) {
    for (const Vec3& axis : world_axes) {
        add_row(joint, point_row(joint, axis), glm::dot(axis, joint.offset));
    }
}

// The row that keeps A's X axis at right angles to B's Y axis.
void add_cross_row(JointRows& joint, const Quat& frame_a, const Quat& frame_b) {
    const Vec3 x = rotate(frame_a, Vec3(1, 0, 0));
    const Vec3 y = rotate(frame_b, Vec3(0, 1, 0));
    add_row(joint, turn_row(glm::cross(y, x)), glm::dot(x, y));
}

void follow_cone(JointRows& joint, const Vec3& z_a, const Vec3& z_b) {
    const Vec3 normal = glm::cross(z_a, z_b);
    joint.cone_row = turn_row(-normalized_or(normal, any_perpendicular(z_a)));
    finish(joint, joint.cone_row);
    joint.cone_room = joint.cone - plane_angle(glm::length(normal), glm::dot(z_a, z_b));
}

// Moves the twist of B against A. As the swing of the Z axes comes near to a half turn the twist loses its meaning, and
// the row is held to a length of ten.
JointRow twist_row(const Vec3& z_a, const Vec3& z_b) {
    return turn_row((z_a + z_b) / std::max(1.0f + glm::dot(z_a, z_b), 0.1f));
}

void add_turn_rows(JointRows& joint, const Vec3& error) {
    for (const Vec3& axis : world_axes) {
        add_row(joint, turn_row(axis), glm::dot(axis, error));
    }
}

// The two rows that keep the Z axes together. For axes that point against each other the way back is a free choice.
void add_axis_rows(JointRows& joint, const Quat& frame_a, const Vec3& z_a, const Vec3& z_b) {
    const Vec3 x = rotate(frame_a, Vec3(1, 0, 0));
    Vec3 error = glm::cross(z_a, z_b);
    if (glm::dot(z_a, z_b) < 0.0f) {
        error = normalized_or(error, x);
    }
    for (const Vec3& axis : {x, rotate(frame_a, Vec3(0, 1, 0))}) {
        add_row(joint, turn_row(axis), glm::dot(axis, error));
    }
}

Mat3 inverse_of(const SymmetricMat3& m) {
    return glm::inverse(Mat3(m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz));
}

// Velocity of B's origin against A's by a unit impulse there.
SymmetricMat3 point_compliance(const JointRows& joint) {
    std::array<JointRow, 3> rows;
    for (std::size_t i = 0; i < 3; ++i) {
        rows[i] = point_row(joint, world_axes[i]);
        finish(joint, rows[i]);
    }
    return {compliance(joint, rows[0], rows[0]), compliance(joint, rows[1], rows[1]),
            compliance(joint, rows[2], rows[2]), compliance(joint, rows[0], rows[1]),
            compliance(joint, rows[0], rows[2]), compliance(joint, rows[1], rows[2])};
}

void follow(JointRows& joint, const BodyMotion& a, const BodyMotion& b) {
    joint.arm_a = rotate(a.delta_rotation, joint.start_arm_a);
    joint.arm_b = rotate(b.delta_rotation, joint.start_arm_b);
    joint.offset = joint.start_offset + (b.delta_position - a.delta_position) + (joint.arm_b - joint.start_arm_b) -
                   (joint.arm_a - joint.start_arm_a);
    const Quat frame_a = a.delta_rotation * joint.start_frame_a;
    const Quat frame_b = b.delta_rotation * joint.start_frame_b;
    const Vec3 z_a = rotate(frame_a, Vec3(0, 0, 1));
    const Vec3 z_b = rotate(frame_b, Vec3(0, 0, 1));
    joint.count = 0;
    joint.axis = turn_row(z_a);
    switch (joint.kind) {
    case JointKind::ball:
        if (joint.has_spring) {
            joint.block_error = joint.offset;
            joint.block_mass = inverse_of(point_compliance(joint));
        } else {
            add_point_rows(joint);
        }
        if (joint.has_motor) {
            joint.brake_mass = inverse_of(joint.inverse_inertia_a + joint.inverse_inertia_b);
            joint.brake_axis = z_a;
        }
        if (joint.has_limits) {
            joint.axis = twist_row(z_a, z_b);
            joint.position = twist(frame_a, frame_b);
        }
        if (joint.has_cone) {
            follow_cone(joint, z_a, z_b);
        }
        break;
    case JointKind::universal:
        add_point_rows(joint);
        add_cross_row(joint, frame_a, frame_b);
        if (joint.has_cone) {
            follow_cone(joint, z_a, z_b);
        }
        break;
    case JointKind::gear: {
        joint.turn_a = turn_about(z_a, a.delta_rotation, joint.turn_a);
        joint.turn_b = turn_about(z_b, b.delta_rotation, joint.turn_b);
        joint.position = joint.start_position + joint.turn_a + joint.ratio * joint.turn_b;
        JointRow row;
        row.angular_a = z_a;
        row.angular_b = joint.ratio * z_b;
        add_row(joint, row, joint.position);
        break;
    }
    case JointKind::rack: {
        joint.turn_a = turn_about(z_a, a.delta_rotation, joint.turn_a);
        joint.position =
            joint.start_position + glm::dot(z_b, b.delta_position - a.delta_position) - joint.ratio * joint.turn_a;
        JointRow row;
        row.linear = z_b;
        row.angular_a = -joint.ratio * z_a;
        add_row(joint, row, joint.position);
        break;
    }
    case JointKind::pulley: {
        const Vec3 rope_a = a.delta_position + joint.arm_a - joint.ground_a;
        const Vec3 rope_b = b.delta_position + joint.arm_b - joint.ground_b;
        const Vec3 along_a = normalized_or(rope_a, -z_a), along_b = normalized_or(rope_b, -z_b);
        joint.position = glm::length(rope_a) + joint.ratio * glm::length(rope_b);
        joint.axis.linear = joint.ratio * along_b;
        joint.axis.linear_a = along_a + joint.axis.linear;
        joint.axis.angular_a = glm::cross(joint.arm_a, along_a);
        joint.axis.angular_b = joint.ratio * glm::cross(joint.arm_b, along_b);
        break;
    }
    case JointKind::hinge:
        add_point_rows(joint);
        add_axis_rows(joint, frame_a, z_a, z_b);
        joint.position = unwrapped(twist(frame_a, frame_b), joint.position);
        break;
    case JointKind::slider:
        for (const Vec3& axis : {rotate(frame_a, Vec3(1, 0, 0)), rotate(frame_a, Vec3(0, 1, 0))}) {
            add_row(joint, carried_row(joint, axis), glm::dot(axis, joint.offset));
        }
        add_turn_rows(joint, rotation_error(frame_a, frame_b));
        joint.axis = carried_row(joint, z_a);
        joint.position = glm::dot(z_a, joint.offset);
        break;
    case JointKind::weld:
        add_point_rows(joint);
        if (joint.has_spring) {
            joint.block_error = rotation_error(frame_a, frame_b);
            joint.block_mass = inverse_of(joint.inverse_inertia_a + joint.inverse_inertia_b);
        } else {
            add_turn_rows(joint, rotation_error(frame_a, frame_b));
        }
        break;
    case JointKind::distance:
        joint.axis = point_row(joint, normalized_or(joint.offset, z_a));
        joint.position = glm::length(joint.offset);
        if (!joint.has_limits && !joint.has_spring && !joint.has_motor) { // a rod
            add_row(joint, joint.axis, joint.position - joint.length);
        }
        break;
    }
    finish(joint, joint.axis);
    if (joint.has_limits || joint.has_motor || joint.has_spring || joint.has_cone) {
        factorise(joint);
        joint.axis_mass = held_mass(joint, joint.axis);
        joint.cone_mass = joint.has_cone ? held_mass(joint, joint.cone_row) : 0.0f;
    }
}

// By how much positions change within the substep beyond what their present rates say, per second: half of h times
// their second derivatives while no force acts. An origin goes round its body on an arc and not along the tangent. A
// row that knows it ends the substep on the joint instead of beside it, and its impulse acts along the chord of the
// arc, so that it neither brakes nor drives what swings (docs/how/joints.md).
//
// The velocities must be such as the joints allow. What warm starting leaves, with impulses whose directions are a
// substep old, is a guess: of thin rods, a wild one, which made them swing up in a few substeps.
JointBend bend_of(const JointRows& joint, const BodyMotion& a, const BodyMotion& b, const Vec3& spin_change_a,
                  const Vec3& spin_change_b, float h) {
    const Vec3& w_a = a.angular_velocity;
    const Vec3& w_b = b.angular_velocity;
    const Vec3 arc = glm::cross(w_b, glm::cross(w_b, joint.arm_b)) - glm::cross(w_a, glm::cross(w_a, joint.arm_a));
    const float half = 0.5f * h;
    JointBend bend;
    if (joint.kind == JointKind::slider) {
        // The direction x turns with A: (x . d)'' = x'' . d + 2 x' . d' + x . d''.
        const Vec3 drift = origin_velocity(joint, a, b);
        for (std::size_t i = 0; i < 2; ++i) {
            const Vec3& x = joint.rows[i].linear;
            const Vec3 turn = glm::cross(w_a, x);
            bend.rigid[i] = half * (glm::dot(glm::cross(w_a, turn), joint.offset) + 2.0f * glm::dot(turn, drift) +
                                    glm::dot(x, arc));
        }
    } else if (joint.kind == JointKind::distance) {
        const Vec3 drift = origin_velocity(joint, a, b);
        const float along = glm::dot(joint.axis.linear, drift);
        const float across2 = std::max(glm::dot(drift, drift) - along * along, 0.0f);
        // Round a point that is nearer than the way of a substep there is no arc to speak of.
        const float radius = std::max(joint.position, h * std::sqrt(across2));
        bend.axis = half * (glm::dot(joint.axis.linear, arc) + (radius > 0.0f ? across2 / radius : 0.0f));
        bend.rigid[0] = bend.axis;
    } else if (joint.kind == JointKind::pulley) { // each end swings round its point
        const auto end = [&](const BodyMotion& body, const Vec3& arm, const Vec3& ground) {
            const Vec3& w = body.angular_velocity;
            const Vec3 rope = body.delta_position + arm - ground;
            const Vec3 drift = body.linear_velocity + glm::cross(w, arm);
            const Vec3 along = normalized_or(rope, Vec3(0.0f));
            const float towards = glm::dot(along, drift);
            const float across2 = std::max(glm::dot(drift, drift) - towards * towards, 0.0f);
            const float radius = std::max(glm::length(rope), h * std::sqrt(across2));
            return glm::dot(along, glm::cross(w, glm::cross(w, arm))) + (radius > 0.0f ? across2 / radius : 0.0f);
        };
        bend.axis = half * (end(a, joint.arm_a, joint.ground_a) + joint.ratio * end(b, joint.arm_b, joint.ground_b));
    } else if (joint.count >= 3) {
        bend.rigid = {half * arc.x, half * arc.y, half * arc.z};
        if (joint.kind == JointKind::universal) { // (x_a . y_b)''
            const Vec3 x = rotate(a.delta_rotation * joint.start_frame_a, Vec3(1, 0, 0));
            const Vec3 y = rotate(b.delta_rotation * joint.start_frame_b, Vec3(0, 1, 0));
            const Vec3 x_moves = glm::cross(w_a, x), y_moves = glm::cross(w_b, y);
            bend.rigid[3] = half * (glm::dot(glm::cross(w_a, x_moves), y) + 2.0f * glm::dot(x_moves, y_moves) +
                                    glm::dot(x, glm::cross(w_b, y_moves)));
        }
        if (joint.kind == JointKind::hinge) { // (z_a x z_b)'' for common axes
            const Vec3 tilt = glm::cross(w_b - w_a, w_a);
            for (std::size_t i = 3; i < 5; ++i) {
                bend.rigid[i] = half * glm::dot(joint.rows[i].angular_b, tilt);
            }
        }
    }
    // Free rotation changes the velocities as well.
    const auto by_spin = [&](const JointRow& row) {
        return half * (glm::dot(row.angular_a, spin_change_a) + glm::dot(row.angular_b, spin_change_b));
    };
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count); ++i) {
        bend.rigid[i] += by_spin(joint.rows[i]);
    }
    bend.axis += by_spin(joint.axis);
    return bend;
}

Vec3 held_to(const Vec3& impulse, float most) {
    const float length2 = glm::dot(impulse, impulse);
    return length2 > most * most ? impulse * (most / std::sqrt(length2)) : impulse;
}

// Motors act in both passes, so that a free one runs at its speed exactly.
void drive(JointRows& joint, BodyMotion& a, BodyMotion& b) {
    if (joint.kind == JointKind::ball) {
        const Vec3 slip = b.angular_velocity - a.angular_velocity - joint.motor_speed * joint.brake_axis;
        const Vec3 next = held_to(joint.impulses.brake - joint.brake_mass * slip, joint.motor_impulse);
        apply_turn(joint, next - joint.impulses.brake, a, b);
        joint.impulses.brake = next;
        return;
    }
    const float wanted = joint.impulses.motor - joint.axis_mass * (speed(joint.axis, a, b) - joint.motor_speed);
    const float next = std::clamp(wanted, -joint.motor_impulse, joint.motor_impulse);
    apply(joint, joint.axis, next - joint.impulses.motor, a, b);
    joint.impulses.motor = next;
}

void pull(JointRows& joint, BodyMotion& a, BodyMotion& b) {
    const SpringTerms& terms = joint.spring;
    if (joint.kind == JointKind::ball || joint.kind == JointKind::weld) {
        const bool point = joint.kind == JointKind::ball;
        const Vec3 rate = point ? origin_velocity(joint, a, b) : b.angular_velocity - a.angular_velocity;
        const Vec3 old = joint.impulses.soft_block;
        const Vec3 wanted = old - joint.block_mass * (terms.mass_scale * rate + terms.push * joint.block_error) -
                            terms.impulse_scale * old;
        const Vec3 next = held_to(wanted, joint.spring_impulse);
        if (point) {
            apply_point(joint, next - old, a, b);
        } else {
            apply_turn(joint, next - old, a, b);
        }
        joint.impulses.soft_block = next;
        return;
    }
    const float error = joint.position - joint.spring_target;
    const float old = joint.impulses.spring;
    const float wanted = old - joint.axis_mass * (terms.mass_scale * speed(joint.axis, a, b) + terms.push * error) -
                         terms.impulse_scale * old;
    const float next = std::clamp(wanted, -joint.spring_impulse, joint.spring_impulse);
    apply(joint, joint.axis, next - old, a, b);
    joint.impulses.spring = next;
}

// The impulse of a one-sided row with so much room left. The bound may be reached within the substep, and is pushed
// back to, in the pass with bias, if it was passed.
float bounded_impulse(float old, float mass, float rate, float room, float bend, const JointSolverSettings& settings,
                      bool use_bias) {
    if (room > 0.0f) {
        return std::max(old - mass * (rate + room / settings.h + (use_bias ? bend : 0.0f)), 0.0f);
    }
    if (!use_bias) {
        return std::max(old - mass * rate, 0.0f);
    }
    const Softness& soft = settings.softness;
    return std::max(old - mass * soft.mass_scale * (rate + soft.bias_rate * room + bend) - soft.impulse_scale * old,
                    0.0f);
}

void hold_limits(JointRows& joint, BodyMotion& a, BodyMotion& b, float bend, const JointSolverSettings& settings,
                 bool use_bias) {
    JointImpulses& impulses = joint.impulses;
    const float lower = bounded_impulse(impulses.lower, joint.axis_mass, speed(joint.axis, a, b),
                                        joint.position - joint.limits.lower, bend, settings, use_bias);
    apply(joint, joint.axis, lower - impulses.lower, a, b);
    impulses.lower = lower;
    const float upper = bounded_impulse(impulses.upper, joint.axis_mass, -speed(joint.axis, a, b),
                                        joint.limits.upper - joint.position, -bend, settings, use_bias);
    apply(joint, joint.axis, impulses.upper - upper, a, b);
    impulses.upper = upper;
}

void hold_cone(JointRows& joint, BodyMotion& a, BodyMotion& b, const JointSolverSettings& settings, bool use_bias) {
    const float old = joint.impulses.cone;
    const float next =
        bounded_impulse(old, joint.cone_mass, speed(joint.cone_row, a, b), joint.cone_room, 0.0f, settings, use_bias);
    apply(joint, joint.cone_row, next - old, a, b);
    joint.impulses.cone = next;
}

float along_axis(const JointImpulses& impulses) {
    return impulses.motor + impulses.spring + impulses.lower - impulses.upper;
}

} // namespace

SpringTerms make_spring(float hertz, float damping_ratio, float h) {
    const float turn = 2.0f * pi * hertz * h; // h omega
    const float ahead = std::max(turn * turn - 0.25f, 0.0f);
    const float brake = 2.0f * damping_ratio * turn + ahead;
    return {brake / (1.0f + brake), turn * turn / (h * (1.0f + brake)), 1.0f / (1.0f + brake)};
}

float joint_position(JointKind kind, const Transform& frame_a, const Transform& frame_b, float near) {
    const Vec3 offset = frame_b.position - frame_a.position;
    const Vec3 z_a = rotate(frame_a.orientation, Vec3(0, 0, 1));
    const Vec3 z_b = rotate(frame_b.orientation, Vec3(0, 0, 1));
    switch (kind) {
    case JointKind::ball:
    case JointKind::universal:
        return plane_angle(glm::length(glm::cross(z_a, z_b)), glm::dot(z_a, z_b));
    case JointKind::hinge:
        return unwrapped(twist(frame_a.orientation, frame_b.orientation), near);
    case JointKind::slider:
        return glm::dot(z_a, offset);
    case JointKind::weld:
        return 0.0f;
    case JointKind::gear:
    case JointKind::rack:
    case JointKind::pulley:
        return near;
    case JointKind::distance:
        return glm::length(offset);
    }
    return 0.0f;
}

int rigid_rows(const JointRows& joint) {
    switch (joint.kind) {
    case JointKind::ball:
        return joint.has_spring ? 0 : 3;
    case JointKind::hinge:
    case JointKind::slider:
        return 5;
    case JointKind::weld:
        return joint.has_spring ? 3 : 6;
    case JointKind::distance:
        return joint.has_limits || joint.has_spring || joint.has_motor ? 0 : 1;
    case JointKind::universal:
        return 4;
    case JointKind::gear:
    case JointKind::rack:
        return 1;
    case JointKind::pulley:
        return 0;
    }
    return 0;
}

void refresh(JointRows& joint, std::span<const BodyMotion> motions, std::span<const BodyInertia> inertias) {
    joint.inverse_inertia_a = inertias[joint.motion_a].inverse;
    joint.inverse_inertia_b = inertias[joint.motion_b].inverse;
    follow(joint, motions[joint.motion_a], motions[joint.motion_b]);
}

void note_arcs(std::span<JointRows> joints, std::span<const BodyMotion> motions, std::span<const Vec3> spin_changes,
               float h) {
    for (JointRows& joint : joints) {
        const std::uint32_t a = joint.motion_a, b = joint.motion_b;
        joint.bend = bend_of(joint, motions[a], motions[b], spin_changes[a], spin_changes[b], h);
    }
}

void warm_start_free_rows(std::span<JointRows> joints, std::span<BodyMotion> motions) {
    for (JointRows& joint : joints) {
        BodyMotion& a = motions[joint.motion_a];
        BodyMotion& b = motions[joint.motion_b];
        const JointImpulses& impulses = joint.impulses;
        if (joint.kind == JointKind::ball && joint.has_motor) {
            apply_turn(joint, impulses.brake, a, b);
        }
        if (joint.has_spring && joint.kind == JointKind::ball) {
            apply_point(joint, impulses.soft_block, a, b);
        } else if (joint.has_spring && joint.kind == JointKind::weld) {
            apply_turn(joint, impulses.soft_block, a, b);
        }
        apply(joint, joint.axis, along_axis(impulses), a, b);
        if (joint.has_cone) {
            apply(joint, joint.cone_row, impulses.cone, a, b);
        }
    }
}

void warm_start_rigid_rows(const JointRows& joint, std::span<BodyMotion> motions) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count); ++i) {
        apply(joint, joint.rows[i], joint.impulses.rigid[i], motions[joint.motion_a], motions[joint.motion_b]);
    }
}

bool has_free_rows(const JointRows& joint) {
    return joint.has_limits || joint.has_motor || joint.has_spring || joint.has_cone || joint.angular_drag > 0.0f;
}

void solve_free_rows(JointRows& joint, std::span<BodyMotion> motions, const JointSolverSettings& settings,
                     bool use_bias) {
    BodyMotion& a = motions[joint.motion_a];
    BodyMotion& b = motions[joint.motion_b];
    if (use_bias) {
        if (joint.angular_drag > 0.0f) {
            b.angular_velocity *= 1.0f / (1.0f + settings.h * joint.angular_drag);
        }
        if (joint.has_spring) {
            pull(joint, a, b);
        }
    }
    if (joint.has_motor) {
        drive(joint, a, b);
    }
    if (joint.has_limits) {
        hold_limits(joint, a, b, use_bias ? joint.bend.axis : 0.0f, settings, use_bias);
    }
    if (joint.has_cone) {
        hold_cone(joint, a, b, settings, use_bias);
    }
}

// The speeds by which the rows bring their joint back together.
std::array<float, 6> taken_back(const JointRows& joint, float rate) {
    std::array<float, 6> errors{}, speeds{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count); ++i) {
        errors[i] = rate * joint.error[i];
    }
    const auto add = [&speeds](const std::array<float, 6>& wanted, std::size_t begin, std::size_t end) {
        float length2 = 0.0f;
        for (std::size_t i = begin; i < end; ++i) {
            length2 += wanted[i] * wanted[i];
        }
        const bool held = length2 > most_taken_back * most_taken_back;
        const float scale = held ? most_taken_back / std::sqrt(length2) : 1.0f;
        for (std::size_t i = begin; i < end; ++i) {
            speeds[i] += held ? wanted[i] * scale : wanted[i];
        }
    };
    const auto count = static_cast<std::size_t>(joint.count);
    const std::size_t lengths = std::min<std::size_t>(count, joint.kind == JointKind::slider ? 2 : 3);
    add(errors, 0, lengths);
    add(errors, lengths, count);
    add(joint.bend.rigid, 0, lengths);
    add(joint.bend.rigid, lengths, count);
    return speeds;
}

std::array<float, 6> wanted_change(const JointRows& joint, std::span<const BodyMotion> motions,
                                   const JointSolverSettings& settings, bool use_bias) {
    const BodyMotion& a = motions[joint.motion_a];
    const BodyMotion& b = motions[joint.motion_b];
    std::array<float, 6> change{};
    if (use_bias) {
        change = taken_back(joint, settings.softness.bias_rate);
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count); ++i) {
        change[i] = -speed(joint.rows[i], a, b) - change[i];
    }
    return change;
}

std::array<float, 6> own_change(const JointRows& joint) {
    BodyMotion a, b;
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count); ++i) {
        apply(joint, joint.rows[i], joint.impulses.rigid[i], a, b);
    }
    std::array<float, 6> change{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count); ++i) {
        change[i] = speed(joint.rows[i], a, b);
    }
    return change;
}

void solve_rigid_rows(JointRows& joint, std::span<BodyMotion> motions, const JointSolverSettings& settings,
                      bool use_bias) {
    std::array<float, 6> impulses = solve_factored(joint, wanted_change(joint, motions, settings, use_bias));
    if (use_bias) {
        for (std::size_t i = 0; i < impulses.size(); ++i) {
            impulses[i] =
                settings.softness.mass_scale * impulses[i] - settings.softness.impulse_scale * joint.impulses.rigid[i];
        }
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count); ++i) {
        apply(joint, joint.rows[i], impulses[i], motions[joint.motion_a], motions[joint.motion_b]);
        joint.impulses.rigid[i] += impulses[i];
    }
}

Vec3 pull_of(const JointRows& joint) {
    const std::array<float, 6>& rigid = joint.impulses.rigid;
    const float axis = along_axis(joint.impulses);
    switch (joint.kind) {
    case JointKind::ball:
        return joint.has_spring ? joint.impulses.soft_block : Vec3(rigid[0], rigid[1], rigid[2]);
    case JointKind::hinge:
    case JointKind::weld:
    case JointKind::universal:
        return {rigid[0], rigid[1], rigid[2]};
    case JointKind::gear:
    case JointKind::rack:
    case JointKind::pulley: // not a point of one body held to a point of the other
        return Vec3(0.0f);
    case JointKind::slider: // two rows across the axis
        return rotate(joint.start_frame_a, Vec3(rigid[0], rigid[1], axis));
    case JointKind::distance:
        return (rigid[0] + axis) * normalized_or(joint.start_offset, Vec3(0.0f));
    }
    return Vec3(0.0f);
}

void accumulate(std::span<JointRows> joints) {
    for (JointRows& joint : joints) {
        const JointImpulses& impulses = joint.impulses;
        const auto add = [&joint](const JointRow& row, float impulse) {
            joint.step_force += impulse * row.linear;
            if (row.linear == Vec3(0.0f)) { // of the others the force already tells
                joint.step_torque += impulse * row.angular_b;
            }
        };
        for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count); ++i) {
            add(joint.rows[i], impulses.rigid[i]);
        }
        add(joint.axis, along_axis(impulses));
        if (joint.has_cone) {
            add(joint.cone_row, impulses.cone);
        }
        joint.step_torque += impulses.brake;
        (joint.kind == JointKind::ball ? joint.step_force : joint.step_torque) += impulses.soft_block;
    }
}

} // namespace cairn::physics
