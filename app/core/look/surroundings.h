// What fixed bodies are to the eye: those that bound a scene are drawn differently from furniture.
#pragma once

#include "physics/world/frame_state.h"

#include <array>
#include <optional>

namespace cairn::core {

// The axes of a single-box body as world vectors with the half extents as lengths.
struct BoxAxes {
    std::array<physics::Vec3, 3> axis; // unit
    physics::Vec3 half{0.0f};
    physics::Vec3 centre{0.0f};
};

// Nothing if the body is more or other than one box.
std::optional<BoxAxes> box_of(const physics::BodyModel& model, const physics::Transform& pose);

// The axis along which a box is thin that is a wall: it stands, thin along a level axis, and long compared with what
// plays between walls.
std::optional<int> wall_axis(const BoxAxes& box);

} // namespace cairn::core
