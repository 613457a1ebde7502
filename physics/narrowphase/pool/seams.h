// Contacts that only the division of a surface into several shapes has made.
#pragma once

#include "physics/base/math.h"
#include "physics/geometry/shape.h"

#include <span>

namespace cairn::physics {

// One contact of a body, seen from it.
struct SeamSide {
    const Shape* other = nullptr; // the shape that is touched
    Transform other_pose;         // world
    Vec3 normal{0.0f};            // unit, world, out of the other shape
    std::span<const Vec3> points; // world, on the surface of the other shape
    float separation = 0.0f;      // m, least of the points
};

// A body that rests on one tile of a floor and comes to the next sees that tile's side, because resting means to lie a
// little deeper than the surface: the side is then nearer than the top, and would stop or lift what slides. True if
// `contact` is such a mistake beside `rest`: `rest` touches a face of its shape, the whole of the other shape lies
// behind the plane of that face, and `contact` happens at that plane (within `slop`, m, or the depth of `rest`).
// Such a shape can only carry the body along the face's normal; as long as the sides are nearer, `rest` does that.
// Within a mesh neighbours answer for each other; what stands out is its border, where that of another shape begins, or
// where triangles meet that share no edge. Of a mesh the triangles about the contact count for the whole shape.
bool hidden_behind(const SeamSide& contact, const SeamSide& rest, float slop);

// Where one face of a floor rises from another, as a ramp does, the edges of the pieces and what of their sides lies
// below the floor are no part of its surface, but nearer to what comes along than the face that rises. True if
// `contact` is with such an edge or side: its points lie on or in the face that `rest` is nearest to, what it touches
// of its shape (a polytope or a mesh) reaches no higher, and a face begins there that rises by less than 45 degrees.
// That face takes over as soon as the body has come on a little; of steeper ones a side stays nearer, however deep the
// body is in.
bool is_foot_of_slope(const SeamSide& contact, const SeamSide& rest, float slop);

} // namespace cairn::physics
