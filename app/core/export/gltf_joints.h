// A joint as limits and drives on the axes of two frames.
#pragma once

#include "app/core/report/formats/json.h"
#include "physics/world/joint_def.h"

namespace cairn::core {

// An entry of "physicsJoints" of KHR_physics_rigid_bodies. Gears, racks and pulleys, of which the format knows nothing,
// hold nothing; springs that hold frames together are rigid.
Json limits_and_drives(const physics::JointDef& def);

// What a scene file would say of the joint, without its bodies and frames.
Json scene_words(const physics::JointDef& def);

} // namespace cairn::core
