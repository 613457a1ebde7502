// The moments at which bodies strike each other and joints break, found in the frames that a world publishes: what is
// heard, and what a person looks for in a long run.
#pragma once

#include "physics/world/frame_state.h"

#include <cstdint>
#include <vector>

namespace cairn::core {

// Two bodies that struck each other within one step.
struct Touch {
    std::uint64_t step = 0;
    physics::BodyId body_a, body_b;
    physics::Vec3 point{0.0f}; // m, world: where they exchanged most
    float speed = 0.0f;        // m/s, at which they came together there
    float impulse = 0.0f;      // N s along the normals, of the whole step
    // No strike: a joint between them broke, or one of the body to the world, and then both are that body. The impulse
    // is what the joint bore in its last step, and the speed that of a strike that sounds as loud.
    bool is_break = false;
};

// Slower ones are not reported, m/s: what lies in a heap stirs by some centimetres a second.
inline constexpr float least_touch_speed = 0.25f;

// Appends the strikes of the step that led from `before` to `after`, in the order of after's contacts. Bodies that
// press on each other strike only where they came together before: however much a heap weighs, it is no strike. Nothing
// if `after` is not the frame that follows `before`.
void find_touches(const physics::FrameState& before, const physics::FrameState& after, std::vector<Touch>& touches);

} // namespace cairn::core
