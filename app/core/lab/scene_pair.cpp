#include "app/core/lab/scene_pair.h"

#include "physics/query/distance.h"

#include <algorithm>
#include <limits>

namespace cairn::core::lab {

using physics::BodyId;
using physics::BodyModel;
using physics::FrameState;
using physics::Transform;

namespace {

std::optional<std::size_t> slot_of(const FrameState& frame, BodyId body) {
    const auto at = std::find_if(frame.bodies.begin(), frame.bodies.end(),
                                 [&](const physics::BodyState& state) { return state.id == body; });
    return at == frame.bodies.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - frame.bodies.begin()));
}

struct Nearest {
    std::size_t part_a = 0, part_b = 0;
    float distance = std::numeric_limits<float>::max();
};

Nearest nearest_parts(const BodyModel& a, const Transform& pose_a, const BodyModel& b, const Transform& pose_b) {
    Nearest best;
    for (std::size_t i = 0; i < a.parts.size(); ++i) {
        for (std::size_t k = 0; k < b.parts.size(); ++k) {
            const float distance = physics::signed_distance(*a.parts[i].shape, compose(pose_a, a.parts[i].pose),
                                                            *b.parts[k].shape, compose(pose_b, b.parts[k].pose))
                                       .distance;
            if (distance < best.distance) {
                best = {i, k, distance};
            }
        }
    }
    return best;
}

float reach_of(const BodyModel& model) {
    float reach = 0.0f;
    for (const BodyModel::Part& part : model.parts) {
        reach = std::max(reach, glm::length(part.pose.position) + part.shape->bounding_radius);
    }
    return reach;
}

} // namespace

std::string body_name(const FrameState& frame, std::size_t slot) {
    const std::string& name = frame.models[slot]->def.name;
    return name.empty() ? "body " + std::to_string(frame.bodies[slot].id.index) : name;
}

std::optional<LabPair> pair_in_scene(const FrameState& frame, BodyId a, BodyId b, float look_ahead) {
    const auto slot_a = slot_of(frame, a);
    const auto slot_b = slot_of(frame, b);
    if (!slot_a || !slot_b || slot_a == slot_b) {
        return std::nullopt;
    }
    LabPair pair;
    const BodyModel& model_a = *frame.models[*slot_a];
    const BodyModel& model_b = *frame.models[*slot_b];
    pair.origin = DVec3(frame.bodies[*slot_a].pose.position);
    pair.name_a = body_name(frame, *slot_a);
    pair.name_b = body_name(frame, *slot_b);
    const auto sweep_of = [&](std::size_t slot) {
        const physics::BodyState& state = frame.bodies[slot];
        physics::Sweep sweep;
        sweep.start = state.pose;
        sweep.start.position = physics::Vec3(DVec3(state.pose.position) - pair.origin);
        sweep.linear_velocity = state.linear_velocity;
        sweep.angular_velocity = state.angular_velocity;
        return sweep;
    };
    pair.sweep_a = sweep_of(*slot_a);
    pair.sweep_b = sweep_of(*slot_b);
    const Nearest parts = nearest_parts(model_a, pair.sweep_a.start, model_b, pair.sweep_b.start);
    pair.a = *model_a.parts[parts.part_a].shape;
    pair.b = *model_b.parts[parts.part_b].shape;
    pair.sweep_a.shape_pose = model_a.parts[parts.part_a].pose;
    pair.sweep_b.shape_pose = model_b.parts[parts.part_b].pose;
    pair.duration = look_ahead;
    return pair;
}

BodyId nearest_body(const FrameState& frame, BodyId body) {
    const auto slot = slot_of(frame, body);
    if (!slot) {
        return {};
    }
    const Transform& pose = frame.bodies[*slot].pose;
    const float reach = reach_of(*frame.models[*slot]);
    BodyId best;
    float least = std::numeric_limits<float>::max();
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const Transform& other = frame.bodies[i].pose;
        // Balls about the bodies tell most of them apart from the nearest.
        if (i == *slot || glm::length(other.position - pose.position) - reach - reach_of(*frame.models[i]) >= least) {
            continue;
        }
        const float distance = nearest_parts(*frame.models[*slot], pose, *frame.models[i], other).distance;
        if (distance < least) {
            least = distance;
            best = frame.bodies[i].id;
        }
    }
    return best;
}

} // namespace cairn::core::lab
