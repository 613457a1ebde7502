// Closed forms for the pairs whose closest points can be written down. Internal to queries.
#pragma once

#include "physics/query/distance/pair_distance.h"

namespace cairn::physics {

struct BoxAxes;

// Cores nearer than this fraction of the pair's whole size leave the normal to the general path.
inline constexpr double meeting_ratio = 1e-9;

// A point's signed distance from a solid, the outward normal there and the nearest point of the surface.
struct Foot {
    double distance = 0.0;
    DVec3 normal{0.0};
    DVec3 point{0.0};
};

// `p` in the frame of the shape; nearer to the surface than `eps`, m, it counts as on it and takes the normal of a
// side. False, and nothing filled, where there is no closed form: boxes, cylinders and cones have one, and hulls as
// seen from outside nearly always.
bool foot_on(const Shape& shape, const DVec3& p, double eps, Foot& out);

// Signed distance between the cores (without their radii) of sphere against sphere, capsule, box, cylinder and cone,
// and of capsule against capsule. False, and nothing filled, where there is no closed form or where the cores meet so
// exactly that the general path must choose a normal.
bool fast_pair_distance(const CorePair& pair, PairDistance& out);

// Signed distance of two boxes whose axes are known, where a corner over a face or a pair of crossing edges attains the
// greatest separation of the axes: that proves it, in penetration always and apart if the points prove to be as near.
// False, and nothing filled, where the nearest features are others or not unique.
bool box_pair_distance(const CorePair& pair, const BoxAxes& axes, PairDistance& out);

// Closest points of the segments p +- u and q +- v.
void closest_on_segments(const DVec3& p, const DVec3& u, const DVec3& q, const DVec3& v, DVec3& on_p, DVec3& on_q);

} // namespace cairn::physics
