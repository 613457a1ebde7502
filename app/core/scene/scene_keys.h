// The words of the scene format: which keys each kind of object takes, and the ranges of its numbers. The parser, the
// writer and the schema test share them. Meaning and units: docs/scene-format.md.
#pragma once

#include "physics/world/body_def.h"
#include "physics/world/limits.h"
#include "physics/world/settings.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cairn::core {

inline constexpr int scene_version = 1;
inline constexpr std::size_t max_scene_bodies = 1'000'000; // with repeats and includes expanded
inline constexpr std::size_t max_shapes_per_body = 1000;
inline constexpr std::size_t max_hull_points = 1'000'000;
inline constexpr std::size_t max_include_depth = 16;
inline constexpr std::size_t max_included_files = 1000;

inline constexpr std::array<std::string_view, 11> scene_keys{"cairn",   "$schema",    "name",  "description",
                                                             "gravity", "include",    "step",  "solver",
                                                             "camera",  "point_sets", "bodies"};
inline constexpr std::array<std::string_view, 2> step_keys{"hz", "substeps"};
inline constexpr std::array<std::string_view, 11> solver_keys{"sleeping",
                                                              "continuous",
                                                              "warm_starting",
                                                              "contact_hertz",
                                                              "contact_damping_ratio",
                                                              "max_push_speed",
                                                              "restitution_threshold",
                                                              "linear_slop",
                                                              "speculative_distance",
                                                              "sleep_speed",
                                                              "sleep_time"};
inline constexpr std::array<std::string_view, 2> camera_keys{"eye", "target"};
inline constexpr std::array<std::string_view, 18> body_keys{"name",
                                                            "type",
                                                            "shape",
                                                            "shapes",
                                                            "position",
                                                            "orientation",
                                                            "mass",
                                                            "linear_velocity",
                                                            "angular_velocity",
                                                            "density",
                                                            "friction",
                                                            "restitution",
                                                            "rolling_resistance",
                                                            "linear_damping",
                                                            "angular_damping",
                                                            "gravity_scale",
                                                            "can_sleep",
                                                            "repeat"};
inline constexpr std::array<std::string_view, 3> placed_shape_keys{"shape", "position", "orientation"};
inline constexpr std::array<std::string_view, 5> repeat_keys{"count", "spacing", "jitter", "seed", "spin"};
inline constexpr std::array<std::string_view, 3> body_types{"static", "kinematic", "dynamic"}; // order of BodyType

inline constexpr std::array<std::string_view, 7> shape_kinds{"sphere", "box",     "capsule", "cylinder",
                                                             "cone",   "diamond", "hull"};
inline constexpr std::array<std::string_view, 1> sphere_keys{"radius"};
inline constexpr std::array<std::string_view, 1> box_keys{"half_extents"};
inline constexpr std::array<std::string_view, 2> capsule_keys{"radius", "half_height"};
inline constexpr std::array<std::string_view, 2> cylinder_keys{"radius", "half_height"};
inline constexpr std::array<std::string_view, 2> cone_keys{"radius", "height"};
inline constexpr std::array<std::string_view, 1> diamond_keys{"scale"};
inline constexpr std::array<std::string_view, 3> hull_keys{"points", "mesh", "scale"};

// Both ends belong to the range.
struct Range {
    float min, max;
    std::string_view unit; // "" for pure numbers
};

inline constexpr Range size_range{1e-4f, 1e4f, "m"}; // as build_shape
inline constexpr Range coordinate_range{-physics::limits::position, physics::limits::position, "m"};
inline constexpr Range gravity_range{-physics::limits::gravity, physics::limits::gravity, "m/s^2"};
inline constexpr Range speed_range{-physics::limits::speed, physics::limits::speed, "m/s"}; // the vector's length too
inline constexpr Range spin_range{-physics::limits::angular_speed, physics::limits::angular_speed, "rad/s"};
inline constexpr Range mass_range{physics::limits::least_mass, physics::limits::greatest_mass, "kg"};
inline constexpr Range density_range{physics::limits::least_density, physics::limits::greatest_density, "kg/m^3"};
inline constexpr Range mesh_scale_range{1e-6f, 1e6f, ""};
inline constexpr Range jitter_range{0.0f, 1e3f, "m"};
inline constexpr Range hz_range{10.0f, 1000.0f, "1/s"};
inline constexpr int min_substeps = 1, max_substeps = 64;
inline constexpr std::int64_t max_seed = 0xffffffff;

// The plain numbers of a body and of the solver: one row each serves parser and writer.
struct BodyNumber {
    std::string_view key;
    float& (*at)(physics::BodyDef&);
    Range range;
};
inline constexpr std::array<BodyNumber, 6> body_numbers{{
    {"friction",
     [](physics::BodyDef& b) -> float& { return b.material.friction; },
     {0.0f, physics::limits::friction, ""}},
    {"restitution", [](physics::BodyDef& b) -> float& { return b.material.restitution; }, {0.0f, 1.0f, ""}},
    {"rolling_resistance",
     [](physics::BodyDef& b) -> float& { return b.material.rolling_resistance; },
     {0.0f, 1.0f, ""}},
    {"linear_damping",
     [](physics::BodyDef& b) -> float& { return b.linear_damping; },
     {0.0f, physics::limits::damping, "1/s"}},
    {"angular_damping",
     [](physics::BodyDef& b) -> float& { return b.angular_damping; },
     {0.0f, physics::limits::damping, "1/s"}},
    {"gravity_scale",
     [](physics::BodyDef& b) -> float& { return b.gravity_scale; },
     {-physics::limits::gravity_scale, physics::limits::gravity_scale, ""}},
}};

struct SolverNumber {
    std::string_view key;
    float physics::Settings::*member;
    Range range;
};
inline constexpr std::array<SolverNumber, 8> solver_numbers{{
    {"contact_hertz", &physics::Settings::contact_hertz, {1.0f, 240.0f, "1/s"}},
    {"contact_damping_ratio", &physics::Settings::contact_damping_ratio, {0.1f, 100.0f, ""}},
    {"max_push_speed", &physics::Settings::max_push_speed, {0.0f, 100.0f, "m/s"}},
    {"restitution_threshold", &physics::Settings::restitution_threshold, {0.0f, 100.0f, "m/s"}},
    {"linear_slop", &physics::Settings::linear_slop, {0.0f, 0.1f, "m"}},
    {"speculative_distance", &physics::Settings::speculative_distance, {0.0f, 1.0f, "m"}},
    {"sleep_speed", &physics::Settings::sleep_speed, {0.0f, 10.0f, "m/s"}},
    {"sleep_time", &physics::Settings::sleep_time, {0.0f, 60.0f, "s"}},
}};

struct SolverSwitch {
    std::string_view key;
    bool physics::Settings::*member;
};
inline constexpr std::array<SolverSwitch, 3> solver_switches{{
    {"sleeping", &physics::Settings::sleeping},
    {"continuous", &physics::Settings::continuous},
    {"warm_starting", &physics::Settings::warm_starting},
}};

} // namespace cairn::core
