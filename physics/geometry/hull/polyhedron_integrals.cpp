// Mirtich 1996, "Fast and accurate computation of polyhedral mass properties", and Eberly's notes reduce these
// integrals face by face with the divergence theorem. For triangles the sum over tetrahedra is the same polynomial, is
// shorter to write and to check, and has terms of one sign only where the common corner lies inside.
//
// The solid is a sum of signed tetrahedra from one point to every triangle. For the tetrahedron 0, a, b, c with
// determinant d = a . (b x c):
//     volume        d / 6
//     first moment  d / 24 * (a + b + c)
//     second moment d / 120 * (a a^T + b b^T + c c^T + (a + b + c)(a + b + c)^T)
// which follows from integrating over the unit simplex (1/60 and 1/120 are the integrals of u^2 and u v there).
#include "physics/geometry/hull/polyhedron_integrals.h"

namespace cairn::physics::detail {

PolyhedronIntegrals integrate(std::span<const glm::dvec3> points,
                              std::span<const std::array<std::uint32_t, 3>> triangles, const glm::dvec3& inside) {
    double volume6 = 0.0;
    glm::dvec3 first(0.0);
    glm::dmat3 second(0.0);
    for (const auto& t : triangles) {
        const glm::dvec3 a = points[t[0]] - inside;
        const glm::dvec3 b = points[t[1]] - inside;
        const glm::dvec3 c = points[t[2]] - inside;
        const double d = glm::dot(a, glm::cross(b, c));
        const glm::dvec3 sum = a + b + c;
        volume6 += d;
        first += d * sum;
        second += d * (glm::outerProduct(a, a) + glm::outerProduct(b, b) + glm::outerProduct(c, c) +
                       glm::outerProduct(sum, sum));
    }
    PolyhedronIntegrals result;
    result.volume = volume6 / 6.0;
    const glm::dvec3 middle = first / (4.0 * volume6);
    result.centroid = inside + middle;
    // Covariance about the centroid, then I = trace(C) 1 - C.
    const glm::dmat3 covariance = second * (1.0 / 120.0) - result.volume * glm::outerProduct(middle, middle);
    const double trace = covariance[0][0] + covariance[1][1] + covariance[2][2];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            result.inertia[i][j] = (i == j ? trace : 0.0) - 0.5 * (covariance[i][j] + covariance[j][i]);
        }
    }
    return result;
}

} // namespace cairn::physics::detail
