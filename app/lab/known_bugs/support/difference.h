// The Minkowski difference of a pair, vertex by vertex as an algorithm asks for it: what the versions of this folder
// work on. Written apart from the engine's own, which has it in another frame and without names.
#pragma once

#include "app/lab/steps/lab_step.h"

namespace cairn::core::lab::known_bugs {

// Farthest point of the true shape (round ones exactly) along a world direction of any length, relative to the shape's
// position, world axes, m. A direction without length gives some point of the shape.
DVec3 farthest(const physics::Shape& shape, const physics::Quat& orientation, const DVec3& direction);

// A point of A minus B, world axes, with the points that made it, relative to LabPair::origin.
struct Vertex {
    DVec3 w{0.0};
    DVec3 on_a{0.0};
    DVec3 on_b{0.0};
    int number = 0; // 1, 2, 3 ... in the order in which they were found; 0: none that was found
};

class Difference {
  public:
    // The shapes must outlive it.
    Difference(const physics::Shape& a, const physics::Transform& pose_a, const physics::Shape& b,
               const physics::Transform& pose_b);

    // Farthest along the direction. A point that was found before keeps its number.
    Vertex support(const DVec3& direction);

    double size() const { return size_; } // sum of both bounding radii, m: what lengths are compared with

  private:
    const physics::Shape& a_;
    physics::Transform pose_a_;
    const physics::Shape& b_;
    physics::Transform pose_b_;
    double size_;
    std::vector<DVec3> found_;
};

// At the start of both sweeps. The pair must outlive it.
Difference difference_of(const LabPair& pair);

} // namespace cairn::core::lab::known_bugs
