// The mouse drag: a soft point-to-point joint between a body and a target in space.
#pragma once

#include "physics/solver/motion.h"
#include "physics/solver/softness.h"

#include <span>

namespace cairn::physics {

struct GrabRows {
    std::uint32_t motion = 0; // 0 = no grab
    Vec3 arm{0.0f};           // m, from the centre of mass to the held point, world, at the start of the step
    Vec3 error{0.0f};         // m, held point less target at the start of the step
    Softness softness;
    float max_impulse = 0.0f;  // N s per substep
    float angular_drag = 0.0f; // 1/s: calms the swing about the held point
    Vec3 impulse{0.0f};        // N s, accumulated
};

void warm_start(const GrabRows& rows, std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics);
void solve(GrabRows& rows, std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics, float h);

} // namespace cairn::physics
