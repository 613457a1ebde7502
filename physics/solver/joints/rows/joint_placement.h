// Where a joint's frames are, and by how much its rows are off there.
#pragma once

#include "physics/solver/joints/rows/joint_rows.h"

#include <array>

namespace cairn::physics {

// Angle of the point (x, y) of the plane, in -pi .. pi.
float plane_angle(float y, float x);

// The angle next to `near` that differs from `angle` by whole turns.
float unwrapped(float angle, float near);

// The small rotation that takes `from` to `to`, as a vector in world axes, rad.
Vec3 rotation_error(const Quat& from, const Quat& to);

// Where the frames of a joint are, and by how much its rigid rows are off there.
struct Placement {
    Vec3 arm_a, arm_b, offset;
    Quat frame_a, frame_b;
    Vec3 z_a, z_b;
    std::array<float, 6> error{};
    float position = 0.0f, turn_a = 0.0f, turn_b = 0.0f; // as in JointRows
};

// With the bodies of the joint as these are.
Placement placement_of(const JointRows& joint, const BodyMotion& a, const BodyMotion& b);

} // namespace cairn::physics
