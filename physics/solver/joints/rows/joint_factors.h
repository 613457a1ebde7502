// The rigid rows of one joint as a system of equations.
#pragma once

#include "physics/solver/joints/rows/joint_rows.h"

#include <array>

namespace cairn::physics {

// L D L^T of the rigid rows' compliance. Positive definite as long as one of the bodies can be pushed.
void factorise(JointRows& joint);

// What changes the rows by `x`: impulses, by the factors that factorise() has found.
std::array<float, 6> solve_factored(const JointRows& joint, std::array<float, 6> x);

// What a row of motor, spring or limit moves, kg or kg m^2: the bodies as they are while the joint's rigid rows hold.
// Their factors must be there.
float held_mass(const JointRows& joint, const JointRow& row);

} // namespace cairn::physics
