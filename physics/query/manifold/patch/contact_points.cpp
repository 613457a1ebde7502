#include "physics/query/manifold/patch/contact_points.h"

#include "physics/query/manifold/patch/four_points.h"

#include <cmath>

namespace cairn::physics {

void reduce(Candidates& c, double band, KeptFeatures kept) {
    if (c.count <= 4) {
        return;
    }
    const DVec3& n = c.normal;
    const DVec3 aside = std::abs(n.x) < 0.6 ? DVec3(1, 0, 0) : DVec3(0, 1, 0);
    const DVec3 u = glm::normalize(glm::cross(n, aside));
    const DVec3 v = glm::cross(n, u);
    std::array<PointInPlane, Candidates::most> points;
    for (int i = 0; i < c.count; ++i) {
        const Candidate& from = c.points[i];
        points[static_cast<std::size_t>(i)] = {glm::dot(u, from.point_a), glm::dot(v, from.point_a), from.separation,
                                               from.feature};
    }
    std::array<int, 4> chosen;
    const int count = choose_four(points.data(), c.count, band, 1.0, kept, chosen);
    std::array<Candidate, 4> four;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        four[i] = c.points[chosen[i]];
    }
    c.count = count;
    std::copy(four.begin(), four.begin() + count, c.points.data());
}

bool side_by_side(const DVec3& n, PatchVertex a0, PatchVertex a1, PatchVertex b0, PatchVertex b1, double tolerance,
                  EdgeStretch& out) {
    const DVec3 u = a1.position - a0.position;
    const DVec3 v = b1.position - b0.position;
    const double uu = glm::dot(u, u);
    const double vv = glm::dot(v, v);
    const DVec3 across = glm::cross(u, v);
    if (!(uu > 0.0 && vv > 0.0) || glm::dot(across, across) > parallel_sine * parallel_sine * uu * vv) {
        return false;
    }
    // ... and both across the normal, else they meet end to end.
    const double nu = glm::dot(n, u);
    const double nv = glm::dot(n, v);
    if (nu * nu > parallel_sine * parallel_sine * uu || nv * nv > parallel_sine * parallel_sine * vv) {
        return false;
    }
    // Both ends of B's edge on A's, as fractions of it, and the stretch that both cover.
    double t0 = glm::dot(b0.position - a0.position, u) / uu;
    double t1 = glm::dot(b1.position - a0.position, u) / uu;
    if (t0 > t1) {
        std::swap(t0, t1);
        std::swap(b0, b1);
    }
    const double from = std::max(t0, 0.0);
    const double to = std::min(t1, 1.0);
    if (!((to - from) * (to - from) * uu > tolerance * tolerance)) {
        return false;
    }
    for (std::size_t end = 0; end < 2; ++end) {
        const double t = end == 0 ? from : to;
        const bool at_a = end == 0 ? t0 < 0.0 : t1 > 1.0;
        out.ends[end].on_a = a0.position + u * t;
        out.ends[end].on_b = b0.position + (b1.position - b0.position) * ((t - t0) / (t1 - t0));
        out.ends[end].feature = at_a ? feature_id(PointFeature::vertex_a, (end == 0 ? a0 : a1).vertex)
                                     : feature_id(PointFeature::vertex_b, (end == 0 ? b0 : b1).vertex);
    }
    return true;
}

} // namespace cairn::physics
