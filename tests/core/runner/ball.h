// What tests of the runner throw in.
#pragma once

#include "physics/world/body_def.h"

namespace cairn::core {

inline physics::BodyDef ball(const physics::Vec3& position) {
    physics::BodyDef body;
    body.name = "ball";
    body.pose.position = position;
    body.shapes = {{physics::Sphere{0.4f}, {}}};
    return body;
}

} // namespace cairn::core
