#include "physics/query/fast_pairs.h"

#include <algorithm>

namespace cairn::physics {
namespace {

// Cores nearer than this fraction of the pair's whole size leave the normal to the general path.
constexpr double meeting_ratio = 1e-11;

double clamped(double x, double limit) {
    return x < -limit ? -limit : (x > limit ? limit : x);
}

// Nearest point of a box's surface or inside to `p`, and the signed distance.
bool box_point(const DVec3& half, const DVec3& p, double eps, double& distance, DVec3& normal, DVec3& nearest) {
    nearest = DVec3(clamped(p.x, half.x), clamped(p.y, half.y), clamped(p.z, half.z));
    const DVec3 d = p - nearest;
    const double length2 = glm::dot(d, d);
    if (length2 > eps * eps) {
        distance = std::sqrt(length2);
        normal = d * (1.0 / distance);
        return true;
    }
    // Inside: out through the nearest face; the first axis wins a tie.
    int axis = 0;
    double best = half.x - std::abs(p.x);
    for (int i = 1; i < 3; ++i) {
        const double gap = half[i] - std::abs(p[i]);
        if (gap < best) {
            best = gap;
            axis = i;
        }
    }
    const double sign = p[axis] < 0.0 ? -1.0 : 1.0;
    normal = DVec3(0.0);
    normal[axis] = sign;
    nearest = p;
    nearest[axis] = sign * half[axis];
    distance = -best;
    return true;
}

bool from_points(const DVec3& a, const DVec3& b, double eps, PairDistance& out) {
    const DVec3 d = b - a;
    const double length2 = glm::dot(d, d);
    if (!(length2 > eps * eps)) {
        return false;
    }
    out.distance = std::sqrt(length2);
    out.normal = d * (1.0 / out.distance);
    out.point_a = a;
    out.point_b = b;
    return true;
}

} // namespace

void closest_on_segments(const DVec3& p, const DVec3& u, const DVec3& q, const DVec3& v, DVec3& on_p, DVec3& on_q) {
    // Minimise |p + s u - q - t v| over s, t in [-1, 1]: solve for s, clamp, solve for t, clamp, solve for s again.
    const DVec3 d = p - q;
    const double uu = glm::dot(u, u);
    const double vv = glm::dot(v, v);
    const double uv = glm::dot(u, v);
    const double ud = glm::dot(u, d);
    const double vd = glm::dot(v, d);
    const double det = uu * vv - uv * uv;
    double s = 0.0;
    if (det > 1e-14 * uu * vv) {
        s = clamped((uv * vd - vv * ud) / det, 1.0);
    } else if (uu > 0.0) {
        // Parallel: the middle of the stretch that both cover, so that the answer does not hang on rounding.
        const double centre = -ud / uu;
        const double reach = std::abs(uv) / uu;
        s = clamped(0.5 * (std::max(centre - reach, -1.0) + std::min(centre + reach, 1.0)), 1.0);
    }
    double t = vv > 0.0 ? (uv * s + vd) / vv : 0.0;
    if (t < -1.0 || t > 1.0) {
        t = clamped(t, 1.0);
        s = uu > 0.0 ? clamped((uv * t - ud) / uu, 1.0) : 0.0;
    }
    on_p = p + u * s;
    on_q = q + v * t;
}

bool fast_pair_distance(const CorePair& pair, PairDistance& out) {
    const ShapeKind ka = pair.a.shape->kind;
    const ShapeKind kb = pair.b.shape->kind;
    const Frame& f = pair.b_in_a;
    const double eps = meeting_ratio * (pair.size + pair.radius);
    if (ka == ShapeKind::sphere && kb == ShapeKind::sphere) {
        return from_points(DVec3(0.0), f.position, eps, out);
    }
    if ((ka == ShapeKind::sphere || ka == ShapeKind::capsule) &&
        (kb == ShapeKind::sphere || kb == ShapeKind::capsule)) {
        const DVec3 u(0.0, 0.0, ka == ShapeKind::capsule ? double(pair.a.shape->half_extents.z) : 0.0);
        const DVec3 v = f.rotation[2] * (kb == ShapeKind::capsule ? double(pair.b.shape->half_extents.z) : 0.0);
        DVec3 on_a;
        DVec3 on_b;
        closest_on_segments(DVec3(0.0), u, f.position, v, on_a, on_b);
        return from_points(on_a, on_b, eps, out);
    }
    if (ka == ShapeKind::box && kb == ShapeKind::sphere) {
        out.point_b = f.position;
        return box_point(DVec3(pair.a.shape->half_extents), f.position, eps, out.distance, out.normal, out.point_a);
    }
    if (ka == ShapeKind::sphere && kb == ShapeKind::box) {
        const DVec3 centre = apply_inverse_rotation(f.rotation, -f.position);
        DVec3 normal;
        DVec3 nearest;
        box_point(DVec3(pair.b.shape->half_extents), centre, eps, out.distance, normal, nearest);
        out.normal = f.rotation * -normal;
        out.point_a = DVec3(0.0);
        out.point_b = apply(f, nearest);
        return true;
    }
    return false;
}

} // namespace cairn::physics
