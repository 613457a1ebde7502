// Shapes to test with, and slow but obvious answers about them.
#pragma once

#include "physics/geometry/shape.h"
#include "tests/physics/geometry/generators.h"

namespace cairn::physics::geometry_testing {

struct NamedShape {
    std::string name;
    Shape shape;
};

// Every kind, squat and slender, small and large; hulls with and without support cells.
const std::vector<NamedShape>& sample_shapes();

Shape shape_of(const Geometry& geometry);

// How far p (local) lies outside the shape, m: negative inside, zero on the surface, and never more than the true
// distance outside.
double outside(const Shape& shape, const glm::dvec3& p);

// Points that cover the surface of the shape densely, its corners, rims and tips among them, local.
std::vector<glm::dvec3> surface_points(const Shape& shape, int resolution);

} // namespace cairn::physics::geometry_testing
