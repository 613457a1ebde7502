#include "physics/narrowphase/update/round_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace cairn::physics {

namespace {

constexpr float most_lean = 1e-3f; // radians: what leans by less is level

// Of a cylinder that touches in the direction n (unit, local); on a cap or a rim it is as edged as a box.
constexpr float beside_side = 0.1f; // sine of how far the normal is from that of the side
bool is_on_its_side(const Vec3& n) {
    return std::abs(n.z) < beside_side;
}

struct FlatPart {
    int directions = 0; // 0 to 2
    Vec3 along{0.0f};   // unit, local, of a part with one
};
constexpr FlatPart whole_face{2, Vec3(0.0f)}, sharp_corner{0, Vec3(0.0f)};

// The part of a box that looks in the direction n (unit, local).
FlatPart flat_part_of_box(const Vec3& n) {
    const bool level_x = std::abs(n.x) < most_lean, level_y = std::abs(n.y) < most_lean,
               level_z = std::abs(n.z) < most_lean;
    switch (level_x + level_y + level_z) {
    case 2:
        return whole_face;
    case 1:
        return {1, {level_x ? 1.0f : 0.0f, level_y ? 1.0f : 0.0f, level_z ? 1.0f : 0.0f}};
    default:
        return sharp_corner;
    }
}

// The same of a hull, by how many vertices reach as far that way.
FlatPart flat_part_of_hull(const Shape& shape, const Vec3& n) {
    const float least = glm::dot(support(shape, n), n) - most_lean * shape.inner_radius;
    int found = 0;
    Vec3 first(0.0f), second(0.0f);
    for (const Vec3& vertex : shape.hull->vertices) {
        if (glm::dot(vertex, n) < least) {
            continue;
        }
        (found == 0 ? first : second) = vertex;
        if (++found == 3) {
            return whole_face;
        }
    }
    return found == 2 ? FlatPart{1, glm::normalize(second - first)} : sharp_corner;
}

// What of the side looks in the direction `outwards` (unit, world), if its normal is known to turn with it.
std::optional<FlatPart> flat_part(const ContactSide& side, const Vec3& outwards) {
    const Shape& shape = *side.shape;
    const Vec3 n = inverse_rotate(side.shape_pose.orientation, outwards);
    const FlatPart along_axis{1, {0.0f, 0.0f, 1.0f}};
    const float off_axis = std::sqrt(n.x * n.x + n.y * n.y);
    switch (shape.kind) {
    case ShapeKind::sphere:
        return sharp_corner;
    case ShapeKind::capsule:
        return std::abs(n.z) < most_lean ? along_axis : sharp_corner;
    case ShapeKind::cylinder:
        return is_on_its_side(n)      ? std::optional(along_axis)
               : off_axis < most_lean ? std::optional(whole_face)
                                      : std::nullopt;
    case ShapeKind::cone:
        return n.z < 0.0f && off_axis < most_lean ? std::optional(whole_face) : std::nullopt;
    case ShapeKind::box:
        return flat_part_of_box(n);
    case ShapeKind::hull:
        return flat_part_of_hull(shape, n);
    case ShapeKind::mesh:
        return whole_face;
    }
    return std::nullopt;
}

} // namespace

float round_part(const ContactSide& side, const Vec3& normal) {
    const Shape& shape = *side.shape;
    if (shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::capsule) {
        return shape.radius;
    }
    return shape.kind == ShapeKind::cylinder && is_on_its_side(inverse_rotate(side.shape_pose.orientation, normal))
               ? shape.radius
               : 0.0f;
}

float round_part_of_cone(const ContactSide& side, const Vec3& outwards, const Vec3& at) {
    const Shape& shape = *side.shape;
    if (shape.kind != ShapeKind::cone) {
        return 0.0f;
    }
    const Vec3 n = inverse_rotate(side.shape_pose.orientation, outwards);
    const float off_axis = std::sqrt(n.x * n.x + n.y * n.y), height = 2.0f * shape.half_extents.z;
    const float slant = std::sqrt(shape.radius * shape.radius + height * height);
    if (!(std::abs(off_axis * shape.radius - n.z * height) < beside_side * slant) || !(off_axis > most_lean)) {
        return 0.0f;
    }
    const Vec3 from_centre = inverse_rotate(side.shape_pose.orientation, at - side.shape_pose.position);
    const float from_axis = (from_centre.x * n.x + from_centre.y * n.y) / off_axis;
    return std::max(from_axis, 0.0f) * (slant / height);
}

