// Signed distance of any pair of shapes, round ones exactly round, with a proof: a certain lower and a certain upper
// bound. Written for exactness; shares nothing with the queries but the shapes' own data.
//
// With h the support function of the Minkowski difference A - B, the signed distance is the greatest value of -h(n)
// over all unit directions n: outside it is the distance, inside the depth with its sign. Every direction proves a
// lower bound. An upper bound needs all directions, so the sphere of directions is cut into triangles, and each is
// bounded.
#pragma once

#include "physics/geometry/shape.h"

namespace cairn::physics::oracle {

using DVec3 = glm::dvec3;

struct Bounds {
    double lower = 0.0;             // m, signed distance; reached along `direction`
    double upper = 0.0;             // m, no direction separates the shapes by more
    DVec3 direction{0.0, 0.0, 1.0}; // unit, world, from A to B
    int cells = 0;                  // triangles looked at
};

// Refines until upper - lower <= relative * |lower| + absolute. Gives up after some millions of triangles; the bounds
// are then wider, and still certain.
Bounds bounded_distance(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b,
                        double relative, double absolute);

} // namespace cairn::physics::oracle
