#include "app/ui/panels/body/rows/joint_frames.h"

#include <algorithm>

namespace cairn::ui {

namespace {

using physics::JointKind;
using physics::Vec3;

// The shortest turn that takes one unit vector to another; about X or Y where they point against each other.
physics::Quat shortest_turn(const Vec3& from, const Vec3& to) {
    const float cosine = glm::dot(from, to);
    if (cosine < -0.9999f) {
        const Vec3 side = std::abs(from.x) < 0.7f ? Vec3(1, 0, 0) : Vec3(0, 1, 0);
        const Vec3 about = glm::normalize(glm::cross(from, side));
        return {0.0f, about.x, about.y, about.z};
    }
    const Vec3 about = glm::cross(from, to);
    return physics::normalized(physics::Quat(1.0f + cosine, about.x, about.y, about.z));
}

} // namespace

bool has_two_anchors(JointKind kind) {
    return kind == JointKind::distance || kind == JointKind::pulley || kind == JointKind::gear ||
           kind == JointKind::rack;
}

bool has_axis(JointKind kind) {
    return kind != JointKind::weld && !has_two_anchors(kind);
}

void move_anchor(physics::JointDef& def, const JointBodies& bodies, JointEnd end, const Vec3& to) {
    const auto anchor_a = [&] { return physics::to_world(bodies.a, def.frame_a.position); };
    const auto anchor_b = [&] { return physics::to_world(bodies.b, def.frame_b.position); };
    const float before = glm::length(anchor_b() - anchor_a());
    const Vec3 by = to - (end == JointEnd::a ? anchor_a() : anchor_b());
    const bool both = !has_two_anchors(def.kind);
    if (both || end == JointEnd::a) {
        def.frame_a.position = physics::to_local(bodies.a, anchor_a() + by);
    }
    if (both || end == JointEnd::b) {
        def.frame_b.position = physics::to_local(bodies.b, anchor_b() + by);
    }
    if (def.kind == JointKind::distance && !def.limits) {
        def.length = std::max(def.length + glm::length(anchor_b() - anchor_a()) - before, 0.0f);
    }
}

void turn_axis(physics::JointDef& def, const JointBodies& bodies, const Vec3& to) {
    const Vec3 from =
        physics::rotate(bodies.a.orientation, physics::rotate(def.frame_a.orientation, Vec3(0.0f, 0.0f, 1.0f)));
    const physics::Quat turn = shortest_turn(from, to);
    const auto turned = [&](const physics::Quat& body, const physics::Quat& frame) {
        return physics::normalized(glm::conjugate(body) * turn * body * frame);
    };
    def.frame_a.orientation = turned(bodies.a.orientation, def.frame_a.orientation);
    def.frame_b.orientation = turned(bodies.b.orientation, def.frame_b.orientation);
}

} // namespace cairn::ui
