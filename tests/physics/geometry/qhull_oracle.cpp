#include "tests/physics/geometry/qhull_oracle.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace cairn::physics::geometry_testing {

namespace {

using DVec3 = glm::dvec3;

DVec3 point_of(const vertexT* vertex) {
    return {vertex->point[0], vertex->point[1], vertex->point[2]};
}

} // namespace

double QhullAnswer::worst(std::span<const DVec3> points) const {
    double most = -1e300;
    for (const glm::dvec4& plane : planes) {
        for (const DVec3& p : points) {
            most = std::max(most, glm::dot(DVec3(plane), p) + plane.w);
        }
    }
    return most;
}

QhullAnswer ask_qhull(std::span<const Vec3> points) {
    std::vector<coordT> coordinates;
    for (const Vec3& p : points) {
        coordinates.insert(coordinates.end(),
                           {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)});
    }
    qhT state;
    qhT* qh = &state;
    qh_zero(qh, stderr);
    std::array<char, 16> options{"qhull Qt FA Pp"};
    const int failed = qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(), False, options.data(),
                                    nullptr, stderr);
    if (failed != 0) {
        qh_freeqhull(qh, !qh_ALL);
        throw std::runtime_error("Qhull gave up");
    }
    qh_getarea(qh, qh->facet_list);

    QhullAnswer answer;
    answer.volume = qh->totvol;
    DVec3 middle(0.0);
    for (const vertexT* v = qh->vertex_list; v && v->next; v = v->next) {
        answer.vertices.push_back(static_cast<std::uint32_t>(qh_pointid(qh, v->point)));
        middle += point_of(v);
    }
    middle /= static_cast<double>(answer.vertices.size());

    // The four-point rule of Keast is exact for polynomials of degree 2 on a tetrahedron.
    const double a = 0.58541019662496852, b = 0.1381966011250105;
    double volume = 0.0;
    DVec3 first(0.0);
    glm::dmat3 second(0.0);
    for (const facetT* f = qh->facet_list; f && f->next; f = f->next) {
        answer.planes.emplace_back(f->normal[0], f->normal[1], f->normal[2], f->offset);
        std::array<DVec3, 4> corner{DVec3(0.0)};
        for (int i = 0; i < 3; ++i) {
            corner[static_cast<std::size_t>(i + 1)] =
                point_of(static_cast<const vertexT*>(f->vertices->e[i].p)) - middle;
        }
        const double v = std::abs(glm::dot(corner[1], glm::cross(corner[2], corner[3]))) / 6.0;
        volume += v;
        for (std::size_t k = 0; k < 4; ++k) {
            DVec3 x(0.0);
            for (std::size_t i = 0; i < 4; ++i) {
                x += (i == k ? a : b) * corner[i];
            }
            first += 0.25 * v * x;
            second += 0.25 * v * glm::outerProduct(x, x);
        }
    }
    const DVec3 centre = first / volume;
    second -= volume * glm::outerProduct(centre, centre);
    answer.centroid = middle + centre;
    answer.inertia = -second;
    const double trace = second[0][0] + second[1][1] + second[2][2];
    for (int i = 0; i < 3; ++i) {
        answer.inertia[i][i] += trace;
    }
    std::sort(answer.vertices.begin(), answer.vertices.end());

    qh_freeqhull(qh, !qh_ALL);
    int still_used = 0, blocks = 0;
    qh_memfreeshort(qh, &still_used, &blocks);
    return answer;
}

} // namespace cairn::physics::geometry_testing