float reach_of_face(const ContactSide& side, const Vec3& outwards, const Vec3& at, const Vec3& way) {
    if (side.shape->kind == ShapeKind::mesh) {
        return std::numeric_limits<float>::max();
    }
    constexpr float tilt = 0.01f;
    const Vec3 local = inverse_rotate(side.shape_pose.orientation, tilt * way + outwards);
    const Vec3 from_centre = rotate(side.shape_pose.orientation, support(*side.shape, local));
    return glm::dot(side.shape_pose.position + from_centre - at, way);
}

void find_flat_directions(const ContactSide& a, const ContactSide& b, std::span<const ContactPoint> points,
                          Contact& contact) {
    contact.normal_turns = 0;
    if ((contact.round_a == 0.0f && contact.round_b == 0.0f) || contact.rim_radius != 0.0f || points.size() > 2) {
        return;
    }
    const Vec3& n = contact.normal;
    const std::optional<FlatPart> part_a = flat_part(a, n), part_b = flat_part(b, -n);
    if (!part_a || !part_b || part_a->directions + part_b->directions > 3) {
        return;
    }
    const bool face_of_a = part_a->directions == 2, face_of_b = part_b->directions == 2;
    if ((face_of_a && !a.can_turn) || (face_of_b && !b.can_turn)) {
        return; // what is round rolls on it, and the normal stays
    }
    const Vec3 along_a = rotate(a.shape_pose.orientation, part_a->along);
    const Vec3 along_b = rotate(b.shape_pose.orientation, part_b->along);
    const bool leans = std::abs(glm::dot(along_a, n)) > most_lean || std::abs(glm::dot(along_b, n)) > most_lean;
    if (leans && !face_of_a && !face_of_b) {
        return; // a corner or a rim rather than an edge
    }
    contact.normal_turns = 1;
    contact.flat_1_of_a = face_of_a || (!face_of_b && part_a->directions == 1);
    contact.flat_2_of_a = face_of_a;
    if (face_of_a || face_of_b) {
        // Across what lies on the face along a line; it rolls that way.
        const Vec3 across = glm::cross(n, face_of_a ? along_b : along_a);
        contact.flat_2 = normalized_or(across, any_perpendicular(n));
        contact.flat_1 = glm::cross(contact.flat_2, n);
    } else {
        contact.flat_1 = part_a->directions == 1 ? along_a : along_b;
        contact.flat_2 = Vec3(0.0f);
        constexpr float parallel = 0.1f;
        const float crossing = glm::dot(glm::cross(along_a, along_b), n);
        if (std::abs(crossing) > parallel) {
            contact.flat_2 = crossing > 0.0f ? along_b : -along_b;
        }
    }
    contact.flat_reach = std::numeric_limits<float>::max();
    const auto keep_within = [&](const Vec3& way, const ContactSide& side, const Vec3& outwards) {
        for (const ContactPoint& point : points) {
            for (const Vec3& to : {way, -way}) {
                const float reach = reach_of_face(side, outwards, contact.world(point), to);
                contact.flat_reach = std::clamp(reach, 0.0f, contact.flat_reach);
            }
        }
    };
    if (points.size() == 1 && part_a->directions + part_b->directions > 0) { // what lies along a line stays on it
        keep_within(contact.flat_1, contact.flat_1_of_a ? a : b, contact.flat_1_of_a ? n : -n);
    }
    if (contact.flat_2 != Vec3(0.0f)) {
        keep_within(contact.flat_2, contact.flat_2_of_a ? a : b, contact.flat_2_of_a ? n : -n);
    }
}

} // namespace cairn::physics
