// Checks of numbers before they reach the world. Each returns an empty text, or what is wrong in words for people.
#pragma once

#include "physics/world/body_def.h"
#include "physics/world/command.h"
#include "physics/world/settings.h"

#include <string>
#include <utility>

namespace cairn::physics {

std::string problem_with(const BodyDef& def); // all but the geometry itself, which build_shape checks
std::string problem_with(const SetBody& change);
std::string problem_with(const Settings& settings);
std::string problem_with(const ApplyImpulse& impulse);
std::string problem_with(const ApplyForce& force);
std::string problem_with(const MoveKinematic& move);
std::string problem_with(const Explode& explosion);
std::string problem_with(const Grab& grab);
std::string problem_with(const JointDef& def); // all but whether its bodies exist
std::string problem_with_position(const Vec3& position);
std::string problem_with_inertia(const Vec3& moments);

inline CommandResult refused(std::string why) {
    CommandResult result;
    result.error = std::move(why);
    return result;
}

inline CommandResult no_such_body(BodyId id) {
    return refused("there is no body " + std::to_string(id.index) + ":" + std::to_string(id.generation));
}

} // namespace cairn::physics
