// What a body has of energy.
#pragma once

#include "tests/physics/world/world_builder.h"

namespace cairn::physics::testing {

// J, kinetic and, against 9.81 m/s^2, potential from z = 0 on.
inline double mechanical_energy(const World& world, BodyId id) {
    const BodyState state = state_of(world, id);
    const auto model = world.model(id);
    const Vec3 local = inverse_rotate(state.pose.orientation, state.angular_velocity);
    return 0.5 * static_cast<double>(model->mass * glm::dot(state.linear_velocity, state.linear_velocity) +
                                     glm::dot(local, model->inertia * local)) +
           static_cast<double>(model->mass) * 9.81 * static_cast<double>(state.pose.position.z);
}

} // namespace cairn::physics::testing
