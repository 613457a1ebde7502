// GJK between two cores. Internal to queries.
#pragma once

#include "physics/query/distance.h"
#include "physics/query/minkowski.h"

namespace cairn::physics {

struct GjkResult {
    enum class Outcome : std::uint8_t {
        separated, // `separation` points from a point of B to the nearest of A
        beyond,    // the cores are certainly farther apart than asked for; `separation` is a separating direction
        touching,  // closer than doubles resolve, or one inside the other: the simplex holds the origin
    };
    Outcome outcome = Outcome::separated;
    DVec3 separation{0.0}; // closest point of A - B to the origin, frame of A, m
    double distance = 0.0; // its length: an upper bound
    double lower = 0.0;    // certain lower bound on the distance, m
    std::array<SupportPoint, 4> simplex;
    std::array<double, 4> weight{};
    int count = 0;
    int iterations = 0;

    DVec3 point_a() const;
    DVec3 point_b() const;
};

// Stops with `beyond` as soon as the distance of the cores is known to exceed `max_distance`, and with `touching` as
// soon as it is known not to exceed `enough` (pass a negative number to have the distance refined to the end).
GjkResult gjk(const CorePair& pair, double max_distance, double enough, SimplexCache* cache);

} // namespace cairn::physics
