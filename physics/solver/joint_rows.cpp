#include "physics/solver/joint_rows.h"

#include "physics/query/trigonometry.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

void add_row(JointRows& joint, const JointRow& row) {
    const auto i = static_cast<std::size_t>(joint.count++);
    joint.rows[i] = row;
    finish(joint, joint.rows[i]);
}

constexpr std::array<Vec3, 3> world_axes{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};

void add_point_rows(JointRows& joint) {
    for (const Vec3& axis : world_axes) {
        add_row(joint, point_row(joint, axis));
    }
}

// The row that keeps A's X axis at right angles to B's Y axis.
void add_cross_row(JointRows& joint, const Quat& frame_a, const Quat& frame_b) {
    const Vec3 x = rotate(frame_a, Vec3(1, 0, 0));
    const Vec3 y = rotate(frame_b, Vec3(0, 1, 0));
    add_row(joint, turn_row(glm::cross(y, x)));
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

void add_turn_rows(JointRows& joint) {
    for (const Vec3& axis : world_axes) {
        add_row(joint, turn_row(axis));
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

// The axes of six_dof in the order of their rows: what is locked of lengths and of turns, then what is acted on.
struct AxisOrder {
    std::array<int, 6> axis{};
    int lengths = 0, locked = 0, all = 0;
};

AxisOrder order_of(const JointAxis* axes) {
    AxisOrder order;
    const auto add = [&](bool locked) {
        for (int i = 0; i < joint_axes; ++i) {
            const JointAxis::Mode mode = axes[i].mode;
            if (locked ? mode == JointAxis::Mode::locked
                       : mode != JointAxis::Mode::locked && mode != JointAxis::Mode::free) {
                order.axis[static_cast<std::size_t>(order.all++)] = i;
                order.lengths += locked && i < 3 ? 1 : 0;
            }
        }
    };
    add(true);
    order.locked = order.all;
    add(false);
    return order;
}

// The two axes that a single locked Cardan angle keeps at right angles, one of each frame.
std::pair<Vec3, Vec3> crossed(int angle, const Mat3& a, const Mat3& b) {
    return angle == 0 ? std::pair(a[1], b[2]) : angle == 1 ? std::pair(a[0], b[2]) : std::pair(a[0], b[1]);
}

// Of several locked turns the one that is free; 3 if none is.
int free_turn(const JointAxis* axes) {
    for (int i = 0; i < 3; ++i) {
        if (axes[3 + i].mode != JointAxis::Mode::locked) {
            return i;
        }
    }
    return 3;
}

// Where the frames of a joint are, and by how much its rigid rows are off there.
struct Placement {
    Vec3 arm_a, arm_b, offset;
    Quat frame_a, frame_b;
    Vec3 z_a, z_b;
    std::array<float, 6> error{};
    float position = 0.0f, turn_a = 0.0f, turn_b = 0.0f; // as in JointRows
};

// The errors of locked axes, and behind them the positions of those that are acted on.
void place_axes(const JointRows& joint, Placement& p) {
    const Mat3 a = rotation_matrix(p.frame_a), b = rotation_matrix(p.frame_b);
    const AxisOrder order = order_of(joint.axes);
    const int locked_turns = order.locked - order.lengths;
    const int free = free_turn(joint.axes);
    Vec3 turn(0.0f); // error of the orientation, as far as several turns are locked
    if (locked_turns == 3) {
        turn = rotation_error(p.frame_a, p.frame_b);
    } else if (locked_turns == 2) {
        turn = glm::cross(a[free], b[free]);
        if (glm::dot(a[free], b[free]) < 0.0f) {
            turn = normalized_or(turn, a[(free + 1) % 3]);
        }
    }
    for (int k = 0; k < order.all; ++k) {
        const int axis = order.axis[static_cast<std::size_t>(k)];
        float& error = p.error[static_cast<std::size_t>(k)];
        if (axis < 3) {
            error = glm::dot(a[axis], p.offset);
        } else if (k < order.locked && locked_turns == 1) {
            const auto [mine, other] = crossed(axis - 3, a, b);
            error = glm::dot(mine, other);
        } else if (k < order.locked) {
            error = locked_turns == 3 ? turn[axis - 3] : glm::dot(a[axis - 3], turn);
        } else if (axis == 3) {
            error = plane_angle(-glm::dot(a[1], b[2]), glm::dot(a[2], b[2]));
        } else if (axis == 4) {
            error = plane_angle(glm::dot(a[0], b[2]), glm::length(glm::cross(a[0], b[2])));
        } else {
            error = plane_angle(-glm::dot(a[0], b[1]), glm::dot(a[0], b[0]));
        }
    }
}

void follow_axes(JointRows& joint, const Placement& p) {
    const Mat3 a = rotation_matrix(p.frame_a), b = rotation_matrix(p.frame_b);
    const AxisOrder order = order_of(joint.axes);
    const int locked_turns = order.locked - order.lengths;
    const Vec3 node = glm::cross(b[2], a[0]); // about which the second angle turns; as long as its cosine
    const Vec3 middle = normalized_or(node, a[1]);
    const float cosine = std::max(glm::length(node), 0.1f); // the angles lose their meaning at a quarter turn
    for (int k = 0; k < order.all; ++k) {
        const int axis = order.axis[static_cast<std::size_t>(k)];
        if (axis < 3) {
            add_row(joint, carried_row(joint, a[axis]));
        } else if (k < order.locked && locked_turns == 1) {
            const auto [mine, other] = crossed(axis - 3, a, b);
            add_row(joint, turn_row(glm::cross(other, mine)));
        } else if (k < order.locked) {
            add_row(joint, turn_row(locked_turns == 3 ? world_axes[static_cast<std::size_t>(axis - 3)] : a[axis - 3]));
        } else {
            add_row(joint, turn_row(axis == 3   ? glm::cross(middle, b[2]) / cosine
                                    : axis == 4 ? middle
                                                : glm::cross(a[0], middle) / cosine));
        }
    }
    joint.count = order.locked;
    joint.acted = order.all - order.locked;
    if (joint.acted > 0) {
        factorise(joint);
        for (int k = order.locked; k < order.all; ++k) {
            const auto row = static_cast<std::size_t>(k);
            joint.row_mass[row] = held_mass(joint, joint.rows[row]);
        }
    }
}

Placement placement_of(const JointRows& joint, const BodyMotion& a, const BodyMotion& b) {
    Placement p;
    p.arm_a = rotate(a.delta_rotation, joint.start_arm_a);
    p.arm_b = rotate(b.delta_rotation, joint.start_arm_b);
    p.offset = joint.start_offset + (b.delta_position - a.delta_position) + (p.arm_b - joint.start_arm_b) -
               (p.arm_a - joint.start_arm_a);
    p.frame_a = a.delta_rotation * joint.start_frame_a;
    p.frame_b = b.delta_rotation * joint.start_frame_b;
    p.z_a = rotate(p.frame_a, Vec3(0, 0, 1));
    p.z_b = rotate(p.frame_b, Vec3(0, 0, 1));
    const auto x_of = [](const Quat& frame) { return rotate(frame, Vec3(1, 0, 0)); };
    const auto y_of = [](const Quat& frame) { return rotate(frame, Vec3(0, 1, 0)); };
    const auto put = [&p](std::size_t row, const Vec3& error) {
        p.error[row] = error.x;
        p.error[row + 1] = error.y;
        p.error[row + 2] = error.z;
    };
    switch (joint.kind) {
    case JointKind::ball:
        put(0, p.offset);
        p.position = joint.has_limits ? twist(p.frame_a, p.frame_b) : 0.0f;
        break;
    case JointKind::universal:
        put(0, p.offset);
        p.error[3] = glm::dot(x_of(p.frame_a), y_of(p.frame_b));
        break;
    case JointKind::gear:
        p.turn_a = turn_about(p.z_a, a.delta_rotation, joint.turn_a);
        p.turn_b = turn_about(p.z_b, b.delta_rotation, joint.turn_b);
        p.error[0] = p.position = joint.start_position + p.turn_a + joint.ratio * p.turn_b;
        break;
    case JointKind::rack:
        p.turn_a = turn_about(p.z_a, a.delta_rotation, joint.turn_a);
        p.error[0] = p.position =
            joint.start_position + glm::dot(p.z_b, b.delta_position - a.delta_position) - joint.ratio * p.turn_a;
        break;
    case JointKind::pulley:
        p.position = glm::length(a.delta_position + p.arm_a - joint.ground_a) +
                     joint.ratio * glm::length(b.delta_position + p.arm_b - joint.ground_b);
        break;
    case JointKind::hinge: {
        put(0, p.offset);
        // For axes that point against each other the way back is a free choice.
        const Vec3 x = x_of(p.frame_a);
        Vec3 tilt = glm::cross(p.z_a, p.z_b);
        if (glm::dot(p.z_a, p.z_b) < 0.0f) {
            tilt = normalized_or(tilt, x);
        }
        p.error[3] = glm::dot(x, tilt);
        p.error[4] = glm::dot(y_of(p.frame_a), tilt);
        p.position = unwrapped(twist(p.frame_a, p.frame_b), joint.position);
        break;
    }
    case JointKind::slider:
        p.error[0] = glm::dot(x_of(p.frame_a), p.offset);
        p.error[1] = glm::dot(y_of(p.frame_a), p.offset);
        put(2, rotation_error(p.frame_a, p.frame_b));
        p.position = glm::dot(p.z_a, p.offset);
        break;
    case JointKind::weld:
        put(0, p.offset);
        put(3, rotation_error(p.frame_a, p.frame_b));
        break;
    case JointKind::distance:
        p.position = glm::length(p.offset);
        p.error[0] = p.position - joint.length;
        break;
    case JointKind::six_dof:
        place_axes(joint, p);
        break;
    }
    return p;
}

void follow(JointRows& joint, const BodyMotion& a, const BodyMotion& b) {
    const Placement at = placement_of(joint, a, b);
    const Vec3 &z_a = at.z_a, &z_b = at.z_b;
    joint.arm_a = at.arm_a;
    joint.arm_b = at.arm_b;
    joint.offset = at.offset;
    joint.error = at.error;
    joint.position = at.position;
    joint.turn_a = at.turn_a;
    joint.turn_b = at.turn_b;
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
        }
        if (joint.has_cone) {
            follow_cone(joint, z_a, z_b);
        }
        break;
    case JointKind::universal:
        add_point_rows(joint);
        add_cross_row(joint, at.frame_a, at.frame_b);
        if (joint.has_cone) {
            follow_cone(joint, z_a, z_b);
        }
        break;
    case JointKind::gear: {
        JointRow row;
        row.angular_a = z_a;
        row.angular_b = joint.ratio * z_b;
        add_row(joint, row);
        break;
    }
    case JointKind::rack: {
        JointRow row;
        row.linear = z_b;
        row.angular_a = -joint.ratio * z_a;
        add_row(joint, row);
        break;
    }
    case JointKind::pulley: {
        const Vec3 along_a = normalized_or(a.delta_position + joint.arm_a - joint.ground_a, -z_a);
        const Vec3 along_b = normalized_or(b.delta_position + joint.arm_b - joint.ground_b, -z_b);
        joint.axis.linear = joint.ratio * along_b;
        joint.axis.linear_a = along_a + joint.axis.linear;
        joint.axis.angular_a = glm::cross(joint.arm_a, along_a);
        joint.axis.angular_b = joint.ratio * glm::cross(joint.arm_b, along_b);
        break;
    }
    case JointKind::hinge:
        add_point_rows(joint);
        for (const Vec3& across : {Vec3(1, 0, 0), Vec3(0, 1, 0)}) { // these keep the Z axes together
            add_row(joint, turn_row(rotate(at.frame_a, across)));
        }
        break;
    case JointKind::slider:
        for (const Vec3& across : {Vec3(1, 0, 0), Vec3(0, 1, 0)}) {
            add_row(joint, carried_row(joint, rotate(at.frame_a, across)));
        }
        add_turn_rows(joint);
        joint.axis = carried_row(joint, z_a);
        break;
    case JointKind::weld:
        add_point_rows(joint);
        if (joint.has_spring) {
            joint.block_error = rotation_error(at.frame_a, at.frame_b);
            joint.block_mass = inverse_of(joint.inverse_inertia_a + joint.inverse_inertia_b);
        } else {
            add_turn_rows(joint);
        }
        break;
    case JointKind::distance:
        joint.axis = point_row(joint, normalized_or(joint.offset, z_a));
        if (!joint.has_limits && !joint.has_spring && !joint.has_motor) { // a rod
            add_row(joint, joint.axis);
        }
        break;
    case JointKind::six_dof:
        joint.axis = JointRow{};
        follow_axes(joint, at);
        break;
    }
    finish(joint, joint.axis);
    if (joint.has_limits || joint.has_motor || joint.has_spring || joint.has_cone) {
        factorise(joint);
        joint.axis_mass = held_mass(joint, joint.axis);
        joint.cone_mass = joint.has_cone ? held_mass(joint, joint.cone_row) : 0.0f;
    }
}

// The joint's own rigid rows answer what another row has done: the masses of those presume it. Without it the next row,
// of this joint or its neighbour, would answer a motion that is none, harder each time.
void answer_rigidly(JointRows& joint, BodyMotion& a, BodyMotion& b) {
    std::array<float, 6> change{};
    const auto count = static_cast<std::size_t>(joint.count);
    for (std::size_t i = 0; i < count; ++i) {
        change[i] = -speed(joint.rows[i], a, b);
    }
    const std::array<float, 6> impulses = solve_factored(joint, change);
    for (std::size_t i = 0; i < count; ++i) {
        apply(joint, joint.rows[i], impulses[i], a, b);
        joint.impulses.rigid[i] += impulses[i];
    }
}

void push(JointRows& joint, const JointRow& row, float impulse, BodyMotion& a, BodyMotion& b) {
    if (impulse != 0.0f) {
        apply(joint, row, impulse, a, b);
        answer_rigidly(joint, a, b);
    }
}

Vec3 held_to(const Vec3& impulse, float most) {
    const float length2 = glm::dot(impulse, impulse);
    return length2 > most * most ? impulse * (most / std::sqrt(length2)) : impulse;
}

float driven_impulse(float old, float mass, float slip, float most) {
    return std::clamp(old - mass * slip, -most, most);
}

float sprung_impulse(float old, float mass, const SpringTerms& terms, float rate, float error, float most) {
    const float wanted = old - mass * (terms.mass_scale * rate + terms.push * error) - terms.impulse_scale * old;
    return std::clamp(wanted, -most, most);
}

// Motors act in both passes, so that a free one runs at its speed exactly.
void drive(JointRows& joint, BodyMotion& a, BodyMotion& b) {
    if (joint.kind == JointKind::ball) {
        const Vec3 slip = b.angular_velocity - a.angular_velocity - joint.motor_speed * joint.brake_axis;
        const Vec3 next = held_to(joint.impulses.brake - joint.brake_mass * slip, joint.motor_impulse);
        apply_turn(joint, next - joint.impulses.brake, a, b);
        answer_rigidly(joint, a, b);
        joint.impulses.brake = next;
        return;
    }
    const float next = driven_impulse(joint.impulses.motor, joint.axis_mass,
                                      speed(joint.axis, a, b) - joint.motor_speed, joint.motor_impulse);
    push(joint, joint.axis, next - joint.impulses.motor, a, b);
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
        answer_rigidly(joint, a, b);
        joint.impulses.soft_block = next;
        return;
    }
    const float old = joint.impulses.spring;
    const float next = sprung_impulse(old, joint.axis_mass, terms, speed(joint.axis, a, b),
                                      joint.position - joint.spring_target, joint.spring_impulse);
    push(joint, joint.axis, next - old, a, b);
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

// The impulse of a row with a bound on either side, positive where the lower one pushes. At most one of them does: had
// both their say in turn, the upper one would answer the lower one's push before the rigid rows have held it.
float impulse_between(float old, float mass, float rate, const JointLimits& limits, float position, float bend,
                      const JointSolverSettings& settings, bool use_bias) {
    const float lower = bounded_impulse(old, mass, rate, position - limits.lower, bend, settings, use_bias);
    return lower > 0.0f ? lower
                        : -bounded_impulse(-old, mass, -rate, limits.upper - position, -bend, settings, use_bias);
}

void hold_limits(JointRows& joint, BodyMotion& a, BodyMotion& b, float bend, const JointSolverSettings& settings,
                 bool use_bias) {
    JointImpulses& impulses = joint.impulses;
    const float old = impulses.lower - impulses.upper;
    const float next = impulse_between(old, joint.axis_mass, speed(joint.axis, a, b), joint.limits, joint.position,
                                       bend, settings, use_bias);
    push(joint, joint.axis, next - old, a, b);
    impulses.lower = std::max(next, 0.0f);
    impulses.upper = std::max(-next, 0.0f);
}

void hold_cone(JointRows& joint, BodyMotion& a, BodyMotion& b, const JointSolverSettings& settings, bool use_bias) {
    const float old = joint.impulses.cone;
    const float next =
        bounded_impulse(old, joint.cone_mass, speed(joint.cone_row, a, b), joint.cone_room, 0.0f, settings, use_bias);
    push(joint, joint.cone_row, next - old, a, b);
    joint.impulses.cone = next;
}

// An axis of six_dof that is limited or driven, by its row.
void act(JointRows& joint, std::size_t k, const JointAxis& axis, bool turns, BodyMotion& a, BodyMotion& b,
         const JointSolverSettings& settings, bool use_bias) {
    const JointRow& row = joint.rows[k];
    const float mass = joint.row_mass[k], rate = speed(row, a, b), old = joint.impulses.rigid[k];
    float next = old;
    switch (axis.mode) {
    case JointAxis::Mode::motor:
        next = driven_impulse(old, mass, rate - axis.motor.speed, axis.motor.max_force * settings.h);
        break;
    case JointAxis::Mode::spring:
        if (use_bias) {
            const float apart = joint.error[k] - axis.spring.target;
            const float most = axis.spring.max_force ? *axis.spring.max_force * settings.h : 3e38f;
            next = sprung_impulse(old, mass, make_spring(axis.spring.hertz, axis.spring.damping_ratio, settings.h),
                                  rate, turns ? unwrapped(apart, 0.0f) : apart, most);
        }
        break;
    case JointAxis::Mode::limited:
        next = impulse_between(old, mass, rate, axis.limits, joint.error[k], use_bias ? joint.bend.rigid[k] : 0.0f,
                               settings, use_bias);
        break;
    case JointAxis::Mode::locked:
    case JointAxis::Mode::free:
        return;
    }
    push(joint, row, next - old, a, b);
    joint.impulses.rigid[k] = next;
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
    case JointKind::six_dof:
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
    case JointKind::six_dof:
        return order_of(joint.axes).locked;
    }
    return 0;
}

