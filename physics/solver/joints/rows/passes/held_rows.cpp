#include "physics/solver/joints/rows/passes/held_rows.h"

#include "physics/solver/joints/rows/joint_axes.h"
#include "physics/solver/joints/rows/joint_factors.h"
#include "physics/solver/joints/rows/joint_placement.h"
#include "physics/solver/joints/rows/joint_row.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn::physics {

namespace {

using Kind = HeldRow::Kind;

const JointAxis& axis_of(const JointRows& joint, std::size_t row) {
    return joint.axes[order_of(joint.axes).axis[row]];
}

// `row`: in JointRows::rows.
void hold(JointRows& joint, Kind kind, std::size_t row, float impulse) {
    joint.held[static_cast<std::size_t>(joint.held_count++)] = {kind, static_cast<std::uint8_t>(row), impulse > 0.0f};
}

// In JointRows::rows. Each kind has a place of its own behind the rigid rows: a soft block the first three, then what
// acts along the axis and the cone, or a brake, which like the block begins at a multiple of three.
std::size_t place_of(const JointRows& joint, Kind kind) {
    const int block = kind != Kind::soft_block && has_soft_block(joint) ? 3 : 0;
    return static_cast<std::size_t>(joint.count + block + (kind == Kind::cone ? 1 : 0));
}

// A row that is not yet among them.
void hold(JointRows& joint, Kind kind, const JointRow& row, float impulse) {
    const std::size_t place = place_of(joint, kind);
    joint.rows[place] = row;
    hold(joint, kind, place, impulse);
}

void hold_block(JointRows& joint, Kind kind, JointRow (*row_along)(const JointRows&, const Vec3&)) {
    std::size_t place = place_of(joint, kind);
    for (const Vec3& axis : world_axes) {
        joint.rows[place] = row_along(joint, axis);
        finish(joint, joint.rows[place]);
        hold(joint, kind, place++, 0.0f);
    }
}

JointRow turn_row_of(const JointRows&, const Vec3& axis) {
    return turn_row(axis);
}

const HeldRow* find_held(const JointRows& joint, Kind kind) {
    const auto end = joint.held.begin() + joint.held_count;
    const auto found = std::find_if(joint.held.begin(), end, [&](const HeldRow& held) { return held.kind == kind; });
    return found != end ? &*found : nullptr;
}

// Positive where lower bounds push.
float impulse_of(const JointRows& joint, const HeldRow& held) {
    const JointImpulses& impulses = joint.impulses;
    switch (held.kind) {
    case Kind::motor:
        return impulses.motor;
    case Kind::brake:
        return impulses.brake[held.row % 3];
    case Kind::spring:
        return impulses.spring;
    case Kind::soft_block:
        return impulses.soft_block[held.row % 3];
    case Kind::limit:
        return impulses.lower - impulses.upper;
    case Kind::cone:
        return impulses.cone;
    case Kind::axis_motor:
    case Kind::axis_spring:
    case Kind::axis_limit:
        return impulses.rigid[held.row];
    }
    return 0.0f;
}

void add_impulse(JointRows& joint, const HeldRow& held, float change) {
    JointImpulses& impulses = joint.impulses;
    switch (held.kind) {
    case Kind::motor:
        impulses.motor += change;
        break;
    case Kind::brake:
        impulses.brake[held.row % 3] += change;
        break;
    case Kind::spring:
        impulses.spring += change;
        break;
    case Kind::soft_block:
        impulses.soft_block[held.row % 3] += change;
        break;
    case Kind::limit:
        (held.positive ? impulses.lower : impulses.upper) += held.positive ? change : -change;
        break;
    case Kind::cone:
        impulses.cone += change;
        break;
    case Kind::axis_motor:
    case Kind::axis_spring:
    case Kind::axis_limit:
        impulses.rigid[held.row] += change;
        break;
    }
}

float most_of_spring(const JointAxis& axis, float h) { // N s or N m s
    return axis.spring.max_force ? *axis.spring.max_force * h : std::numeric_limits<float>::max();
}

const SpringTerms& terms_of(const JointRows& joint, const HeldRow& held) {
    return joint.springs[held.kind == Kind::axis_spring ? held.row : 0];
}

// Where the springs are when they act.
void note_sprung(JointRows& joint) {
    for (int k = joint.count; k < joint.count + joint.acted; ++k) {
        joint.sprung[static_cast<std::size_t>(k)] = joint.error[static_cast<std::size_t>(k)];
    }
    if (has_soft_block(joint)) {
        joint.sprung = {joint.block_error.x, joint.block_error.y, joint.block_error.z, 0.0f, 0.0f, 0.0f};
    } else if (joint.has_spring) {
        joint.sprung[0] = joint.position;
    }
}

// How fast their errors have changed since, m/s or rad/s. `spring`: in JointRows::springs, or of the three of a block.
float sprung_rate(const JointRows& joint, std::size_t spring, float h) {
    if (has_soft_block(joint)) {
        return (joint.block_error[static_cast<int>(spring)] - joint.sprung[spring]) / h;
    }
    if (joint.has_spring) {
        return (joint.position - joint.sprung[0]) / h;
    }
    const float change = joint.error[spring] - joint.sprung[spring];
    return (joint.rows[spring].linear == Vec3(0.0f) ? unwrapped(change, 0.0f) : change) / h;
}

// At which a spring would have no impulse. `spring`: as in sprung_rate().
float speed_of_spring(const JointRows& joint, const HeldRow& held, std::size_t spring, float error, float bend,
                      float h) {
    if (joint.relaxes) {
        return sprung_rate(joint, spring, h);
    }
    const SpringTerms& terms = terms_of(joint, held);
    return -(terms.pull * error + terms.ahead * std::clamp(bend, -most_taken_back, most_taken_back)) / terms.brake;
}

// Whether an impulse is not at its bound, where rounding may have left it a little less.
bool has_room(float impulse, float most) {
    return impulse < 0.9999f * most;
}

template <class Which>
bool release_if(JointRows& joint, const Which& which) {
    const auto begin = joint.held.begin(), end = begin + joint.held_count;
    const auto kept = std::remove_if(begin, end, [&](const HeldRow& held) { return which(held); });
    joint.held_count = static_cast<int>(kept - begin);
    return kept != end;
}

// What must be added to a held row's impulse to bring it back to its bounds; 0 if it keeps to them.
float beyond_bounds(const JointRows& joint, const HeldRow& held, float h) {
    const float impulse = impulse_of(joint, held);
    const auto down_to = [impulse](float most) { return std::clamp(impulse, -most, most) - impulse; };
    const auto part_of = [impulse](const Vec3& whole, float most) {
        const float length = glm::length(whole);
        return length > most ? impulse * (most / length - 1.0f) : 0.0f;
    };
    switch (held.kind) {
    case Kind::motor:
        return down_to(joint.motor_impulse);
    case Kind::axis_motor:
        return down_to(axis_of(joint, held.row).motor.max_force * h);
    case Kind::axis_spring:
        return down_to(most_of_spring(axis_of(joint, held.row), h));
    case Kind::spring:
        return down_to(joint.spring_impulse);
    case Kind::brake:
        return part_of(joint.impulses.brake, joint.motor_impulse);
    case Kind::soft_block:
        return part_of(joint.impulses.soft_block, joint.spring_impulse);
    case Kind::limit:
    case Kind::cone:
    case Kind::axis_limit:
        return (held.positive ? impulse < 0.0f : impulse > 0.0f) ? -impulse : 0.0f;
    }
    return 0.0f;
}

// The speed at which a bound is reached within the substep, or its error taken back. `room`: m or rad, that is left.
float speed_to_bound(float room, float bend, const JointSolverSettings& settings, bool use_bias) {
    if (room > 0.0f) {
        return -room / settings.h - (use_bias ? bend : 0.0f);
    }
    return use_bias ? std::min(-settings.softness.bias_rate * room - bend, most_taken_back) : 0.0f;
}

float speed_to_limit(const JointLimits& limits, bool lower, float position, float bend,
                     const JointSolverSettings& settings, bool use_bias) {
    return lower ? speed_to_bound(position - limits.lower, bend, settings, use_bias)
                 : -speed_to_bound(limits.upper - position, -bend, settings, use_bias);
}

} // namespace

