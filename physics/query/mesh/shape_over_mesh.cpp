#include "physics/query/mesh/shape_over_mesh.h"

#include "physics/query/manifold/patch/contact_points.h"

namespace cairn::physics {

ShapeOverMesh::ShapeOverMesh(const TriangleMesh& of_mesh, const Shape& of_shape, const Transform& mesh_pose,
                             const Transform& shape_pose, std::span<const std::uint16_t> alike_materials)
    : mesh(of_mesh),
      shape(of_shape),
      local(relative(mesh_pose, shape_pose)),
      frame(relative_frame(frame_of(mesh_pose), frame_of(shape_pose))),
      core(core_of(of_shape)),
      slack(preference_of_size * double(of_shape.bounding_radius)),
      alike(alike_materials) {
}

TriangleSide ShapeOverMesh::facing_side(const std::array<DVec3, 3>& corners, FacingTriangle& face) const {
    const DVec3 normal = TriangleMesh::normal_of(corners);
    const TriangleSide side = side_of(mesh, corners, normal, frame.position);
    if (side != TriangleSide::none) {
        face = facing(corners, normal, side == TriangleSide::back);
        for (DVec3& corner : face.corner) {
            corner -= frame.position;
        }
    }
    return side;
}

const DVec3& ShapeOverMesh::lowest_over(const DVec3& normal) {
    if (normal != along_) {
        along_ = normal;
        lowest_ = frame.rotation * core_support(shape, apply_inverse_rotation(frame.rotation, -normal));
        patch_known_ = false;
    }
    return lowest_;
}

const Patch& ShapeOverMesh::facing_patch(const DVec3& normal) {
    lowest_over(normal);
    if (!patch_known_) {
        facing_patch_ = contact_patch(shape, apply_inverse_rotation(frame.rotation, -along_));
        Frame turned = frame;
        turned.position = DVec3(0.0);
        transform(facing_patch_, turned);
        patch_known_ = true;
    }
    return facing_patch_;
}

MeshTouch ShapeOverMesh::touch_of(std::uint32_t triangle, const DVec3& normal, std::size_t first_point) const {
    MeshTouch touch;
    touch.normal = normal;
    touch.triangle = triangle;
    touch.material = alike.empty() ? std::uint16_t{0} : alike[mesh.materials[triangle]];
    touch.first = first_point;
    return touch;
}

Patch ShapeOverMesh::patch_of(std::uint32_t triangle, const FacingTriangle& face, bool behind) const {
    using Kind = TriangleMesh::Feature::Kind;
    Patch patch;
    for (std::size_t k = 0; k < 3; ++k) {
        const int corner = behind ? (3 - static_cast<int>(k)) % 3 : static_cast<int>(k);
        patch.add({face.corner[k], mesh.name_of(triangle, {Kind::corner, corner}),
                   mesh.name_of(triangle, {Kind::edge, face.edge[k]})});
    }
    patch.normal = face.normal;
    patch.face = true;
    return patch;
}

} // namespace cairn::physics
