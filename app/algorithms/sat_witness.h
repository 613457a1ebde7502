// The nearest points of two polytopes, once an axis that separates them is known.
#pragma once

#include "app/algorithms/sat_polytope.h"

namespace cairn::algorithms {

using physics::DVec3;
using physics::Frame;

// In the frame of A, m.
struct NearestPoints {
    DVec3 on_a{0.0}, on_b{0.0};
    double distance = std::numeric_limits<double>::max();

    void keep(const DVec3& p, const DVec3& q) {
        const DVec3 d = q - p;
        const double length = std::sqrt(glm::dot(d, d));
        if (length < distance) {
            on_a = p;
            on_b = q;
            distance = length;
        }
    }
};

// By the features that the axis belongs to, which are the nearest ones themselves almost always. `separation` along it,
// at least 0, and by how much more the points may be apart, m. Returns whether they are the nearest ones.
bool witness_of_axis(const SatPolytope& a, const SatPolytope& b, const Frame& b_in_a, const SatAxis& axis,
                     double separation, double eps, NearestPoints& nearest);

// By all features that may be nearest, given that the two are so far apart along `axis` (unit, from A to B, frame of
// A). `size` of the pair, m.
NearestPoints nearest_features(const SatPolytope& a, const SatPolytope& b, const Frame& b_in_a, const DVec3& axis,
                               double separation, double size);

} // namespace cairn::algorithms
