// Pairs of moving shapes that are hard for a time of impact, and a slow answer to compare with.
#pragma once

#include "physics/query/time_of_impact.h"
#include "tests/physics/query/oracle.h"

#include <functional>
#include <string>

namespace cairn::physics::oracle {

struct SweepPair {
    Shape a, b;
    Sweep sweep_a, sweep_b;
    float duration = 0.0f; // s
    ToiSettings settings;
};

// What makes a pair hard. `any` mixes all shapes at sizes from 1 mm to 100 m, speeds to 500 m/s, spins to 1000 rad/s.
enum class SweepKind : int {
    any,
    passing_beams, // spinning 6 m beams that pass each other, some of them without touching
    beam_and_floor,
    rolling,       // bodies of revolution that roll, slide and tilt on a face
    needles,       // a thousand times longer than thick
    parting,       // in touch at the start and moving apart, along, or back together
    overlapping,   // one in the other at the start
    many_turns,    // up to 160 turns within reach of each other
    spinning_disc, // flat side or rim at a constant small distance for many turns
    meshing,       // two spinning blocks whose circles overlap while they approach slowly
    bullets,       // small and fast against thin plates
    sinking,       // the target is a depth, not a distance
};
inline constexpr int sweep_kinds = 12;
std::string name_of(SweepKind kind);

SweepPair make_sweep(SweepKind kind, Random& random);

// Pose of the body and of the shape in double precision by the mathematics library: shares nothing with the query.
struct ExactPose {
    glm::dquat orientation{1, 0, 0, 0};
    DVec3 position{0.0};
};
ExactPose exact_pose(const Sweep& sweep, double time);

// Signed distance at a time, m. Poses in double, then the project's own distance query, which is checked elsewhere.
double distance_at(const SweepPair& pair, double time);

// No point of one shape approaches the other faster, m/s.
double greatest_speed(const SweepPair& pair);

// What rounding may have done to a distance of the pair, m; for a target below zero also the share of the depth up to
// which a depth of round shapes is refined.
double distance_slack(const SweepPair& pair);

struct FirstContact {
    bool found = false;
    double time = 0.0;  // first at which the distance is at most `level`, s
    double least = 0.0; // least distance that was met until then, m
    int samples = 0;
};

// First time in [0, until] at which the distance falls to `level`. Steps as far as the greatest speed proves safe, but
// never less than `resolution` of a radian or of the smaller shape's size; every sampled local minimum is refined by
// golden section, so that contacts between samples are found as well.
// `distance` at a time is distance_at() where none is given.
FirstContact first_contact(const SweepPair& pair, double level, double until, double resolution,
                           const std::function<double(double)>& distance = {});

// Signed distance of two polytopes at a time by brute force over their features, m: shares nothing with the queries.
double brute_force_distance_at(const SweepPair& pair, const Solid& local_a, const Solid& local_b, double time);

} // namespace cairn::physics::oracle
