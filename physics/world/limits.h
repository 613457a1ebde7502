// What counts as a sane number. Commands beyond these are refused with a sentence; scene files use the same limits.
#pragma once

namespace cairn::physics::limits {

inline constexpr float position = 1e6f;          // m from the origin, per axis
inline constexpr float speed = 1e5f;             // m/s
inline constexpr float angular_speed = 1e4f;     // rad/s
inline constexpr float least_mass = 1e-9f;       // kg
inline constexpr float greatest_mass = 1e12f;    // kg
inline constexpr float least_density = 1e-3f;    // kg/m^3
inline constexpr float greatest_density = 1e6f;  // kg/m^3
inline constexpr float least_inertia = 1e-18f;   // kg m^2
inline constexpr float greatest_inertia = 1e21f; // kg m^2
// Of the sum of all three moments: floats cannot turn and invert the tensor of a thinner needle.
inline constexpr float least_inertia_share = 1e-6f;
inline constexpr float friction = 100.0f;
inline constexpr float damping = 1e3f; // 1/s
inline constexpr float gravity = 1e4f; // m/s^2, per axis
inline constexpr float gravity_scale = 1e3f;
inline constexpr float impulse = 1e12f;         // N s
inline constexpr float force = 1e12f;           // N or N m
inline constexpr float joint_angle = 1e4f;      // rad
inline constexpr float joint_cone = 3.1415927f; // rad
inline constexpr float joint_force = 1e12f;     // N or N m
inline constexpr float least_ratio = 0.001f;    // of gear, rack and pulley
inline constexpr float greatest_ratio = 1e3f;
inline constexpr int ignore_within = 8;    // joints
inline constexpr unsigned axis_locks = 63; // all bits of BodyDef::locks

} // namespace cairn::physics::limits
