// The meshes of a published experiment with GJK as point sets: a cube of 8 vertices, a cone of
// 33, a cylinder of 64, a sphere of 482. They fill the cube of half side `half` about the origin; axes along Z.
#pragma once

#include "physics/base/math.h"

#include <vector>

namespace cairn::core::lab {

std::vector<physics::Vec3> cube_mesh(float half);     // 8 vertices
std::vector<physics::Vec3> cone_mesh(float half);     // 33: an apex over a rim of 32
std::vector<physics::Vec3> cylinder_mesh(float half); // 64: two rims of 32
std::vector<physics::Vec3> sphere_mesh(float half);   // 482: two poles and 15 circles of latitude of 32

} // namespace cairn::core::lab
