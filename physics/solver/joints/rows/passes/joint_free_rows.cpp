// Motors, springs, limits and cones: what acts along a joint's free ways.
#include "physics/solver/joints/rows/joint_axes.h"
#include "physics/solver/joints/rows/joint_factors.h"
#include "physics/solver/joints/rows/joint_placement.h"
#include "physics/solver/joints/rows/joint_row.h"
#include "physics/solver/joints/rows/passes/held_rows.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cairn::physics {

SpringTerms make_spring(float hertz, float damping_ratio, float h, float own, float share_before) {
    constexpr float least_brake = 1e-9f; // which nobody sees, and by which soft rows can be divided
    const float turn = 2.0f * std::numbers::pi_v<float> * hertz * h; // h omega
    const float ahead =
        turn * turn * std::max({1.0f - share_before, 1.0f / most_taken_back_at_once - 1.0f / own, 0.0f});
    return {std::max(2.0f * damping_ratio * turn + ahead, least_brake), ahead, turn * turn / h};
}

namespace {

// The joint's own rigid rows answer what another row has done: the masses of those presume it. Without it the next row,
// of this joint or its neighbour, would answer a motion that is none, harder each time.
void answer_rigidly(JointRows& joint, BodyMotion& a, BodyMotion& b) {
    std::array<float, 6> change{};
    const auto count = static_cast<std::size_t>(joint.count);
    for (std::size_t i = 0; i < count; ++i) {
        change[i] = -speed(joint.rows[i], a, b);
    }
    const std::array<float, 6> impulses = solve_alone(joint, change);
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

// Brings a row of which impulse_of(mass) is the impulse from `old` to that, with the mass of what hangs on the bodies;
// `mass_of`: with that of its own two. Returns the new impulse.
template <class ImpulseOf>
float push_load(JointRows& joint, const JointRow& row, float old, float (*mass_of)(JointRows&), float& load,
                Mechanism* mechanism, BodyMotion& a, BodyMotion& b, ImpulseOf&& impulse_of) {
    if (old == 0.0f) { // whether it pushes at all does not depend on the mass
        const float of_one = impulse_of(1.0f);
        if (of_one == 0.0f) {
            return of_one;
        }
    }
    const float own_mass = mass_of(joint);
    float next = impulse_of(own_mass);
    if (mechanism != nullptr && (next != 0.0f || old != 0.0f)) {
        if (load == 0.0f) {
            load = mechanism->load_on(joint, row, own_mass);
        }
        next = impulse_of(load * own_mass);
    }
    if (load <= 1.0f) {
        push(joint, row, next - old, a, b);
    } else if (next != old) {
        apply(joint, row, next - old, a, b);
        mechanism->answer();
    }
    return next;
}

Vec3 held_to(const Vec3& impulse, float most) {
    const float length2 = glm::dot(impulse, impulse);
    return length2 > most * most ? impulse * (most / std::sqrt(length2)) : impulse;
}

float driven_impulse(float old, float mass, float slip, float most) {
    return std::clamp(old - mass * slip, -most, most);
}

// `moved`, `mass`: kg or kg m^2, of the bodies against the row, and of the spring.
float sprung_impulse(float old, float moved, float mass, const SpringTerms& terms, float rate, float error,
                     float most) {
    const float wanted = mass * (terms.brake * rate + terms.pull * error) + old;
    return std::clamp(old - wanted / (1.0f + terms.brake * mass / moved), -most, most);
}

// Springs that are swept over have not come to agree: without bias all that stiff ones move, and not the rest of an arc
// alone, is taken off as far as they are taken ahead.
float relaxed_impulse(float old, float moved, float mass, const SpringTerms& terms, float rate, float most) {
    return std::clamp(old - mass * terms.ahead * rate / (1.0f + terms.ahead * mass / moved), -most, most);
}

// Motors act in both passes, so that a free one runs at its speed exactly.
void drive(JointRows& joint, BodyMotion& a, BodyMotion& b) {
    if (joint.kind == JointKind::ball) {
        const Vec3 slip = b.angular_velocity - a.angular_velocity - joint.motor_speed * joint.brake_axis;
        const Mat3 mass = inverse_of(joint.inverse_inertia_a + joint.inverse_inertia_b);
        const Vec3 next = held_to(joint.impulses.brake - mass * slip, joint.motor_impulse);
        apply_turn(joint, next - joint.impulses.brake, a, b);
        answer_rigidly(joint, a, b);
        joint.impulses.brake = next;
        return;
    }
    const float old = joint.impulses.motor, slip = speed(joint.axis, a, b) - joint.motor_speed;
    joint.impulses.motor = driven_impulse(old, axis_mass(joint), slip, joint.motor_impulse);
    push(joint, joint.axis, joint.impulses.motor - old, a, b);
}

void pull(JointRows& joint, BodyMotion& a, BodyMotion& b, bool use_bias) {
    const SpringTerms& terms = joint.springs[0];
    if (has_soft_block(joint)) {
        const bool point = joint.kind == JointKind::ball;
        const Vec3 rate = point ? origin_velocity(joint, a, b) : b.angular_velocity - a.angular_velocity;
        const Vec3 old = joint.impulses.soft_block;
        const Mat3 mass = block_mass(joint);
        const float brake = use_bias ? terms.brake : terms.ahead;
        const Mat3 answer = Mat3(1.0f) + brake * mass * as_matrix(joint.block_compliance);
        const Vec3 wanted =
            mass * (brake * rate) + (use_bias ? mass * (terms.pull * joint.block_error) + old : Vec3(0.0f));
        const Vec3 next = held_to(old - glm::inverse(answer) * wanted, joint.spring_impulse);
        if (point) {
            apply_point(joint, next - old, a, b);
        } else {
            apply_turn(joint, next - old, a, b);
        }
        answer_rigidly(joint, a, b);
        joint.impulses.soft_block = next;
        return;
    }
    const float old = joint.impulses.spring, rate = speed(joint.axis, a, b);
    const float moved = axis_mass(joint), mass = spring_mass(joint), most = joint.spring_impulse;
    const float next = use_bias
                           ? sprung_impulse(old, moved, mass, terms, rate, joint.position - joint.spring_target, most)
                           : relaxed_impulse(old, moved, mass, terms, rate, most);
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
                 bool use_bias, Mechanism* mechanism) {
    JointImpulses& impulses = joint.impulses;
    const float old = impulses.lower - impulses.upper, rate = speed(joint.axis, a, b);
    const float position = near_limits(joint, joint.axis, joint.limits, joint.position, settings);
    const float next = push_load(joint, joint.axis, old, axis_mass, joint.axis_load, mechanism, a, b, [&](float mass) {
        return impulse_between(old, mass, rate, joint.limits, position, bend, settings, use_bias);
    });
    impulses.lower = std::max(next, 0.0f);
    impulses.upper = std::max(-next, 0.0f);
}

void hold_cone(JointRows& joint, BodyMotion& a, BodyMotion& b, const JointSolverSettings& settings, bool use_bias,
               Mechanism* mechanism) {
    const float old = joint.impulses.cone, rate = speed(joint.cone_row, a, b);
    joint.impulses.cone =
        push_load(joint, joint.cone_row, old, cone_mass, joint.cone_load, mechanism, a, b, [&](float mass) {
            return bounded_impulse(old, mass, rate, cone_room(joint, settings), 0.0f, settings, use_bias);
        });
}

// Whether an axis of six_dof has a say of its own in a pass, as long as it is not held.
bool acts_alone(JointAxis::Mode mode, bool use_bias, bool sequential) {
    switch (mode) {
    case JointAxis::Mode::motor:
        return true;
    case JointAxis::Mode::spring:
        return use_bias || sequential;
    case JointAxis::Mode::limited:
        return sequential;
    case JointAxis::Mode::locked:
    case JointAxis::Mode::free:
        break;
    }
    return false;
}

// An axis of six_dof that is limited or driven, by its row.
void act(JointRows& joint, std::size_t k, const JointAxis& axis, bool turns, BodyMotion& a, BodyMotion& b,
         const JointSolverSettings& settings, bool use_bias, bool sequential) {
    if (!acts_alone(axis.mode, use_bias, sequential)) {
        return;
    }
    const JointRow& row = joint.rows[k];
    const float mass = row_mass(joint, k), rate = speed(row, a, b), old = joint.impulses.rigid[k];
    float next = old;
    switch (axis.mode) {
    case JointAxis::Mode::motor:
        next = driven_impulse(old, mass, rate - axis.motor.speed, axis.motor.max_force * settings.h);
        break;
    case JointAxis::Mode::spring: {
        const float most = axis.spring.max_force ? *axis.spring.max_force * settings.h : 3e38f;
        if (use_bias) {
            const float apart = joint.error[k] - axis.spring.target;
            next =
                sprung_impulse(old, mass, mass, joint.springs[k], rate, turns ? unwrapped(apart, 0.0f) : apart, most);
        } else {
            next = relaxed_impulse(old, mass, mass, joint.springs[k], rate, most);
        }
        break;
    }
    case JointAxis::Mode::limited:
        next = impulse_between(old, mass, rate, axis.limits,
                               near_limits(joint, row, axis.limits, joint.error[k], settings),
                               use_bias ? joint.bend.rigid[k] : 0.0f, settings, use_bias);
        break;
    case JointAxis::Mode::locked:
    case JointAxis::Mode::free:
        break;
    }
    push(joint, row, next - old, a, b);
    joint.impulses.rigid[k] = next;
}

} // namespace

bool has_free_rows(const JointInput& joint) {
    if (joint.kind == JointKind::six_dof) {
        const AxisOrder order = order_of(joint.axes);
        return order.all > order.locked;
    }
    return joint.has_limits || joint.has_motor || joint.has_spring || joint.has_cone || joint.angular_drag > 0.0f;
}

bool has_rows_alone(const JointRows& joint, bool use_bias) {
    if (use_bias && ((joint.has_spring && !has_held_spring(joint)) || joint.angular_drag > 0.0f)) {
        return true;
    }
    if (joint.has_motor && !is_held(joint, HeldRow::Kind::motor) && !is_held(joint, HeldRow::Kind::brake)) {
        return true;
    }
    for (int k = joint.count; k < joint.count + joint.acted; ++k) {
        const auto row = static_cast<std::size_t>(k);
        const JointAxis& axis = joint.axes[order_of(joint.axes).axis[row]];
        if (!is_held_axis(joint, row) && acts_alone(axis.mode, use_bias, false)) {
            return true;
        }
    }
    return false;
}

void warm_start_free_rows(std::span<JointRows> joints, std::span<BodyMotion> motions) {
    for (JointRows& joint : joints) {
        BodyMotion& a = motions[joint.motion_a];
        BodyMotion& b = motions[joint.motion_b];
        const JointImpulses& impulses = joint.impulses;
        const auto free = [&joint](HeldRow::Kind kind, float impulse) { return is_held(joint, kind) ? 0.0f : impulse; };
        if (joint.kind == JointKind::ball && joint.has_motor && !is_held(joint, HeldRow::Kind::brake)) {
            apply_turn(joint, impulses.brake, a, b);
        }
        if (has_soft_block(joint) && !is_held(joint, HeldRow::Kind::soft_block)) {
            if (joint.kind == JointKind::ball) {
                apply_point(joint, impulses.soft_block, a, b);
            } else {
                apply_turn(joint, impulses.soft_block, a, b);
            }
        }
        const float of_spring = free(HeldRow::Kind::spring, impulses.spring);
        const float of_motor = free(HeldRow::Kind::motor, impulses.motor);
        const float of_limit = free(HeldRow::Kind::limit, impulses.lower - impulses.upper);
        apply(joint, joint.axis, of_motor + of_spring + of_limit, a, b);
        for (int k = joint.count; k < joint.count + joint.acted; ++k) {
            const auto row = static_cast<std::size_t>(k);
            apply(joint, joint.rows[row], is_held_axis(joint, row) ? 0.0f : impulses.rigid[row], a, b);
        }
        if (joint.has_cone) {
            apply(joint, joint.cone_row, free(HeldRow::Kind::cone, impulses.cone), a, b);
        }
    }
}

void solve_free_rows(JointRows& joint, std::span<BodyMotion> motions, const JointSolverSettings& settings,
                     bool use_bias, bool sequential) {
    BodyMotion& a = motions[joint.motion_a];
    BodyMotion& b = motions[joint.motion_b];
    if (use_bias) {
        if (joint.angular_drag > 0.0f) {
            b.angular_velocity *= 1.0f / (1.0f + settings.h * joint.angular_drag);
        }
    }
    if (joint.has_spring && !has_held_spring(joint) && (use_bias || (sequential && joint.springs[0].ahead > 0.0f))) {
        pull(joint, a, b, use_bias);
    }
    if (joint.has_motor && !is_held(joint, HeldRow::Kind::motor) && !is_held(joint, HeldRow::Kind::brake)) {
        drive(joint, a, b);
    }
    if (joint.has_limits && sequential) {
        hold_limits(joint, a, b, use_bias ? joint.bend.axis : 0.0f, settings, use_bias, nullptr);
    }
    if (joint.has_cone && sequential) {
        hold_cone(joint, a, b, settings, use_bias, nullptr);
    }
    if (joint.acted > 0) {
        const AxisOrder order = order_of(joint.axes);
        for (int k = order.locked; k < order.all; ++k) {
            const int axis = order.axis[static_cast<std::size_t>(k)];
            if (!is_held_axis(joint, static_cast<std::size_t>(k))) {
                act(joint, static_cast<std::size_t>(k), joint.axes[axis], axis > 2, a, b, settings, use_bias,
                    sequential);
            }
        }
    }
}

bool hold_stops(JointRows& joint, std::span<BodyMotion> motions, const JointSolverSettings& settings,
                Mechanism& mechanism) {
    const JointImpulses before = joint.impulses;
    if (joint.has_limits) {
        hold_limits(joint, motions[joint.motion_a], motions[joint.motion_b], 0.0f, settings, false, &mechanism);
    }
    if (joint.has_cone) {
        hold_cone(joint, motions[joint.motion_a], motions[joint.motion_b], settings, false, &mechanism);
    }
    return joint.impulses.lower != before.lower || joint.impulses.upper != before.upper ||
           joint.impulses.cone != before.cone;
}

} // namespace cairn::physics
