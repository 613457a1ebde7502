// Support mappings of the Minkowski difference of two shapes, in the frame of the first. Internal to queries.
#pragma once

#include "physics/geometry/hull/hull_support.h"
#include "physics/geometry/shape.h"
#include "physics/query/gjk/simplex.h"

#include <bit>
#include <cstdint>

namespace cairn::physics {

class QueryObserver;

// Rotation and translation in double precision, with the rotation as a matrix.
struct Frame {
    DMat3 rotation{1.0};
    DVec3 position{0.0};
};

inline DMat3 rotation_of(double w, double x, double y, double z) {
    const double s = 2.0 / (w * w + x * x + y * y + z * z);
    // Columns; dividing by the squared length makes the matrix orthonormal however the quaternion was rounded.
    return DMat3(1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y),  //
                 s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x),  //
                 s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)); //
}

inline Frame frame_of(const Transform& pose) {
    const Quat& q = pose.orientation;
    return {rotation_of(double(q.w), double(q.x), double(q.y), double(q.z)), DVec3(pose.position)};
}

inline DVec3 apply(const Frame& f, const DVec3& p) {
    return f.rotation * p + f.position;
}
inline DVec3 apply_inverse_rotation(const DMat3& r, const DVec3& v) {
    return DVec3(glm::dot(r[0], v), glm::dot(r[1], v), glm::dot(r[2], v));
}

// Frame of `b` as seen from `a`. The difference of positions is taken before anything is rounded, so two shapes far
// from the world's origin answer as precisely as near it.
inline Frame relative_frame(const Frame& a, const Frame& b) {
    Frame r;
    for (int i = 0; i < 3; ++i) {
        r.rotation[i] = apply_inverse_rotation(a.rotation, b.rotation[i]);
    }
    r.position = apply_inverse_rotation(a.rotation, b.position - a.position);
    return r;
}

// A shape seen as a core grown by a radius: a sphere is a grown point and a capsule a grown segment, so that both are
// exactly round and their shallow contacts are distances between cores. All other shapes are their own core.
struct Core {
    const Shape* shape = nullptr;
    double radius = 0.0; // by which the core is grown, m
    double size = 0.0;   // radius of a ball about the local origin that holds the core, m
    double inner = 0.0;  // radius of a ball about the local origin within the core, m
};

inline Core core_of(const Shape& shape) {
    switch (shape.kind) {
    case ShapeKind::sphere:
        return {&shape, double(shape.radius), 0.0, 0.0};
    case ShapeKind::capsule:
        return {&shape, double(shape.radius), double(shape.half_extents.z), 0.0};
    default:
        return {&shape, 0.0, double(shape.bounding_radius), double(shape.inner_radius)};
    }
}

// A length with the sign of another number, without a branch: signs of random directions cannot be predicted.
inline double with_sign_of(double length, double sign) {
    constexpr std::uint64_t mask = std::uint64_t{1} << 63;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(length) | (std::bit_cast<std::uint64_t>(sign) & mask));
}

// Farthest point of the core along d (local coordinates, any length).
inline DVec3 core_support(const Shape& s, const DVec3& d) {
    switch (s.kind) {
    case ShapeKind::sphere:
        return DVec3(0.0);
    case ShapeKind::capsule: {
        const double h = double(s.half_extents.z);
        return DVec3(0.0, 0.0, with_sign_of(h, d.z));
    }
    case ShapeKind::box: {
        const DVec3 h(s.half_extents);
        return DVec3(with_sign_of(h.x, d.x), with_sign_of(h.y, d.y), with_sign_of(h.z, d.z));
    }
    case ShapeKind::cylinder: {
        const double h = double(s.half_extents.z);
        const double radial = std::sqrt(d.x * d.x + d.y * d.y);
        const double scale = radial > 0.0 ? double(s.radius) / radial : 0.0;
        return DVec3(d.x * scale, d.y * scale, with_sign_of(h, d.z));
    }
    case ShapeKind::cone: {
        // Base at -height/4, apex at 3/4 height.
        const double height = 2.0 * double(s.half_extents.z);
        const double r = double(s.radius);
        const double radial = std::sqrt(d.x * d.x + d.y * d.y);
        if (d.z * height > r * radial) {
            return DVec3(0.0, 0.0, 0.75 * height);
        }
        const double scale = radial > 0.0 ? r / radial : 0.0;
        return DVec3(d.x * scale, d.y * scale, -0.25 * height);
    }
    case ShapeKind::hull:
        return DVec3(s.hull->vertices[detail::support_vertex(*s.hull, d)]);
    case ShapeKind::mesh: // no convex shape: its triangles are asked one by one
        break;
    }
    return DVec3(0.0);
}

struct CorePair {
    Core a, b;
    Frame b_in_a;
    double size = 0.0;                 // sum of both cores' sizes: the length that tolerances are relative to, m
    double radius = 0.0;               // sum of both radii, m
    QueryObserver* observer = nullptr; // gets the steps of GJK and EPA (observer.h)

    // The balls within the cores meet: so do the cores, deeply.
    bool certainly_overlap() const {
        const double reach = (a.inner + b.inner) * (1.0 - 1e-6); // the radii are floats
        const DVec3& t = b_in_a.position;
        return glm::dot(t, t) < reach * reach;
    }

    SupportPoint support(const DVec3& d) const {
        const DVec3 on_a = core_support(*a.shape, d);
        return {on_a - support_b(-d), on_a};
    }
    DVec3 support_a(const DVec3& d) const { return core_support(*a.shape, d); }
    DVec3 support_b(const DVec3& d) const {
        return apply(b_in_a, core_support(*b.shape, apply_inverse_rotation(b_in_a.rotation, d)));
    }
};

inline CorePair core_pair(const Shape& a, const Shape& b, const Frame& b_in_a) {
    CorePair pair;
    pair.a = core_of(a);
    pair.b = core_of(b);
    pair.b_in_a = b_in_a;
    pair.size = pair.a.size + pair.b.size;
    pair.radius = pair.a.radius + pair.b.radius;
    return pair;
}

} // namespace cairn::physics
