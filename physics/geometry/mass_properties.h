// Mass, centre of mass and inertia, in closed form.
#pragma once

#include "physics/geometry/shape.h"

#include <span>

namespace cairn::physics {

struct MassProperties {
    float mass = 0.0f;  // kg
    Vec3 centre{0.0f};  // centre of mass in the frame in which the shapes were given, m
    Mat3 inertia{0.0f}; // about the centre of mass, in that frame's axes, kg m^2
};

// One shape of a body, `pose` = where its centroid and axes lie in the body's frame.
struct PlacedShape {
    const Shape* shape = nullptr;
    Transform pose;
};

// Mass properties of a body made of shapes of one density (kg/m^3); overlapping volume counts twice.
// Sums by the parallel-axis theorem about the common centre of mass. Moments smaller than 1e-6 of the sum of all three
// (needles) are raised by that much, since floats could not invert the tensor otherwise.
MassProperties mass_properties(std::span<const PlacedShape> shapes, float density);

// Inverse of a symmetric positive definite inertia tensor (by cofactors); zero matrix if it is singular.
Mat3 inverse_inertia(const Mat3& inertia);

} // namespace cairn::physics
