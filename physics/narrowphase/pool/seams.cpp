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

bool is_face_normal(const Shape& shape, const Vec3& local) {
    if (shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::capsule) {
        return false;
    }
    const Patch patch = contact_patch(shape, DVec3(local));
    return patch.face && same_direction(Vec3(patch.normal), local);
}

// Greatest extent along a world direction, relative to `origin`, m.
float extent(const SeamSide& side, const Vec3& direction, const Vec3& origin) {
    const Vec3 local = support(*side.other, inverse_rotate(side.other_pose.orientation, direction));
    return glm::dot(direction, rotate(side.other_pose.orientation, local) + (side.other_pose.position - origin));
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
    if (!is_face_normal(*rest.other, inverse_rotate(rest.other_pose.orientation, rest.normal))) {
        return false;
    }
    const float plane = extent(rest, rest.normal, origin);
    return extent(contact, rest.normal, origin) <= plane + level_share * slop;
}

} // namespace cairn::physics
