// The bodies of a published frame, by their handles and as people call them.
#pragma once

#include "physics/world/frame_state.h"

#include <cstddef>
#include <optional>
#include <string>

namespace cairn::core {

// Slot in `frame.bodies` of a live body; nullopt for a dead handle.
std::optional<std::size_t> find_body(const physics::FrameState& frame, physics::BodyId body);

// m: how far any of its shapes may reach from its centre of mass.
float reach_of(const physics::BodyModel& model);

// The name that its author gave it, else "body 12".
std::string body_name(const physics::BodyDef& def, physics::BodyId body);

} // namespace cairn::core
