#include "app/core/scene/parser/scene_joints.h"

#include "app/core/base/frame_along.h"
#include "app/core/scene/values/scene_keys.h"
#include "app/core/scene/values/value_reader.h"
#include "physics/world/parameters/validation.h"

#include <algorithm>

namespace cairn::core {

namespace {

using physics::BodyId;
using physics::JointDef;
using physics::JointKind;
using physics::Quat;
using physics::Transform;
using physics::Vec3;

// Kinds that need to be told where they are.
bool holds_a_point(JointKind kind) {
    return kind == JointKind::ball || kind == JointKind::hinge || kind == JointKind::slider ||
           kind == JointKind::weld || kind == JointKind::universal || kind == JointKind::six_dof;
}

} // namespace

BodyId JointReader::body(const Node& node, std::string_view what) {
    const std::size_t count = bodies_.size() - first_;
    std::size_t index = 0;
    if (node.kind == NodeKind::string) {
        if (by_name_.empty()) {
            for (std::size_t i = first_; i < bodies_.size(); ++i) {
                Named& named = by_name_[bodies_[i].name];
                named.index = i;
                ++named.count;
            }
        }
        const auto found = by_name_.find(node.string);
        if (node.string.empty() || found == by_name_.end()) {
            document_.fail(node, "there is no body named " + in_quotes(node.string) + " in this file");
        }
        if (found->second.count > 1) {
            document_.fail(node, std::to_string(found->second.count) + " bodies are named " + in_quotes(node.string) +
                                     "; use an index");
        }
        index = found->second.index;
    } else if (node.kind == NodeKind::number && node.is_integer) {
        if (node.integer < 0 || static_cast<std::size_t>(node.integer) >= count) {
            document_.fail(node, in_quotes(what) + " is not the index of a body; the file has " +
                                     std::to_string(count) + (count == 0 ? "" : ", counted from 0"));
        }
        index = first_ + static_cast<std::size_t>(node.integer);
    } else {
        document_.fail(node, in_quotes(what) + " must be the name or the index of a body, not " +
                                 std::string(kind_name(node.kind)));
    }
    return {static_cast<std::uint32_t>(index), 0};
}

// Where and how the joint sits in its two bodies: stated in the world at the start, or in the bodies' own frames.
void JointReader::read_frames(const ObjectReader& reader, JointDef& joint) const {
    const Transform a = joint.body_a ? bodies_[joint.body_a.index].pose : Transform{};
    const Transform b = bodies_[joint.body_b.index].pose;
    const auto vector = [&](std::string_view key, Vec3& target) {
        return reader.take(key, target, read_vector, coordinate_range);
    };
    const auto exclude = [&](std::string_view key, std::initializer_list<std::string_view> others) {
        const Node* node = reader.find(key);
        for (const std::string_view other : others) {
            if (node != nullptr && reader.find(other) != nullptr) {
                document_.fail_at_key(*node,
                                      "a joint takes " + in_quotes(key) + " or " + in_quotes(other) + ", not both");
            }
        }
    };
    exclude("anchor", {"anchor_a", "anchor_b"});
    exclude("axis", {"frame_a", "frame_b"});
    exclude("axis_b", {"frame_a", "frame_b"});

    Vec3 anchor(0.0f);
    const bool has_a = vector("anchor_a", joint.frame_a.position);
    const bool has_b = vector("anchor_b", joint.frame_b.position);
    if (vector("anchor", anchor)) {
        joint.frame_a.position = physics::to_local(a, anchor);
        joint.frame_b.position = physics::to_local(b, anchor);
    } else if (holds_a_point(joint.kind) && !(has_a && has_b)) {
        if (!has_a && !has_b) {
            document_.fail(reader.object(), "a joint needs \"anchor\" in the world, or \"anchor_a\" or \"anchor_b\"");
        }
        if (has_a) {
            joint.frame_b.position = physics::to_local(b, physics::to_world(a, joint.frame_a.position));
        } else {
            joint.frame_a.position = physics::to_local(a, physics::to_world(b, joint.frame_b.position));
        }
    }

    const bool has_frame_a = reader.take("frame_a", joint.frame_a.orientation, read_orientation);
    const bool has_frame_b = reader.take("frame_b", joint.frame_b.orientation, read_orientation);
    if (!has_frame_a && !has_frame_b) {
        const auto direction = [&](std::string_view key, Vec3 axis) {
            if (vector(key, axis) && !(glm::dot(axis, axis) > 1e-12f)) {
                document_.fail(*reader.find(key), in_quotes(key) + " must not be zero");
            }
            return glm::normalize(axis);
        };
        const Vec3 axis = direction("axis", Vec3(0.0f, 0.0f, 1.0f));
        joint.frame_a.orientation = physics::normalized(glm::conjugate(a.orientation) * frame_along(axis));
        joint.frame_b.orientation =
            physics::normalized(glm::conjugate(b.orientation) * frame_along(direction("axis_b", axis)));
    } else if (!has_frame_a) {
        joint.frame_a.orientation =
            physics::normalized(glm::conjugate(a.orientation) * b.orientation * joint.frame_b.orientation);
    } else if (!has_frame_b) {
        joint.frame_b.orientation =
            physics::normalized(glm::conjugate(b.orientation) * a.orientation * joint.frame_a.orientation);
    }
}

physics::JointLimits JointReader::read_limits(const Node& node) const {
    if (node.kind != NodeKind::array || node.child_count != 2) {
        document_.fail(node, "\"limits\" must be [lower, upper]");
    }
    const Node* lower = document_.first(node);
    return {read_number(document_, *lower, "limits", joint_limit_range),
            read_number(document_, *document_.next(*lower), "limits", joint_limit_range)};
}

physics::JointMotor JointReader::read_motor(const Node& node) const {
    const ObjectReader motor(document_, node, "\"motor\"", joint_motor_keys);
    return {read_number(document_, motor.require("speed"), "speed", joint_speed_range),
            read_number(document_, motor.require("max_force"), "max_force", joint_force_range)};
}

physics::JointSpring JointReader::read_spring(const Node& node) const {
    const ObjectReader spring(document_, node, "\"spring\"", joint_spring_keys);
    physics::JointSpring terms;
    terms.hertz = read_number(document_, spring.require("hertz"), "hertz", joint_hertz_range);
    spring.take("damping_ratio", terms.damping_ratio, read_number, joint_damping_range);
    spring.take("target", terms.target, read_number, joint_limit_range);
    spring.take("max_force", terms.max_force, read_number, joint_force_range);
    return terms;
}

// "locked", "free", or an object with what acts on the axis.
physics::JointAxis JointReader::read_axis(const Node& node, std::string_view name) const {
    using Mode = physics::JointAxis::Mode;
    physics::JointAxis axis;
    if (node.kind == NodeKind::string) {
        const std::string word = read_string(document_, node, name);
        if (word != "locked" && word != "free") {
            document_.fail(node, in_quotes(name) + " must be \"locked\", \"free\", or an object with \"limits\", "
                                                   "\"motor\" or \"spring\"");
        }
        axis.mode = word == "free" ? Mode::free : Mode::locked;
        return axis;
    }
    const ObjectReader reader(document_, node, "an axis of a joint", joint_axis_keys);
    if (node.child_count != 1) {
        document_.fail(node, "an axis of a joint has either \"limits\" or a \"motor\" or a \"spring\"");
    }
    if (const Node* value = reader.find("limits")) {
        axis.mode = Mode::limited;
        axis.limits = read_limits(*value);
    } else if (const Node* motor = reader.find("motor")) {
        axis.mode = Mode::motor;
        axis.motor = read_motor(*motor);
    } else {
        axis.mode = Mode::spring;
        axis.spring = read_spring(reader.require("spring"));
    }
    return axis;
}

JointDef JointReader::read(const Node& node) {
    const ObjectReader reader(document_, node, "a joint", joint_keys);
    JointDef joint;
    const Node& type = reader.require("type");
    const std::string word = read_string(document_, type, "type");
    const auto kind = std::ranges::find(joint_kinds, word);
    if (kind == joint_kinds.end()) {
        document_.fail(type, "unknown joint " + in_quotes(word) + ";" + suggestion(word, joint_kinds));
    }
    joint.kind = static_cast<JointKind>(kind - joint_kinds.begin());
    reader.take("name", joint.name, read_string);
    const Node* a = reader.find("a");
    if (a != nullptr && a->kind != NodeKind::null) {
        joint.body_a = body(*a, "a");
    }
    const Node& b = reader.require("b");
    joint.body_b = body(b, "b");
    if (joint.body_a == joint.body_b) {
        document_.fail(b, "a joint needs two bodies, not the same one twice");
    }
    const auto dynamic = [&](BodyId id) { return id && bodies_[id.index].type == physics::BodyType::dynamic; };
    if (!dynamic(joint.body_a) && !dynamic(joint.body_b)) {
        document_.fail(node, "a joint needs at least one dynamic body");
    }
    read_frames(reader, joint);
    reader.take("collide", joint.collide, read_boolean);
    const auto only_of = [&](const Node& value, std::string_view key, std::initializer_list<JointKind> kinds,
                             std::string_view who) {
        if (std::ranges::find(kinds, joint.kind) == kinds.end()) {
            document_.fail_at_key(value, "only " + std::string(who) + " " + in_quotes(key));
        }
    };
    reader.take("ratio", joint.ratio, read_number, joint_ratio_range);
    for (const auto& [key, ground] : {std::pair("ground_a", &joint.ground_a), std::pair("ground_b", &joint.ground_b)}) {
        if (const Node* value = reader.find(key)) {
            *ground = read_vector(document_, *value, key, coordinate_range);
            only_of(*value, key, {JointKind::pulley}, "a pulley has");
        } else if (joint.kind == JointKind::pulley) {
            reader.require(key);
        }
    }
    const bool has_length = joint.kind == JointKind::distance || joint.kind == JointKind::pulley;
    if (const Node* value = reader.find("length")) {
        only_of(*value, "length", {JointKind::distance, JointKind::pulley}, "distance and pulley joints have a");
        joint.length = read_number(document_, *value, "length", joint_length_range);
    } else if (has_length) {
        const Transform pose_a = joint.body_a ? bodies_[joint.body_a.index].pose : Transform{};
        const Vec3 end_a = physics::to_world(pose_a, joint.frame_a.position);
        const Vec3 end_b = physics::to_world(bodies_[joint.body_b.index].pose, joint.frame_b.position);
        joint.length = joint.kind == JointKind::distance
                           ? glm::length(end_b - end_a)
                           : glm::length(end_a - joint.ground_a) + joint.ratio * glm::length(end_b - joint.ground_b);
    }
    if (const Node* value = reader.find("ignore_within")) {
        joint.ignore_within =
            static_cast<int>(read_integer(document_, *value, "ignore_within", 1, physics::limits::ignore_within));
    }
    reader.take("break_force", joint.break_force, read_number, joint_force_range);
    reader.take("break_torque", joint.break_torque, read_number, joint_force_range);
    if (const Node* value = reader.find("limits")) {
        joint.limits = read_limits(*value);
    }
    if (const Node* value = reader.find("motor")) {
        joint.motor = read_motor(*value);
    }
    if (const Node* value = reader.find("spring")) {
        joint.spring = read_spring(*value);
    }
    if (joint.kind == JointKind::six_dof) {
        joint.axes.resize(physics::joint_axes);
    }
    if (const Node* value = reader.find("axes")) {
        only_of(*value, "axes", {JointKind::six_dof}, "joints of six degrees of freedom have");
        const ObjectReader axes(document_, *value, "\"axes\"", axis_names);
        for (std::size_t i = 0; i < axis_names.size(); ++i) {
            if (const Node* axis = axes.find(axis_names[i])) {
                joint.axes[i] = read_axis(*axis, axis_names[i]);
            }
        }
    }
    reader.take("cone", joint.cone, read_number, joint_cone_range);
    if (const std::string problem = physics::problem_with(joint); !problem.empty()) {
        document_.fail(node, problem);
    }
    return joint;
}

} // namespace cairn::core
