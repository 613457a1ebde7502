// Contacts of two polytopes from the direction that they had a moment ago, without GJK and EPA. Internal to queries.
#pragma once

#include "physics/query/distance/pair_distance.h"
#include "physics/query/manifold/patch/contact_points.h"

namespace cairn::physics {

enum class FaceAnswer : std::uint8_t {
    unknown, // the direction leads to nothing that carries the contact, or it cannot be proved
    apart,   // farther than `speculative`: nearest.distance is a certain lower bound of the distance
    contact, // the points of the contact are filled, and of `nearest` the normal, that of the nearest features
};

// Is the contact of the pair, both boxes or hulls, one of the face of A that looks along `towards` (unit, frame of A),
// of the face of B that looks against `towards_in_b` (unit, frame of B), or of two edges of these? The two are one
// direction as it was when each shape took it along: where the shapes have turned against each other since, either
// still leads to the features of its own shape. `tolerance`: lengths below it do not matter to the contact, m.
//
// What is proved. Let f be the normal of the face and s the separation of the slabs along it: the distance is s at
// least (the depth -s at most). The points of the other shape over the face, clipped to it, lie at separations e > s.
// So the distance is the least e at most, and with e <= s + allowance it lies between the two: that is the proof where
// the shapes are apart.
//
// Where they overlap, another direction might part them sooner, and the answer must be shown to be no local one. Seen
// as A - B, which holds the origin, the depth is the least of h(n) over unit directions n, h being the greatest n . p
// over its points p. Let x be the mean of the points that lie at e <= s + allowance: a point of B (if the face is A's)
// at a depth d = -e(x) under the face, and r its distance from the border of the face. So A - B holds a disc of radius
// r, square to f, at the height d over the origin, and along a direction at the angle v to f
//     h >= d cos v + r sin v >= d    as long as tan(v / 2) <= r / d.
// Beyond that angle, v > 90 degrees if r > d, there is the sum R of the balls inside A and B, about the difference of
// the centres, at c below the origin along f and q beside it: h >= c |cos v| - q sin v + R. With t = r / d this is
// least at tan(v / 2) = t, where cos v = (1 - t^2) / (1 + t^2) and sin v = 2 t / (1 + t^2), or behind it where it is
// greater. So if r >= d and
//     (r^2 - d^2) c - 2 r d q + (R - d) (r^2 + d^2) >= 0
// no direction parts the shapes with less than d. Shallow contacts of all but needles and cards fulfil this.
//
// Two edges that cross at an inner point of both, and are farthest of their shapes along their common perpendicular,
// are proved in the same way: the facet of A - B is then the parallelogram that they span.
FaceAnswer contact_of_faces(const CorePair& pair, const DVec3& towards, const DVec3& towards_in_b, double speculative,
                            double tolerance, Candidates& out, PairDistance& nearest);

// The face that carries the contact of two polytopes whose nearest features are known: of A if one does as well as
// they, else of B. False if none does. Remembered contacts choose by the same rule: an answer that went to and fro
// between two rules would change its points from step to step, and what rests on it would creep.
bool face_at(const CorePair& pair, const PairDistance& nearest, double speculative, double tolerance, Candidates& out);

} // namespace cairn::physics
