// Time of impact of two moving convex shapes.
#pragma once

#include "physics/query/distance.h"

namespace cairn::physics {

// A shape carried by a body that moves with constant linear velocity and turns at constant angular velocity about its
// centre of mass. `shape_pose` is the shape's pose in the body's frame.
struct Sweep {
    Transform start;             // of the body at time 0; start.position is its centre of mass
    Vec3 linear_velocity{0.0f};  // m/s
    Vec3 angular_velocity{0.0f}; // rad/s, world frame
    Transform shape_pose;
};

// Pose of the body (not of the shape) at `time` seconds. The rotation is exact for constant angular velocity; sine and
// cosine are polynomials of our own, so that the bits do not depend on the maths library.
Transform body_pose_at(const Sweep& sweep, float time);

// The constant angular velocity that turns `from` into `to` in `duration` seconds along the shorter arc, rad/s.
Vec3 angular_velocity_between(const Quat& from, const Quat& to, float duration);

enum class ToiStatus : std::uint8_t {
    hit,               // distance falls to the target at `time`
    miss,              // stays above the target for the whole duration
    initial,           // already at or below the target at time 0
    out_of_iterations, // `time` is a safe time reached: no contact before it
};

struct TimeOfImpact {
    ToiStatus status = ToiStatus::miss;
    float time = 0.0f; // seconds; duration on a miss
    // On a miss the next three belong to the last moment that had to be examined. If none had to be, because the balls
    // about both centres of rotation or the known axis part the shapes all the way, the points are not set, and
    // `distance` is a lower bound: of the distance at the end for the balls, of that on the way for the axis.
    float distance = 0.0f; // signed distance at `time`, m
    Vec3 normal{0.0f};     // at `time`, from A to B
    Vec3 point_a{0.0f}, point_b{0.0f};
    int iterations = 0;   // closest points asked for
    int axis_samples = 0; // separations evaluated along directions in between
};

struct ToiSettings {
    float target = 1e-3f; // signed distance that counts as contact, m; may be negative (an allowed penetration)
    // The distance at a hit lies within target .. target + tolerance, m. Less than 1e-10 of the reach of both bodies,
    // to where sums round, is taken as that.
    float tolerance = 2.5e-4f;
    // Closest points that may be asked for in every turn that the two bodies make together; a sweep of less than a turn
    // counts as one. Per turn, since shapes that spin within each other's reach come close again in each.
    int max_iterations = 128;
    // World, from A to B, of any length: a direction that may part the shapes at the start, as the normal of their
    // contact does; zero: none is known. As far as it is certain to part them no closest points are asked for. A bad
    // one costs time and nothing else.
    Vec3 known_axis{0.0f};
};

// First time in [0, duration] at which the signed distance falls to settings.target. Conservative: never later than the
// true one, at which the shapes may be said to meet anywhere between target and target + tolerance. A graze that stays
// in between may be a hit or a miss. Shapes that are that near at the start already are a hit if they go on to close.
//
// Time passes from one set of closest points to the next along the direction between them, for as long as that
// direction certainly separates the shapes (moving_axis.h has the proof), after the idea of conservative advancement
// (Mirtich 1996). A direction's separation bounds the signed distance from below, in penetration too. Allocates
// nothing.
TimeOfImpact time_of_impact(const Shape& a, const Sweep& sweep_a, const Shape& b, const Sweep& sweep_b, float duration,
                            const ToiSettings& settings = {}, QueryObserver* observer = nullptr);

} // namespace cairn::physics