int most_held_rows(const JointInput& joint) {
    if (joint.kind == JointKind::six_dof) {
        return static_cast<int>(std::count_if(joint.axes, joint.axes + joint_axes, [](const JointAxis& axis) {
            return axis.mode != JointAxis::Mode::locked && axis.mode != JointAxis::Mode::free;
        }));
    }
    const int block = has_soft_block(joint) ? 3 : 0, brake = joint.kind == JointKind::ball && joint.has_motor ? 3 : 0;
    const bool axis = joint.has_limits || joint.has_motor || (joint.has_spring && block == 0);
    return block + std::max(brake, (axis ? 1 : 0) + (joint.has_cone ? 1 : 0));
}

void hold_acting_rows(JointRows& joint, float h) {
    joint.held_count = 0;
    const JointImpulses& impulses = joint.impulses;
    for (int k = joint.count; k < joint.count + joint.acted; ++k) {
        const auto row = static_cast<std::size_t>(k);
        const JointAxis& axis = axis_of(joint, row);
        const float impulse = impulses.rigid[row];
        if (axis.mode == JointAxis::Mode::limited && impulse != 0.0f) {
            hold(joint, Kind::axis_limit, row, impulse);
        } else if (axis.mode == JointAxis::Mode::motor && std::abs(impulse) < axis.motor.max_force * h) {
            hold(joint, Kind::axis_motor, row, impulse);
        }
    }
    const float limit = impulses.lower - impulses.upper;
    if (joint.has_limits && limit != 0.0f) {
        hold(joint, Kind::limit, joint.axis, limit);
    } else if (joint.has_motor && joint.kind != JointKind::ball && std::abs(impulses.motor) < joint.motor_impulse) {
        hold(joint, Kind::motor, joint.axis, impulses.motor);
    }
    if (joint.has_cone && impulses.cone != 0.0f) {
        hold(joint, Kind::cone, joint.cone_row, impulses.cone);
    }
    if (joint.kind == JointKind::ball && joint.has_motor && joint.held_count == 0 &&
        glm::length(impulses.brake) < joint.motor_impulse) {
        hold_block(joint, Kind::brake, turn_row_of);
    }
    hold_springs(joint, h, true);
}

