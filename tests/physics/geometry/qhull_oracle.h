// The same hulls by Qhull, a program of other authors and another algorithm for degenerate input.
#pragma once

#include "physics/base/math.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics::geometry_testing {

struct QhullAnswer {
    std::vector<std::uint32_t> vertices; // indices of the input points on the hull, ascending
    double volume = 0.0;                 // Qhull's own sum
    glm::dvec3 centroid{0.0};            // by quadrature over tetrahedra from an inner point to Qhull's facets
    glm::dmat3 inertia{0.0};             // about that centroid, density 1
    double worst(std::span<const glm::dvec3> points) const; // farthest that a point lies outside Qhull's facets
    std::vector<glm::dvec4> planes;                         // outward unit normal and offset: dot(n, x) + w <= 0 inside
};

QhullAnswer ask_qhull(std::span<const Vec3> points);

} // namespace cairn::physics::geometry_testing
