// Integration of velocities and positions over one substep.
#pragma once

#include "physics/solver/motion/motion.h"

namespace cairn::physics {

// Gravity and damping (implicit Euler: v / (1 + h c), stable for any damping). `h` in seconds, gravity in m/s^2.
void integrate_velocity(BodyMotion& motion, const BodyDynamics& dynamics, const Vec3& gravity, float h);

// Largest turn of a body other than a ball within a substep, radians. Rows hold their arms fixed within a substep;
// beyond about this angle an impulse that stops the old arm's velocity speeds the new one up, and spinning bodies gain
// energy from contacts.
inline constexpr float max_substep_turn = 0.8f;
// And within a step: a sweep is known by its ends, which tell less than half a turn apart (180 rad/s at 60 Hz).
inline constexpr float max_step_turn = 3.0f;

// Holds the spin of a body other than a ball to `max_turn` radians per substep of h seconds. Returns true if it had to.
bool limit_spin(BodyMotion& motion, const BodyDynamics& dynamics, float max_turn, float h);

// Takes off the velocities, and what has moved since the start of the step, in the ways that are locked.
void hold_locks(BodyMotion& motion, std::uint8_t locks);
// The change of spin within h seconds of a body that `precesses`, without any torque but that of its lock; the body is
// at its pose after that.
void precess(BodyMotion& motion, const BodyDynamics& dynamics, float h);
// What is left of an inverse tensor of inertia, world axes, where turns about some axes are locked.
SymmetricMat3 without_locked_turns(const SymmetricMat3& inverse, std::uint8_t locks);

// q turned by the angular velocity w (world) for h seconds, to third order in |w| h, exactly normalised.
Quat turned(const Quat& q, const Vec3& angular_velocity, float h);

// A radian of this makes a difference of a hundredth of a lever: from here on the rows of a body turn with it.
inline constexpr float noticeable_turn = 0.01f;
bool has_turned(const BodyMotion& motion);

// The spin (rad/s, world) of a body at the orientation `to` that has twice the energy of rotation `energy` (J), less
// than `momentum` (kg m^2/s, world) has there, and of all such the momentum nearest to that. Where a path of free
// rotation is followed by chords, orientations are a little beside it: of a thin rod's momentum, a milliradian of that
// comes to lie along its axis, where a thousandth of the inertia makes a thousand times the energy of it.
Vec3 spin_of_energy(const PrincipalInertia& inertia, const Quat& to, const Vec3& momentum, float energy);

// The inverse tensor of inertia in world axes at the pose that the body has reached, 1/(kg m^2).
SymmetricMat3 inverse_inertia_now(const BodyMotion& motion, const BodyDynamics& dynamics);

// The same in double precision, with the rotation from body to world axes that belongs to it. In single precision the
// inertia of a thin rod about its own axis and the levers of what acts on that axis do not fit each other: what pulls
// on its joints makes it spin.
struct PreciseInertia {
    glm::dmat3 orientation{1.0};
    glm::dmat3 inertia{0.0}, inverse{0.0}; // world axes, kg m^2 and 1/(kg m^2); zero of what nothing pushes
};
PreciseInertia precise_inertia(const BodyMotion& motion, const BodyDynamics& dynamics);
// J, at the velocities v (m/s) and w (rad/s, world axes). `inverse_mass`: of what can be pushed, 1/kg.
double kinetic_energy(float inverse_mass, const PreciseInertia& inertia, const glm::dvec3& v, const glm::dvec3& w);

} // namespace cairn::physics