// Of softer springs, in whose force velocities have hardly a part, each can as well be solved by itself.
constexpr float softest_held = 0.1f; // SpringTerms::brake

bool hold_springs(JointRows& joint, float h, bool relaxes) {
    const bool before = release_if(joint, [](const HeldRow& held) { return is_spring(held.kind); });
    const int others = joint.held_count;
    joint.relaxes = relaxes;
    if (!relaxes) {
        note_sprung(joint);
    }
    const auto acts = [&](std::size_t index) {
        const SpringTerms& terms = joint.springs[index];
        return terms.ahead > 0.0f || (!relaxes && terms.brake > softest_held);
    };
    for (int k = joint.count; k < joint.count + joint.acted; ++k) {
        const auto row = static_cast<std::size_t>(k);
        const JointAxis& axis = axis_of(joint, row);
        const float impulse = joint.impulses.rigid[row];
        if (axis.mode == JointAxis::Mode::spring && has_room(std::abs(impulse), most_of_spring(axis, h)) && acts(row)) {
            hold(joint, Kind::axis_spring, row, impulse);
        }
    }
    if (has_soft_block(joint)) {
        if (has_room(glm::length(joint.impulses.soft_block), joint.spring_impulse) && acts(0)) {
            hold_block(joint, Kind::soft_block, joint.kind == JointKind::ball ? point_row : turn_row_of);
        }
    } else if (joint.has_spring && has_room(std::abs(joint.impulses.spring), joint.spring_impulse) && acts(0) &&
               !is_held(joint, Kind::limit) && !is_held(joint, Kind::motor)) {
        hold(joint, Kind::spring, joint.axis, joint.impulses.spring);
    }
    return before || joint.held_count > others;
}

