#include "physics/query/distance/fast_pairs.h"

#include "physics/query/distance/box_axes.h"
#include "physics/query/distance/hull_foot.h"

#include <algorithm>

namespace cairn::physics {
namespace {

double clamped(double x, double limit) {
    return x < -limit ? -limit : (x > limit ? limit : x);
}

Foot foot_on_box(const DVec3& half, const DVec3& p, double eps) {
    Foot out;
    out.point = DVec3(clamped(p.x, half.x), clamped(p.y, half.y), clamped(p.z, half.z));
    const DVec3 d = p - out.point;
    const double length2 = glm::dot(d, d);
    if (length2 > eps * eps) {
        out.distance = std::sqrt(length2);
        out.normal = d * (1.0 / out.distance);
        return out;
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
    out.normal[axis] = sign;
    out.point = p;
    out.point[axis] = sign * half[axis];
    out.distance = -best;
    return out;
}

// Bodies of revolution about z are met in the half-plane through the point: x is the distance from the axis.
struct PlanePoint {
    double x, z;
};

// `corners` run from the axis at the bottom round the profile to the axis at the top, the solid to their left.
template <std::size_t N>
Foot foot_on_profile(const std::array<PlanePoint, N>& corners, const DVec3& p, double eps) {
    const double radial = std::sqrt(p.x * p.x + p.y * p.y);
    const DVec3 outward = radial > 0.0 ? DVec3(p.x / radial, p.y / radial, 0.0) : DVec3(1.0, 0.0, 0.0);
    bool inside = true;
    double best = 0.0;
    PlanePoint nearest{0.0, 0.0};
    PlanePoint side{0.0, 1.0};
    for (std::size_t i = 0; i + 1 < N; ++i) {
        const double ex = corners[i + 1].x - corners[i].x;
        const double ez = corners[i + 1].z - corners[i].z;
        const double px = radial - corners[i].x;
        const double pz = p.z - corners[i].z;
        const double length2 = ex * ex + ez * ez;
        inside = inside && ez * px - ex * pz <= 0.0;
        const double t = std::clamp((px * ex + pz * ez) / length2, 0.0, 1.0);
        const double dx = px - ex * t;
        const double dz = pz - ez * t;
        const double distance2 = dx * dx + dz * dz;
        if (i == 0 || distance2 < best) {
            best = distance2;
            nearest = {corners[i].x + ex * t, corners[i].z + ez * t};
            const double length = std::sqrt(length2);
            side = {ez / length, -ex / length};
        }
    }
    Foot out;
    const double distance = std::sqrt(best);
    out.distance = inside ? -distance : distance;
    out.point = outward * nearest.x + DVec3(0.0, 0.0, nearest.z);
    out.normal = !inside && distance > eps
                     ? (outward * (radial - nearest.x) + DVec3(0.0, 0.0, p.z - nearest.z)) * (1.0 / distance)
                     : outward * side.x + DVec3(0.0, 0.0, side.z);
    return out;
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

bool foot_on(const Shape& shape, const DVec3& p, double eps, Foot& out) {
    const double r = double(shape.radius);
    const double h = double(shape.half_extents.z);
    switch (shape.kind) {
    case ShapeKind::box:
        out = foot_on_box(DVec3(shape.half_extents), p, eps);
        return true;
    case ShapeKind::cylinder:
        out = foot_on_profile<4>({{{0.0, -h}, {r, -h}, {r, h}, {0.0, h}}}, p, eps);
        return true;
    case ShapeKind::cone:
        out = foot_on_profile<3>({{{0.0, -0.5 * h}, {r, -0.5 * h}, {0.0, 1.5 * h}}}, p, eps);
        return true;
    case ShapeKind::hull:
        return foot_on_hull(*shape.hull, double(shape.bounding_radius), p, eps, out);
    default:
        return false;
    }
}

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
    Foot foot;
    if (kb == ShapeKind::sphere && foot_on(*pair.a.shape, f.position, eps, foot)) {
        out.distance = foot.distance;
        out.normal = foot.normal;
        out.point_a = foot.point;
        out.point_b = f.position;
        return true;
    }
    if (ka == ShapeKind::sphere && foot_on(*pair.b.shape, apply_inverse_rotation(f.rotation, -f.position), eps, foot)) {
        out.distance = foot.distance;
        out.normal = f.rotation * -foot.normal;
        out.point_a = DVec3(0.0);
        out.point_b = apply(f, foot.point);
        return true;
    }
    return false;
}

bool box_pair_distance(const CorePair& pair, const BoxAxes& axes, PairDistance& out) {
    const DVec3 half_a(pair.a.shape->half_extents);
    const DVec3 half_b(pair.b.shape->half_extents);
    const Frame& f = pair.b_in_a;
    DVec3 on_a;
    DVec3 on_b;
    DVec3 n;
    double separation = 0.0;
    if (axes.edges.separation > std::max(axes.face_a.separation, axes.face_b.separation)) {
        n = axes.edges.normal;
        separation = axes.edges.separation;
        box_edge_points(half_a, half_b, f, axes, on_a, on_b);
    } else if (axes.face_a.separation >= axes.face_b.separation) {
        n = axes.face_a.normal;
        separation = axes.face_a.separation;
        DVec3 corner;
        if (!box_corner(half_b, apply_inverse_rotation(f.rotation, -n), corner)) {
            return false;
        }
        on_b = apply(f, corner);
        on_a = glm::clamp(on_b - n * separation, -half_a, half_a);
    } else {
        n = axes.face_b.normal;
        separation = axes.face_b.separation;
        if (!box_corner(half_a, n, on_a)) {
            return false;
        }
        const DVec3 below = apply_inverse_rotation(f.rotation, on_a + n * separation - f.position);
        on_b = apply(f, glm::clamp(below, -half_b, half_b));
    }
    // What the points miss of the separation they miss because the features end before their nearest points.
    const DVec3 missed = on_b - on_a - n * separation;
    const double rounding = 1e-12 * pair.size;
    if (glm::dot(missed, missed) > rounding * rounding) {
        return false;
    }
    out.distance = separation;
    out.normal = n;
    out.point_a = on_a;
    out.point_b = on_b;
    return true;
}

} // namespace cairn::physics
