// The joints of a glTF file (KHR_physics_rigid_bodies): limits and drives on the axes of two frames, as joints of the
// kinds that a scene has.
#pragma once

#include "app/core/scene/gltf/gltf_bodies.h"
#include "physics/world/joint_def.h"

#include <vector>

namespace cairn::core {

// Those of which at least one body is dynamic; others do nothing.
std::vector<physics::JointDef> read_gltf_joints(const GltfTree& tree, const GltfBodies& bodies, GltfLosses& losses);

} // namespace cairn::core
