#include "app/core/export/gltf_joints.h"

#include "app/core/scene/writer/joint_writer.h"

#include <initializer_list>
#include <numbers>

namespace cairn::core {

using physics::JointAxis;
using physics::JointDef;
using physics::JointKind;
using physics::JointLimits;
using physics::JointMotor;
using physics::JointSpring;

namespace {

constexpr const char* linear_axes = "linearAxes";
constexpr const char* angular_axes = "angularAxes";
// Of a motor, which holds its speed as far as its force reaches: 1/s, far beyond what steps resolve.
constexpr double stiff_damping = 1e6;

Json limit(const char* kind, std::initializer_list<int> axes, float least, float most) {
    return {{kind, Json(axes)}, {"min", json_of(least)}, {"max", json_of(most)}};
}

Json locked(const char* kind, std::initializer_list<int> axes) {
    return limit(kind, axes, 0.0f, 0.0f);
}

Json drive(const char* type, int axis) {
    return {{"type", type}, {"mode", "acceleration"}, {"axis", axis}};
}

Json motor_drive(const char* type, int axis, const JointMotor& motor) {
    Json out = drive(type, axis);
    out["maxForce"] = json_of(motor.max_force);
    out["velocityTarget"] = json_of(motor.speed);
    out["damping"] = stiff_damping;
    return out;
}

// For each unit of mass: so the frequency says it, whatever hangs on the spring. In double precision, in which the
// frequency can be had back exactly.
Json spring_drive(const char* type, int axis, const JointSpring& spring) {
    const double turn = 2.0 * std::numbers::pi * static_cast<double>(spring.hertz);
    Json out = drive(type, axis);
    if (spring.max_force) {
        out["maxForce"] = json_of(*spring.max_force);
    }
    out["positionTarget"] = json_of(spring.target);
    out["stiffness"] = turn * turn;
    out["damping"] = 2.0 * static_cast<double>(spring.damping_ratio) * turn;
    return out;
}

// Of a joint whose one free axis is Z.
void add_axis(const JointDef& def, const char* kind, const char* type, Json& limits, Json& drives) {
    if (def.limits) {
        limits.push_back(limit(kind, {2}, def.limits->lower, def.limits->upper));
    }
    if (def.motor) {
        drives.push_back(motor_drive(type, 2, *def.motor));
    }
    if (def.spring) {
        drives.push_back(spring_drive(type, 2, *def.spring));
    }
}

void add_six(const JointDef& def, Json& limits, Json& drives) {
    for (std::size_t i = 0; i < def.axes.size(); ++i) {
        const JointAxis& axis = def.axes[i];
        const bool linear = i < 3;
        const char* kind = linear ? linear_axes : angular_axes;
        const char* type = linear ? "linear" : "angular";
        const int place = static_cast<int>(i % 3);
        switch (axis.mode) {
        case JointAxis::Mode::locked:
            limits.push_back(locked(kind, {place}));
            break;
        case JointAxis::Mode::free:
            break;
        case JointAxis::Mode::limited:
            limits.push_back(limit(kind, {place}, axis.limits.lower, axis.limits.upper));
            break;
        case JointAxis::Mode::motor:
            drives.push_back(motor_drive(type, place, axis.motor));
            break;
        case JointAxis::Mode::spring:
            drives.push_back(spring_drive(type, place, axis.spring));
            break;
        }
    }
}

} // namespace

Json limits_and_drives(const JointDef& def) {
    Json limits = Json::array(), drives = Json::array();
    const auto point = [&] { limits.push_back(locked(linear_axes, {0, 1, 2})); };
    switch (def.kind) {
    case JointKind::ball:
        point();
        if (def.cone) {
            limits.push_back(limit(angular_axes, {0, 1}, 0.0f, *def.cone));
        }
        if (def.limits) {
            limits.push_back(limit(angular_axes, {2}, def.limits->lower, def.limits->upper));
        }
        for (int axis = 0; def.motor && axis < 3; ++axis) {
            drives.push_back(motor_drive("angular", axis, {axis == 2 ? def.motor->speed : 0.0f, def.motor->max_force}));
        }
        break;
    case JointKind::hinge:
        point();
        limits.push_back(locked(angular_axes, {0, 1}));
        add_axis(def, angular_axes, "angular", limits, drives);
        break;
    case JointKind::slider:
        limits.push_back(locked(linear_axes, {0, 1}));
        limits.push_back(locked(angular_axes, {0, 1, 2}));
        add_axis(def, linear_axes, "linear", limits, drives);
        break;
    case JointKind::weld:
        point();
        limits.push_back(locked(angular_axes, {0, 1, 2}));
        break;
    case JointKind::distance: {
        const JointLimits reach = def.limits.value_or(JointLimits{def.length, def.length});
        if (!def.spring) {
            limits.push_back(limit(linear_axes, {0, 1, 2}, reach.lower, reach.upper));
        }
        break;
    }
    case JointKind::universal:
        point();
        limits.push_back(locked(angular_axes, {2}));
        break;
    case JointKind::six_dof:
        add_six(def, limits, drives);
        break;
    case JointKind::gear:
    case JointKind::rack:
    case JointKind::pulley:
        break;
    }
    Json out = Json::object();
    if (!limits.empty()) { // the format has no empty lists
        out["limits"] = std::move(limits);
    }
    if (!drives.empty()) {
        out["drives"] = std::move(drives);
    }
    return out;
}

Json scene_words(const JointDef& def) {
    Json out = Json::parse(joint_text(def, BodyReferences(), 0));
    for (const char* key : {"a", "b", "anchor_a", "anchor_b", "frame_a", "frame_b", "collide"}) {
        out.erase(key);
    }
    return out;
}

} // namespace cairn::core
