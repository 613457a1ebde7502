// Contacts of balls with balls and with boxes, in single precision.
#pragma once

#include "physics/geometry/shape.h"

namespace cairn::physics {

struct BallContact {
    bool settled = false;    // false: too deep for floats; ask collide() instead
    float separation = 0.0f; // m, never more than it is by more than rounding
    float rounding = 0.0f;   // m, what the separation may be wrong by
    Vec3 normal{0.0f};       // unit, world, from A to B; only set where separation <= the speculative distance
    Vec3 halfway{0.0f};      // m, world axes, from the centre of shape A to the point halfway between the surfaces
};

// `a` and `b`: two balls, or a ball and a box in either order.
bool is_ball_pair(const Shape& a, const Shape& b);
BallContact ball_contact(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b,
                         float speculative_distance);

} // namespace cairn::physics
