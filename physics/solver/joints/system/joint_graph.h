// Which joints hang together: components of the graph whose nodes are bodies that can be pushed and whose edges are
// joints.
#pragma once

#include "physics/base/executor.h"
#include "physics/solver/joints/rows/joint_rows.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace cairn::physics {

// What the structure of the graph depends on. Motion 0 stands for all that cannot be pushed.
struct JointTie {
    std::uint32_t a = 0, b = 0;
    int rows = 0;        // rigid ones, and those that may be held with them
    int costly_rows = 0; // what the work for these counts as
    JointKind kind = JointKind::ball;
    bool has_free_rows = false;
    friend bool operator==(const JointTie&, const JointTie&) = default;
};

// The motions of A and B, as in JointTie.
inline std::pair<std::uint32_t, std::uint32_t> ends_of(const JointInput& joint) {
    return {joint.inverse_mass_a > 0.0f ? joint.motion_a : 0u, joint.inverse_mass_b > 0.0f ? joint.motion_b : 0u};
}

JointTie tie_of(const JointInput& joint);

class JointGraph {
  public:
    // Joints of one component, ascending, and its bodies as these come to them: motions are numbered by how the work is
    // divided among threads, and what is summed up over bodies must not depend on it.
    struct Component {
        std::uint32_t first_joint = 0, joints = 0, first_body = 0, bodies = 0;
    };

    // Divides the joints into components, in the order of their first joints. False if they are as in the last call,
    // and nothing has changed.
    bool update(Executor& executor, std::span<const JointInput> joints, std::size_t motion_count);

    std::span<const JointTie> ties() const { return ties_; } // by joint
    std::span<const Component> components() const { return components_; }
    std::span<const std::uint32_t> joints_of(const Component& component) const {
        return std::span(joints_).subspan(component.first_joint, component.joints);
    }
    std::span<const std::uint32_t> bodies_of(const Component& component) const {
        return std::span(bodies_).subspan(component.first_body, component.bodies);
    }
    // Joints at a motion that can be pushed, ascending.
    std::span<const std::uint32_t> joints_at(std::uint32_t motion) const {
        return std::span(incident_).subspan(first_incident_[motion],
                                            first_incident_[motion + 1] - first_incident_[motion]);
    }
    std::size_t memory_bytes() const;

  private:
    bool same(Executor& executor, std::span<const JointInput> joints) const;

    std::vector<JointTie> ties_;
    std::vector<Component> components_;
    std::vector<std::uint32_t> joints_, bodies_;           // by component
    std::vector<std::uint32_t> first_incident_, incident_; // by motion: joints
};

} // namespace cairn::physics
