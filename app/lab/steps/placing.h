// From the frames in which queries compute to the frames in which the lab draws.
#pragma once

#include "app/lab/steps/lab_step.h"

namespace cairn::core::lab {

// Where a shape is at a time of its sweep, world less LabPair::origin.
inline physics::Transform shape_pose_at(const physics::Sweep& sweep, double time) {
    const physics::Transform body = time > 0.0 ? physics::body_pose_at(sweep, static_cast<float>(time)) : sweep.start;
    return physics::compose(body, sweep.shape_pose);
}

// Queries give points in the frame of A.
struct FrameOfA {
    glm::dmat3 rotation{1.0};
    DVec3 position{0.0};

    explicit FrameOfA(const physics::Transform& pose)
        : rotation(glm::mat3_cast(glm::normalize(glm::dquat(pose.orientation)))), position(pose.position) {}

    DVec3 direction(const DVec3& v) const { return rotation * v; } // and points of the difference
    DVec3 point(const DVec3& p) const { return rotation * p + position; }
};

} // namespace cairn::core::lab
