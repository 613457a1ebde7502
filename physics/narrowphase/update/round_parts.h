// What is round where two shapes touch, and how their normal turns with them.
#pragma once

#include "physics/narrowphase/contact.h"
#include "physics/narrowphase/update/contact_update.h"

namespace cairn::physics {

// m, the radius of a ball, of the balls that a capsule is made of, or of a cylinder on its side that touches with the
// normal (unit, world); 0 where nothing rolls.
float round_part(const ContactSide& side, const Vec3& normal);

// The same of a cone (of other shapes 0) that touches at a point (world) of its side and looks there in the direction
// `outwards` (unit, world): how far along it its axis is. That is linear in how far the point is from the apex; 0 on
// the base.
float round_part_of_cone(const ContactSide& side, const Vec3& outwards, const Vec3& at);

// m, from a point of the shape (world) to the border of the face with which it looks in the direction `outwards` (unit,
// world), along `way` (unit, world). Next to nothing for an edge or a rim. Surfaces of triangles go on beyond each.
float reach_of_face(const ContactSide& side, const Vec3& outwards, const Vec3& at, const Vec3& way);

// Fills what a contact says of its flat directions and of how its normal turns, from the shapes, its normal, its radii
// and its points. Where two surfaces touch, what is flat stays at right angles to the normal: a face in two directions,
// an edge and the side of a capsule or a cylinder in one, a ball and a corner in none. Rims have a law of their own
// (rim.h), and of the side of a cone and of two faces the normal is taken for fixed.
void find_flat_directions(const ContactSide& a, const ContactSide& b, std::span<const ContactPoint> points,
                          Contact& contact);

} // namespace cairn::physics
