// The region tests of geometric GJK, as the articles on its boolean form have them in common: right in themselves, but
// for an origin on the line of an edge, where the direction comes out as zero.
#pragma once

#include "app/lab/known_bugs/support/step_report.h"

namespace cairn::core::lab::known_bugs {

using Simplex = std::vector<Vertex>; // the newest point first

bool along(const DVec3& a, const DVec3& b);

// From the line through two points at a right angle to the origin; zero if the line goes through it.
DVec3 from_line(const Vertex& newest, const Vertex& other);

// Keeps the part of a triangle that is nearest to the origin, and returns where to search from it.
void nearest_part_of_triangle(Simplex& simplex, DVec3& direction);

// The face of the tetrahedron that the origin lies beyond, if any; false if the origin is inside.
bool beyond_a_face(Simplex& simplex, DVec3& direction);

} // namespace cairn::core::lab::known_bugs
