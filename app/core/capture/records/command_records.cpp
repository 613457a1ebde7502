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
inline constexpr auto record<CreateBody> = Record("create_body", Field("body", &CreateBody::body));

template <>
inline constexpr auto record<DestroyBody> = Record("destroy_body", Field("body", &DestroyBody::body));

template <>
inline constexpr auto record<ApplyImpulse> = Record("apply_impulse", Field("body", &ApplyImpulse::body),
                                                    Field("impulse", &ApplyImpulse::impulse),
                                                    Field("point", &ApplyImpulse::point));

template <>
inline constexpr auto record<CreateBodies> = Record("create_bodies", Field("bodies", &CreateBodies::bodies),
                                                    Field("joints", &CreateBodies::joints),
                                                    Field("ties", &CreateBodies::ties));

template <>
inline constexpr auto
    record<ApplyForce> = Record("apply_force", Field("body", &ApplyForce::body), Field("force", &ApplyForce::force),
                                Field("torque", &ApplyForce::torque), Field("point", &ApplyForce::point));

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
inline constexpr auto record<AddShape> = Record("add_shape", Field("body", &AddShape::body),
                                                Field("shape", &AddShape::shape), Field("place", &AddShape::place));

template <>
inline constexpr auto record<RemoveShape> = Record("remove_shape", Field("body", &RemoveShape::body),
                                                   Field("shape", &RemoveShape::shape));

template <>
inline constexpr auto record<SetColour> = Record("set_colour", Field("body", &SetColour::body),
                                                 Field("colour", &SetColour::colour));

template <>
inline constexpr auto record<SetShapeMaterial> = Record("set_shape_material", Field("body", &SetShapeMaterial::body),
                                                        Field("shape", &SetShapeMaterial::shape),
                                                        Field("material", &SetShapeMaterial::material),
                                                        Field("mesh_materials", &SetShapeMaterial::mesh_materials));

template <>
inline constexpr auto record<SetMeshMaterials> = Record("set_mesh_materials", Field("body", &SetMeshMaterials::body),
                                                        Field("shape", &SetMeshMaterials::shape),
                                                        Field("materials", &SetMeshMaterials::materials),
                                                        Field("mesh_materials", &SetMeshMaterials::mesh_materials),
                                                        Field("runs", &SetMeshMaterials::runs));

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
inline constexpr auto record<Explode> = Record("explode", Field("centre", &Explode::centre),
                                               Field("radius", &Explode::radius), Field("impulse", &Explode::impulse),
                                               Field("groups", &Explode::groups));

template <>
inline constexpr auto record<Grab> = Record("grab", Field("body", &Grab::body),
                                            Field("local_point", &Grab::local_point), Field("target", &Grab::target),
                                            Field("hertz", &Grab::hertz), Field("damping_ratio", &Grab::damping_ratio),
                                            Field("max_acceleration", &Grab::max_acceleration));

template <>
inline constexpr auto record<MoveGrab> = Record("move_grab", Field("target", &MoveGrab::target));

template <>
inline constexpr auto record<ReleaseGrab> = Record("release_grab");

template <>
inline constexpr auto record<SetSettings> = Record("set_settings", Field("settings", &SetSettings::settings));

template <>
inline constexpr auto record<CreateJoint> = Record("create_joint", Field("joint", &CreateJoint::joint));

template <>
inline constexpr auto record<DestroyJoint> = Record("destroy_joint", Field("joint", &DestroyJoint::joint));

template <>
inline constexpr auto record<SetJoint> = Record("set_joint", Field("joint", &SetJoint::joint),
                                                Field("def", &SetJoint::def));

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
