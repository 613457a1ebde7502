// Contacts of balls, and of capsules with balls and capsules, in closed form. Internal to queries.
#pragma once

#include "physics/query/manifold.h"

namespace cairn::physics {

// Contact of a ball with a ball, capsule, box, cylinder or cone, and of two capsules; `a` is the simpler kind (as
// ShapeKind orders them), of two capsules the larger. False, and nothing filled, for other kinds and where the cores
// meet so exactly that the general path must choose a normal. `out.apart` is filled as collide() promises.
bool collide_round(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b, double speculative,
                   Manifold& out);

} // namespace cairn::physics
