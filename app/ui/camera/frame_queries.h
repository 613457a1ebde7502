// What the window asks of a published state.
#pragma once

#include "app/core/scene/worlds/frame_bodies.h"
#include "physics/geometry/aabb.h"
#include "physics/world/frame_state.h"

namespace cairn::ui {

// Pose drawn between two states of a body.
physics::Transform interpolated(const physics::Transform& from, const physics::Transform& to, float share);

// World bounds of a body, m.
physics::Aabb body_bounds(const physics::BodyModel& model, const physics::Transform& pose);

// Bounds of all that moves, else of all there is; what "frame all" shows. Empty world: a unit box at the origin.
physics::Aabb scene_bounds(const physics::FrameState& frame);

using core::find_body;

} // namespace cairn::ui
