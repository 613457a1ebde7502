// Contacts of a convex shape with a mesh.
#pragma once

#include "physics/query/manifold.h"

namespace cairn::physics {

// What a convex shape touches of a mesh, as faces that look different ways: a ball in a gutter touches two. Of one
// plane that is cut into a thousand triangles there is one manifold with four points, as of a box.
struct MeshManifolds {
    static constexpr int most = 4;
    int count = 0;
    std::array<Manifold, most> items; // their normals point from the mesh to the shape; the deepest first
    float apart = 0.0f;               // where count is zero: as in Manifold
};

// Contacts where the two are closer than `speculative_distance`, m.
//
// No contact knows of the cuts within a surface: a triangle is met along its own normal, or, at an edge or a corner
// that stands out, along a direction in which the surface about that lies nowhere higher (TriangleMesh::admits).
// Everything else is what the triangle beside it answers for. `joined`: false leaves that out, and is there to show
// what it is good for.
MeshManifolds collide_mesh(const Shape& mesh, const Transform& mesh_pose, const Shape& shape,
                           const Transform& shape_pose, float speculative_distance, KeptFeatures kept = {},
                           bool joined = true);

} // namespace cairn::physics
