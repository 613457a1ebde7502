// GJK between two cores. Internal to queries.
#pragma once

#include "physics/query/distance.h"
#include "physics/query/gjk/minkowski.h"
#include "physics/query/gjk/room.h"

namespace cairn::physics {

struct GjkResult {
    enum class Outcome : std::uint8_t {
        separated,
        beyond,   // the cores are certainly farther apart than asked for: `normal` separates them, there are no points
        touching, // closer than doubles resolve, or one inside the other: the simplex holds the origin
    };
    Outcome outcome = Outcome::separated;
    DVec3 separation{0.0}; // closest point of A - B to the origin: from a point of B to the nearest of A, frame of A, m
    double distance = 0.0; // its length: an upper bound, m
    DVec3 normal{0.0};     // unit, from A to B: of all directions met the one whose slabs lie farthest apart
    double lower = 0.0;    // how far: a certain lower bound of the distance, m; zero if nothing is certain
    int count = 0;         // of the simplex
    Room<SupportPoint, 4> simplex;
    std::array<double, 4> weight;
    int iterations = 0;

    DVec3 point_a() const;                                   // of A, nearest to B, frame of A
    DVec3 point_b() const { return point_a() - separation; } // of B, nearest to A, frame of A
};

// Stops with `beyond` as soon as the distance of the cores is known to exceed `max_distance`, and with `touching` as
// soon as it is known not to exceed `enough` (pass a negative number to have the distance refined to the end).
// `towards` is where the search starts, a guess at the direction from A to B in the frame of A: the better the guess,
// the fewer the iterations; it must not be zero. The last bits of the answer may depend on it.
GjkResult gjk(const CorePair& pair, double max_distance, double enough, const DVec3& towards);

// The same from 1 to 4 support points that are known already.
GjkResult gjk(const CorePair& pair, double max_distance, double enough, std::span<const SupportPoint> known);

// The guess without any knowledge of the pair's past: from centre to centre.
inline DVec3 between_centres(const CorePair& pair) {
    const DVec3& t = pair.b_in_a.position;
    return glm::dot(t, t) > 0.0 ? t : DVec3(1.0, 0.0, 0.0);
}

} // namespace cairn::physics
