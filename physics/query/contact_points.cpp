#include "physics/query/contact_points.h"

namespace cairn::physics {

void reduce(Candidates& c, double band) {
    if (c.count <= 4) {
        return;
    }
    constexpr double clearly = 1.0 + 1e-3;
    int deepest = 0;
    for (int i = 1; i < c.count; ++i) {
        if (c.points[i].separation < c.points[deepest].separation) {
            deepest = i;
        }
    }
    int first = deepest;
    for (int i = 0; i < c.count; ++i) {
        if (c.points[i].separation <= c.points[deepest].separation + band &&
            c.points[i].feature < c.points[first].feature) {
            first = i;
        }
    }
    const DVec3 p = c.points[first].point_a;
    int second = -1;
    double farthest = 0.0;
    for (int i = 0; i < c.count; ++i) {
        const DVec3 d = c.points[i].point_a - p;
        const double reach = glm::dot(d, d);
        if (i != first && (second < 0 || reach > farthest * clearly)) {
            farthest = reach;
            second = i;
        }
    }
    const DVec3 side = glm::cross(c.normal, c.points[second].point_a - p);
    int left = -1;
    int right = -1;
    double most_left = 0.0;
    double most_right = 0.0;
    for (int i = 0; i < c.count; ++i) {
        if (i == first || i == second) {
            continue;
        }
        const double area = glm::dot(side, c.points[i].point_a - p);
        if (area > most_left * clearly) {
            most_left = area;
            left = i;
        } else if (-area > most_right * clearly) {
            most_right = -area;
            right = i;
        }
    }
    std::array<int, 4> keep{first, second, left, right};
    // With all points on one side the fourth is the one that adds most to the triangle.
    if ((left < 0) != (right < 0)) {
        const int third = left >= 0 ? left : right;
        const double sign = left >= 0 ? 1.0 : -1.0;
        const DVec3 q = c.points[second].point_a;
        const DVec3 r = c.points[third].point_a;
        const DVec3 side_p = sign * glm::cross(c.normal, p - r);
        const DVec3 side_q = sign * glm::cross(c.normal, r - q);
        int fourth = -1;
        double most = 0.0;
        for (int i = 0; i < c.count; ++i) {
            if (i != first && i != second && i != third) {
                const DVec3 x = c.points[i].point_a;
                const double added = std::max(-glm::dot(side_p, x - r), -glm::dot(side_q, x - q));
                if (added > most * clearly) {
                    most = added;
                    fourth = i;
                }
            }
        }
        keep = {first, second, third, fourth};
    }
    std::array<Candidate, 4> kept;
    int count = 0;
    for (const int k : keep) {
        if (k >= 0) {
            kept[count++] = c.points[k];
        }
    }
    c.count = count;
    std::copy(kept.begin(), kept.begin() + count, c.points.data());
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
