// What the step asks of shapes. Only + - * / and sqrt, so that the answers are the same bits everywhere.
#include "physics/geometry/shape.h"

#include "physics/geometry/hull/hull_support.h"

#include <algorithm>

namespace cairn::physics {

namespace {

// Unit vector along v; any length that a float can hold will do, zero gives `fallback`.
Vec3 unit_or(const Vec3& v, const Vec3& fallback) {
    const Vec3 a = glm::abs(v);
    const float largest = glm::max(a.x, glm::max(a.y, a.z));
    if (!(largest > 0.0f)) {
        return fallback;
    }
    const Vec3 scaled = v / largest;
    return scaled / std::sqrt(glm::dot(scaled, scaled));
}

float copy_sign(float magnitude, float sign) {
    return sign < 0.0f ? -magnitude : magnitude;
}

float cone_height(const Shape& cone) {
    return 2.0f * cone.half_extents.z;
}

} // namespace

Vec3 support(const Shape& shape, const Vec3& direction) {
    switch (shape.kind) {
    case ShapeKind::sphere:
        return shape.radius * unit_or(direction, Vec3(0, 0, 1));
    case ShapeKind::box:
        return {copy_sign(shape.half_extents.x, direction.x), copy_sign(shape.half_extents.y, direction.y),
                copy_sign(shape.half_extents.z, direction.z)};
    case ShapeKind::capsule: {
        Vec3 point = shape.radius * unit_or(direction, Vec3(0, 0, 1));
        point.z += copy_sign(shape.half_extents.z, direction.z);
        return point;
    }
    case ShapeKind::cylinder: {
        const Vec3 radial = shape.radius * unit_or(Vec3(direction.x, direction.y, 0.0f), Vec3(1, 0, 0));
        return {radial.x, radial.y, copy_sign(shape.half_extents.z, direction.z)};
    }
    case ShapeKind::cone: {
        const Vec3 outward = unit_or(Vec3(direction.x, direction.y, 0.0f), Vec3(1, 0, 0));
        const float height = cone_height(shape);
        // Apex or rim, whichever is higher along the direction: dz * 3h/4 against r * radial - dz * h/4.
        const float radial = outward.x * direction.x + outward.y * direction.y;
        if (direction.z * height > shape.radius * radial) {
            return {0.0f, 0.0f, 0.75f * height};
        }
        return {shape.radius * outward.x, shape.radius * outward.y, -0.25f * height};
    }
    case ShapeKind::hull:
        return shape.hull->vertices[detail::support_vertex(*shape.hull, direction)];
    case ShapeKind::mesh: { // of what never moves, asked for by nothing that must be fast
        Vec3 best = shape.mesh->vertex(0);
        for (std::uint32_t v = 1; v < shape.mesh->vertex_count(); ++v) {
            const Vec3 vertex = shape.mesh->vertex(v);
            best = glm::dot(best, direction) < glm::dot(vertex, direction) ? vertex : best;
        }
        return best;
    }
    }
    return Vec3(0.0f);
}

Aabb bounds(const Shape& shape, const Transform& pose) {
    const Vec3& p = pose.position;
    if (shape.kind == ShapeKind::sphere) {
        return {p - Vec3(shape.radius), p + Vec3(shape.radius)};
    }
    const Mat3 r = rotation_matrix(pose.orientation);
    switch (shape.kind) {
    case ShapeKind::sphere:
        break;
    case ShapeKind::box: {
        const Vec3& h = shape.half_extents;
        const Vec3 reach = glm::abs(r[0]) * h.x + glm::abs(r[1]) * h.y + glm::abs(r[2]) * h.z;
        return {p - reach, p + reach};
    }
    case ShapeKind::capsule: {
        const Vec3 reach = glm::abs(r[2]) * shape.half_extents.z + Vec3(shape.radius);
        return {p - reach, p + reach};
    }
    case ShapeKind::cylinder:
    case ShapeKind::cone: {
        // A disc with the unit axis a reaches radius * sqrt(1 - a_i^2) along axis i; from the other two components
        // there is no cancellation.
        const Vec3& a = r[2];
        const Vec3 disc = shape.radius * Vec3(std::sqrt(a.y * a.y + a.z * a.z), std::sqrt(a.z * a.z + a.x * a.x),
                                              std::sqrt(a.x * a.x + a.y * a.y));
        if (shape.kind == ShapeKind::cylinder) {
            const Vec3 reach = glm::abs(a) * shape.half_extents.z + disc;
            return {p - reach, p + reach};
        }
        const Vec3 apex = p + 0.75f * cone_height(shape) * a;
        const Vec3 base = p - 0.25f * cone_height(shape) * a;
        return {glm::min(apex, base - disc), glm::max(apex, base + disc)};
    }
    case ShapeKind::hull: {
        Aabb box;
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3 row(r[0][axis], r[1][axis], r[2][axis]);
            const auto& vertices = shape.hull->vertices;
            box.lower[axis] = p[axis] + glm::dot(row, vertices[detail::support_vertex(*shape.hull, -row)]);
            box.upper[axis] = p[axis] + glm::dot(row, vertices[detail::support_vertex(*shape.hull, row)]);
        }
        return box;
    }
    case ShapeKind::mesh: {
        const Vec3 half = 0.5f * (shape.local_bounds.upper - shape.local_bounds.lower);
        const Vec3 middle = to_world(pose, shape.local_bounds.lower + half);
        const Vec3 reach = 1.000001f * (glm::abs(r[0]) * half.x + glm::abs(r[1]) * half.y + glm::abs(r[2]) * half.z);
        return {middle - reach, middle + reach};
    }
    }
    return {};
}

float max_rotational_speed(const Shape& shape, const Vec3& centre, const Vec3& angular_velocity,
                           const Vec3& direction) {
    // direction . (w x (p - c)) = (direction x w) . (p - c): a linear function of p, greatest at a support point.
    const Vec3 gradient = glm::cross(direction, angular_velocity);
    const float speed = glm::dot(gradient, support(shape, gradient) - centre);
    // The products above round by a few 6e-8 of their size, the support mapping by as much of the shape's size.
    const float scale = std::sqrt(glm::dot(angular_velocity, angular_velocity) * glm::dot(direction, direction)) *
                        (shape.bounding_radius + std::sqrt(glm::dot(centre, centre)));
    return speed + 2e-6f * scale;
}

} // namespace cairn::physics
