// The parts of a world. Internal: outside this folder a world is changed by commands and read from published frames.
#pragma once

#include "physics/base/executor.h"
#include "physics/solver/batched_solver.h"
#include "physics/world/contacts/internal_edges.h"
#include "physics/world/contacts/narrowphase.h"
#include "physics/world/contacts/new_pairs.h"
#include "physics/world/islands/islands.h"
#include "physics/world/islands/partition.h"
#include "physics/world/motion/acting_joints.h"
#include "physics/world/motion/body_motions.h"
#include "physics/world/motion/fast_bodies.h"
#include "physics/world/state/contact_watcher.h"
#include "physics/world/state/publisher.h"
#include "physics/world/state/sensor_watcher.h"
#include "physics/world/state/touch_marks.h"
#include "physics/world/state/world_state.h"
#include "physics/world/store/body_kind.h"
#include "physics/world/substeps/island_substeps.h"
#include "physics/world/substeps/mass_scaling.h"
#include "physics/world/substeps/parallel_contacts.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>

namespace cairn::physics {

// The state, and the stages of the step in their order, each with scratch of its own. The functions are those that
// concern the world as a whole: commands, and the few stages that combine several parts.
struct World::Impl {
    WorldData data;
    mutable SerialExecutor serial;
    Executor* executor = nullptr; // none = serial
    BodyKindLibrary kinds;

    Partition partition;
    NewPairs new_pairs;
    Narrowphase narrowphase;
    InternalEdges internal_edges;
    ActingJoints acting;
    Islands islands;
    BodyMotions motions;
    MassScaling mass_scaling;
    ParallelContacts parallel_contacts;
    IslandSubsteps substeps;
    BatchedSolver solver;
    FastBodies fast_bodies;
    TouchMarks touch_marks;
    ContactWatcher contact_watcher;
    SensorWatcher sensor_watcher;
    Publisher publisher;

    Executor& run_on() const { return executor != nullptr ? *executor : serial; }
    std::size_t scratch_bytes() const; // held by the stages, without the solver
    void forget_scratch();             // after all data have been exchanged

    // bodies.cpp
    CommandResult create(const BodyDef& def);
    void destroy(std::uint32_t slot);
    std::uint64_t hash_of_bodies() const;

    // commands.cpp
    std::variant<std::shared_ptr<const BodyKind>, std::string> changed_prototype(const SetBody& command);
    void refresh_contacts(std::uint32_t slot); // are examined anew: what the body is made of has changed
    CommandResult apply(const CreateBody& command);
    CommandResult apply(const CreateBodies& command);
    CommandResult apply(const DestroyBody& command);
    CommandResult apply(const SetBody& command);
    CommandResult apply(const SetColour& command);
    CommandResult apply(const Grab& command);
    CommandResult apply(const MoveGrab& command);
    CommandResult apply(const ReleaseGrab& command);
    CommandResult apply(const SetSettings& command);

    // shape_commands.cpp
    CommandResult apply(const AddShape& command);
    CommandResult apply(const RemoveShape& command);
    // `before`: of each shape, which one of the old ones it is; none: a new one.
    CommandResult change_shapes(BodyId id, BodyDef def, std::span<const std::optional<std::uint32_t>> before);

    // material_commands.cpp
    CommandResult apply(const SetShapeMaterial& command);
    CommandResult apply(const SetMeshMaterials& command);
    void take_material(std::uint32_t slot, const std::shared_ptr<const BodyKind>& kind, bool looks_alone);

    // height_commands.cpp
    CommandResult apply(const SetHeights& command);

    // push_commands.cpp
    std::string reason_not_to_push(BodyId id, std::string problem, const char* action) const;
    SetBody after_impulse(std::uint32_t slot, const Vec3& impulse, const Vec3& moment) const;
    void set_velocities(const SetBody& after);
    CommandResult apply(const ApplyImpulse& command);
    CommandResult apply(const ApplyForce& command);
    CommandResult apply(const MoveKinematic& command);
    CommandResult apply(const Explode& command);

    // joint_commands.cpp
    std::optional<BodyType> type_of(BodyId body) const; // nullopt for a dead handle
    // Why a joint of bodies of these types is rejected; empty if it is not.
    std::string problem_joining(const JointDef& def, std::optional<BodyType> type_a,
                                std::optional<BodyType> type_b) const;
    JointId join_bodies(const JointDef& def);
    CommandResult apply(const CreateJoint& command);
    CommandResult apply(const DestroyJoint& command);
    CommandResult apply(const SetJoint& command);
    void part(std::uint32_t slot);                                 // ends a joint; its bodies may collide again
    void break_joints();                                           // at the end of a step
    void end_contacts(const JointDef& def);                        // of joined bodies
    void end_ignored_contacts(std::uint32_t body);                 // with those that it is held apart from
    void look_for_contacts(std::span<const std::uint32_t> bodies); // that may be free to collide again

    // step.cpp
    void take_short_step(const ShortStep& short_step);
    void find_contacts();
    void solve(const ShortStep& short_step);
    void follow_fast_bodies();
    void fall_asleep();
    void report_counts();
    void adapt_short_steps();
};

} // namespace cairn::physics
