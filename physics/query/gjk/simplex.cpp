#include "physics/query/gjk/simplex.h"

#include <algorithm>
#include <limits>

namespace cairn::physics {
namespace {

// Areas and volumes below these fractions of what their edges could span carry no reliable sign in double precision.
// Taking a triangle that thin for its edges moves the answer by no more than the same fraction of its size.
constexpr double flat_area = 1e-10;
constexpr double flat_volume = 1e-13;

// Each of these offers its closest point to `best`, which takes it if it lies nearer than what it has.

void offer_vertex(const DVec3* s, int i, ClosestOnSimplex& best) {
    const double distance_squared = glm::dot(s[i], s[i]);
    if (distance_squared < best.distance_squared) {
        best.distance_squared = distance_squared;
        best.point = s[i];
        best.count = 1;
        best.index[0] = i;
        best.weight[0] = 1.0;
    }
}

void offer_segment(const DVec3* s, int i, int j, ClosestOnSimplex& best) {
    const DVec3 edge = s[j] - s[i];
    const double length2 = glm::dot(edge, edge);
    const double t = -glm::dot(s[i], edge);
    if (!(t > 0.0)) {
        offer_vertex(s, i, best);
        return;
    }
    if (t >= length2) {
        offer_vertex(s, j, best);
        return;
    }
    const double on_j = t / length2;
    const double on_i = (length2 - t) / length2;
    // Measured from the nearer end, where the cancellation is least.
    const DVec3 point = t + t < length2 ? s[i] + edge * on_j : s[j] - edge * on_i;
    const double distance_squared = glm::dot(point, point);
    if (distance_squared < best.distance_squared) {
        best.distance_squared = distance_squared;
        best.point = point;
        best.count = 2;
        best.index[0] = i;
        best.index[1] = j;
        best.weight[0] = on_i;
        best.weight[1] = on_j;
    }
}

void offer_triangle(const DVec3* s, int i, int j, int k, ClosestOnSimplex& best) {
    const DVec3 u = s[j] - s[i];
    const DVec3 v = s[k] - s[i];
    const DVec3 n = glm::cross(u, v);
    const double n2 = glm::dot(n, n);
    if (!(n2 > flat_area * flat_area * glm::dot(u, u) * glm::dot(v, v))) {
        offer_segment(s, i, j, best);
        offer_segment(s, i, k, best);
        offer_segment(s, j, k, best);
        return;
    }
    // Areas that the origin's projection spans with the three edges, along the normal. The component of the vertices
    // along n drops out of the triple products, so the origin need not be projected first.
    const double area_i = glm::dot(n, glm::cross(s[j], s[k]));
    const double area_j = glm::dot(n, glm::cross(s[k], s[i]));
    const double area_k = glm::dot(n, glm::cross(s[i], s[j]));
    if (area_i > 0.0 && area_j > 0.0 && area_k > 0.0) {
        // The projection through the plane is exact where the sum of weighted vertices would cancel.
        const DVec3 point = n * (glm::dot(n, (s[i] + s[j] + s[k])) / (3.0 * n2));
        const double distance_squared = glm::dot(point, point);
        if (distance_squared < best.distance_squared) {
            const double scale = 1.0 / (area_i + area_j + area_k);
            best.distance_squared = distance_squared;
            best.point = point;
            best.count = 3;
            best.index[0] = i;
            best.index[1] = j;
            best.index[2] = k;
            best.weight[0] = area_i * scale;
            best.weight[1] = area_j * scale;
            best.weight[2] = area_k * scale;
        }
        return;
    }
    if (!(area_i > 0.0)) {
        offer_segment(s, j, k, best);
    }
    if (!(area_j > 0.0)) {
        offer_segment(s, k, i, best);
    }
    if (!(area_k > 0.0)) {
        offer_segment(s, i, j, best);
    }
}

void offer_tetrahedron(const DVec3* s, ClosestOnSimplex& best) {
    const DVec3 u = s[1] - s[0];
    const DVec3 v = s[2] - s[0];
    const DVec3 w = s[3] - s[0];
    const double volume = glm::dot(u, glm::cross(v, w));
    // Volumes with the origin in place of each vertex; they add up to `volume`.
    const DVec3 c01 = glm::cross(s[0], s[1]);
    const DVec3 c23 = glm::cross(s[2], s[3]);
    const std::array<double, 4> part{glm::dot(s[1], c23), -glm::dot(s[0], c23), glm::dot(c01, s[3]),
                                     -glm::dot(c01, s[2])};
    const double reach2 = glm::dot(u, u) * glm::dot(v, v) * glm::dot(w, w);
    const bool flat = !(volume * volume > flat_volume * flat_volume * reach2);
    const double sign = volume < 0.0 ? -1.0 : 1.0;
    std::array<bool, 4> beyond{};
    bool any = false;
    for (int i = 0; i < 4; ++i) {
        beyond[i] = flat || !(sign * part[i] > 0.0);
        any = any || beyond[i];
    }
    if (!any) {
        const double scale = 1.0 / (part[0] + part[1] + part[2] + part[3]);
        best.count = 4;
        for (int i = 0; i < 4; ++i) {
            best.index[i] = i;
            best.weight[i] = part[i] * scale;
        }
        best.point = DVec3(0.0);
        best.distance_squared = 0.0;
        best.contains = true;
        return;
    }
    if (beyond[0]) {
        offer_triangle(s, 1, 2, 3, best);
    }
    if (beyond[1]) {
        offer_triangle(s, 0, 2, 3, best);
    }
    if (beyond[2]) {
        offer_triangle(s, 0, 1, 3, best);
    }
    if (beyond[3]) {
        offer_triangle(s, 0, 1, 2, best);
    }
}

} // namespace

ClosestOnSimplex closest_on_simplex(std::span<const DVec3> simplex) {
    const DVec3* s = simplex.data();
    ClosestOnSimplex best;
    best.distance_squared = std::numeric_limits<double>::infinity();
    switch (simplex.size()) {
    case 1:
        offer_vertex(s, 0, best);
        break;
    case 2:
        offer_segment(s, 0, 1, best);
        break;
    case 3:
        offer_triangle(s, 0, 1, 2, best);
        break;
    default:
        offer_tetrahedron(s, best);
        break;
    }
    return best;
}

} // namespace cairn::physics
