// The words of the scene format: which keys each kind of object takes, and the ranges of its numbers. The parser, the
// writer and the schema test share them; parameters of the step and plain numbers of bodies have theirs in
// physics/world/parameters/parameters.h. Meaning and units: docs/reference/scene-format.md.
#pragma once

#include "physics/world/limits.h"
#include "physics/world/parameters/parameters.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cairn::core {

inline constexpr int scene_version = 1;
inline constexpr std::size_t max_scene_bodies = 1'000'000; // with repeats and includes expanded
inline constexpr std::size_t max_scene_joints = 1'000'000;
inline constexpr std::size_t max_shapes_per_body = 1000;
inline constexpr std::size_t min_hull_points = 4, max_hull_points = 1'000'000;
inline constexpr std::size_t max_include_depth = 16;
inline constexpr std::size_t max_included_files = 1000;

inline constexpr std::array<std::string_view, 15> scene_keys{
    "cairn",  "$schema",    "name",   "description", "gravity", "include", "step", "solver",
    "camera", "point_sets", "bodies", "joints",      "zones",   "expect",  "show"};
// The keys of one object of the file whose members are parameters.
template <std::size_t count>
consteval std::array<std::string_view, count> parameter_keys(std::string_view section) {
    std::array<std::string_view, count> keys{};
    std::size_t next = 0;
    for (const physics::Parameter& p : physics::parameters) {
        if (p.section == section) {
            keys.at(next++) = p.key;
        }
    }
    return keys;
}
consteval std::size_t parameter_count(std::string_view section) {
    std::size_t count = 0;
    for (const physics::Parameter& p : physics::parameters) {
        count += p.section == section ? 1 : 0;
    }
    return count;
}
inline constexpr auto step_keys = parameter_keys<parameter_count("step")>("step");
inline constexpr auto solver_keys = parameter_keys<parameter_count("solver")>("solver");
inline constexpr std::array<std::string_view, 2> camera_keys{"eye", "target"};
// What lists of keys have in common with the tables.
template <std::size_t... counts>
consteval auto joined_keys(const std::array<std::string_view, counts>&... lists) {
    std::array<std::string_view, (counts + ...)> keys{};
    auto next = keys.begin();
    ((next = std::ranges::copy(lists, next).out), ...);
    return keys;
}
template <const auto& rows>
consteval auto keys_of() {
    std::array<std::string_view, rows.size()> keys{};
    std::ranges::transform(rows, keys.begin(), [](const auto& row) { return row.key; });
    return keys;
}
inline constexpr auto body_keys = joined_keys(
    std::array<std::string_view, 11>{"name", "type", "shape", "shapes", "decomposed", "position", "orientation", "mass",
                                     "inertia", "linear_velocity", "angular_velocity"},
    std::array<std::string_view, 1>{"density"}, keys_of<physics::plain_body_parameters>(),
    std::array<std::string_view, 5>{"group", "mask", "lock", "colour", "repeat"});
inline constexpr std::array<std::string_view, 3> placed_shape_keys{"shape", "position", "orientation"};
inline constexpr auto body_shape_keys =
    joined_keys(std::array<std::string_view, 4>{"shape", "position", "orientation", "sensor"},
                keys_of<physics::material_parameters>(), std::array<std::string_view, 1>{"colour"});
inline constexpr std::array<std::string_view, 5> repeat_keys{"count", "spacing", "jitter", "seed", "spin"};
inline constexpr std::array<std::string_view, 3> body_types{"static", "kinematic", "dynamic"}; // order of BodyType

inline constexpr std::array<std::string_view, 9> shape_kinds{"sphere",  "box",  "capsule", "cylinder",   "cone",
                                                             "diamond", "hull", "mesh",    "heightfield"};
inline constexpr std::array<std::string_view, 1> sphere_keys{"radius"};
inline constexpr std::array<std::string_view, 1> box_keys{"half_extents"};
inline constexpr std::array<std::string_view, 2> capsule_keys{"radius", "half_height"};
inline constexpr std::array<std::string_view, 2> cylinder_keys{"radius", "half_height"};
inline constexpr std::array<std::string_view, 2> cone_keys{"radius", "height"};
inline constexpr std::array<std::string_view, 1> diamond_keys{"scale"};
inline constexpr std::array<std::string_view, 3> hull_keys{"points", "mesh", "scale"};
inline constexpr std::array<std::string_view, 7> mesh_keys{"file",      "vertices",  "triangles",         "scale",
                                                           "two_sided", "materials", "triangle_materials"};
inline constexpr auto mesh_material_keys =
    joined_keys(std::array<std::string_view, 1>{"name"}, keys_of<physics::material_parameters>(),
                std::array<std::string_view, 1>{"colour"});
inline constexpr std::array<std::string_view, 6> heightfield_keys{"file", "low", "high", "heights", "spacing", "holes"};
inline constexpr std::array<std::string_view, 7> decomposed_keys{"file",      "vertices",  "triangles",   "scale",
                                                                 "concavity", "max_hulls", "max_vertices"};

inline constexpr std::array<std::string_view, 10> joint_kinds{"ball",     "hinge",     "slider", "weld",
                                                              "distance", "universal", "gear",   "rack",
                                                              "pulley",   "six_dof"}; // order of JointKind
