// Free rows that are solved together with the rigid ones. A brake that holds and a stop that bears are as rigid as the
// joint itself, as long as that lasts; solved one after the other, those of an arm with many hinges, or of a rope of
// many pieces, do not come to agree. Stiff springs are hardly softer, and gain energy from each other.
#pragma once

#include "physics/solver/joints/rows/joint_rows.h"

namespace cairn::physics {

// How many free rows of a joint can be held at most.
int most_held_rows(const JointInput& joint);

// Holds the stops that bear, and the motors and stiff springs that use less than all their force. `h`: s.
void hold_acting_rows(JointRows& joint, float h);
// The same for springs alone. With `relaxes`, as hold_acting_rows() has it, they have acted: stiff ones are to go on as
// their errors have changed in the substep. What they move otherwise is the rest of an arc, as with rigid rows, and is
// taken off as far as they are taken ahead. True if any are held, or were.
bool hold_springs(JointRows& joint, float h, bool relaxes);
// Holds stops that the velocities would pass. True if there were any.
bool hold_passed_stops(JointRows& joint, std::span<const BodyMotion> motions, const JointSolverSettings& settings,
                       bool use_bias);
// Lets rows go that cannot do what is asked of them, and brings their impulses back to their bounds, which changes
// velocities. True if there were any.
bool release_beyond_bounds(JointRows& joint, std::span<BodyMotion> motions, float h);

inline bool is_stop(HeldRow::Kind kind) {
    return kind == HeldRow::Kind::limit || kind == HeldRow::Kind::cone || kind == HeldRow::Kind::axis_limit;
}
inline bool is_spring(HeldRow::Kind kind) {
    return kind == HeldRow::Kind::spring || kind == HeldRow::Kind::soft_block || kind == HeldRow::Kind::axis_spring;
}
bool is_held(const JointRows& joint, HeldRow::Kind kind);
bool is_held_axis(const JointRows& joint, std::size_t row); // of six_dof
bool has_held_spring(const JointRows& joint);               // but of six_dof

// The rows that are solved together by number: the rigid ones, then those that are held.
inline std::size_t rows_together(const JointRows& joint) {
    return static_cast<std::size_t>(joint.count + joint.held_count);
}
inline const JointRow& row_together(const JointRows& joint, std::size_t row) {
    const auto count = static_cast<std::size_t>(joint.count);
    return joint.rows[row < count ? row : joint.held[row - count].row];
}
// Whether the row is brought to a position; others, to a speed alone, have nothing that would take back what they give.
inline bool has_position(const JointRows& joint, std::size_t row) {
    const auto count = static_cast<std::size_t>(joint.count);
    return row < count || is_stop(joint.held[row - count].kind);
}
inline bool is_spring(const JointRows& joint, std::size_t row) {
    const auto count = static_cast<std::size_t>(joint.count);
    return row >= count && is_spring(joint.held[row - count].kind);
}
// What the row, of a spring, gives way by a unit impulse in another row that is solved with it, 1/kg or alike.
float give_of_spring(JointRows& joint, std::size_t row, std::size_t other);
float impulse_together(const JointRows& joint, std::size_t row);
void add_impulse_together(JointRows& joint, std::size_t row, float change);

// The speed that a held row is brought to, m/s or rad/s.
float held_speed(const JointRows& joint, const HeldRow& held, const JointSolverSettings& settings, bool use_bias);

} // namespace cairn::physics
