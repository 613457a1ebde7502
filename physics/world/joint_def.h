// What a joint is, as an author or the UI states it.
#pragma once

#include "physics/solver/joint_terms.h"
#include "physics/world/body_def.h"

#include <cstdint>
#include <optional>
#include <string>

namespace cairn::physics {

// Names a joint for as long as it exists, as BodyId names a body.
struct JointId {
    std::uint32_t index = 0xffffffffu;
    std::uint32_t generation = 0;

    friend bool operator==(const JointId&, const JointId&) = default;
    explicit operator bool() const { return index != 0xffffffffu; }
};

struct JointDef {
    std::string name;
    JointKind kind = JointKind::ball;
    // A may be none: then the joint holds B to the world, and frame_a is stated in world axes.
    BodyId body_a, body_b;
    Transform frame_a, frame_b; // in the bodies' frames, positions in m from their centres of mass
    bool collide = false;       // the two bodies collide with each other

    float length = 1.0f;               // m; distance joints only
    std::optional<JointLimits> limits; // rad or m; hinge, slider and distance. A distance joint with limits is a rope
    std::optional<JointMotor> motor;   // all but weld
    std::optional<JointSpring> spring;
    std::optional<float> cone; // rad, 0..pi; ball only: greatest angle between the Z axes of the frames

    friend bool operator==(const JointDef&, const JointDef&) = default;
};

} // namespace cairn::physics