inline constexpr std::array<std::string_view, 24> joint_keys{
    "type",   "name",     "a",        "b",       "anchor",        "anchor_a",    "anchor_b",     "axis",
    "axis_b", "frame_a",  "frame_b",  "length",  "limits",        "motor",       "spring",       "cone",
    "ratio",  "ground_a", "ground_b", "collide", "ignore_within", "break_force", "break_torque", "axes"};
inline constexpr std::array<std::string_view, 2> joint_motor_keys{"speed", "max_force"};
inline constexpr std::array<std::string_view, 4> joint_spring_keys{"hertz", "damping_ratio", "target", "max_force"};

inline constexpr std::array<std::string_view, 6> axis_names{"x", "y", "z", "rx", "ry", "rz"}; // of joint axes and locks
inline constexpr std::array<std::string_view, 5> joint_axis_modes{"locked", "free", "limits", "motor",
                                                                  "spring"}; // order of JointAxis::Mode
inline constexpr std::array<std::string_view, 3> joint_axis_keys{"limits", "motor", "spring"};

inline constexpr std::array<std::string_view, 7> show_keys{"paused", "speed",  "follow",    "path",
                                                           "points", "labels", "parameters"};
inline constexpr std::array<std::string_view, 3> camera_key_keys{"time", "eye", "target"};
inline constexpr std::array<std::string_view, 3> label_keys{"text", "body", "at"};

inline constexpr std::array<std::string_view, 5> zone_keys{"name", "half_extents", "radius", "position", "orientation"};
// Numbers that may be expected, in the order of Measure (app/core/scene/expectation.h).
inline constexpr std::array<std::string_view, 18> measure_keys{
    "speed",          "spin",        "height",         "drift",  "distance", "position",         "force",
    "torque",         "penetration", "kinetic_energy", "energy", "momentum", "angular_momentum", "mean_drift",
    "greatest_speed", "contacts",    "contact_points", "awake"};
// What is expected: one of these.
inline constexpr auto expectation_condition_keys = joined_keys(
    std::array<std::string_view, 6>{"within", "rests", "upright", "touches", "breaks", "step_time"}, measure_keys);
inline constexpr std::array<std::string_view, 5> expectation_time_keys{"at", "by", "between", "always",
                                                                       "never"}; // order of Expectation::When
inline constexpr auto expectation_keys = joined_keys(
    std::array<std::string_view, 8>{"breaks", "step_time", "body", "joint", "within", "rests", "upright", "touches"},
    measure_keys, expectation_time_keys, std::array<std::string_view, 1>{"why"});
inline constexpr std::array<std::string_view, 2> expected_range_keys{"least", "most"};
inline constexpr std::array<std::string_view, 5> distance_keys{"to", "point", "to_point", "least", "most"};
inline constexpr std::array<std::string_view, 3> step_time_keys{"of", "least", "most"};
inline constexpr std::int64_t max_expected_step = 1'000'000'000;

// Both ends belong to the range.
struct Range {
    float min, max;
    std::string_view unit; // "" for pure numbers
};

template <class Row>
constexpr Range range_of(const Row& row) {
    return {row.least, row.greatest, row.unit};
}

inline constexpr Range size_range{1e-4f, 1e4f, "m"}; // as build_shape
inline constexpr Range coordinate_range{-physics::limits::position, physics::limits::position, "m"};
inline constexpr Range speed_range{-physics::limits::speed, physics::limits::speed, "m/s"}; // the vector's length too
inline constexpr Range spin_range{-physics::limits::angular_speed, physics::limits::angular_speed, "rad/s"};
inline constexpr Range inertia_range{physics::limits::least_inertia, physics::limits::greatest_inertia, "kg m^2"};
inline constexpr Range height_range{-1e4f, 1e4f, "m"}; // as build_height_field
inline constexpr Range mesh_scale_range{1e-6f, 1e6f, ""};
inline constexpr Range concavity_range{0.001f, 1.0f, ""};
inline constexpr std::int64_t max_decomposed_hulls = static_cast<std::int64_t>(max_shapes_per_body);
inline constexpr std::int64_t min_decomposed_vertices = 4, max_decomposed_vertices = 4096;
inline constexpr Range show_speed_range{0.01f, 10.0f, ""};
inline constexpr Range camera_time_range{0.0f, 1e5f, "s"};
inline constexpr Range jitter_range{0.0f, 1e3f, "m"};
// Of all kinds of joint; the world holds each kind to its own (physics/world/limits.h).
inline constexpr Range joint_length_range{0.0f, physics::limits::position, "m"};
inline constexpr Range joint_limit_range{-physics::limits::position, physics::limits::position, "m or rad"};
inline constexpr Range joint_speed_range{-physics::limits::speed, physics::limits::speed, "m/s or rad/s"};
inline constexpr Range joint_force_range{0.0f, physics::limits::joint_force, "N or N m"};
inline constexpr Range joint_hertz_range{1e-3f, 1000.0f, "1/s"};
inline constexpr Range joint_damping_range{0.0f, 1000.0f, ""};
inline constexpr Range joint_ratio_range{-physics::limits::greatest_ratio, physics::limits::greatest_ratio, ""};
inline constexpr Range joint_cone_range{0.0f, physics::limits::joint_cone, "rad"};
inline constexpr Range zone_size_range{1e-4f, physics::limits::position, "m"};
inline constexpr Range tilt_range{0.0f, 3.1415927f, "rad"};
inline constexpr Range expected_range{-1e30f, 1e30f, ""};
inline constexpr std::int64_t max_seed = 0xffffffff;

} // namespace cairn::core
