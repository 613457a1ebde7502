// The frame that goes with an axis.
#pragma once

#include "physics/base/math.h"

namespace cairn::core {

// A rotation that takes Z to the unit vector `axis`.
inline physics::Quat frame_along(const physics::Vec3& axis) {
    if (axis.z <= -0.999999f) {
        return {0.0f, 1.0f, 0.0f, 0.0f};
    }
    return physics::normalized(physics::Quat(1.0f + axis.z, -axis.y, axis.x, 0.0f)); // half way between the two
}

} // namespace cairn::core
