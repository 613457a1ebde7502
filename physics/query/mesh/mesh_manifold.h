// Contacts of a convex shape with a mesh.
#pragma once

#include "physics/query/manifold.h"

namespace cairn::physics {

// What a convex shape touches of a mesh, as faces that look different ways: a ball in a gutter touches two. Of one
// plane that is cut into a thousand triangles there is one manifold with four points, as of a box.
struct MeshManifolds {
    static constexpr int most = 4;
    int count = 0;
    std::array<Manifold, most>
        items; // their normals point from the mesh to the shape; the deepest first, then those ahead
    std::array<std::uint16_t, most> material{}; // of the triangles that each is of, see `alike` below
    float apart = 0.0f;                         // where count is zero: as in Manifold
};

// How the shape is going to move against the mesh: its centre by m, and it turns by rad, both in the frame of the
// world.
struct ShapeMotion {
    Vec3 shift{0.0f}, turn{0.0f};
};

// Contacts where the two are closer than `speculative_distance`, m.
//
// No contact knows of the cuts within a surface: a triangle is met along its own normal, or, at an edge or a corner
// that stands out, along a direction in which the surface about that lies nowhere higher (TriangleMesh::admits).
// Everything else is what the triangle beside it answers for. `joined`: false leaves that out, and is there to show
// what it is good for.
//
// `alike`: by MeshData::triangle_materials, the first material that is the same to touch. Triangles of others make
// manifolds of their own, as those that look another way do; where there are too many, what is less deep joins the one
// that looks most like it. Empty: all are alike.
MeshManifolds collide_mesh(const Shape& mesh, const Transform& mesh_pose, const Shape& shape,
                           const Transform& shape_pose, float speculative_distance, KeptFeatures kept = {},
                           bool joined = true, std::span<const std::uint16_t> alike = {},
                           const ShapeMotion& motion = {});

} // namespace cairn::physics
