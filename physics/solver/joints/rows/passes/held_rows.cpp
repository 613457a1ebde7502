#include "physics/solver/joints/rows/passes/held_rows.h"

#include "physics/solver/joints/rows/joint_axes.h"
#include "physics/solver/joints/rows/joint_row.h"

#include <algorithm>
#include <cmath>

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

// A row that is not yet among them. Each kind has a place of its own behind the rigid rows; brakes take those of all.
void hold(JointRows& joint, Kind kind, const JointRow& row, float impulse) {
    const std::size_t place = kind == Kind::brake  ? rows_together(joint)
                              : kind == Kind::cone ? static_cast<std::size_t>(joint.count) + 1
                                                   : static_cast<std::size_t>(joint.count);
    joint.rows[place] = row;
    hold(joint, kind, place, impulse);
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
    case Kind::brake: // its three rows come last
        return impulses.brake[held.row - joint.count];
    case Kind::limit:
        return impulses.lower - impulses.upper;
    case Kind::cone:
        return impulses.cone;
    case Kind::axis_motor:
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
        impulses.brake[held.row - joint.count] += change;
        break;
    case Kind::limit:
        (held.positive ? impulses.lower : impulses.upper) += held.positive ? change : -change;
        break;
    case Kind::cone:
        impulses.cone += change;
        break;
    case Kind::axis_motor:
    case Kind::axis_limit:
        impulses.rigid[held.row] += change;
        break;
    }
}

// What must be added to a held row's impulse to bring it back to its bounds; 0 if it keeps to them.
float beyond_bounds(const JointRows& joint, const HeldRow& held, float h) {
    const float impulse = impulse_of(joint, held);
    const auto down_to = [impulse](float most) { return std::clamp(impulse, -most, most) - impulse; };
    switch (held.kind) {
    case Kind::motor:
        return down_to(joint.motor_impulse);
    case Kind::axis_motor:
        return down_to(axis_of(joint, held.row).motor.max_force * h);
    case Kind::brake: {
        const float length = glm::length(joint.impulses.brake);
        return length > joint.motor_impulse ? impulse * (joint.motor_impulse / length - 1.0f) : 0.0f;
    }
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
            return axis.mode == JointAxis::Mode::limited || axis.mode == JointAxis::Mode::motor;
        }));
    }
    const int brake = joint.kind == JointKind::ball && joint.has_motor ? 3 : 0;
    return std::max(brake, (joint.has_limits || joint.has_motor ? 1 : 0) + (joint.has_cone ? 1 : 0));
}

void hold_acting_rows(JointRows& joint, float h) {
    joint.held_count = 0;
    const JointImpulses& impulses = joint.impulses;
    if (joint.kind == JointKind::six_dof) {
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
        return;
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
        for (const Vec3& axis : world_axes) {
            JointRow row = turn_row(axis);
            finish(joint, row);
            hold(joint, Kind::brake, row, 0.0f);
        }
    }
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
    if ((limit != 0 || cone) && (is_held(joint, Kind::motor) || is_held(joint, Kind::brake))) {
        joint.held_count = 0; // a motor and a stop on one axis would contradict each other
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
        } else if (held.kind != Kind::brake) { // of which all go
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
        return joint.motor_speed * joint.brake_axis[held.row - joint.count];
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