void refresh(JointRows& joint, std::span<const BodyMotion> motions, std::span<const BodyInertia> inertias) {
    joint.inverse_inertia_a = inertias[joint.motion_a].inverse;
    joint.inverse_inertia_b = inertias[joint.motion_b].inverse;
    follow(joint, motions[joint.motion_a], motions[joint.motion_b]);
}

float note_arcs(JointRows& joint, std::span<const BodyMotion> motions, const BodyMotion& end_a, const BodyMotion& end_b,
                float h) {
    const BodyMotion& a = motions[joint.motion_a];
    const BodyMotion& b = motions[joint.motion_b];
    const Placement end = placement_of(joint, end_a, end_b);
    float most = 0.0f;
    const auto count = static_cast<std::size_t>(joint.count);
    for (std::size_t i = 0; i < count + static_cast<std::size_t>(joint.acted); ++i) {
        const float change = end.error[i] - joint.error[i];
        const bool angle = i >= count && joint.rows[i].linear == Vec3(0.0f);
        const float bend = (angle ? unwrapped(change, 0.0f) : change) / h - speed(joint.rows[i], a, b);
        most = std::max(most, std::abs(bend - joint.bend.rigid[i]));
        joint.bend.rigid[i] = bend;
    }
    const float change = end.position - joint.position;
    const bool wraps = joint.kind == JointKind::ball;
    joint.bend.axis = (wraps ? unwrapped(change, 0.0f) : change) / h - speed(joint.axis, a, b);
    return most;
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
        for (int k = joint.count; k < joint.count + joint.acted; ++k) {
            const auto row = static_cast<std::size_t>(k);
            apply(joint, joint.rows[row], impulses.rigid[row], a, b);
        }
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
    if (joint.kind == JointKind::six_dof) {
        const AxisOrder order = order_of(joint.axes);
        return order.all > order.locked;
    }
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
    if (joint.acted > 0) {
        const AxisOrder order = order_of(joint.axes);
        for (int k = order.locked; k < order.all; ++k) {
            const int axis = order.axis[static_cast<std::size_t>(k)];
            act(joint, static_cast<std::size_t>(k), joint.axes[axis], axis > 2, a, b, settings, use_bias);
        }
    }
}

