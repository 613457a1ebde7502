// Whether there is room for a body. Pure.
#pragma once

#include "physics/geometry/aabb.h"
#include "physics/world/frame_state.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace cairn::ui {

// Slots in `frame.bodies` of the bodies whose bounds overlap `box`; ascending, in place of what `slots` held.
void find_near(const physics::FrameState& frame, const physics::Aabb& box, std::vector<std::size_t>& slots);

// The first of these bodies that a body like `model` would touch or overlap at `pose`.
std::optional<std::size_t> in_the_way(const physics::FrameState& frame, std::span<const std::size_t> slots,
                                      const physics::BodyModel& model, const physics::Transform& pose);

// How far the body has to go along the unit vector `direction` to be clear of meshes and height fields, which are not
// flat around the point that it was put on, m; nothing if `most` is not enough.
std::optional<float> rise_from_meshes(const physics::FrameState& frame, const physics::BodyModel& model,
                                      const physics::Transform& pose, const physics::Vec3& direction, float most);

// How far the body reaches from its centre of mass along the unit vector `direction`, m.
float extent_along(const physics::BodyModel& model, const physics::Quat& orientation, const physics::Vec3& direction);

} // namespace cairn::ui
