// The text of a scene, whole or in parts.
#pragma once

#include "app/core/scene/scene.h"

#include <string>

namespace cairn::core {

// Every member spelled out, for changing one of them by its path. The header has no bodies.
std::string full_header_text(const Scene& scene);
std::string full_body_text(const physics::BodyDef& body);
std::string full_joint_text(const physics::JointDef& joint);

// An entry of "zones" and one of "expect".
std::string zone_text(const Zone& zone);
std::string expectation_text(const Expectation& expectation);

} // namespace cairn::core