bool hold_stops(JointRows& joint, std::span<BodyMotion> motions, const JointSolverSettings& settings) {
    const JointImpulses before = joint.impulses;
    if (joint.has_limits) {
        hold_limits(joint, motions[joint.motion_a], motions[joint.motion_b], 0.0f, settings, false);
    }
    if (joint.has_cone) {
        hold_cone(joint, motions[joint.motion_a], motions[joint.motion_b], settings, false);
    }
    return joint.impulses.lower != before.lower || joint.impulses.upper != before.upper ||
           joint.impulses.cone != before.cone;
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
    const std::size_t lengths = joint.kind == JointKind::six_dof
                                    ? static_cast<std::size_t>(order_of(joint.axes).lengths)
                                    : std::min<std::size_t>(count, joint.kind == JointKind::slider ? 2 : 3);
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

float speed_back(const JointRows& joint, const JointSolverSettings& settings) {
    const float reach = std::max(glm::length(joint.arm_a), glm::length(joint.arm_b));
    float square = 0.0f; // turns move what is as far away as the pivot
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count); ++i) {
        const bool turns = joint.rows[i].linear == Vec3(0.0f);
        const float error = joint.error[i] * (turns ? reach : 1.0f);
        square += error * error;
    }
    if (joint.has_limits) {
        const bool turns = joint.axis.linear == Vec3(0.0f);
        const float error = std::max({joint.limits.lower - joint.position, joint.position - joint.limits.upper, 0.0f}) *
                            (turns ? reach : 1.0f);
        square += error * error;
    }
    return std::min(settings.softness.bias_rate * std::sqrt(square), most_taken_back);
}

void scale_impulses(JointRows& joint, float share) {
    JointImpulses& impulses = joint.impulses;
    for (float& impulse : impulses.rigid) {
        impulse *= share;
    }
    for (float* impulse : {&impulses.motor, &impulses.spring, &impulses.lower, &impulses.upper, &impulses.cone}) {
        *impulse *= share;
    }
    impulses.soft_block *= share;
    impulses.brake *= share;
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
    case JointKind::six_dof: {
        const AxisOrder order = order_of(joint.axes);
        Vec3 pull(0.0f);
        for (std::size_t k = 0; k < static_cast<std::size_t>(order.all); ++k) {
            if (order.axis[k] < 3) {
                pull[order.axis[k]] = rigid[k];
            }
        }
        return rotate(joint.start_frame_a, pull);
    }
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
        for (std::size_t i = 0; i < static_cast<std::size_t>(joint.count + joint.acted); ++i) {
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
