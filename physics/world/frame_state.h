// What the world publishes after each step. Plain values: readers need no lock and cannot change the world.
#pragma once

#include "physics/world/body_def.h"
#include "physics/world/joint_def.h"
#include "physics/world/sensor_events.h"
#include "physics/world/settings.h"

#include "physics/geometry/aabb.h"
#include "physics/geometry/shape.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cairn::physics {

// The part of a body that does not change from step to step. Shared by all bodies that differ in pose and velocities
// alone, and between the world and every published frame.
struct BodyModel {
    BodyDef def; // as stated by the author, with later SetBody changes, but for pose and velocities: see BodyState
    struct Part {
        std::shared_ptr<const Shape> shape;
        Transform pose; // of the shape's centroid, relative to the body's centre of mass
        bool sensor = false;
    };
    std::vector<Part> parts; // as BodyDef::shapes
    float mass = 0.0f;       // kg; 0 for static and kinematic bodies
    Mat3 inertia{0.0f}; // about the centre of mass in the body's frame, kg m^2; zero for static and kinematic bodies

    // Whether the part counts for what the body is as a thing: sensors do not, unless there is nothing else.
    bool is_solid(const Part& part) const {
        return !part.sensor || std::all_of(parts.begin(), parts.end(), [](const Part& one) { return one.sensor; });
    }
};

struct BodyState {
    BodyId id;
    Transform pose;              // of the centre of mass
    Vec3 linear_velocity{0.0f};  // m/s
    Vec3 angular_velocity{0.0f}; // rad/s, world
    BodyType type = BodyType::dynamic;
    bool sleeping = false;
    bool touching = false;  // has at least one contact point with separation <= linear slop
    std::uint64_t hash = 0; // from World::state alone: a frame has no time for it
};

struct ContactState {
    BodyId body_a, body_b;
    Vec3 point{0.0f};            // m, world, halfway between the two surfaces
    Vec3 normal{0.0f};           // unit, from A to B
    float separation = 0.0f;     // m, negative in penetration
    float normal_impulse = 0.0f; // N s over the whole step
    Vec3 friction_impulse{0.0f}; // N s over the whole step, on B, world
    std::uint32_t feature = 0;
    std::uint32_t age = 0; // steps since this feature first made contact
    bool opens = true;     // the first point of its manifold; the others follow it
};

// An impact of a fast body, answered within the step; contacts do not tell of it, since it is over when they are made.
struct ImpactState {
    BodyId body_a, body_b;
    Vec3 point{0.0f};                    // m, world
    Vec3 normal{0.0f};                   // unit, from A to B
    Vec3 impulse{0.0f};                  // N s, on B, world; normal and friction together
    float time = 0.0f;                   // s since the start of the step
    Vec3 centre_a{0.0f}, centre_b{0.0f}; // m, world, where the centres of mass were then
};

// A joint that was pulled at harder than it bears, and is no more.
struct BreakState {
    JointId joint;
    std::shared_ptr<const JointDef> def;
    Vec3 point{0.0f};                  // m, world: where B's anchor is
    float force = 0.0f, torque = 0.0f; // N, N m, means over its last step
};

// The way of a body that continuous collision followed through the last step: from here over its impacts to where it
// is.
struct SweepState {
    BodyId body;
    Transform start; // of the centre of mass, when the step began
};

// A box of the broadphase's trees.
struct TreeBoxState {
    Aabb bounds;             // m, world
    std::uint16_t depth = 0; // edges below the root
    bool leaf = false;       // holds one shape
    bool moving = false;     // of the tree of what moves, not of what never does
};

// What a frame holds for those alone who ask for it (World::watch). None of it costs anything while nobody does.
struct FrameDetails {
    bool tree = false;    // FrameState::tree
    bool sweeps = false;  // FrameState::sweeps
    bool colours = false; // FrameState::contact_colours
    bool hash = true;     // FrameState::hash; all that moves is hashed for it
    bool operator==(const FrameDetails&) const = default;
};

