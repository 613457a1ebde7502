#include "app/core/scene/worlds/frame_bodies.h"

#include <algorithm>

namespace cairn::core {

std::optional<std::size_t> find_body(const physics::FrameState& frame, physics::BodyId body) {
    const auto& bodies = frame.bodies;
    auto found = bodies.begin() + std::min<std::ptrdiff_t>(body.index, std::ssize(bodies));
    if (found == bodies.end() || found->id.index != body.index) { // some before it are gone
        found = std::ranges::lower_bound(bodies.begin(), found, body.index, {},
                                         [](const physics::BodyState& b) { return b.id.index; });
    }
    if (!body || found == bodies.end() || found->id != body) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - bodies.begin());
}

float reach_of(const physics::BodyModel& model) {
    float reach = 0.0f;
    for (const physics::BodyModel::Part& part : model.parts) {
        reach = std::max(reach, glm::length(part.pose.position) + part.shape->bounding_radius);
    }
    return reach;
}

std::string body_name(const physics::BodyDef& def, physics::BodyId body) {
    return def.name.empty() ? "body " + std::to_string(body.index) : def.name;
}

} // namespace cairn::core
