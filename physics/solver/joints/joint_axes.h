// The axes of six_dof by what holds them.
#pragma once

#include "physics/base/math.h"
#include "physics/solver/joints/joint_terms.h"

#include <array>
#include <utility>

namespace cairn::physics {

// The axes of six_dof in the order of their rows: what is locked of lengths and of turns, then what is acted on.
struct AxisOrder {
    std::array<int, 6> axis{};
    int lengths = 0, locked = 0, all = 0;
};

AxisOrder order_of(const JointAxis* axes);

// The two axes that a single locked Cardan angle keeps at right angles, one of each frame.
std::pair<Vec3, Vec3> crossed(int angle, const Mat3& a, const Mat3& b);

// Of several locked turns the one that is free; 3 if none is.
int free_turn(const JointAxis* axes);

} // namespace cairn::physics
