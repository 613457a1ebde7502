// Where a joint holds its bodies and along which axis, in the world: moved and turned without another joint being made.
#pragma once

#include "physics/world/frame_state.h"

namespace cairn::ui {

struct JointBodies {
    physics::Transform a, b; // poses; none at the origin where A is the world
};

enum class JointEnd { a, b };

// Rods, ropes, pulleys, gears and racks hold their bodies in two places, all others in one.
bool has_two_anchors(physics::JointKind kind);
// Whether it matters where the Z axes of its frames point.
bool has_axis(physics::JointKind kind);

// The end comes to be there, m, world; the other one moves alike where the joint has one anchor. The length of a rod
// follows.
void move_anchor(physics::JointDef& def, const JointBodies& bodies, JointEnd end, const physics::Vec3& to);
// Turns both frames by the smallest rotation that takes the Z axis of A's to this unit vector, world: the position of
// the joint stays.
void turn_axis(physics::JointDef& def, const JointBodies& bodies, const physics::Vec3& to);

} // namespace cairn::ui
