// Integration of velocities and positions over one substep.
#pragma once

#include "physics/solver/motion.h"

namespace cairn::physics {

// Gravity and damping (implicit Euler: v / (1 + h c), stable for any damping). `h` in seconds, gravity in m/s^2.
void integrate_velocity(BodyMotion& motion, const BodyDynamics& dynamics, const Vec3& gravity, float h);

// Moves and turns the body. A body whose inertia differs between its axes keeps its angular momentum in world axes
// while it turns, which changes its angular velocity: the gyroscopic effect.
void integrate_position(BodyMotion& motion, const BodyDynamics& dynamics, float h);

// q turned by the angular velocity w (world) for h seconds, to third order in |w| h, exactly normalised.
Quat turned(const Quat& q, const Vec3& angular_velocity, float h);

} // namespace cairn::physics
