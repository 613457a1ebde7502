// Where a body is on its path through a step, and what pairs of shapes may sink there.
#pragma once

#include "physics/continuous/continuous.h"
#include "physics/solver/motion/integrate.h"

#include <algorithm>

namespace cairn::physics {

// The path of a shape that lies at `shape_pose` in the body's frame, from `body.from` on.
inline Sweep sweep_of(const SweptBody& body, const Transform& shape_pose) {
    Sweep sweep;
    sweep.start = body.pose;
    sweep.linear_velocity = body.linear;
    sweep.angular_velocity = body.angular;
    sweep.shape_pose = shape_pose;
    return sweep;
}

// The rest of a body's path from `now` on.
inline Sweep sweep_from(const SweptBody& body, const Transform& shape_pose, float now) {
    Sweep sweep = sweep_of(body, shape_pose);
    if (now > body.from) {
        sweep.start = body_pose_at(sweep, now - body.from);
    }
    return sweep;
}

// Where its centre of mass is.
inline Vec3 centre_at(const SweptBody& body, float time) {
    return body.pose.position + (time - body.from) * body.linear;
}

// Where the body is at `time`, in steps.
inline Transform pose_at(const SweptBody& body, float time) {
    return body_pose_at(sweep_of(body, {}), time - body.from);
}

// The spin, world, that a body has at the orientation `to` if it has `spin` at `from` and turns freely in between.
inline Vec3 carried_spin(const SweptBody& body, const Vec3& spin, const Quat& from, const Quat& to) {
    if (body.principal == nullptr) {
        return spin;
    }
    const Vec3 momentum = rotated(body.inertia, from) * spin;
    const Vec3 carried = rotated(body.inverse_inertia, to) * momentum;
    const float energy = glm::dot(momentum, spin);
    return glm::dot(momentum, carried) <= energy ? carried : spin_of_energy(*body.principal, to, momentum, energy);
}

// Thin shapes have less to give than the slop: half of the ball inside them, so that no pair ever sinks past the middle
// of one of them, where the way out would lead to the other side.
inline float pair_slop(const ContinuousWorld::ShapeRef& a, const ContinuousWorld::ShapeRef& b, float linear_slop) {
    return std::min(linear_slop, 0.5f * std::min(a.shape->inner_radius, b.shape->inner_radius));
}

// To where a pair in touch may sink, m, that was at `distance` when it was found to touch: a little further if it is
// deeper already. Where one of the two does not yield, the less the deeper it is: a plate that spun beside a wall came
// a quarter of a slop deeper into it in every step. A crowd that is pressed together needs it to move on at all.
inline float touch_floor(float distance, float give, bool yields) {
    const float further = yields || distance > -give ? 0.25f * give : 0.25f * give * give / -distance;
    return std::min(distance - further, -give);
}
inline float touch_tolerance(float floor, float distance, float slop) {
    return std::min(0.1f * slop, 0.4f * (distance - floor));
}

// What is left of a change of position or a velocity, and of a turn, where axes are locked.
inline Vec3 without_locked(const Vec3& v, unsigned locks) {
    return {(locks & 1u) != 0 ? 0.0f : v.x, (locks & 2u) != 0 ? 0.0f : v.y, (locks & 4u) != 0 ? 0.0f : v.z};
}
inline Vec3 unlocked_linear(const SweptBody& body, const Vec3& v) {
    return without_locked(v, body.locks);
}
inline Vec3 unlocked_angular(const SweptBody& body, const Vec3& turn) {
    return without_locked(turn, unsigned{body.locks} >> 3u);
}

inline bool is_mesh(const ContinuousWorld::ShapeRef& ref) {
    return ref.shape->kind == ShapeKind::mesh;
}

} // namespace cairn::physics
