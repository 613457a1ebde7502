// Signed distance of a pair of shapes in the frame of the first: what the public queries share. Internal to queries.
#pragma once

#include "physics/query/gjk/epa.h"

#include <cmath>

namespace cairn::physics {

struct PairDistance {
    QueryStatus status = QueryStatus::failed;
    bool beyond = false;   // farther apart than `max_distance`: distance is a lower bound, the points are not set
    double distance = 0.0; // m, negative is depth
    DVec3 normal{0.0};     // unit, from A to B, frame of A
    DVec3 point_a{0.0};    // on the surfaces, frame of A
    DVec3 point_b{0.0};
    int gjk_iterations = 0;
    int epa_iterations = 0;
};

// |distance| up to this counts as touching, m: the poses are floats, so the data carry no more than this.
double touching_tolerance(const Shape& a, const Shape& b);

// `towards` is where GJK starts, see there.
PairDistance pair_distance(const CorePair& pair, double max_distance, const DVec3& towards);

// The same by GJK and EPA alone, from the centres, without the closed forms and guesses that answer most pairs sooner.
PairDistance general_pair_distance(const CorePair& pair);

// As a float that is never greater.
inline float rounded_down(double x) {
    const float f = float(x);
    return double(f) > x ? std::nextafter(f, 0.0f) : f;
}

} // namespace cairn::physics
