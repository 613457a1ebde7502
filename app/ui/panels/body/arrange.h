// Lines, rows and stacks of bodies, by their bounds. Pure: what comes back are the new centres of mass, in the same
// order.
#pragma once

#include "physics/geometry/aabb.h"

#include <cstddef>
#include <span>
#include <vector>

namespace cairn::ui {

struct Arranged {
    physics::Vec3 position{0.0f}; // m, centre of mass
    physics::Aabb bounds;         // m, world
};

// The middles of all bounds on one coordinate with that of `leader`; axis 0, 1, 2.
std::vector<physics::Vec3> aligned(std::span<const Arranged> bodies, std::size_t leader, int axis);

// The two outermost stay, the others are put between them, in their order, with equal gaps.
std::vector<physics::Vec3> distributed(std::span<const Arranged> bodies, int axis);

// All on top of `leader`, lowest first, over its middle, a hair apart, so that they come to rest on each other.
std::vector<physics::Vec3> stacked(std::span<const Arranged> bodies, std::size_t leader);

} // namespace cairn::ui
