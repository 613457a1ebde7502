#include "app/core/scene/worlds/excerpt.h"

#include "app/core/scene/json/document.h"
#include "app/core/scene/parser/scene_parser.h"

#include <algorithm>
#include <optional>

namespace cairn::core {

Scene excerpt_from(const physics::FrameState& frame, std::span<const std::size_t> places) {
    Scene scene;
    scene.bodies.reserve(places.size());
    for (const std::size_t i : places) {
        const physics::BodyState& state = frame.bodies[i];
        physics::BodyDef& body = scene.bodies.emplace_back(frame.models[i]->def);
        body.type = state.type;
        if (body.mass.has_value()) {
            body.density = physics::BodyDef{}.density; // has no effect then, and no place in a file
        }
        body.pose = state.pose;
        const bool fixed = state.type == physics::BodyType::fixed; // files reject a static body with a velocity
        body.linear_velocity = fixed ? physics::Vec3(0.0f) : state.linear_velocity;
        body.angular_velocity = fixed ? physics::Vec3(0.0f) : state.angular_velocity;
    }
    const auto place_of = [&](physics::BodyId id) -> std::optional<physics::BodyId> {
        const auto found =
            std::lower_bound(places.begin(), places.end(), id.index,
                             [&](std::size_t at, std::uint32_t index) { return frame.bodies[at].id.index < index; });
        if (found == places.end() || frame.bodies[*found].id != id) {
            return std::nullopt;
        }
        return physics::BodyId{static_cast<std::uint32_t>(found - places.begin()), 0};
    };
    for (const physics::JointState& state : frame.joints) {
        physics::JointDef joint = *state.def;
        const auto b = place_of(joint.body_b);
        const auto a = joint.body_a ? place_of(joint.body_a) : std::optional<physics::BodyId>(joint.body_a);
        if (a && b) {
            joint.body_a = *a;
            joint.body_b = *b;
            scene.joints.push_back(std::move(joint));
        }
    }
    return scene;
}

Scene parse_excerpt(std::string_view text, const std::string& name, const std::filesystem::path& folder) {
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    if (last != std::string_view::npos && text[last] == ',') { // a line out of a longer list
        text = text.substr(0, last);
    }
    return excerpt_from_document(Document(text, name), folder);
}

void move_by(Scene& scene, const physics::Vec3& offset) {
    for (physics::BodyDef& body : scene.bodies) {
        body.pose.position += offset;
    }
    for (physics::JointDef& joint : scene.joints) {
        if (!joint.body_a) { // stands in the world
            joint.frame_a.position += offset;
        }
    }
}

} // namespace cairn::core
