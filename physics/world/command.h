// The only way to change a world. Commands are applied between steps; a capture records them, replay feeds them again.
#pragma once

#include "physics/world/body_def.h"
#include "physics/world/joint_def.h"
#include "physics/world/settings.h"

#include <optional>
#include <string>
#include <variant>

namespace cairn::physics {

struct CreateBody {
    BodyDef body;
    friend bool operator==(const CreateBody&, const CreateBody&) = default;
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

// Instant change of momentum at a world point; wakes the body.
struct ApplyImpulse {
    BodyId body;
    Vec3 impulse{0.0f};        // N s, world
    std::optional<Vec3> point; // m, world; the centre of mass if unset
    friend bool operator==(const ApplyImpulse&, const ApplyImpulse&) = default;
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
                             CreateJoint, DestroyJoint, SetJoint>;

struct CommandResult {
    std::string error; // empty on success, else one sentence that says what was refused and why
    BodyId created;    // CreateBody: the new body
    JointId joint{};   // CreateJoint: the new joint
    bool ok() const { return error.empty(); }
};

} // namespace cairn::physics
