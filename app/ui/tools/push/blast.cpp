#include "app/ui/tools/push/blast.h"

#include "physics/base/math.h"

#include <algorithm>

namespace cairn::ui {

float share_at(float distance, float radius) {
    return radius > 0.0f ? std::clamp(1.0f - distance / radius, 0.0f, 1.0f) : 0.0f;
}

glm::vec3 blast_velocity(const glm::vec3& centre, const glm::vec3& body, float radius, float speed) {
    const glm::vec3 away = body - centre;
    return share_at(glm::length(away), radius) * speed * physics::normalized_or(away, glm::vec3(0, 0, 1));
}

} // namespace cairn::ui
