// The Minkowski difference of two shapes as something to look at.
#pragma once

#include "app/lab/steps/lab_step.h"

#include <memory>

namespace cairn::core::lab {

// The hull of A - B in world axes, faint, with the origin. Spheres and capsules count as the point or the segment that
// they are grown from, as in the queries; then a ball of the radii's sum stands about the origin, and the shapes
// overlap where the difference reaches into it. Round shapes are sampled: the picture is as exact as a picture.
std::shared_ptr<const Figure> difference_figure(const physics::Shape& a, const physics::Transform& pose_a,
                                                const physics::Shape& b, const physics::Transform& pose_b);

// By which spheres and capsules are grown from the point or segment that is their core, m; else 0.
double core_radius(const physics::Shape& shape);

// How large marks should be: about the radius of the pair's difference, m, and not much more than the smaller shape.
double size_of(const LabPair& pair);

} // namespace cairn::core::lab
