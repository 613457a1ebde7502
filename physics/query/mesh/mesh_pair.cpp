#include "physics/query/mesh/mesh_pair.h"

#include "physics/query/mesh/mesh_triangle.h"

#include <algorithm>
#include <limits>

namespace cairn::physics {

namespace {

// The shape's bounds in the frame of the mesh.
Aabb bounds_in(const Transform& mesh_pose, const Shape& shape, const Transform& pose) {
    return bounds(shape, relative(mesh_pose, pose));
}

Transform at_centre(const Transform& mesh_pose, const Vec3& centre) {
    return {to_world(mesh_pose, centre), mesh_pose.orientation};
}

} // namespace

std::optional<DistanceResult> mesh_distance(const Shape& shape, const Transform& pose, const Shape& mesh_shape,
                                            const Transform& mesh_pose, float limit) {
    const TriangleMesh& mesh = *mesh_shape.mesh;
    const Aabb box = bounds_in(mesh_pose, shape, pose);
    const DVec3 middle(relative(mesh_pose, pose).position);
    std::optional<DistanceResult> best;
    const auto examine = [&](std::uint32_t triangle) {
        const float least = best ? best->distance : limit;
        if (least > 0.0f && distance(box, mesh.bounds_of(triangle)) >= least) {
            return;
        }
        const bool behind = glm::dot(mesh.normal(triangle), middle - mesh.corners(triangle)[0]) < 0.0;
        Vec3 centre;
        const Shape& prism = triangle_shape(mesh, triangle, behind, centre);
        const DistanceResult result = signed_distance(shape, pose, prism, at_centre(mesh_pose, centre));
        if (result.distance < least) {
            best = result;
        }
    };
    // Of a large mesh far away only what lies about as near as the nearest is looked at.
    const float apart = distance(box, mesh.bounds);
    float reach = apart * 1.00001f + shape.bounding_radius + 1e-3f * mesh_shape.bounding_radius;
    while (apart < limit) {
        reach = std::min(reach, limit);
        mesh.query(grown(box, reach), examine);
        if (reach >= limit || (best && best->distance <= reach)) {
            break;
        }
        reach *= 2.0f;
    }
    return best;
}

bool overlap_any(const Shape& shape, const Transform& pose, const Shape& other, const Transform& other_pose) {
    if (other.kind != ShapeKind::mesh) {
        return overlap(shape, pose, other, other_pose);
    }
    const float touching = 1e-6f * shape.bounding_radius;
    return mesh_distance(shape, pose, other, other_pose, touching).has_value();
}

ShapeCast mesh_cast(const Shape& shape, const Transform& from, const Vec3& translation, const Shape& mesh_shape,
                    const Transform& mesh_pose, const ShapeCastSettings& settings) {
    const TriangleMesh& mesh = *mesh_shape.mesh;
    const Transform end{from.position + translation, from.orientation};
    const Aabb box = united(bounds_in(mesh_pose, shape, from), bounds_in(mesh_pose, shape, end));
    const DVec3 middle(relative(mesh_pose, from).position);
    ShapeCast best;
    best.distance = std::numeric_limits<float>::max();
    best.travelled = glm::length(translation);
    mesh.query(grown(box, settings.target + settings.tolerance), [&](std::uint32_t triangle) {
        const TriangleSide side = side_of(mesh, triangle, middle);
        if (side == TriangleSide::none || best.status == ShapeCastStatus::initial) {
            return;
        }
        Vec3 centre;
        const Shape& prism = triangle_shape(mesh, triangle, side == TriangleSide::back, centre);
        const ShapeCast cast = shape_cast(shape, from, translation, prism, at_centre(mesh_pose, centre), settings);
        const bool hits = cast.status != ShapeCastStatus::miss, hit = best.status != ShapeCastStatus::miss;
        if (hits ? !hit || cast.fraction < best.fraction : !hit && cast.distance < best.distance) {
            best = cast;
            best.triangle = triangle;
        }
    });
    return best;
}

} // namespace cairn::physics
