#include "app/ui/camera/frame_queries.h"

namespace cairn::ui {

using physics::Aabb;
using physics::BodyType;
using physics::FrameState;
using physics::Transform;
using physics::Vec3;

Transform interpolated(const Transform& from, const Transform& to, float share) {
    Transform out;
    out.position = from.position + share * (to.position - from.position);
    if (from.orientation == to.orientation) { // shares of it would add up to something a little else, another each time
        out.orientation = to.orientation;
        return out;
    }
    // Two quaternions stand for one rotation: take the shorter way. Normalised linear interpolation is within a
    // hundredth of a degree of the arc for the small turns of one step.
    const float sign = glm::dot(from.orientation, to.orientation) < 0.0f ? -1.0f : 1.0f;
    const float a = 1.0f - share, b = sign * share;
    out.orientation = physics::normalized(
        physics::Quat(a * from.orientation.w + b * to.orientation.w, a * from.orientation.x + b * to.orientation.x,
                      a * from.orientation.y + b * to.orientation.y, a * from.orientation.z + b * to.orientation.z));
    return out;
}

Aabb body_bounds(const physics::BodyModel& model, const Transform& pose) {
    Aabb box;
    for (const auto& part : model.parts) {
        if (part.shape && model.is_solid(part)) {
            box = physics::united(box, physics::bounds(*part.shape, physics::compose(pose, part.pose)));
        }
    }
    return box;
}

Aabb scene_bounds(const FrameState& frame) {
    Aabb moving, all;
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const Aabb box = body_bounds(*frame.models[i], frame.bodies[i].pose);
        all = physics::united(all, box);
        if (frame.bodies[i].type == BodyType::dynamic) {
            moving = physics::united(moving, box);
        }
    }
    if (moving.lower.x <= moving.upper.x) {
        return moving;
    }
    return all.lower.x <= all.upper.x ? all : Aabb{Vec3(-1.0f), Vec3(1.0f)};
}

} // namespace cairn::ui
