// The only way to change a world. Commands are applied between steps; a capture records them, replay feeds them again.
#pragma once

#include "physics/geometry/height_grid.h"
#include "physics/world/body_def.h"
#include "physics/world/joint_def.h"
#include "physics/world/settings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cairn::physics {

struct CreateBody {
    BodyDef body;
    friend bool operator==(const CreateBody&, const CreateBody&) = default;
};

// Bodies with the joints that hold them together: all of it, or nothing if any of it is rejected.
struct CreateBodies {
    std::vector<BodyDef> bodies;
    std::vector<JointDef> joints; // of bodies by their place in `bodies`; no body A: the world
    std::vector<JointDef> ties;   // B by its place, A a body that is there already, or the world
    friend bool operator==(const CreateBodies&, const CreateBodies&) = default;
};

struct DestroyBody {
    BodyId body;
    friend bool operator==(const DestroyBody&, const DestroyBody&) = default;
};

// Changes the named properties, leaves the rest. Wakes the body.
struct SetBody {
    BodyId body;
    std::optional<std::string> name;
    std::optional<BodyType> type;
    std::optional<Vec3> position;         // m, centre of mass
    std::optional<Quat> orientation;      // unit
    std::optional<Vec3> linear_velocity;  // m/s
    std::optional<Vec3> angular_velocity; // rad/s, world frame
    std::optional<float> mass;            // kg; inertia scales with it
    std::optional<Vec3> inertia;          // kg m^2, as BodyDef::inertia; counts after the mass has scaled the old one
    std::optional<float> friction;
    std::optional<float> restitution;
    std::optional<float> rolling_resistance;
    std::optional<float> linear_damping;  // 1/s
    std::optional<float> angular_damping; // 1/s
    std::optional<float> gravity_scale;
    std::optional<bool> can_sleep;
    std::optional<CollisionFilter> filter;
    std::optional<std::uint8_t> locks;
    friend bool operator==(const SetBody&, const SetBody&) = default;
};

// Wakes nothing and changes no motion.
struct SetColour {
    BodyId body;
    std::optional<Colour> colour; // as BodyDef::colour
    friend bool operator==(const SetColour&, const SetColour&) = default;
};

// Gives a body another shape. Mass, centre of mass and inertia follow from all shapes that the body has then, except
// that a stated mass or inertia (BodyDef, SetBody) stays as stated; RemoveShape has the same rule. What is there stays
// where it is in the world: the other shapes with their contacts, joints, what is dragged, and the velocity of every
// point. Wakes the body and what touches it.
struct AddShape {
    BodyId body;
    ShapeDef shape;                     // its pose in the frame of BodyDef::shapes, wherever the centre of mass is
    std::optional<std::uint32_t> place; // in BodyDef::shapes, the later ones move up; at the end if unset
    friend bool operator==(const AddShape&, const AddShape&) = default;
};

// A body keeps at least one shape. Later shapes move down in BodyDef::shapes.
struct RemoveShape {
    BodyId body;
    std::uint32_t shape = 0; // place in BodyDef::shapes
    friend bool operator==(const RemoveShape&, const RemoveShape&) = default;
};

// States all of the material of a shape anew, and of the triangles of a mesh: ShapeDef::material and mesh_materials.
// Contacts last, and feel it from the next step on. Wakes the body and what touches it, unless only colours change.
struct SetShapeMaterial {
    BodyId body;
    std::uint32_t shape = 0; // place in BodyDef::shapes
    ShapeMaterial material{};
    std::vector<ShapeMaterial> mesh_materials{};
    friend bool operator==(const SetShapeMaterial&, const SetShapeMaterial&) = default;
};

// Triangles in a row, as MeshData lists them, and the place of their material.
struct TriangleRun {
    std::uint32_t first = 0, count = 0;
    std::uint16_t material = 0;
    friend bool operator==(const TriangleRun&, const TriangleRun&) = default;
};

// States all materials of a mesh anew, MeshData::materials and ShapeDef::mesh_materials, and of which the triangles of
// some runs are, in their order; the others keep the number of theirs. A mesh without materials has the first one
// everywhere at first; one that is left none has no materials of its own. Contacts last, and feel it from the next step
// on. Wakes the body and what touches it, unless only names and colours change.
struct SetMeshMaterials {
    BodyId body;
    std::uint32_t shape = 0; // place in BodyDef::shapes
    std::vector<std::string> materials;
    std::vector<ShapeMaterial> mesh_materials{}; // one for each, or none
    std::vector<TriangleRun> runs{};
    friend bool operator==(const SetMeshMaterials&, const SetMeshMaterials&) = default;
};

