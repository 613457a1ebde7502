// The bodies of a glTF file: which nodes move as one, and how (KHR_physics_rigid_bodies).
#pragma once

#include "app/core/scene/gltf/file/gltf_tree.h"
#include "app/core/scene/gltf/gltf_shapes.h"
#include "app/core/scene/scene.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace cairn::core {

// To what a node belongs, and where it stands in that body's frame.
struct GltfMember {
    std::optional<std::size_t> body; // of GltfBodies::bodies
    physics::Transform pose;         // in the body's frame, about its centre of mass; without one, in the world
};

struct GltfBodies {
    std::vector<physics::BodyDef> bodies;
    std::vector<GltfMember> nodes; // by node
};

// Bodies come in the order of their nodes. Without the extension in the file, each node with a mesh is a static body.
GltfBodies read_gltf_bodies(const GltfTree& tree, const SceneReading& how, GltfLosses& losses);

// Whether the file says how anything moves or collides.
bool has_rigid_bodies(const GltfFile& file);

} // namespace cairn::core
