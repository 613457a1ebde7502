// A mesh as a body of convex hulls.
#pragma once

#include "physics/geometry/decomposition/decomposition.h"
#include "physics/world/body_def.h"

#include <string>

namespace cairn::core {

// The body stands where the mesh does. Where the mesh was closed, its mass and inertia are those of the mesh itself at
// `density`, kg/m^3, about the axes of which the body's frame is turned to; of a mesh with openings they follow from
// the hulls.
physics::BodyDef body_of(const physics::Decomposition& decomposition, float density);

// In words, or nothing: "merged 3 points, closed 1 hole".
std::string description(const physics::MeshRepairs& repairs);

} // namespace cairn::core
