// What a convex shape touches of each triangle of a mesh. Internal to queries.
#pragma once

#include "physics/query/gjk/minkowski.h"
#include "physics/query/mesh/mesh_manifold.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

struct MeshTouchPoint {
    DVec3 on_mesh{0.0}, on_shape{0.0}; // m, frame of the mesh, relative to the shape's centre
    double separation = 0.0;           // m
    std::uint32_t feature = 0;
};

// What one triangle has come to.
struct MeshTouch {
    DVec3 normal{0.0}; // unit, frame of the mesh, towards the shape
    std::uint32_t triangle = 0;
    std::uint16_t material = 0;
    double deepest = 0.0;             // m, the least separation of its points
    bool ahead = false;               // reached only within the step; `deepest` is then that of its end
    std::size_t first = 0, count = 0; // of the points
};

struct MeshTouches {
    std::vector<MeshTouch> touches; // in the order of the triangles, then those ahead
    std::vector<MeshTouchPoint> points;
    float apart = 0.0f; // m, where there are none: as in Manifold
    DVec3 centre{0.0};  // m, of the shape, frame of the mesh
    double slack = 0.0; // m, lengths below it do not matter to the contact
};

// Parameters as those of collide_mesh(). The result is this thread's own and lasts until the next call.
MeshTouches& find_mesh_touches(const TriangleMesh& mesh, const Shape& shape, const Transform& mesh_pose,
                               const Transform& shape_pose, double speculative_distance, bool joined,
                               std::span<const std::uint16_t> alike, const ShapeMotion& motion);

} // namespace cairn::physics
