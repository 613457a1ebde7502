// What a joint is, as an author or the UI states it.
#pragma once

#include "physics/solver/joints/rows/joint_terms.h"
#include "physics/world/body_def.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

    float length = 1.0f;               // m; distance and pulley only
    std::optional<JointLimits> limits; // rad or m; ball, hinge, slider, distance and pulley. A distance joint with
                                       // limits is a rope, and so is a pulley without
    std::optional<JointMotor> motor;   // ball, hinge, slider, distance and pulley
    std::optional<JointSpring> spring; // ball, hinge, slider, weld, distance and pulley
    std::optional<float> cone;   // rad, 0..pi; ball and universal: greatest angle between the Z axes of the frames
    std::vector<JointAxis> axes; // six_dof: all six, see JointAxis; empty for all others
    float ratio = 1.0f;          // gear, rack (m/rad) and pulley, see JointKind
    Vec3 ground_a{0.0f}, ground_b{0.0f}; // m, world; pulley only: the points over which its rope runs

    // Bodies that at most so many joints connect do not collide, if each of these joints reaches so far. 1: those of
    // this joint alone. Counts where `collide` is false.
    int ignore_within = 1;
    // N, N m: means over a step beyond which the joint ends. Never, if unset.
    std::optional<float> break_force, break_torque;

    friend bool operator==(const JointDef&, const JointDef&) = default;
};

} // namespace cairn::physics