// Other heights for a rectangle of samples of a height field, in time with the rectangle but for lists of blocks.
// Wakes what lies there. What stands above ground that rises is lifted with it, so that nothing is buried: see
// docs/how/geometry.md.
struct SetHeights {
    BodyId body;
    std::uint32_t shape = 0;    // place in BodyDef::shapes
    HeightRegion region;        // samples, at least one
    std::vector<float> heights; // m, row by row
    friend bool operator==(const SetHeights&, const SetHeights&) = default;
};

// Instant change of momentum at a world point; wakes the body.
struct ApplyImpulse {
    BodyId body;
    Vec3 impulse{0.0f};        // N s, world
    std::optional<Vec3> point; // m, world; the centre of mass if unset
    friend bool operator==(const ApplyImpulse&, const ApplyImpulse&) = default;
};

// Acts throughout the next step, and on no other: what is to act for longer is applied before every step. Several add
// up. Wakes the body.
struct ApplyForce {
    BodyId body;
    Vec3 force{0.0f};          // N, world
    Vec3 torque{0.0f};         // N m, world
    std::optional<Vec3> point; // m, world, where the force acts; the centre of mass if unset
    friend bool operator==(const ApplyForce&, const ApplyForce&) = default;
};

// Gives a kinematic body the velocities with which it is at the target after the next step. It keeps them until
// another command changes them. Whatever lies on it is carried along: contacts persist, which SetBody with a position
// ends.
struct MoveKinematic {
    BodyId body;
    Transform target; // of the centre of mass, m, world; orientation a unit quaternion
    friend bool operator==(const MoveKinematic&, const MoveKinematic&) = default;
};

// Pushes dynamic bodies away from a point, each at the place of its surface that is nearest to it. Wakes them.
struct Explode {
    Vec3 centre{0.0f};                  // m, world
    float radius = 1.0f;                // m: the push falls evenly from `impulse` at the centre to nothing
    float impulse = 0.0f;               // N s
    std::uint32_t groups = 0xffffffffu; // bit g: reaches bodies of group g
    friend bool operator==(const Explode&, const Explode&) = default;
};

// Takes hold of a body with a soft joint between its local point and a target that MoveGrab carries about. One grab at
// a time: a new one replaces the old.
struct Grab {
    BodyId body;
    Vec3 local_point{0.0f};          // m, in the body's frame (about its centre of mass)
    Vec3 target{0.0f};               // m, world
    float hertz = 5.0f;              // stiffness of the soft joint, 1/s
    float damping_ratio = 1.0f;      // 1 = critical
    float max_acceleration = 250.0f; // m/s^2; the joint's force is at most this times the body's mass
    friend bool operator==(const Grab&, const Grab&) = default;
};

struct MoveGrab {
    Vec3 target{0.0f}; // m, world
    friend bool operator==(const MoveGrab&, const MoveGrab&) = default;
};

struct ReleaseGrab {
    friend bool operator==(const ReleaseGrab&, const ReleaseGrab&) = default;
};

// Wakes both bodies. Contacts between them end unless the joint says that they collide.
struct CreateJoint {
    JointDef joint;
    friend bool operator==(const CreateJoint&, const CreateJoint&) = default;
};

// Joints also go with either of their bodies.
struct DestroyJoint {
    JointId joint;
    friend bool operator==(const DestroyJoint&, const DestroyJoint&) = default;
};

// States all of the joint anew, except for its kind and its bodies, which must be what they are. Wakes the bodies.
struct SetJoint {
    JointId joint;
    JointDef def;
    friend bool operator==(const SetJoint&, const SetJoint&) = default;
};

struct SetSettings {
    Settings settings;
    friend bool operator==(const SetSettings&, const SetSettings&) = default;
};

using Command = std::variant<CreateBody, DestroyBody, SetBody, ApplyImpulse, Grab, MoveGrab, ReleaseGrab, SetSettings,
                             CreateJoint, DestroyJoint, SetJoint, CreateBodies, ApplyForce, MoveKinematic, Explode,
                             AddShape, RemoveShape, SetColour, SetHeights, SetShapeMaterial, SetMeshMaterials>;

struct CommandResult {
    std::string error;             // empty on success, else one sentence that says what was refused and why
    BodyId created;                // CreateBody: the new body
    JointId joint{};               // CreateJoint: the new joint
    std::vector<BodyId> bodies{};  // CreateBodies: the new bodies, as they were listed
    std::vector<JointId> joints{}; // and the new joints, then the ties
    bool ok() const { return error.empty(); }
};

} // namespace cairn::physics
