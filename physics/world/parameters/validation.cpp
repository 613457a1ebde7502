#include "physics/world/parameters/validation.h"

#include "physics/world/limits.h"
#include "physics/world/parameters/parameters.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace cairn::physics {

namespace {

std::string number(float value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
    return text;
}

// Collects the first problem of several checks.
class Check {
  public:
    Check& range(const char* what, float value, float low, float high, const char* unit = "") {
        if (problem_.empty() && !(value >= low && value <= high)) { // false for NaN too
            problem_ = std::string(what) + " is " + number(value) + ", must lie within " + number(low) + " to " +
                       number(high) + (*unit != 0 ? std::string(" ") + unit : std::string());
        }
        return *this;
    }
    Check& each_within(const char* what, const Vec3& value, float limit, const char* unit) {
        for (int axis = 0; axis < 3; ++axis) {
            range(what, value[axis], -limit, limit, unit);
        }
        return *this;
    }
    Check& length_within(const char* what, const Vec3& value, float limit, const char* unit) {
        each_within(what, value, limit, unit);
        return problem_.empty() ? range(what, glm::length(value), 0.0f, limit, unit) : *this;
    }
    Check& unit_quaternion(const char* what, const Quat& q) {
        const float length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
        if (problem_.empty() && !(std::abs(length - 1.0f) <= 1e-3f)) {
            problem_ = std::string(what) + " has length " + number(length) + ", must be a unit quaternion";
        }
        return *this;
    }
    Check& position(const Vec3& value) { return each_within("position", value, limits::position, "m"); }
    Check& velocities(const Vec3& linear, const Vec3& angular) {
        length_within("linear velocity", linear, limits::speed, "m/s");
        return length_within("angular velocity", angular, limits::angular_speed, "rad/s");
    }
    Check& mass(float value) { return range("mass", value, limits::least_mass, limits::greatest_mass, "kg"); }
    // Any mass has moments of which none exceeds the sum of the other two, by the definition as sums of squares.
    Check& inertia(const Vec3& moments) {
        for (int axis = 0; axis < 3; ++axis) {
            range("inertia", moments[axis], limits::least_inertia, limits::greatest_inertia, "kg m^2");
        }
        const float sum = moments.x + moments.y + moments.z;
        const float least = std::min({moments.x, moments.y, moments.z});
        const float greatest = std::max({moments.x, moments.y, moments.z});
        constexpr float rounding = 1e-5f; // a flat plate has exactly the sum
        if (problem_.empty() && !(greatest <= (0.5f + rounding) * sum)) {
            problem_ = "inertia has a moment of " + number(greatest) + ", more than the sum of the other two";
        }
        if (problem_.empty() && !(least >= limits::least_inertia_share * sum)) {
            problem_ = "inertia has a moment of " + number(least) + ", less than a millionth of the sum of all three";
        }
        return *this;
    }
    // Of a switch, or of what is not stated, there is nothing to check.
    template <typename Value>
    Check& row(const BodyParameter& p, const Value& value) {
        if constexpr (std::is_same_v<Value, float>) {
            if (!(value >= p.least && value <= p.greatest)) {
                std::string words(p.key);
                std::replace(words.begin(), words.end(), '_', ' ');
                range(words.c_str(), value, p.least, p.greatest, std::string(p.unit).c_str());
            }
        } else if constexpr (std::is_same_v<Value, std::optional<float>>) {
            return value ? row(p, *value) : *this;
        }
        return *this;
    }
    Check& material(const ShapeMaterial& material) {
        for (const MaterialParameter& p : material_parameters) {
            row(p, material.of(p.number));
        }
        return *this;
    }
    Check& group(const CollisionFilter& filter) {
        return range("group", static_cast<float>(filter.group), 0.0f, static_cast<float>(CollisionFilter::groups - 1));
    }
    Check& locks(std::uint8_t value) {
        return range("set of locked axes", static_cast<float>(value), 0.0f, static_cast<float>(limits::axis_locks));
    }
    Check& spring(const JointSpring& spring, float far, const char* unit, const char* force) {
        range("hertz of the spring", spring.hertz, 1e-3f, 1000.0f, "1/s");
        range("damping ratio of the spring", spring.damping_ratio, 0.0f, 1000.0f);
        range("target of the spring", spring.target, -far, far, unit);
        return range("greatest force of the spring", spring.max_force.value_or(0.0f), 0.0f, limits::joint_force, force);
    }
    Check& motor(const JointMotor& motor, bool turns) {
        const float fastest = turns ? limits::angular_speed : limits::speed;
        range("motor speed", motor.speed, -fastest, fastest, turns ? "rad/s" : "m/s");
        return range("greatest force of the motor", motor.max_force, 0.0f, limits::joint_force, turns ? "N m" : "N");
    }
    Check& axis(const JointAxis& axis, bool turns) {
        const float far = turns ? limits::joint_cone : limits::position;
        const char* unit = turns ? "rad" : "m";
        range("lower limit", axis.limits.lower, -far, far, unit);
        range("upper limit", axis.limits.upper, axis.limits.lower, far, unit);
        return motor(axis.motor, turns).spring(axis.spring, far, unit, turns ? "N m" : "N");
    }

