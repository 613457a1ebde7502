#include "physics/query/distance.h"

#include "physics/query/distance/box_axes.h"
#include "physics/query/distance/fast_pairs.h"
#include "physics/query/distance/pair_distance.h"

#include <limits>

namespace cairn::physics {
namespace {

DistanceResult in_world(const PairDistance& d, const Frame& world) {
    DistanceResult out;
    out.status = d.status;
    out.distance = float(d.distance);
    out.normal = Vec3(world.rotation * d.normal);
    out.point_a = Vec3(apply(world, d.point_a));
    out.point_b = Vec3(apply(world, d.point_b));
    out.gjk_iterations = d.gjk_iterations;
    out.epa_iterations = d.epa_iterations;
    return out;
}

} // namespace

DistanceResult signed_distance(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b,
                               QueryObserver* observer) {
    const Frame world = frame_of(pose_a);
    CorePair pair = core_pair(a, b, relative_frame(world, frame_of(pose_b)));
    pair.observer = observer;
    return in_world(pair_distance(pair, std::numeric_limits<double>::max(), between_centres(pair)), world);
}

DistanceResult gjk_epa_distance(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b,
                                QueryObserver* observer) {
    const Frame world = frame_of(pose_a);
    CorePair pair = core_pair(a, b, relative_frame(world, frame_of(pose_b)));
    pair.observer = observer;
    return in_world(general_pair_distance(pair), world);
}

bool overlap(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b) {
    // What signed_distance() calls touching counts.
    const double touching = touching_tolerance(a, b);
    const Frame fa = frame_of(pose_a);
    const Frame fb = frame_of(pose_b);
    const DVec3 t = fb.position - fa.position;
    const double reach = double(a.bounding_radius) + double(b.bounding_radius) + touching;
    if (glm::dot(t, t) > reach * reach) {
        return false;
    }
    const CorePair pair = core_pair(a, b, relative_frame(fa, fb));
    if (pair.certainly_overlap()) {
        return true;
    }
    if (a.kind == ShapeKind::box && b.kind == ShapeKind::box) {
        const BoxAxes axes = box_axes(DVec3(a.half_extents), DVec3(b.half_extents), pair.b_in_a, touching);
        const double separation = axes.best().separation;
        if (separation > touching || separation <= 0.0) {
            return separation <= 0.0;
        }
    }
    PairDistance fast;
    if (fast_pair_distance(pair, fast)) {
        return fast.distance <= pair.radius + touching;
    }
    const double limit = pair.radius + touching;
    const GjkResult g = gjk(pair, limit, limit, between_centres(pair));
    return g.outcome == GjkResult::Outcome::touching ||
           (g.outcome == GjkResult::Outcome::separated && g.distance <= limit);
}

} // namespace cairn::physics
