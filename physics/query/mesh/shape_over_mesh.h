// A convex shape as the triangles of a mesh see it. Internal to queries.
#pragma once

#include "physics/query/manifold/patch/contact_patch.h"
#include "physics/query/mesh/mesh_touches.h"
#include "physics/query/mesh/mesh_triangle.h"

#include <array>
#include <cstdint>
#include <span>

namespace cairn::physics {

// All in the axes of the mesh; points are relative to the shape's centre, m.
struct ShapeOverMesh {
    ShapeOverMesh(const TriangleMesh& mesh, const Shape& shape, const Transform& mesh_pose, const Transform& shape_pose,
                  std::span<const std::uint16_t> alike);

    // The triangle with these corners (frame of the mesh) from the side that the shape counts on, if any.
    TriangleSide facing_side(const std::array<DVec3, 3>& corners, FacingTriangle& face) const;
    // The point of the core that lies lowest over faces with this normal, and all of the shape that faces it.
    // Triangles of a plane have the same ones.
    const DVec3& lowest_over(const DVec3& normal);
    const Patch& facing_patch(const DVec3& normal);
    // m, of a point of the core, grown by its radius, from the face's plane.
    double separation(const FacingTriangle& face, const DVec3& point) const {
        return glm::dot(face.normal, point - face.corner[0]) - core.radius;
    }

    // A touch without points yet, and the triangle's own patch, with the names that its parts have in the mesh.
    MeshTouch touch_of(std::uint32_t triangle, const DVec3& normal, std::size_t first_point) const;
    Patch patch_of(std::uint32_t triangle, const FacingTriangle& face, bool behind) const;

    const TriangleMesh& mesh;
    const Shape& shape;
    Transform local; // the shape in the frame of the mesh
    Frame frame;     // the same to more digits
    Core core;
    double slack; // m, lengths below it do not matter to the contact
    std::span<const std::uint16_t> alike;

  private:
    DVec3 along_{0.0}, lowest_{0.0}; // see lowest_over()
    Patch facing_patch_;
    bool patch_known_ = false;
};

} // namespace cairn::physics
