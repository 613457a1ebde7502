// Volume, centroid and inertia of a closed triangle mesh, exactly.
#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>

namespace cairn::physics::detail {

struct PolyhedronIntegrals {
    double volume = 0.0;
    glm::dvec3 centroid{0.0};
    glm::dmat3 inertia{0.0}; // about the centroid, density 1
};

// Corners of `triangles` are indices into `points`, counter-clockwise from outside. `inside` is any point near the
// solid; one within it keeps all terms positive, so that nothing cancels. Units are those of the points.
PolyhedronIntegrals integrate(std::span<const glm::dvec3> points,
                              std::span<const std::array<std::uint32_t, 3>> triangles, const glm::dvec3& inside);

} // namespace cairn::physics::detail
