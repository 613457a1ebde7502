// The rotation of bodies over a substep, several at a time.
#pragma once

#include "physics/solver/motion/motion.h"

#include <cstdint>
#include <span>

namespace cairn::physics {

// Turns those of the bodies that have mass and differ in inertia between their axes as free ones: they keep their
// angular momentum in world axes, which changes their angular velocities. All others turn by these.
// `bodies`: indices into `motions` and `dynamics`; 0, which stands for what never moves, only by itself. The same bits,
// however many there are.
void turn_bodies(std::span<const std::uint32_t> bodies, std::span<BodyMotion> motions,
                 std::span<const BodyDynamics> dynamics, float h);

// Moves and turns one body.
void integrate_position(BodyMotion& motion, const BodyDynamics& dynamics, float h);

} // namespace cairn::physics
