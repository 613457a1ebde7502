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

// Calls visit(triangle, corners in the frame of the mesh, one bit for each of its edges that is a border there) for
// what the mesh has within `slack` of a point on it.
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
        std::uint32_t borders = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            if (triangle.beside[k] == TriangleMesh::none) {
                const Vec3 edge = corners[(k + 1) % 3] - corners[k], to_point = local - corners[k];
                const float along = std::clamp(glm::dot(to_point, edge) / glm::dot(edge, edge), 0.0f, 1.0f);
                const Vec3 apart = to_point - along * edge;
                borders |= (glm::dot(apart, apart) <= slack * slack ? 1u : 0u) << k;
            }
        }
        visit(t, corners, borders);
    });
}

// Whether the touched shape has a face there that looks along its normal.
bool touches_face(const SeamSide& side, float slop) {
    const Shape& shape = *side.other;
    const Vec3 local = inverse_rotate(side.other_pose.orientation, side.normal);
    if (shape.kind == ShapeKind::mesh) {
        bool found = false;
        visit_triangles(side, side.points[0], slop, [&](std::uint32_t t, const std::array<Vec3, 3>&, std::uint32_t) {
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
        visit_triangles(side, point, slop,
                        [&](std::uint32_t, const std::array<Vec3, 3>& corners, std::uint32_t borders) {
                            border = border || borders != 0;
                            for (const Vec3& corner : corners) {
                                low = low && glm::dot(direction, to_world(side.other_pose, corner) - origin) <= most;
                            }
                        });
        low = low && border;
    }
    return low;
}

// A flat part of what a body may stand on, in the world.
struct Ground {
    Vec3 normal{0.0f}, origin{0.0f}; // unit; m
    Patch face{};                    // of a convex shape, in its frame; none of a mesh
};

// Returns whether there is any.
bool find_ground(const SeamSide& rest, float slop, Ground& ground) {
    if (rest.other->kind == ShapeKind::mesh) {
        ground.normal = rest.normal;
        ground.origin = rest.points[0];
        return rest.separation <= slop && touches_face(rest, slop);
    }
    const Transform& pose = rest.other_pose;
    contact_patch(*rest.other, DVec3(inverse_rotate(pose.orientation, rest.normal)), ground.face);
    ground.normal = rotate(pose.orientation, Vec3(ground.face.normal));
    ground.origin = to_world(pose, Vec3(ground.face.vertices[0].position));
    return ground.face.face;
}

// Whether a point is on the ground or in it.
bool is_in(const Ground& ground, const SeamSide& rest, const Vec3& point, float slop) {
    const float above = glm::dot(point - ground.origin, ground.normal);
    if (above > slop || above < -std::max(slop, ground.face.face ? rest.other->inner_radius : 0.0f)) {
        return false;
    }
    const DVec3 local(to_local(rest.other_pose, point));
    for (int i = 0; i < ground.face.count; ++i) {
        const DVec3& from = ground.face.vertices[i].position;
        const DVec3 edge = ground.face.vertices[i + 1 < ground.face.count ? i + 1 : 0].position - from;
        if (glm::dot(glm::cross(ground.face.normal, edge), local - from) <
            -static_cast<double>(slop) * glm::length(edge)) {
            return false;
        }
    }
    return true;
}

constexpr float least_slope_cosine = 0.70710678f;

// What the contact touches of its shape ends on the ground, and a face begins there; it is not that face.
bool begins_slope(const SeamSide& contact, const Ground& ground, float slop) {
    const Shape& shape = *contact.other;
    const Transform& pose = contact.other_pose;
    const DVec3 up(inverse_rotate(pose.orientation, ground.normal));
    const Patch slope = contact_patch(shape, up);
    const DVec3 normal(inverse_rotate(pose.orientation, contact.normal));
    if (glm::dot(slope.normal, up) < static_cast<double>(least_slope_cosine) ||
        same_direction(Vec3(slope.normal), Vec3(normal))) {
        return false;
    }
    const Patch touched = contact_patch(shape, normal);
    double furthest = glm::dot(touched.vertices[0].position, normal);
    for (int i = 1; i < touched.count; ++i) {
        furthest = std::max(furthest, glm::dot(touched.vertices[i].position, normal));
    }
    const double level = static_cast<double>(level_share * slop);
    const DVec3 origin(to_local(pose, ground.origin));
    bool meets_slope = false;
    for (int i = 0; i < touched.count; ++i) {
        const DVec3& corner = touched.vertices[i].position;
        if (furthest - glm::dot(corner, normal) > level) {
            continue;
        }
        const double height = glm::dot(up, corner - origin);
        if (height > level) {
            return false;
        }
        meets_slope = meets_slope || (height >= -static_cast<double>(slop) &&
                                      glm::dot(slope.normal, slope.vertices[0].position - corner) <= level);
    }
    return meets_slope;
}

// The same of a mesh: it is touched at a border that lies on the ground, and not along a face.
bool begins_slope_of_mesh(const SeamSide& contact, const Ground& ground, float slop) {
    const Vec3 up = inverse_rotate(contact.other_pose.orientation, ground.normal);
    const Vec3 along = inverse_rotate(contact.other_pose.orientation, contact.normal);
    const Vec3 origin = to_local(contact.other_pose, ground.origin);
    bool begins = true;
    for (const Vec3& point : contact.points) {
        bool border = false;
        visit_triangles(contact, point, slop,
                        [&](std::uint32_t t, const std::array<Vec3, 3>& corners, std::uint32_t borders) {
                            const Vec3 normal(contact.other->mesh->normal(t));
                            begins = begins && !same_direction(normal, along);
                            for (std::size_t k = 0; k < 3; ++k) {
                                if ((borders >> k & 1u) != 0) {
                                    border = true;
                                    begins = begins && glm::dot(normal, up) >= least_slope_cosine &&
                                             glm::dot(up, corners[k] - origin) <= level_share * slop &&
                                             glm::dot(up, corners[(k + 1) % 3] - origin) <= level_share * slop;
                                }
                            }
                        });
        begins = begins && border;
    }
    return begins;
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

bool is_foot_of_slope(const SeamSide& contact, const SeamSide& rest, float slop) {
    if (same_direction(contact.normal, rest.normal)) {
        return false;
    }
    const bool of_mesh = contact.other->kind == ShapeKind::mesh;
    if (!of_mesh && !is_polytope(*contact.other)) {
        return false;
    }
    Ground ground;
    if (!find_ground(rest, slop, ground)) {
        return false;
    }
    for (const Vec3& point : contact.points) {
        if (!is_in(ground, rest, point, slop)) {
            return false;
        }
    }
    return of_mesh ? begins_slope_of_mesh(contact, ground, slop) : begins_slope(contact, ground, slop);
}

} // namespace cairn::physics
