#include "app/core/capture/records/command_records.h"

#include "app/core/capture/records/world_fields.h"

namespace cairn::core {

using namespace cairn::physics;

// Fails to compile when a structure gains or loses a member: then the format below changes, and its version with it.
[[maybe_unused]] static void all_fields_are_recorded(const SetBody& c, const Grab& g) {
    [[maybe_unused]] const auto& [c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18] = c;
    [[maybe_unused]] const auto& [g1, g2, g3, g4, g5, g6] = g;
}

template <>
inline constexpr std::string_view alternative_name<CreateBody> = "create_body";
template <class Coder, Is<CreateBody> S>
void fields(Coder& code, S& command) {
    code.map(1);
    code.field("body", command.body);
}

template <>
inline constexpr std::string_view alternative_name<DestroyBody> = "destroy_body";
template <class Coder, Is<DestroyBody> S>
void fields(Coder& code, S& command) {
    code.map(1);
    code.field("body", command.body);
}

template <>
inline constexpr std::string_view alternative_name<ApplyImpulse> = "apply_impulse";
template <class Coder, Is<ApplyImpulse> S>
void fields(Coder& code, S& command) {
    code.map(3);
    code.field("body", command.body);
    code.field("impulse", command.impulse);
    code.field("point", command.point);
}

template <>
inline constexpr std::string_view alternative_name<CreateBodies> = "create_bodies";
template <class Coder, Is<CreateBodies> S>
void fields(Coder& code, S& command) {
    code.map(3);
    code.field("bodies", command.bodies);
    code.field("joints", command.joints);
    code.field("ties", command.ties);
}

template <>
inline constexpr std::string_view alternative_name<ApplyForce> = "apply_force";
template <class Coder, Is<ApplyForce> S>
void fields(Coder& code, S& command) {
    code.map(4);
    code.field("body", command.body);
    code.field("force", command.force);
    code.field("torque", command.torque);
    code.field("point", command.point);
}

template <>
inline constexpr std::string_view alternative_name<MoveKinematic> = "move_kinematic";
template <class Coder, Is<MoveKinematic> S>
void fields(Coder& code, S& command) {
    code.map(3);
    code.field("body", command.body);
    code.field("position", command.target.position);
    code.field("orientation", command.target.orientation);
}

template <>
inline constexpr std::string_view alternative_name<AddShape> = "add_shape";
template <class Coder, Is<AddShape> S>
void fields(Coder& code, S& command) {
    code.map(3);
    code.field("body", command.body);
    code.field("shape", command.shape);
    code.field("place", command.place);
}

template <>
inline constexpr std::string_view alternative_name<RemoveShape> = "remove_shape";
template <class Coder, Is<RemoveShape> S>
void fields(Coder& code, S& command) {
    code.map(2);
    code.field("body", command.body);
    code.field("shape", command.shape);
}

template <>
inline constexpr std::string_view alternative_name<SetColour> = "set_colour";
template <class Coder, Is<SetColour> S>
void fields(Coder& code, S& command) {
    code.map(2);
    code.field("body", command.body);
    code.field("colour", command.colour);
}

template <>
inline constexpr std::string_view alternative_name<SetShapeMaterial> = "set_shape_material";
template <class Coder, Is<SetShapeMaterial> S>
void fields(Coder& code, S& command) {
    code.map(4);
    code.field("body", command.body);
    code.field("shape", command.shape);
    code.field("material", command.material);
    code.field("mesh_materials", command.mesh_materials);
}

template <>
inline constexpr std::string_view alternative_name<SetMeshMaterials> = "set_mesh_materials";
template <class Coder, Is<SetMeshMaterials> S>
void fields(Coder& code, S& command) {
    code.map(5);
    code.field("body", command.body);
    code.field("shape", command.shape);
    code.field("materials", command.materials);
    code.field("mesh_materials", command.mesh_materials);
    code.field("runs", command.runs);
}

template <>
inline constexpr std::string_view alternative_name<SetHeights> = "set_heights";
template <class Coder, Is<SetHeights> S>
void fields(Coder& code, S& command) {
    code.map(7);
    code.field("body", command.body);
    code.field("shape", command.shape);
    code.field("column", command.region.column);
    code.field("row", command.region.row);
    code.field("columns", command.region.columns);
    code.field("rows", command.region.rows);
    code.field("heights", command.heights);
}

template <>
inline constexpr std::string_view alternative_name<Explode> = "explode";
template <class Coder, Is<Explode> S>
void fields(Coder& code, S& command) {
    code.map(4);
    code.field("centre", command.centre);
    code.field("radius", command.radius);
    code.field("impulse", command.impulse);
    code.field("groups", command.groups);
}

template <>
inline constexpr std::string_view alternative_name<Grab> = "grab";
template <class Coder, Is<Grab> S>
void fields(Coder& code, S& command) {
    code.map(6);
    code.field("body", command.body);
    code.field("local_point", command.local_point);
    code.field("target", command.target);
    code.field("hertz", command.hertz);
    code.field("damping_ratio", command.damping_ratio);
    code.field("max_acceleration", command.max_acceleration);
}

template <>
inline constexpr std::string_view alternative_name<MoveGrab> = "move_grab";
template <class Coder, Is<MoveGrab> S>
void fields(Coder& code, S& command) {
    code.map(1);
    code.field("target", command.target);
}

template <>
inline constexpr std::string_view alternative_name<ReleaseGrab> = "release_grab";
template <class Coder, Is<ReleaseGrab> S>
void fields(Coder& code, S&) {
    code.map(0);
}

template <>
inline constexpr std::string_view alternative_name<SetSettings> = "set_settings";
template <class Coder, Is<SetSettings> S>
void fields(Coder& code, S& command) {
    code.map(1);
    code.field("settings", command.settings);
}

template <>
inline constexpr std::string_view alternative_name<CreateJoint> = "create_joint";
template <class Coder, Is<CreateJoint> S>
void fields(Coder& code, S& command) {
    code.map(1);
    code.field("joint", command.joint);
}

template <>
inline constexpr std::string_view alternative_name<DestroyJoint> = "destroy_joint";
template <class Coder, Is<DestroyJoint> S>
void fields(Coder& code, S& command) {
    code.map(1);
    code.field("joint", command.joint);
}

template <>
inline constexpr std::string_view alternative_name<SetJoint> = "set_joint";
template <class Coder, Is<SetJoint> S>
void fields(Coder& code, S& command) {
    code.map(2);
    code.field("joint", command.joint);
    code.field("def", command.def);
}

template <>
inline constexpr std::string_view alternative_name<SetBody> = "set_body";
template <class Coder, Is<SetBody> S>
void fields(Coder& code, S& c) {
    const auto [since_4, further] = code.map_since(16, 17, c.locks ? 1 : 0);
    code.field("body", c.body);
    code.field("name", c.name);
    code.field("type", c.type);
    code.field("position", c.position);
    code.field("orientation", c.orientation);
    code.field("linear_velocity", c.linear_velocity);
    code.field("angular_velocity", c.angular_velocity);
    code.field("mass", c.mass);
    code.field("inertia", c.inertia);
    for (const physics::BodyParameter& p : physics::plain_body_parameters) {
        with_change(p, c, [&](auto& value) { code.field(p.key, value); });
    }
    if (since_4) {
        code.field("filter", c.filter);
    }
    if (further > 0) {
        code.field("locks", c.locks);
    }
}

void encode(CborWriter& out, const Command& command, const NameSurface& name_surface) {
    Encoder code(out);
    code.name_surface = name_surface;
    code.put(command);
}

void decode(CborReader& in, Command& command, const FindSurface& find_surface, const NoteSurface& note_surface) {
    Decoder code(in);
    code.find_surface = find_surface;
    code.note_surface = note_surface;
    code.put(command);
}

void encode(CborWriter& out, const Grab& value) {
    Encoder(out).put(value);
}
void decode(CborReader& in, Grab& value) {
    Decoder(in).put(value);
}

} // namespace cairn::core
