// Signed distance and closest points between two convex shapes: GJK outside, EPA inside.
#pragma once

#include "physics/geometry/shape.h"

#include <array>
#include <cstdint>

namespace cairn::physics {

// separated: distance > touching tolerance; touching: |distance| within it; overlapping: distance < 0, a depth;
// failed: the answer could not be refined to the tolerance within the iteration cap (the best found is returned).
enum class QueryStatus : std::uint8_t { separated, touching, overlapping, failed };

class QueryObserver; // gets the steps of a query (observer.h)

struct DistanceResult {
    QueryStatus status = QueryStatus::failed;
    float distance = 0.0f; // m; negative is penetration depth
    Vec3 normal{0.0f};     // unit, world, from A to B, always set
    Vec3 point_a{0.0f};    // world, on the surface of A
    Vec3 point_b{0.0f};    // world, on the surface of B; point_b - point_a == distance * normal up to tolerance
    int gjk_iterations = 0;
    int epa_iterations = 0;
};

// Distance between shape A at pose_a and B at pose_b. Gilbert, Johnson and Keerthi 1988 with the signed-volumes
// sub-distance of Montanari, Petrinic and Barbieri 2017; depth by van den Bergen's expanding polytope 2001. Never loops
// for ever, allocates nothing.
DistanceResult signed_distance(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b,
                               QueryObserver* observer = nullptr);

// The same by GJK and EPA alone: signed_distance() answers many pairs by closed forms or begins with a good guess.
DistanceResult gjk_epa_distance(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b,
                                QueryObserver* observer = nullptr);

// Do the shapes overlap or touch? GJK with early out.
bool overlap(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b);

} // namespace cairn::physics
