#include "app/lab/scene_pair.h"

#include "app/core/scene/worlds/frame_bodies.h"
#include "physics/query/mesh/mesh_pair.h"

#include <limits>

namespace cairn::core::lab {

using physics::BodyId;
using physics::BodyModel;
using physics::FrameState;
using physics::Transform;

namespace {

struct Nearest {
    std::size_t part_a = 0, part_b = 0;
    float distance = std::numeric_limits<float>::max();
};

// To the surface of a mesh. Two meshes never touch, and none is near another.
float distance_of(const physics::Shape& a, const Transform& pose_a, const physics::Shape& b, const Transform& pose_b,
                  float limit) {
    const bool of_a = a.kind == physics::ShapeKind::mesh, of_b = b.kind == physics::ShapeKind::mesh;
    if (!of_a && !of_b) {
        return physics::signed_distance(a, pose_a, b, pose_b).distance;
    }
    const auto nearest = of_a && of_b ? std::nullopt
                         : of_a       ? physics::mesh_distance(b, pose_b, a, pose_a, limit)
                                      : physics::mesh_distance(a, pose_a, b, pose_b, limit);
    return nearest ? nearest->distance : limit;
}

Nearest nearest_parts(const BodyModel& a, const Transform& pose_a, const BodyModel& b, const Transform& pose_b) {
    Nearest best;
    for (std::size_t i = 0; i < a.parts.size(); ++i) {
        for (std::size_t k = 0; k < b.parts.size(); ++k) {
            if (!a.is_solid(a.parts[i]) || !b.is_solid(b.parts[k])) {
                continue;
            }
            const float distance = distance_of(*a.parts[i].shape, compose(pose_a, a.parts[i].pose), *b.parts[k].shape,
                                               compose(pose_b, b.parts[k].pose), best.distance);
            if (distance < best.distance) {
                best = {i, k, distance};
            }
        }
    }
    return best;
}

} // namespace

std::string body_name(const FrameState& frame, std::size_t slot) {
    return core::body_name(frame.models[slot]->def, frame.bodies[slot].id);
}

LabPair pair_of_parts(const FrameState& frame, const PartOfBody& a, const PartOfBody& b, float look_ahead) {
    LabPair pair;
    const BodyModel::Part& part_a = frame.models[a.slot]->parts[a.part];
    const BodyModel::Part& part_b = frame.models[b.slot]->parts[b.part];
    pair.origin = DVec3(frame.bodies[a.slot].pose.position);
    pair.name_a = body_name(frame, a.slot);
    pair.name_b = body_name(frame, b.slot);
    const auto sweep_of = [&](std::size_t slot) {
        const physics::BodyState& state = frame.bodies[slot];
        physics::Sweep sweep;
        sweep.start = state.pose;
        sweep.start.position = physics::Vec3(DVec3(state.pose.position) - pair.origin);
        sweep.linear_velocity = state.linear_velocity;
        sweep.angular_velocity = state.angular_velocity;
        return sweep;
    };
    pair.sweep_a = sweep_of(a.slot);
    pair.sweep_b = sweep_of(b.slot);
    pair.a = *part_a.shape;
    pair.b = *part_b.shape;
    pair.sweep_a.shape_pose = part_a.pose;
    pair.sweep_b.shape_pose = part_b.pose;
    pair.duration = look_ahead;
    return pair;
}

std::optional<LabPair> pair_in_scene(const FrameState& frame, BodyId a, BodyId b, float look_ahead) {
    const auto slot_a = find_body(frame, a);
    const auto slot_b = find_body(frame, b);
    if (!slot_a || !slot_b || slot_a == slot_b) {
        return std::nullopt;
    }
    // The poses of the bodies, from the origin of the pair, are the same whichever parts are meant.
    const LabPair bodies = pair_of_parts(frame, {*slot_a, 0}, {*slot_b, 0}, look_ahead);
    const Nearest parts =
        nearest_parts(*frame.models[*slot_a], bodies.sweep_a.start, *frame.models[*slot_b], bodies.sweep_b.start);
    return pair_of_parts(frame, {*slot_a, parts.part_a}, {*slot_b, parts.part_b}, look_ahead);
}

BodyId nearest_body(const FrameState& frame, BodyId body) {
    const auto slot = find_body(frame, body);
    if (!slot) {
        return {};
    }
    const Transform& pose = frame.bodies[*slot].pose;
    const float reach = reach_of(*frame.models[*slot]);
    BodyId best;
    float least = std::numeric_limits<float>::max();
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const Transform& other = frame.bodies[i].pose;
        // Balls about the bodies exclude most of them.
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
