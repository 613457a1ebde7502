#include "physics/narrowphase/pool/seams.h"

#include "physics/query/manifold/patch/contact_patch.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

// Normals closer than this, rad, are one: at 10 m/s such a tilt is felt as 1 cm/s.
constexpr float same_angle = 1e-3f;
// Tiles are laid level to this share of the slop.
constexpr float level_share = 0.2f;

bool same_direction(const Vec3& a, const Vec3& b) {
    const Vec3 d = a - b; // of unit vectors: the cosine could not tell such small angles in single precision
    return glm::dot(d, d) < same_angle * same_angle;
}

// Calls visit(triangle, corners in the world, whether it has a border there) for what the mesh has within `slack` of a
// point on it.
template <class Visit>
void visit_triangles(const SeamSide& side, const Vec3& point, float slack, Visit&& visit) {
    const TriangleMesh& mesh = *side.other->mesh;
    const Vec3 local = to_local(side.other_pose, point);
    mesh.query(Aabb{local - Vec3(slack), local + Vec3(slack)}, [&](std::uint32_t t) {
        const TriangleMesh::Triangle triangle = mesh.triangle(t);
        std::array<Vec3, 3> corners;
        for (std::size_t k = 0; k < 3; ++k) {
            corners[k] = mesh.vertex(triangle.vertex[k]);
        }
        bool at_border = false;
        for (std::size_t k = 0; k < 3; ++k) {
            if (triangle.beside[k] == TriangleMesh::none) {
                const Vec3 edge = corners[(k + 1) % 3] - corners[k], to_point = local - corners[k];
                const float along = std::clamp(glm::dot(to_point, edge) / glm::dot(edge, edge), 0.0f, 1.0f);
                const Vec3 apart = to_point - along * edge;
                at_border = at_border || glm::dot(apart, apart) <= slack * slack;
            }
        }
        visit(t, corners, at_border);
    });
}

// Whether the touched shape has a face there that looks along its normal.
bool touches_face(const SeamSide& side, float slop) {
    const Shape& shape = *side.other;
    const Vec3 local = inverse_rotate(side.other_pose.orientation, side.normal);
    if (shape.kind == ShapeKind::mesh) {
        bool found = false;
        visit_triangles(side, side.points[0], slop, [&](std::uint32_t t, const std::array<Vec3, 3>&, bool) {
            const Vec3 normal(shape.mesh->normal(t));
            found = found || same_direction(normal, local) || (shape.mesh->two_sided && same_direction(-normal, local));
        });
        return found;
    }
    if (shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::capsule) {
        return false;
    }
    const Patch patch = contact_patch(shape, DVec3(local));
    return patch.face && same_direction(Vec3(patch.normal), local);
}

// Greatest extent of a convex shape along a world direction, relative to `origin`, m.
float extent(const SeamSide& side, const Vec3& direction, const Vec3& origin) {
    const Vec3 local = support(*side.other, inverse_rotate(side.other_pose.orientation, direction));
    return glm::dot(direction, rotate(side.other_pose.orientation, local) + (side.other_pose.position - origin));
}

// Whether a mesh is touched at its border alone, and about there lies no further along the direction than `most`, m.
bool has_low_border(const SeamSide& side, const Vec3& direction, const Vec3& origin, float most, float slop) {
    bool low = true;
    for (const Vec3& point : side.points) {
        bool border = false;
        visit_triangles(side, point, slop, [&](std::uint32_t, const std::array<Vec3, 3>& corners, bool at_border) {
            border = border || at_border;
            for (const Vec3& corner : corners) {
                low = low && glm::dot(direction, to_world(side.other_pose, corner) - origin) <= most;
            }
        });
        low = low && border;
    }
    return low;
}

} // namespace

bool hidden_behind(const SeamSide& contact, const SeamSide& rest, float slop) {
    if (rest.separation > slop || same_direction(contact.normal, rest.normal)) {
        return false;
    }
    const Vec3 origin = rest.points[0];
    const float graze = std::max(slop, -2.0f * rest.separation);
    for (const Vec3& point : contact.points) {
        if (std::abs(glm::dot(point - origin, rest.normal)) > graze) {
            return false;
        }
    }
    if (!touches_face(rest, slop)) {
        return false;
    }
    const bool of_mesh = rest.other->kind == ShapeKind::mesh; // whose points lie in the plane
    const float most = (of_mesh ? 0.0f : extent(rest, rest.normal, origin)) + level_share * slop;
    return contact.other->kind == ShapeKind::mesh ? has_low_border(contact, rest.normal, origin, most, slop)
                                                  : extent(contact, rest.normal, origin) <= most;
}

} // namespace cairn::physics
