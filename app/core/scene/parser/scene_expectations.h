// The "zones" and "expect" of a scene file.
#pragma once

#include "app/core/scene/json/document.h"
#include "app/core/scene/scene.h"

#include <functional>

namespace cairn::core {

// What the file expects of its bodies, those of included files among them, and of its joints. Indices count from the
// first body and joint of the file. `reference` reads the scene that a string names. Throws InputError.
using ReadReference = std::function<Expectation::Reference(const Node& node)>;
void read_zones(const Document& document, const Node& node, Scene& scene);
void read_expectations(const Document& document, const Node& node, const std::vector<physics::BodyDef>& bodies,
                       std::size_t first_body, const std::vector<physics::JointDef>& joints, std::size_t first_joint,
                       const ReadReference& reference, Scene& scene);

// Which bodies or joints a subject stands for, in the order of the scene; empty: none.
std::vector<std::uint32_t> bodies_of(const Expectation::Subject& subject, const std::vector<physics::BodyDef>& bodies);
std::vector<std::uint32_t> joints_of(const Expectation::Subject& subject, const std::vector<physics::JointDef>& joints);

} // namespace cairn::core
