#include "app/ui/tools/build/room.h"

#include "app/core/scene/worlds/frame_bodies.h"
#include "app/ui/view/scene_view.h"
#include "physics/query/mesh/mesh_pair.h"

#include <algorithm>
#include <limits>

namespace cairn::ui {

namespace {

// Two meshes never touch: they hold no more than their surfaces.
bool shapes_overlap(const physics::Shape& a, const physics::Transform& at_a, const physics::Shape& b,
                    const physics::Transform& at_b) {
    if (a.kind == physics::ShapeKind::mesh) {
        return b.kind != physics::ShapeKind::mesh && physics::overlap_any(b, at_b, a, at_a);
    }
    return physics::overlap_any(a, at_a, b, at_b);
}

bool overlap(const physics::BodyModel& a, const physics::Transform& pose_a, const physics::BodyModel& b,
             const physics::Transform& pose_b) {
    for (const physics::BodyModel::Part& one : a.parts) {
        const physics::Transform at = physics::compose(pose_a, one.pose);
        for (const physics::BodyModel::Part& other : b.parts) {
            if (!one.sensor && !other.sensor &&
                shapes_overlap(*one.shape, at, *other.shape, physics::compose(pose_b, other.pose))) {
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

std::optional<float> rise_from_meshes(const physics::FrameState& frame, const physics::BodyModel& model,
                                      const physics::Transform& pose, const physics::Vec3& direction, float most) {
    const auto risen = [&](float by) { return physics::Transform{pose.position + by * direction, pose.orientation}; };
    std::vector<std::size_t> near;
    find_near(frame, physics::united(body_bounds(model, pose), body_bounds(model, risen(most))), near);
    std::erase_if(near, [&](std::size_t slot) {
        return std::ranges::none_of(frame.models[slot]->parts, [](const physics::BodyModel::Part& part) {
            return part.shape->kind == physics::ShapeKind::mesh;
        });
    });
    const auto free = [&](float by) { return near.empty() || !in_the_way(frame, near, model, risen(by)); };
    if (free(0.0f)) {
        return 0.0f;
    }
    // The first room that there is, then as near to the surface as a few halvings come.
    constexpr int stages = 16, halvings = 10;
    float blocked = 0.0f, clear = 0.0f;
    for (int i = 1; i <= stages && clear == 0.0f; ++i) {
        const float by = most * static_cast<float>(i) / static_cast<float>(stages);
        (free(by) ? clear : blocked) = by;
    }
    if (clear == 0.0f) {
        return std::nullopt;
    }
    for (int i = 0; i < halvings; ++i) {
        const float by = 0.5f * (blocked + clear);
        (free(by) ? clear : blocked) = by;
    }
    return clear;
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
