// What a scene and some commands are made of as records: settings, bodies with their shapes, joints.
#pragma once

#include "app/core/capture/records/record_coder.h"
#include "physics/world/parameters/parameters.h"

namespace cairn::core {

// Fails to compile when a structure gains or loses a member: then the format below changes, and its version with it.
[[maybe_unused]] inline void all_fields_are_recorded(const physics::BodyDef& b, const physics::Material& m,
                                                     const physics::ShapeDef& h, const physics::JointDef& j,
                                                     const physics::JointMotor& o, const physics::JointSpring& q) {
    [[maybe_unused]] const auto& [b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17] = b;
    [[maybe_unused]] const auto& [m1, m2, m3] = m;
    [[maybe_unused]] const auto& [h1, h2, h3, h4, h5] = h;
    [[maybe_unused]] const auto& [n1, n2, n3, n4] = h.material;
    [[maybe_unused]] const auto& [j1, j2, j3, j4, j5, j6, j7, j8, j9, j10, j11, j12, j13, j14, j15, j16, j17, j18,
                                  j19] = j;
    [[maybe_unused]] const auto& [o1, o2] = o;
    [[maybe_unused]] const auto& [q1, q2, q3, q4] = q;
}

template <class Coder, Is<physics::Settings> S>
void fields(Coder& code, S& s) {
    static_assert(physics::parameters.size() == 18, "the format changes, and its version with it");
    constexpr std::size_t first = 17; // the last one is written only where it is not the default
    const physics::Settings plain;
    const auto further = code.map_since(first, first, s.max_short_steps != plain.max_short_steps ? 1 : 0).further;
    for (const physics::Parameter& p : std::span(physics::parameters).first(first + further)) {
        std::visit([&](auto member) { code.field(p.key, s.*member); }, p.member);
    }
}

template <>
inline constexpr std::string_view alternative_name<physics::PointSet> = "hull";
template <>
inline constexpr std::string_view alternative_name<physics::Mesh> = "mesh";
template <>
inline constexpr std::string_view alternative_name<physics::HeightField> = "heightfield";

template <>
inline constexpr auto record<physics::Sphere> = Record("sphere", Field("radius", &physics::Sphere::radius));
template <>
inline constexpr auto record<physics::Box> = Record("box", Field("half_extents", &physics::Box::half_extents));
template <>
inline constexpr auto record<physics::Capsule> = Record("capsule", Field("radius", &physics::Capsule::radius),
                                                        Field("half_height", &physics::Capsule::half_height));
template <>
inline constexpr auto record<physics::Cylinder> = Record("cylinder", Field("radius", &physics::Cylinder::radius),
                                                         Field("half_height", &physics::Cylinder::half_height));
template <>
inline constexpr auto record<physics::Cone> = Record("cone", Field("radius", &physics::Cone::radius),
                                                     Field("height", &physics::Cone::height));
template <>
inline constexpr auto record<physics::Diamond> = Record("diamond", Field("scale", &physics::Diamond::scale));

template <class Coder, Is<physics::ShapeMaterial> S>
void fields(Coder& code, S& material) {
    const std::uint64_t further = code.map_since(3, 3, material.colour ? 1 : 0).further;
    for (const physics::MaterialParameter& p : physics::material_parameters) {
        code.field(p.key, material.of(p.number));
    }
    if (further > 0) {
        code.field("colour", material.colour);
    }
}

template <class Coder, Is<physics::ShapeDef> S>
void fields(Coder& code, S& shape) {
    const std::uint64_t needed = shape.material.colour                  ? 6
                                 : !shape.mesh_materials.empty()        ? 5
                                 : shape.sensor || shape.material.any() ? 4
                                                                        : 0;
    const std::uint64_t further = code.map_since(3, 3, needed, 4, 5, 6).further;
    code.field("geometry", shape.geometry);
    code.field("position", shape.pose.position);
    code.field("orientation", shape.pose.orientation);
    if (further > 0) {
        code.field("sensor", shape.sensor);
        for (const physics::MaterialParameter& p : physics::material_parameters) {
            code.field(p.key, shape.material.of(p.number));
        }
    }
    if (further > 4) {
        code.field("mesh_materials", shape.mesh_materials);
    }
    if (further > 5) {
        code.field("colour", shape.material.colour);
    }
}

template <>
inline constexpr auto record<physics::CollisionFilter> = Record("", Field("group", &physics::CollisionFilter::group),
                                                                Field("mask", &physics::CollisionFilter::mask));

template <class Coder, Is<physics::BodyDef> S>
void fields(Coder& code, S& body) {
    const auto [since_4, further] = code.map_since(17, 18, body.colour ? 2 : body.locks != 0 ? 1 : 0, 1, 2);
    code.field("name", body.name);
    code.field("type", body.type);
    code.field("position", body.pose.position);
    code.field("orientation", body.pose.orientation);
    code.field("linear_velocity", body.linear_velocity);
    code.field("angular_velocity", body.angular_velocity);
    code.field("shapes", body.shapes);
    code.field("mass", body.mass);
    code.field("density", body.density);
    code.field("inertia", body.inertia);
    for (const physics::BodyParameter& p : physics::plain_body_parameters) {
        with_value(p, body, [&](auto& value) { code.field(p.key, value); });
    }
    if (since_4) {
        code.field("filter", body.filter);
    }
    if (further > 0) {
        code.field("locks", body.locks);
    }
    if (further > 1) {
        code.field("colour", body.colour);
    }
}

template <>
inline constexpr auto record<physics::JointLimits> = Record("", Field("lower", &physics::JointLimits::lower),
                                                            Field("upper", &physics::JointLimits::upper));
template <>
inline constexpr auto record<physics::JointMotor> = Record("", Field("speed", &physics::JointMotor::speed),
                                                           Field("max_force", &physics::JointMotor::max_force));
template <>
inline constexpr auto record<physics::JointSpring> = Record(
    "", Field("hertz", &physics::JointSpring::hertz), Field("damping_ratio", &physics::JointSpring::damping_ratio),
    Field("target", &physics::JointSpring::target), Field("max_force", &physics::JointSpring::max_force));
template <>
inline constexpr auto record<physics::JointAxis> = Record("", Field("mode", &physics::JointAxis::mode),
                                                          Field("limits", &physics::JointAxis::limits),
                                                          Field("motor", &physics::JointAxis::motor),
                                                          Field("spring", &physics::JointAxis::spring));
template <class Coder, Is<physics::JointDef> S>
void fields(Coder& code, S& joint) {
    const auto [since_4, further] = code.map_since(14, 20, joint.axes.empty() ? 0 : 1);
    code.field("name", joint.name);
    code.field("kind", joint.kind);
    code.field("body_a", joint.body_a);
    code.field("body_b", joint.body_b);
    code.field("anchor_a", joint.frame_a.position);
    code.field("frame_a", joint.frame_a.orientation);
    code.field("anchor_b", joint.frame_b.position);
    code.field("frame_b", joint.frame_b.orientation);
    code.field("collide", joint.collide);
    code.field("length", joint.length);
    code.field("limits", joint.limits);
    code.field("motor", joint.motor);
    code.field("spring", joint.spring);
    code.field("cone", joint.cone);
    if (since_4) {
        code.field("ratio", joint.ratio);
        code.field("ground_a", joint.ground_a);
        code.field("ground_b", joint.ground_b);
        code.field("ignore_within", joint.ignore_within);
        code.field("break_force", joint.break_force);
        code.field("break_torque", joint.break_torque);
    }
    if (further > 0) {
        code.field("axes", joint.axes);
    }
}

} // namespace cairn::core
