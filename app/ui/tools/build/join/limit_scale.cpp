#include "app/ui/tools/build/join/limit_scale.h"

#include "app/ui/camera/picking.h"
#include "app/ui/tools/gizmo/gizmo.h"
#include "app/ui/widgets/palette.h"
#include "physics/world/limits.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

namespace {

using physics::JointKind;
using physics::Vec3;

constexpr float whole_turn = 6.2831853f;
constexpr float near_enough = 9.0f; // window units at scale 1, from what is clicked

} // namespace

physics::Transform drawn_frame(const Context& ctx, physics::BodyId body, const physics::Transform& frame) {
    const auto pose = ctx.view.drawn_pose(body);
    return pose ? physics::compose(*pose, frame) : frame;
}

bool near_point(const Context& ctx, const glm::vec3& point, const glm::vec2& at) {
    const auto there = window_position(ctx.camera.camera(), point, ctx.window_size());
    return there && glm::distance(*there, at) < near_enough * ctx.window.scale;
}

glm::vec3 LimitScale::at(float position) const {
    constexpr float radius = 0.5f; // m
    return turns ? origin + radius * (std::cos(position) * x + std::sin(position) * y) : origin + position * axis;
}

std::optional<float> LimitScale::under(const Context& ctx, const glm::vec2& cursor, float last) const {
    const physics::Ray ray = cursor_ray(ctx.camera.camera(), cursor, ctx.window_size());
    const JointKind kind = joint.def->kind;
    if (!turns) {
        const auto along = gizmo::along_axis(ray, origin, axis);
        return along && kind == JointKind::distance ? std::max(*along, 0.0f) : along;
    }
    const auto point = meet_plane(ray, origin, axis);
    if (!point) {
        return std::nullopt;
    }
    const glm::vec3 arm = *point - origin;
    const float angle = std::atan2(glm::dot(arm, y), glm::dot(arm, x));
    const float most = kind == JointKind::ball ? physics::limits::joint_cone : physics::limits::joint_angle;
    return std::clamp(last + std::remainder(angle - last, whole_turn), -most, most);
}

void LimitScale::draw(render::DrawList& list) const {
    const glm::vec4 sure(colours::accent(), 1.0f), would_be(colours::accent(), 0.6f);
    const physics::JointLimits& limits = *joint.def->limits;
    const float range = limits.upper - limits.lower, shown = turns ? std::min(range, whole_turn) : range;
    const int pieces = turns ? 48 : 1;
    glm::vec3 last = at(limits.lower);
    for (int i = 1; i <= pieces; ++i) {
        const glm::vec3 next = at(limits.lower + shown * static_cast<float>(i) / static_cast<float>(pieces));
        list.lines.push_back({last, next, sure, true});
        last = next;
    }
    for (const float limit : {limits.lower, limits.upper}) {
        if (turns) {
            list.lines.push_back({origin, at(limit), would_be, true});
        }
        list.points.push_back({at(limit), sure, 10.0f});
    }
    list.points.push_back({at(joint.position), would_be, 6.0f});
}

void LimitScale::write(ToolOverlay& overlay) const {
    const physics::JointLimits& limits = *joint.def->limits;
    for (const float limit : {limits.lower, limits.upper}) {
        overlay.grips.push_back(at(limit));
        overlay.write(at(limit), turns ? "%.2f rad" : "%.3f m", static_cast<double>(limit));
    }
}

std::optional<LimitScale> scale_of_open_joint(const Context& ctx) {
    for (const physics::JointState& joint : ctx.frame().joints) {
        const physics::JointDef& def = *joint.def;
        if (!(joint.id == ctx.open_joint) || !def.limits) {
            continue;
        }
        const physics::Transform a = drawn_frame(ctx, def.body_a, def.frame_a);
        const physics::Transform b = drawn_frame(ctx, def.body_b, def.frame_b);
        LimitScale scale;
        scale.joint = joint;
        scale.turns = def.kind == JointKind::hinge || def.kind == JointKind::ball;
        scale.origin = a.position;
        scale.axis = def.kind == JointKind::distance ? physics::normalized_or(b.position - a.position, Vec3(0, 0, -1))
                                                     : physics::rotate(a.orientation, Vec3(0, 0, 1));
        scale.x = physics::rotate(a.orientation, Vec3(1, 0, 0));
        scale.y = physics::rotate(a.orientation, Vec3(0, 1, 0));
        const bool known = scale.turns || def.kind == JointKind::slider || def.kind == JointKind::distance;
        return known ? std::optional(scale) : std::nullopt;
    }
    return std::nullopt;
}

} // namespace cairn::ui