    const std::string& problem() const { return problem_; }

  private:
    std::string problem_;
};

} // namespace

std::string problem_with_position(const Vec3& position) {
    return Check().position(position).problem();
}

std::string problem_with_inertia(const Vec3& moments) {
    return Check().inertia(moments).problem();
}

std::string problem_with(const BodyDef& def) {
    if (def.shapes.empty()) {
        return "the body has no shape";
    }
    Check check;
    check.position(def.pose.position).unit_quaternion("orientation", def.pose.orientation);
    check.velocities(def.linear_velocity, def.angular_velocity);
    for (const ShapeDef& shape : def.shapes) {
        check.each_within("position of a shape", shape.pose.position, limits::position, "m");
        check.unit_quaternion("orientation of a shape", shape.pose.orientation);
        check.material(shape.material);
        for (const ShapeMaterial& own : shape.mesh_materials) {
            check.material(own);
        }
    }
    if (def.mass) {
        check.mass(*def.mass);
    }
    if (def.inertia) {
        check.inertia(*def.inertia);
    }
    for (const BodyParameter& p : body_parameters) {
        with_value(p, def, [&](const auto& value) { check.row(p, value); });
    }
    return check.group(def.filter).locks(def.locks).problem();
}

std::string problem_with(const SetBody& change) {
    Check check;
    check.group(change.filter.value_or(CollisionFilter{})).locks(change.locks.value_or(0));
    if (change.position) {
        check.position(*change.position);
    }
    if (change.orientation) {
        check.unit_quaternion("orientation", *change.orientation);
    }
    check.velocities(change.linear_velocity.value_or(Vec3(0.0f)), change.angular_velocity.value_or(Vec3(0.0f)));
    check.mass(change.mass.value_or(1.0f)).inertia(change.inertia.value_or(Vec3(1.0f)));
    for (const BodyParameter& p : body_parameters) {
        with_change(p, change, [&](const auto& value) { check.row(p, value); });
    }
    return check.problem();
}

std::string problem_with(const Settings& s) {
    Check check;
    for (const Parameter& p : parameters) {
        const std::string what(p.key), unit(p.unit);
        const auto one = [&](float value) { check.range(what.c_str(), value, p.least, p.greatest, unit.c_str()); };
        if (const auto* vector = std::get_if<Vec3 Settings::*>(&p.member)) {
            for (int axis = 0; axis < 3; ++axis) {
                one((s.**vector)[axis]);
            }
        } else if (const auto* whole = std::get_if<int Settings::*>(&p.member)) {
            one(static_cast<float>(s.**whole));
        } else if (const auto* number = std::get_if<float Settings::*>(&p.member)) {
            one(s.**number);
        }
    }
    return check.problem();
}

std::string problem_with(const ApplyImpulse& command) {
    Check check;
    check.each_within("impulse", command.impulse, limits::impulse, "N s");
    check.position(command.point.value_or(Vec3(0.0f)));
    return check.problem();
}

std::string problem_with(const ApplyForce& command) {
    Check check;
    check.each_within("force", command.force, limits::force, "N");
    check.each_within("torque", command.torque, limits::force, "N m");
    return check.position(command.point.value_or(Vec3(0.0f))).problem();
}

std::string problem_with(const MoveKinematic& command) {
    return Check()
        .position(command.target.position)
        .unit_quaternion("orientation", command.target.orientation)
        .problem();
}

std::string problem_with(const Explode& command) {
    Check check;
    check.position(command.centre).range("radius", command.radius, 1e-4f, limits::position, "m");
    return check.range("impulse", command.impulse, -limits::impulse, limits::impulse, "N s").problem();
}

