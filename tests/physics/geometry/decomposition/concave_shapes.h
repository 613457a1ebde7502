// Twenty shapes that are not convex, made by formulas: what convex decomposition is tested and measured on.
#pragma once

#include "physics/base/math.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cairn::physics::test {

struct TriangleSoup {
    std::vector<Vec3> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

struct ConcaveShape {
    std::string name;
    TriangleSoup mesh;
};

// Their names without the shapes, which take a while to make.
inline constexpr std::array<const char*, 20> concave_shape_names{
    "torus", "knot",   "cup",    "gear", "chair", "spiral stairs", "hand",     "letter A", "letter S",   "letter E",
    "bowl",  "bottle", "spring", "star", "table", "pipe tee",      "dumbbell", "jack",     "hollow box", "sheet"};
// All closed but the last, a sheet.
const std::vector<ConcaveShape>& concave_shapes();

TriangleSoup box_mesh(const Vec3& lower, const Vec3& upper);
TriangleSoup torus_mesh(float ring, float tube, int ring_sides, int tube_sides);
void append(TriangleSoup& mesh, const TriangleSoup& other);

} // namespace cairn::physics::test
