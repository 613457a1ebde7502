// The built-in meshes, and what drawing needs to know about any mesh.
#pragma once

#include "render/renderer.h"

namespace cairn::render {

// A mesh in one or more levels of detail, finest first.
struct MeshShape {
    std::vector<Mesh> levels;
};
inline constexpr std::size_t max_levels = 4;

MeshShape make_box();
MeshShape make_sphere();
MeshShape make_cylinder();
MeshShape make_cone();

// Bounds of a mesh in its own frame, for culling.
struct MeshBounds {
    glm::vec3 centre{0.0f};
    glm::vec3 half_extents{0.0f};
    float radius = 0.0f; // about the centre
};
MeshBounds bounds_of(const Mesh& mesh);

// Checks sizes and indices, and turns every triangle counter-clockwise as seen from outside (judged by its normals),
// because back faces are culled. Throws RenderError.
Mesh checked(const Mesh& mesh);

} // namespace cairn::render