std::string problem_with(const Grab& command) {
    Check check;
    check.position(command.local_point).position(command.target);
    check.range("hertz", command.hertz, 0.01f, 1000.0f, "1/s");
    check.range("damping ratio", command.damping_ratio, 0.0f, 1000.0f);
    check.range("max acceleration", command.max_acceleration, 0.0f, 1e6f, "m/s^2");
    return check.problem();
}

std::string problem_with(const JointDef& def) {
    const JointKind kind = def.kind;
    const bool has_length = kind == JointKind::distance || kind == JointKind::pulley;
    const bool has_axis = kind == JointKind::hinge || kind == JointKind::slider || has_length;
    const bool turns = kind == JointKind::hinge || kind == JointKind::ball;
    const bool has_ratio = kind == JointKind::gear || kind == JointKind::rack || kind == JointKind::pulley;
    const bool is_train = kind == JointKind::gear || kind == JointKind::rack;
    const float far = turns ? limits::joint_angle : limits::position;
    const char* unit = turns ? "rad" : "m";
    if (def.limits && !has_axis && kind != JointKind::ball) {
        return "only ball, hinge, slider, distance and pulley joints have limits";
    }
    if (def.cone && kind != JointKind::ball && kind != JointKind::universal) {
        return "only ball and universal joints have a cone";
    }
    if (def.motor && !has_axis && kind != JointKind::ball) {
        return "only ball, hinge, slider, distance and pulley joints have a motor";
    }
    if (def.spring && (kind == JointKind::universal || is_train)) {
        return "universal joints, gears and racks have no spring";
    }
    if (kind == JointKind::six_dof ? def.axes.size() != joint_axes : !def.axes.empty()) {
        return "a joint of six degrees of freedom has six axes, and no other has any";
    }
    if (kind == JointKind::six_dof && def.spring) {
        return "of six degrees of freedom each axis has a spring of its own";
    }
    if (has_ratio && !def.body_a) {
        return "gears, racks and pulleys need two bodies";
    }
    if (def.ratio != 1.0f && !has_ratio) {
        return "only gears, racks and pulleys have a ratio";
    }
    if (def.collide && def.ignore_within != 1) {
        return "bodies that collide ignore no others for the joint's sake";
    }
    if (def.spring && def.spring->target != 0.0f && kind != JointKind::hinge && kind != JointKind::slider) {
        return "only the springs of hinges and sliders have a target";
    }
    Check check;
    for (const Transform* frame : {&def.frame_a, &def.frame_b}) {
        check.each_within("anchor of a joint", frame->position, limits::position, "m");
        check.unit_quaternion("orientation of a joint's frame", frame->orientation);
    }
    check.range("length", def.length, 0.0f, limits::position, "m");
    if (def.limits) {
        const float furthest = kind == JointKind::ball ? limits::joint_cone : far;
        const float least = has_length ? 0.0f : -furthest;
        check.range("lower limit", def.limits->lower, least, furthest, unit);
        check.range("upper limit", def.limits->upper, def.limits->lower, furthest, unit);
    }
    if (def.motor) {
        check.motor(*def.motor, turns);
    }
    if (def.spring) {
        const bool twists = kind == JointKind::hinge || kind == JointKind::weld;
        check.spring(*def.spring, far, unit, twists ? "N m" : "N");
    }
    for (std::size_t i = 0; i < def.axes.size(); ++i) {
        check.axis(def.axes[i], i >= 3);
    }
    for (const Vec3& ground : {def.ground_a, def.ground_b}) {
        check.each_within("point of a pulley", ground, limits::position, "m");
    }
    check.range("ratio", std::abs(def.ratio), limits::least_ratio, limits::greatest_ratio);
    if (kind == JointKind::pulley) {
        check.range("ratio of a pulley", def.ratio, limits::least_ratio, limits::greatest_ratio);
    }
    check.range("joints within which bodies ignore each other", static_cast<float>(def.ignore_within), 1.0f,
                static_cast<float>(limits::ignore_within));
    check.range("greatest force before it breaks", def.break_force.value_or(0.0f), 0.0f, limits::joint_force, "N");
    check.range("greatest torque before it breaks", def.break_torque.value_or(0.0f), 0.0f, limits::joint_force, "N m");
    return check.range("cone", def.cone.value_or(0.0f), 0.0f, limits::joint_cone, "rad").problem();
}

} // namespace cairn::physics
