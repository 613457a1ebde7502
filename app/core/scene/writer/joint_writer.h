// The text of a scene's joints.
#pragma once

#include "app/core/scene/scene.h"
#include "app/core/scene/values/json_text.h"

#include <unordered_map>

namespace cairn::core {

// How a joint names its bodies: by name where only one body has it, else by index.
class BodyReferences {
  public:
    BodyReferences() = default;                                           // by index
    explicit BodyReferences(const std::vector<physics::BodyDef>& bodies); // which outlive this
    std::string text(physics::BodyId body) const;                         // as JSON

  private:
    const std::vector<physics::BodyDef>* bodies_ = nullptr;
    std::unordered_map<std::string_view, std::size_t> count_;
};

// Every member spelled out, for changing one of them by its path.
std::string full_joint_text(const physics::JointDef& joint);
// One entry of the list, defaults left out; `indent`: of the lines after the first.
std::string joint_text(const physics::JointDef& joint, const BodyReferences& bodies, std::size_t indent);

void write_joint(WrappedText& out, const physics::JointDef& joint, const BodyReferences& bodies, bool everything);

} // namespace cairn::core
