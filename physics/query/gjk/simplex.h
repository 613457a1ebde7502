// The sub-distance problem of GJK: the point of a simplex that lies closest to the origin.
#pragma once

#include "physics/base/math.h"

#include <array>
#include <span>

namespace cairn::physics {

// Queries compute in double precision inside. The shapes and poses are floats, so this costs no memory, a scalar double
// operation takes the time of a float one, and IEEE doubles give the same bits everywhere just as floats do. What it
// buys is that slivers, needles and size ratios of 1:1000 need no special care.
using DVec3 = glm::dvec3;
using DMat3 = glm::dmat3;

// A vertex w of the Minkowski difference A - B with the point of A that made it, in the frame of A.
struct SupportPoint {
    DVec3 w;
    DVec3 a;

    DVec3 b() const { return a - w; }
};

// The closest point as a combination of the vertices that carry it: point = sum of weight[i] * simplex[index[i]] for
// i < count, weights positive, sum 1. `contains` says that a tetrahedron holds the origin (point is then zero).
struct ClosestOnSimplex {
    int count = 0;
    bool contains = false;
    double distance_squared = 0.0;
    DVec3 point{0.0};
    std::array<int, 4> index;
    std::array<double, 4> weight;
};

// Signed volumes (Montanari, Petrinic and Barbieri 2017) for 1 to 4 vertices. The weights are ratios of the signed
// lengths, areas and volumes that the origin's projection spans with the faces; where a sign says that the projection
// lies beyond a face, that face is examined and the best of the examined ones wins. A simplex too flat for its sign to
// mean anything is not trusted: then all its faces are examined. Exact for duplicated and collinear vertices.
ClosestOnSimplex closest_on_simplex(std::span<const DVec3> simplex);

} // namespace cairn::physics
