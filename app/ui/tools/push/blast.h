// How strongly a blast, or the wand, reaches a body. Pure.
#pragma once

#include <glm/glm.hpp>

namespace cairn::ui {

// Share of the full strength at `distance` m from the middle of a reach of `radius` m: 1 in the middle, falling evenly
// to 0.
float share_at(float distance, float radius);

// What a blast at `centre` adds to the velocity of a body whose centre of mass is at `body`, m/s; `speed` is what it
// gives in the middle. Away from the blast; straight up for what lies on it.
glm::vec3 blast_velocity(const glm::vec3& centre, const glm::vec3& body, float radius, float speed);

} // namespace cairn::ui
