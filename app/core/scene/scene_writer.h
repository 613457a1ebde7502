// The text of a scene, whole or in parts.
#pragma once

#include "app/core/scene/scene.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn::core {

// Every member spelled out, for changing one of them by its path. The header has no bodies.
std::string full_header_text(const Scene& scene);
std::string full_body_text(const physics::BodyDef& body);
std::string full_joint_text(const physics::JointDef& joint);

// An entry of "zones" and one of "expect".
std::string zone_text(const Zone& zone);
std::string expectation_text(const Expectation& expectation);
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

// One entry of a scene's list, defaults left out; `indent`: of the lines after the first.
std::string body_text(const physics::BodyDef& body, std::size_t indent);
std::string joint_text(const physics::JointDef& joint, const BodyReferences& bodies, std::size_t indent);
// Key and value of each parameter that one object of the file may hold and that differs; "" is the file itself.
std::vector<std::pair<std::string_view, std::string>>
changed_parameters(const physics::Settings& before, const physics::Settings& after, std::string_view section);
std::string json_text(const std::string& text);
std::string json_text(const physics::Vec3& vector);
// The list as the file's member "zones" or "expect" holds it.
std::string expectations_text(const Scene& scene);

} // namespace cairn::core
