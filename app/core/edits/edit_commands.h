// What the history of edits must know of single commands.
#pragma once

#include "physics/world/world.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace cairn::core {

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

// Hands every handle in the command to the callables, to be changed.
void for_each_handle(physics::Command& command, const std::function<void(physics::BodyId&)>& on_body,
                     const std::function<void(physics::JointId&)>& on_joint);

std::string name_of(const physics::World& world, physics::BodyId body); // for people
std::string name_of(const physics::World& world, physics::JointId joint);
std::string description(const physics::World& world, const physics::Command& command); // before it is applied

// What puts the body back where it is, with the velocities that it has.
physics::SetBody motion_of(physics::BodyId body, const physics::BodyState& state);
// What sets the members that `set` names to what they are. nullopt if no command can: a mass or tensor that follows
// from the shapes cannot be set to do so again.
std::optional<physics::SetBody> restoring(const physics::BodyModel& model, const physics::BodyState& state,
                                          const physics::SetBody& set);

// The body that a command pushes, sets, colours or gives a material.
std::optional<physics::BodyId> body_changed_by(const physics::Command& command);
bool pushes(const physics::Command& command); // moves what is there, and builds nothing
// Makes `earlier` stand for both, if one command can. What takes back `earlier` must take back both.
bool join(physics::Command& earlier, physics::Command& later);

std::size_t bytes_of(const physics::Command& command); // of heap

} // namespace cairn::core