namespace {

constexpr float passing = 1e-4f; // m/s or rad/s, by which a bound is passed

// Which bound of the limits a row at this rate would pass: that which pushes back with a positive or a negative
// impulse, or neither.
int passed_bound(float rate, const JointLimits& limits, float position, float bend, const JointSolverSettings& settings,
                 bool use_bias) {
    if (rate < speed_to_limit(limits, true, position, bend, settings, use_bias) - passing) {
        return 1;
    }
    return rate > speed_to_limit(limits, false, position, bend, settings, use_bias) + passing ? -1 : 0;
}

} // namespace

bool hold_passed_stops(JointRows& joint, std::span<const BodyMotion> motions, const JointSolverSettings& settings,
                       bool use_bias) {
    const BodyMotion &a = motions[joint.motion_a], &b = motions[joint.motion_b];
    const int before = joint.held_count;
    for (int k = joint.count; k < joint.count + joint.acted; ++k) {
        const auto row = static_cast<std::size_t>(k);
        const JointAxis& axis = axis_of(joint, row);
        if (axis.mode == JointAxis::Mode::limited && !is_held_axis(joint, row)) {
            const float position = near_limits(joint, joint.rows[row], axis.limits, joint.error[row], settings);
            const int side = passed_bound(speed(joint.rows[row], a, b), axis.limits, position, joint.bend.rigid[row],
                                          settings, use_bias);
            if (side != 0) {
                hold(joint, Kind::axis_limit, row, static_cast<float>(side));
            }
        }
    }
    const int limit = joint.has_limits && !is_held(joint, Kind::limit)
                          ? passed_bound(speed(joint.axis, a, b), joint.limits,
                                         near_limits(joint, joint.axis, joint.limits, joint.position, settings),
                                         joint.bend.axis, settings, use_bias)
                          : 0;
    const bool cone =
        joint.has_cone && !is_held(joint, Kind::cone) &&
        speed(joint.cone_row, a, b) < speed_to_bound(cone_room(joint, settings), 0.0f, settings, use_bias) - passing;
    if (limit != 0 || cone) { // what drives and a stop on one axis would contradict each other
        release_if(joint, [](const HeldRow& held) {
            return held.kind == Kind::motor || held.kind == Kind::brake || held.kind == Kind::spring;
        });
    }
    if (limit != 0) {
        hold(joint, Kind::limit, joint.axis, static_cast<float>(limit));
    }
    if (cone) {
        hold(joint, Kind::cone, joint.cone_row, 1.0f);
    }
    return joint.held_count != before || limit != 0 || cone;
}

bool release_beyond_bounds(JointRows& joint, std::span<BodyMotion> motions, float h) {
    const auto all = static_cast<std::size_t>(joint.held_count);
    std::array<float, 6> changes{};
    for (std::size_t i = 0; i < all; ++i) {
        changes[i] = beyond_bounds(joint, joint.held[i], h);
    }
    if (std::all_of(changes.begin(), changes.end(), [](float change) { return change == 0.0f; })) {
        return false;
    }
    joint.held_count = 0;
    for (std::size_t i = 0; i < all; ++i) {
        const HeldRow held = joint.held[i];
        if (changes[i] != 0.0f) {
            add_impulse(joint, held, changes[i]);
            apply(joint, joint.rows[held.row], changes[i], motions[joint.motion_a], motions[joint.motion_b]);
        } else if (held.kind != Kind::brake && held.kind != Kind::soft_block) { // of which all go
            joint.held[static_cast<std::size_t>(joint.held_count++)] = held;
        }
    }
    return true;
}

