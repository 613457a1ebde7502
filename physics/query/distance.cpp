#include "physics/query/distance.h"

#include "physics/query/fast_pairs.h"
#include "physics/query/pair_distance.h"

#include <limits>

namespace cairn::physics {

DistanceResult signed_distance(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b,
                               SimplexCache* cache) {
    const Frame world = frame_of(pose_a);
    const CorePair pair = core_pair(a, b, relative_frame(world, frame_of(pose_b)));
    const PairDistance d = pair_distance(pair, std::numeric_limits<double>::max(), cache);
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
    PairDistance fast;
    if (fast_pair_distance(pair, fast)) {
        return fast.distance <= pair.radius + touching;
    }
    const double limit = pair.radius + touching;
    const GjkResult g = gjk(pair, limit, limit, nullptr);
    return g.outcome == GjkResult::Outcome::touching ||
           (g.outcome == GjkResult::Outcome::separated && g.distance <= limit);
}

} // namespace cairn::physics
