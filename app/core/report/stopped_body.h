// A body that the world has stopped because its motion was none, see FrameState::stopped: what a run with one shows is
// not what its scene describes, and every command says so.
#pragma once

#include "physics/world/frame_state.h"
#include "physics/world/world.h"

#include <cstdint>
#include <optional>
#include <string>

namespace cairn::core {

struct StoppedBody {
    std::uint64_t step = 0;
    std::uint32_t body = 0; // slot
    std::string what;       // for people, with the body, without the step
};

StoppedBody stopped_body(const physics::FrameState& frame, physics::BodyId body);
// The first of the last step, if there is one.
std::optional<StoppedBody> first_stopped(const physics::FrameState& frame);
std::optional<StoppedBody> first_stopped(const physics::World& world);

} // namespace cairn::core
