// Vectors, quaternions and rigid transforms: the words in which the rest of physics is written.
//
// Conventions: right-handed, Z up, metres, kilograms, seconds, radians. A quaternion is a rotation from local to world,
// constructed as Quat(w, x, y, z). Only + - * / and sqrt are used here, so that results are the same bits everywhere.
#pragma once

#include <cmath>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace cairn::physics {

using Vec3 = glm::vec3;
using Mat3 = glm::mat3;
using Quat = glm::quat;

inline constexpr Quat identity_orientation{1.0f, 0.0f, 0.0f, 0.0f};

// A pose: `position` in metres, `orientation` a unit quaternion. Maps local coordinates to the parent's.
struct Transform {
    Vec3 position{0.0f};
    Quat orientation = identity_orientation;

    friend bool operator==(const Transform&, const Transform&) = default;
};

inline Vec3 rotate(const Quat& q, const Vec3& v) {
    const Vec3 u(q.x, q.y, q.z);
    const Vec3 t = 2.0f * glm::cross(u, v);
    return v + q.w * t + glm::cross(u, t);
}

inline Vec3 inverse_rotate(const Quat& q, const Vec3& v) {
    const Vec3 u(q.x, q.y, q.z);
    const Vec3 t = 2.0f * glm::cross(u, v);
    return v - q.w * t + glm::cross(u, t);
}

inline Vec3 to_world(const Transform& pose, const Vec3& local) {
    return pose.position + rotate(pose.orientation, local);
}

inline Vec3 to_local(const Transform& pose, const Vec3& world) {
    return inverse_rotate(pose.orientation, world - pose.position);
}

// The pose of a child given in its parent's frame, expressed in the frame of `parent`'s parent.
inline Transform compose(const Transform& parent, const Transform& child) {
    return {to_world(parent, child.position), parent.orientation * child.orientation};
}

// `pose` seen from `frame`: compose(frame, relative(frame, pose)) == pose up to rounding.
inline Transform relative(const Transform& frame, const Transform& pose) {
    return {to_local(frame, pose.position), glm::conjugate(frame.orientation) * pose.orientation};
}

inline Mat3 rotation_matrix(const Quat& q) {
    return glm::mat3_cast(q);
}

// Normalised copy; a quaternion of zero length becomes the identity.
inline Quat normalized(const Quat& q) {
    const float length2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!(length2 > 0.0f)) {
        return identity_orientation;
    }
    const float scale = 1.0f / std::sqrt(length2);
    return Quat(q.w * scale, q.x * scale, q.y * scale, q.z * scale);
}

// Unit vector along v, or `fallback` where v has no usable direction.
inline Vec3 normalized_or(const Vec3& v, const Vec3& fallback) {
    const float length2 = glm::dot(v, v);
    return length2 > 1e-30f ? v * (1.0f / std::sqrt(length2)) : fallback;
}

// A unit vector perpendicular to the unit vector n. Picks the world axis least aligned with n, so it is well
// conditioned.
template <typename Vector> // of floats or doubles
Vector any_perpendicular(const Vector& n) {
    const Vector a(std::abs(n.x), std::abs(n.y), std::abs(n.z));
    const Vector axis = a.x <= a.y && a.x <= a.z ? Vector(1, 0, 0) : (a.y <= a.z ? Vector(0, 1, 0) : Vector(0, 0, 1));
    return glm::normalize(glm::cross(n, axis));
}

inline bool is_finite(float x) {
    return std::isfinite(x);
}
inline bool is_finite(const Vec3& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}
inline bool is_finite(const Quat& q) {
    return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}

} // namespace cairn::physics
