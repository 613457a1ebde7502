#include "app/core/scene/writer/joint_writer.h"

#include "app/core/scene/values/scene_keys.h"

namespace cairn::core {

using physics::BodyDef;

BodyReferences::BodyReferences(const std::vector<BodyDef>& bodies) : bodies_(&bodies) {
    for (const BodyDef& body : bodies) {
        ++count_[body.name];
    }
}

std::string BodyReferences::text(physics::BodyId body) const {
    const std::string* name = bodies_ != nullptr ? &(*bodies_)[body.index].name : nullptr;
    return name != nullptr && !name->empty() && count_.at(*name) == 1 ? json_text(*name) : std::to_string(body.index);
}

namespace {

std::string limits_text(const physics::JointLimits& limits) {
    return '[' + json_text(limits.lower, "limits") + ", " + json_text(limits.upper, "limits") + ']';
}

void write_motor(ObjectText& members, const physics::JointMotor& motor) {
    ObjectText out(members.start("motor"));
    out.add("speed", json_text(motor.speed, "speed"));
    out.add("max_force", json_text(motor.max_force, "max_force"));
    out.end();
}

void write_spring(ObjectText& members, const physics::JointSpring& spring, bool everything) {
    ObjectText out(members.start("spring"), everything);
    out.add("hertz", json_text(spring.hertz, "hertz"));
    out.add_unless(0.0f, "damping_ratio", spring.damping_ratio);
    if (!same_bits(spring.target, 0.0f)) {
        out.add("target", json_text(spring.target, "target"));
    }
    out.add_if_any("max_force", spring.max_force);
    out.end();
}

// Limits, motor or spring that the axis does not use in its mode have no effect, and files have no keys for them.
void write_axis(ObjectText& members, std::string_view name, const physics::JointAxis& axis, bool everything) {
    using Mode = physics::JointAxis::Mode;
    if (axis.mode == Mode::locked || axis.mode == Mode::free) {
        if (everything || axis.mode == Mode::free) {
            members.add(name, '"' + std::string(joint_axis_modes[static_cast<std::size_t>(axis.mode)]) + '"');
        }
        return;
    }
    ObjectText out(members.start(name));
    if (axis.mode == Mode::limited) {
        out.add("limits", limits_text(axis.limits));
    } else if (axis.mode == Mode::motor) {
        write_motor(out, axis.motor);
    } else {
        write_spring(out, axis.spring, everything);
    }
    out.end();
}

} // namespace

// Anchors and frames in the bodies' own frames, which keep all bits.
void write_joint(WrappedText& out, const physics::JointDef& joint, const BodyReferences& bodies, bool everything) {
    using physics::JointKind;
    ObjectText members(out, everything);
    members.add("type", '"' + std::string(joint_kinds[static_cast<std::size_t>(joint.kind)]) + '"');
    if (everything || !joint.name.empty()) {
        members.add("name", json_text(joint.name));
    }
    if (joint.body_a) {
        members.add("a", bodies.text(joint.body_a));
    }
    members.add("b", bodies.text(joint.body_b));
    members.add("anchor_a", json_text(joint.frame_a.position, "anchor_a"));
    members.add("anchor_b", json_text(joint.frame_b.position, "anchor_b"));
    members.add("frame_a", json_text(joint.frame_a.orientation, "frame_a"));
    members.add("frame_b", json_text(joint.frame_b.orientation, "frame_b"));
    const bool has_ratio =
        joint.kind == JointKind::gear || joint.kind == JointKind::rack || joint.kind == JointKind::pulley;
    if (has_ratio) {
        members.add_unless(1.0f, "ratio", joint.ratio);
    }
    if (joint.kind == JointKind::pulley) {
        members.add("ground_a", json_text(joint.ground_a, "ground_a"));
        members.add("ground_b", json_text(joint.ground_b, "ground_b"));
    }
    if (joint.kind == JointKind::distance || joint.kind == JointKind::pulley) {
        members.add("length", json_text(joint.length, "length"));
    }
    if (joint.limits) {
        members.add("limits", limits_text(*joint.limits));
    }
    if (joint.motor) {
        write_motor(members, *joint.motor);
    }
    if (joint.spring) {
        write_spring(members, *joint.spring, everything);
    }
    if (!joint.axes.empty()) {
        ObjectText axes(members.start("axes"));
        for (std::size_t i = 0; i < joint.axes.size(); ++i) {
            write_axis(axes, axis_names[i], joint.axes[i], everything);
        }
        axes.end();
    }
    members.add_if_any("cone", joint.cone);
    if (everything || joint.collide) {
        members.add("collide", joint.collide ? "true" : "false");
    }
    if (everything || joint.ignore_within != 1) {
        members.add("ignore_within", std::to_string(joint.ignore_within));
    }
    members.add_if_any("break_force", joint.break_force);
    members.add_if_any("break_torque", joint.break_torque);
    members.end();
}

std::string full_joint_text(const physics::JointDef& joint) {
    return wrapped(0, [&](WrappedText& out) { write_joint(out, joint, {}, true); });
}

std::string joint_text(const physics::JointDef& joint, const BodyReferences& bodies, std::size_t indent) {
    return wrapped(indent, [&](WrappedText& out) { write_joint(out, joint, bodies, false); });
}

} // namespace cairn::core
