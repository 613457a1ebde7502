// Two bodies of a world as a pair for the lab.
#pragma once

#include "app/lab/steps/lab_step.h"
#include "physics/world/frame_state.h"

#include <optional>
#include <string>

namespace cairn::core::lab {

// As bodies are called where people read of them: "lid", or "body 12".
std::string body_name(const physics::FrameState& frame, std::size_t slot);

struct PartOfBody {
    std::size_t slot = 0, part = 0; // of the frame, of the body
};

// These two shapes as they are in the frame. They move on as they do now for `look_ahead` seconds, without gravity.
LabPair pair_of_parts(const physics::FrameState& frame, const PartOfBody& a, const PartOfBody& b, float look_ahead);

// The bodies as they are in the frame; of bodies of several shapes the two shapes nearest to each other. They move on
// as they do now for `look_ahead` seconds, without gravity. Nothing if one of the bodies is gone, or if they are the
// same.
std::optional<LabPair> pair_in_scene(const physics::FrameState& frame, physics::BodyId a, physics::BodyId b,
                                     float look_ahead);

// The other body that is nearest to this one by its shapes, of those whose bounds are; invalid if there is none.
physics::BodyId nearest_body(const physics::FrameState& frame, physics::BodyId body);

} // namespace cairn::core::lab
