#include "app/ui/tools/build/room.h"

#include "app/core/scene/worlds/frame_bodies.h"
#include "app/ui/view/scene_view.h"
#include "physics/query/distance.h"

#include <algorithm>
#include <limits>

namespace cairn::ui {

namespace {

bool overlap(const physics::BodyModel& a, const physics::Transform& pose_a, const physics::BodyModel& b,
             const physics::Transform& pose_b) {
    for (const physics::BodyModel::Part& one : a.parts) {
        const physics::Transform at = physics::compose(pose_a, one.pose);
        for (const physics::BodyModel::Part& other : b.parts) {
            if (!one.sensor && !other.sensor &&
                physics::overlap(*one.shape, at, *other.shape, physics::compose(pose_b, other.pose))) {
                return true;
            }
        }
    }
    return false;
}

} // namespace

void find_near(const physics::FrameState& frame, const physics::Aabb& box, std::vector<std::size_t>& slots) {
    slots.clear();
    const physics::Vec3 middle = 0.5f * (box.lower + box.upper);
    const float half = 0.5f * glm::length(box.upper - box.lower);
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const physics::Transform& pose = frame.bodies[i].pose;
        const float room = half + core::reach_of(*frame.models[i]);
        const physics::Vec3 apart = pose.position - middle;
        if (glm::dot(apart, apart) <= room * room && physics::overlaps(box, body_bounds(*frame.models[i], pose))) {
            slots.push_back(i);
        }
    }
}

std::optional<std::size_t> in_the_way(const physics::FrameState& frame, std::span<const std::size_t> slots,
                                      const physics::BodyModel& model, const physics::Transform& pose) {
    const physics::Aabb box = body_bounds(model, pose);
    for (const std::size_t slot : slots) {
        const physics::Transform& at = frame.bodies[slot].pose;
        if (physics::overlaps(box, body_bounds(*frame.models[slot], at)) &&
            overlap(model, pose, *frame.models[slot], at)) {
            return slot;
        }
    }
    return std::nullopt;
}

float extent_along(const physics::BodyModel& model, const physics::Quat& orientation, const physics::Vec3& direction) {
    float extent = -std::numeric_limits<float>::max();
    for (const physics::BodyModel::Part& part : model.parts) {
        if (!model.is_solid(part)) {
            continue;
        }
        const physics::Transform at = physics::compose({physics::Vec3(0.0f), orientation}, part.pose);
        const physics::Vec3 far =
            physics::to_world(at, physics::support(*part.shape, physics::inverse_rotate(at.orientation, direction)));
        extent = std::max(extent, glm::dot(far, direction));
    }
    return model.parts.empty() ? 0.0f : extent;
}

} // namespace cairn::ui