bool is_held(const JointRows& joint, HeldRow::Kind kind) {
    return find_held(joint, kind) != nullptr;
}

bool is_held_axis(const JointRows& joint, std::size_t row) {
    return std::any_of(joint.held.begin(), joint.held.begin() + joint.held_count,
                       [row](const HeldRow& held) { return held.row == row; });
}

bool has_held_spring(const JointRows& joint) {
    return is_held(joint, Kind::spring) || is_held(joint, Kind::soft_block);
}

float give_of_spring(JointRows& joint, std::size_t row, std::size_t other) {
    const auto count = static_cast<std::size_t>(joint.count);
    const HeldRow &held = joint.held[row - count], &with = joint.held[other - count];
    const float brake = joint.relaxes ? terms_of(joint, held).ahead : terms_of(joint, held).brake;
    switch (held.kind) {
    case Kind::spring:
        return row == other ? 1.0f / (brake * spring_mass(joint)) : 0.0f;
    case Kind::axis_spring:
        return row == other ? 1.0f / (brake * row_mass(joint, held.row)) : 0.0f;
    case Kind::soft_block: // the inverse of its mass
        if (other < count || with.kind != Kind::soft_block) {
            return 0.0f;
        }
        return (joint.kind != JointKind::ball ? as_matrix(joint.block_compliance)[held.row % 3][with.row % 3]
                : row == other                ? joint.inverse_mass_a + joint.inverse_mass_b
                                              : 0.0f) /
               brake;
    default:
        return 0.0f;
    }
}

float impulse_together(const JointRows& joint, std::size_t row) {
    const auto count = static_cast<std::size_t>(joint.count);
    return row < count ? joint.impulses.rigid[row] : impulse_of(joint, joint.held[row - count]);
}

void add_impulse_together(JointRows& joint, std::size_t row, float change) {
    const auto count = static_cast<std::size_t>(joint.count);
    if (row < count) {
        joint.impulses.rigid[row] += change;
    } else {
        add_impulse(joint, joint.held[row - count], change);
    }
}

float held_speed(const JointRows& joint, const HeldRow& held, const JointSolverSettings& settings, bool use_bias) {
    switch (held.kind) {
    case Kind::motor:
        return joint.motor_speed;
    case Kind::axis_motor:
        return axis_of(joint, held.row).motor.speed;
    case Kind::brake:
        return joint.motor_speed * joint.brake_axis[held.row % 3];
    case Kind::spring:
        return speed_of_spring(joint, held, 0, joint.position - joint.spring_target, joint.bend.axis, settings.h);
    case Kind::soft_block: {
        const int i = held.row % 3;
        return speed_of_spring(joint, held, static_cast<std::size_t>(i), joint.block_error[i], joint.bend.block[i],
                               settings.h);
    }
    case Kind::axis_spring: {
        const float apart = joint.error[held.row] - axis_of(joint, held.row).spring.target;
        const bool turns = joint.rows[held.row].linear == Vec3(0.0f);
        return speed_of_spring(joint, held, held.row, turns ? unwrapped(apart, 0.0f) : apart,
                               joint.bend.rigid[held.row], settings.h);
    }
    case Kind::limit:
        return speed_to_limit(joint.limits, held.positive,
                              near_limits(joint, joint.axis, joint.limits, joint.position, settings), joint.bend.axis,
                              settings, use_bias);
    case Kind::cone:
        return speed_to_bound(cone_room(joint, settings), 0.0f, settings, use_bias);
    case Kind::axis_limit: {
        const JointLimits& limits = axis_of(joint, held.row).limits;
        return speed_to_limit(limits, held.positive,
                              near_limits(joint, joint.rows[held.row], limits, joint.error[held.row], settings),
                              joint.bend.rigid[held.row], settings, use_bias);
    }
    }
    return 0.0f;
}

} // namespace cairn::physics