// Seconds spent in each stage of the last step.
struct StageTimes {
    double broadphase = 0, narrowphase = 0, islands = 0, solver = 0, continuous = 0, finish = 0;
    double total() const { return broadphase + narrowphase + islands + solver + continuous + finish; }
};

struct StepStats {
    std::uint32_t bodies = 0, awake = 0, pairs = 0, contacts = 0, contact_points = 0, islands = 0, colours = 0;
    std::uint32_t continuous_hits = 0; // impacts answered and bodies held by CCD in the last step
    std::uint32_t held = 0;            // bodies whose paths CCD ended before the step was over
    double time_given_up = 0.0;        // s, what was left of the step for those, summed over them
    std::uint32_t finest_substeps = 0; // that any island took
    std::uint32_t short_steps = 1;     // that the step was taken as
    std::uint32_t batches = 0;         // of small islands that were solved apart, see BatchedSolver
    std::uint32_t joints_swept = 0;    // joints of nets, which are swept over and not solved exactly
    std::uint32_t spin_limited = 0;    // bodies whose spin was held to what the substeps resolve
    float max_penetration = 0.0f;      // m, deepest contact point, >= 0
    double kinetic_energy = 0.0;       // J
    double potential_energy = 0.0;     // J, against gravity from z = 0
    StageTimes times;
};

struct GrabState {
    bool active = false;
    BodyId body;
    Vec3 point{0.0f};  // m, world, the held point on the body
    Vec3 target{0.0f}; // m, world
};

struct JointState {
    JointId id;
    std::shared_ptr<const JointDef> def; // as stated by the author, with later SetJoint changes
    Vec3 anchor_a{0.0f}, anchor_b{0.0f}; // m, world: the origins of the two frames
    Vec3 axis{0.0f};                     // unit, world: Z of A's frame; of a distance joint from anchor A to B
    float position = 0.0f;               // rad or m, see JointLimits; of a ball joint the angle between the Z axes
    Vec3 force{0.0f};                    // N on B at anchor B, world, mean over the last step
    Vec3 torque{0.0f};                   // N m on B, world, mean over the last step
};

struct FrameState {
    std::uint64_t step = 0;
    double time = 0.0;      // s of simulated time
    std::uint64_t hash = 0; // of everything that the next step depends on; 0 if FrameDetails do not ask for it
    Settings settings;
    // Live bodies by slot index, ascending. models[i] belongs to bodies[i] and is refreshed only when `revision` moves.
    std::vector<BodyState> bodies;
    std::vector<std::shared_ptr<const BodyModel>> models;
    std::uint64_t revision = 0;
    std::vector<ContactState> contacts;
    std::vector<ImpactState> impacts;  // of the last step, in order of time
    std::vector<JointState> joints;    // live ones by slot index, ascending
    std::vector<BreakState> breaks;    // of the last step
    std::vector<SensorOverlap> inside; // what is in sensors, see SensorEvents
    GrabState grab;
    StepStats stats;
    // Bodies whose motion was not finite in the last step, or left the range of positions: each keeps its pose from
    // before that step, with no velocity. Usually none; what a run with one shows is not what the scene describes.
    std::vector<BodyId> stopped;

    // Empty unless watched.
    static constexpr std::uint8_t no_colour = 255;
    std::vector<TreeBoxState> tree;            // boxes before what they hold
    std::vector<SweepState> sweeps;            // of the last step, ascending by slot
    std::vector<std::uint8_t> contact_colours; // by contact point: the group that was solved at the same time with it;
                                               // no_colour for what rests

    // What World::publish noted when it wrote this frame, so that the next time it writes only what has moved since.
    struct Resting {
        std::uint64_t source = 0, revision = 0; // of the world's resting part; no source: the frame is written in full
        std::size_t contacts = 0;               // leading entries of `contacts` that rest
        std::uint32_t touching = 0;             // pairs among them
        float max_penetration = 0.0f;           // m, of these
        double potential_energy = 0.0;          // J, of bodies that rest
    } resting;
};

} // namespace cairn::physics
