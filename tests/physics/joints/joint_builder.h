// Short ways to make joints for the tests.
#pragma once

#include "tests/physics/world/world_builder.h"

#include <cmath>

namespace cairn::physics::testing {

// A rotation that takes Z to Y.
inline Quat z_to_y() {
    return normalized(Quat(1.0f, -1.0f, 0.0f, 0.0f));
}

// Between the bodies as they stand, at `anchor` in the world, with the axis along the Z of `frame`; `a` may be none.
inline JointDef joint_at(const World& world, JointKind kind, BodyId a, BodyId b, const Vec3& anchor,
                         const Quat& frame = identity_orientation) {
    JointDef def;
    def.kind = kind;
    def.body_a = a;
    def.body_b = b;
    const Transform in_world{anchor, frame};
    def.frame_a = a ? relative(state_of(world, a).pose, in_world) : in_world;
    def.frame_b = relative(state_of(world, b).pose, in_world);
    return def;
}

inline JointId join(World& world, const JointDef& def) {
    const CommandResult result = world.apply(CreateJoint{def});
    EXPECT_TRUE(result.ok()) << result.error;
    return result.joint;
}

inline JointState joint_state(const World& world, JointId id) {
    for (const JointState& joint : published(world).joints) {
        if (joint.id == id) {
            return joint;
        }
    }
    ADD_FAILURE() << "no such joint";
    return {};
}

// Greatest distance between the anchors of joints that hold them together, m; of sliders, across their axis.
inline float greatest_gap(const FrameState& frame) {
    float gap = 0.0f;
    for (const JointState& joint : frame.joints) {
        const Vec3 apart = joint.anchor_b - joint.anchor_a;
        if (joint.def->kind == JointKind::slider) {
            gap = std::max(gap, glm::length(apart - glm::dot(joint.axis, apart) * joint.axis));
        } else if (joint.def->kind != JointKind::distance) {
            gap = std::max(gap, glm::length(apart));
        }
    }
    return gap;
}
inline float greatest_gap(const World& world) {
    return greatest_gap(published(world));
}

inline double energy(const World& world) {
    const StepStats stats = published(world).stats;
    return stats.kinetic_energy + stats.potential_energy;
}

// What a mechanism came to within some steps.
struct Course {
    double gain = 0.0, end = 0.0; // J, of energy over the start: the greatest, and at the end
    float gap = 0.0f;             // m, the greatest of any joint
};

inline Course watched(World& world, int steps) {
    const double start = energy(world);
    Course course;
    FrameState frame;
    for (int i = 0; i < steps; ++i) {
        world.step();
        world.publish(frame);
        course.end = frame.stats.kinetic_energy + frame.stats.potential_energy - start;
        course.gain = std::max(course.gain, course.end);
        course.gap = std::max(course.gap, greatest_gap(frame));
    }
    return course;
}

// The mean time between upward passes of zero by value(), s, over `steps` steps.
template <typename Value>
double measured_period(World& world, int steps, Value&& value) {
    double first = 0.0, last_pass = 0.0;
    int periods = -1;
    float last = value();
    for (int i = 0; i < steps; ++i) {
        world.step();
        const float now = value();
        if (last < 0.0f && now >= 0.0f) {
            const double share = static_cast<double>(last) / static_cast<double>(last - now);
            last_pass = (i + share) / static_cast<double>(world.settings().hz);
            first = periods < 0 ? last_pass : first;
            ++periods;
        }
        last = now;
    }
    EXPECT_GT(periods, 0);
    return (last_pass - first) / std::max(periods, 1);
}

} // namespace cairn::physics::testing
