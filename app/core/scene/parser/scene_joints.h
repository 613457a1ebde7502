// Joints out of a scene file.
#pragma once

#include "app/core/scene/json/document.h"
#include "physics/world/joint_def.h"

#include <span>
#include <unordered_map>

namespace cairn::core {

// The bodies that the joints of one file may name: its own, with what it includes, in their order.
class JointReader {
  public:
    // `bodies` are those of the whole scene so far, of which the file's begin at `first`.
    JointReader(const Document& document, std::span<const physics::BodyDef> bodies, std::size_t first)
        : document_(document), bodies_(bodies), first_(first) {}

    physics::JointDef read(const Node& node);

  private:
    physics::BodyId body(const Node& node, std::string_view what);
    physics::JointLimits read_limits(const Node& node) const;
    physics::JointMotor read_motor(const Node& node) const;
    physics::JointSpring read_spring(const Node& node) const;
    physics::JointAxis read_axis(const Node& node, std::string_view name) const;
    void read_frames(const ObjectReader& reader, physics::JointDef& joint) const;

    const Document& document_;
    std::span<const physics::BodyDef> bodies_;
    std::size_t first_;
    struct Named {
        std::size_t index = 0, count = 0;
    };
    std::unordered_map<std::string_view, Named> by_name_; // filled when the first name is looked up
};

} // namespace cairn::core
