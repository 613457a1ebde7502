#include "physics/query/simplex.h"

#include <algorithm>

namespace cairn::physics {
namespace {

// Areas and volumes below these fractions of what their edges could span carry no reliable sign in double precision.
// Taking a triangle that thin for its edges moves the answer by no more than the same fraction of its size.
constexpr double flat_area = 1e-10;
constexpr double flat_volume = 1e-13;

using Points = std::span<const DVec3>;

ClosestOnSimplex on_vertex(Points s, int i) {
    ClosestOnSimplex out;
    out.count = 1;
    out.index[0] = i;
    out.weight[0] = 1.0;
    out.point = s[i];
    out.distance_squared = glm::dot(s[i], s[i]);
    return out;
}

ClosestOnSimplex on_segment(Points s, int i, int j) {
    const DVec3 edge = s[j] - s[i];
    const double length2 = glm::dot(edge, edge);
    const double t = -glm::dot(s[i], edge);
    if (!(t > 0.0)) {
        return on_vertex(s, i);
    }
    if (t >= length2) {
        return on_vertex(s, j);
    }
    ClosestOnSimplex out;
    out.count = 2;
    out.index = {i, j, 0, 0};
    out.weight = {(length2 - t) / length2, t / length2, 0.0, 0.0};
    // Measured from the nearer end, where the cancellation is least.
    out.point = t + t < length2 ? s[i] + edge * out.weight[1] : s[j] - edge * out.weight[0];
    out.distance_squared = glm::dot(out.point, out.point);
    return out;
}

void keep_closer(ClosestOnSimplex& best, bool& found, const ClosestOnSimplex& candidate) {
    if (!found || candidate.distance_squared < best.distance_squared) {
        best = candidate;
        found = true;
    }
}

ClosestOnSimplex on_triangle(Points s, int i, int j, int k) {
    const DVec3 u = s[j] - s[i];
    const DVec3 v = s[k] - s[i];
    const DVec3 n = glm::cross(u, v);
    const double n2 = glm::dot(n, n);
    bool found = false;
    ClosestOnSimplex best;
    if (!(n2 > flat_area * flat_area * glm::dot(u, u) * glm::dot(v, v))) {
        keep_closer(best, found, on_segment(s, i, j));
        keep_closer(best, found, on_segment(s, i, k));
        keep_closer(best, found, on_segment(s, j, k));
        return best;
    }
    // Areas that the origin's projection spans with the three edges, along the normal. The component of the vertices
    // along n drops out of the triple products, so the origin need not be projected first.
    const std::array<int, 3> corner{i, j, k};
    const std::array<double, 3> area{glm::dot(n, glm::cross(s[j], s[k])), glm::dot(n, glm::cross(s[k], s[i])),
                                     glm::dot(n, glm::cross(s[i], s[j]))};
    if (area[0] > 0.0 && area[1] > 0.0 && area[2] > 0.0) {
        const double sum = area[0] + area[1] + area[2];
        ClosestOnSimplex out;
        out.count = 3;
        out.index = {i, j, k, 0};
        out.weight = {area[0] / sum, area[1] / sum, area[2] / sum, 0.0};
        // The projection through the plane is exact where the sum of weighted vertices would cancel.
        out.point = n * (glm::dot(n, (s[i] + s[j] + s[k])) / (3.0 * n2));
        out.distance_squared = glm::dot(out.point, out.point);
        return out;
    }
    for (int c = 0; c < 3; ++c) {
        if (!(area[c] > 0.0)) {
            keep_closer(best, found, on_segment(s, corner[(c + 1) % 3], corner[(c + 2) % 3]));
        }
    }
    return best;
}

ClosestOnSimplex on_tetrahedron(Points s) {
    const DVec3 u = s[1] - s[0];
    const DVec3 v = s[2] - s[0];
    const DVec3 w = s[3] - s[0];
    const double volume = glm::dot(u, glm::cross(v, w));
    // Volumes with the origin in place of each vertex; they add up to `volume`.
    const std::array<double, 4> part{glm::dot(s[1], glm::cross(s[2], s[3])), -glm::dot(s[0], glm::cross(s[2], s[3])),
                                     glm::dot(s[0], glm::cross(s[1], s[3])), -glm::dot(s[0], glm::cross(s[1], s[2]))};
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
        ClosestOnSimplex out;
        out.count = 4;
        out.index = {0, 1, 2, 3};
        const double sum = part[0] + part[1] + part[2] + part[3];
        for (int i = 0; i < 4; ++i) {
            out.weight[i] = part[i] / sum;
        }
        out.contains = true;
        return out;
    }
    ClosestOnSimplex best;
    bool found = false;
    if (beyond[0]) {
        keep_closer(best, found, on_triangle(s, 1, 2, 3));
    }
    if (beyond[1]) {
        keep_closer(best, found, on_triangle(s, 0, 2, 3));
    }
    if (beyond[2]) {
        keep_closer(best, found, on_triangle(s, 0, 1, 3));
    }
    if (beyond[3]) {
        keep_closer(best, found, on_triangle(s, 0, 1, 2));
    }
    return best;
}

} // namespace

ClosestOnSimplex closest_on_simplex(std::span<const DVec3> simplex) {
    switch (simplex.size()) {
    case 1:
        return on_vertex(simplex, 0);
    case 2:
        return on_segment(simplex, 0, 1);
    case 3:
        return on_triangle(simplex, 0, 1, 2);
    default:
        return on_tetrahedron(simplex);
    }
}

} // namespace cairn::physics
