#include "physics/query/manifold/round_manifold.h"

#include "physics/query/distance/fast_pairs.h"
#include "physics/query/manifold/patch/contact_points.h"

namespace cairn::physics {
namespace {

// Writes points given in the world's axes relative to the centre of A.
void put(Manifold& out, const DVec3& centre_a, const DVec3& on_a, const DVec3& on_b, double separation,
         std::uint32_t feature) {
    ManifoldPoint& p = out.points[static_cast<std::size_t>(out.count++)];
    p.point_a = Vec3(centre_a + on_a);
    p.point_b = Vec3(centre_a + on_b);
    p.separation = float(separation);
    p.feature = feature;
}

DVec3 axis_of(const Transform& pose) {
    const Quat& q = pose.orientation;
    return rotation_of(double(q.w), double(q.x), double(q.y), double(q.z))[2];
}

// The pair's greatest distance from core to core and what counts as meeting, m.
double meeting(const Shape& a, const Shape& b) {
    return meeting_ratio * (double(a.bounding_radius) + double(b.bounding_radius));
}

// A grown point against a grown point or segment: `on_a` and `on_b` are the nearest points of the cores.
bool collide_cores(const Shape& a, const DVec3& centre_a, const DVec3& on_a, const Shape& b, const DVec3& on_b,
                   double speculative, Manifold& out) {
    const DVec3 d = on_b - on_a;
    const double length2 = glm::dot(d, d);
    const double radius_a = double(a.radius);
    const double radius_b = double(b.radius);
    const double radii = radius_a + radius_b;
    const double length = std::sqrt(length2);
    if (length - radii > speculative) {
        out.apart = certainly(length - radii, a, b);
        return true;
    }
    const double eps = meeting(a, b);
    if (!(length2 > eps * eps)) {
        return false;
    }
    const DVec3 n = d * (1.0 / length);
    out.normal = Vec3(n);
    put(out, centre_a, on_a + n * radius_a, on_b - n * radius_b, length - radii, feature_id(PointFeature::witness, 0));
    return true;
}

bool collide_capsules(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b,
                      double speculative, Manifold& out) {
    const DVec3 centre_a(pose_a.position);
    const DVec3 t = DVec3(pose_b.position) - centre_a;
    const DVec3 u = axis_of(pose_a) * double(a.half_extents.z);
    const DVec3 v = axis_of(pose_b) * double(b.half_extents.z);
    DVec3 on_a;
    DVec3 on_b;
    closest_on_segments(DVec3(0.0), u, t, v, on_a, on_b);
    if (!collide_cores(a, centre_a, on_a, b, on_b, speculative, out)) {
        return false;
    }
    if (out.count == 0) {
        return true;
    }
    const double tolerance = preference_of_size * std::min(double(a.bounding_radius), double(b.bounding_radius));
    const DVec3 n = glm::normalize(on_b - on_a);
    EdgeStretch stretch;
    if (!side_by_side(n, {u, 0, 0}, {-u, 1, 0}, {t + v, 0, 0}, {t - v, 1, 0}, tolerance, stretch)) {
        return true;
    }
    const int alone = out.count;
    for (const EdgeStretch::End& end : stretch.ends) {
        const DVec3 at_a = end.on_a + n * double(a.radius);
        const DVec3 at_b = end.on_b - n * double(b.radius);
        const double separation = glm::dot(at_b - at_a, n);
        if (separation <= speculative) {
            put(out, centre_a, at_a, at_b, separation, end.feature);
        }
    }
    if (out.count > alone) { // they carry the contact instead of the nearest points
        for (int i = alone; i < out.count; ++i) {
            out.points[static_cast<std::size_t>(i - alone)] = out.points[static_cast<std::size_t>(i)];
        }
        out.count -= alone;
    }
    return true;
}

} // namespace

bool collide_round(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b, double speculative,
                   Manifold& out) {
    if (a.kind == ShapeKind::capsule && b.kind == ShapeKind::capsule) {
        return collide_capsules(a, pose_a, b, pose_b, speculative, out);
    }
    if (a.kind != ShapeKind::sphere) {
        return false;
    }
    const DVec3 centre(pose_a.position);
    const DVec3 t = DVec3(pose_b.position) - centre;
    if (b.kind == ShapeKind::sphere) {
        return collide_cores(a, centre, DVec3(0.0), b, t, speculative, out);
    }
    if (b.kind == ShapeKind::capsule) {
        const double reach = double(b.half_extents.z);
        const DVec3 axis = axis_of(pose_b);
        return collide_cores(a, centre, DVec3(0.0), b, t + axis * std::clamp(-glm::dot(axis, t), -reach, reach),
                             speculative, out);
    }
    const Quat& q = pose_b.orientation;
    const DMat3 rotation = rotation_of(double(q.w), double(q.x), double(q.y), double(q.z));
    Foot foot;
    if (!foot_on(b, apply_inverse_rotation(rotation, -t), meeting(a, b), foot)) {
        return false;
    }
    const double separation = foot.distance - double(a.radius);
    if (separation > speculative) {
        out.apart = certainly(separation, a, b);
        return true;
    }
    const DVec3 n = rotation * -foot.normal;
    out.normal = Vec3(n);
    put(out, centre, n * double(a.radius), t + rotation * foot.point, separation, feature_id(PointFeature::witness, 0));
    return true;
}

} // namespace cairn::physics
