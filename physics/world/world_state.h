// The world's own data. Internal: outside this folder the world is changed by commands and read from published frames.
#pragma once

#include "physics/broadphase/broadphase.h"
#include "physics/continuous/continuous.h"
#include "physics/narrowphase/contact_update.h"
#include "physics/solver/batched_solver.h"
#include "physics/world/acting_joints.h"
#include "physics/world/awake_bodies.h"
#include "physics/world/body_store.h"
#include "physics/world/island_substeps.h"
#include "physics/world/islands.h"
#include "physics/world/joint_store.h"
#include "physics/world/partition.h"
#include "physics/world/waking.h"
#include "physics/world/world.h"

#include <string>
#include <vector>

namespace cairn::physics {

// All that a snapshot holds.
struct WorldData {
    Settings settings;
    std::uint64_t step = 0;
    double time = 0.0;          // s, sum of the steps taken
    std::uint64_t revision = 0; // moves when a body is made, destroyed or its model replaced

    BodyStore bodies;
    AwakeBodies awake;
    Broadphase broadphase;
    ContactPool contacts;
    JointStore joints;
    GrabRecord grab;
    SubstepState substeps;
    StepStats stats;
    std::vector<BodyId> stopped; // see FrameState
    std::vector<ImpactState> impacts;
    std::vector<BreakState> breaks; // of joints, in the last step

    Waking waking() { return {bodies, awake, contacts, joints}; }
};

struct Snapshot {
    WorldData data;
};

struct World::Impl {
    WorldData data;
    mutable SerialExecutor serial;
    Executor* executor = nullptr; // none = serial

    BodyKindLibrary kinds;
    Partition partition;
    ActingJoints acting;
    Islands islands;
    IslandSubsteps substeps;
    BatchedSolver solver;
    ContinuousCollision continuous;

    // Names this world among all in the process, anew after each restore: a published frame with this and
    // BodyStore::resting_revision up to date needs only what is awake.
    std::uint64_t source = next_source();
    static std::uint64_t next_source();
    void settle_in(); // after all data have been exchanged

    // What readers asked to see, and what the last step noted for them.
    FrameDetails watched;
    std::vector<SweepState> sweeps;
    std::vector<std::uint8_t> colour_of_contact; // by slot of the contact

    // Scratch, kept for its memory.
    std::vector<PairKey> new_pairs;
    std::vector<std::uint32_t> pairs_entangled; // by slot, as far as they are counted in find_pairs
    std::vector<std::uint32_t> counted_bodies;
    std::vector<std::uint8_t> knows_all; // by slot, of the entangled: lies in no other that it has no pair with
    // A pair that touches, by its place in the list of pairs.
    struct TouchingPair {
        std::uint32_t place = 0;
        std::uint32_t contact = no_index; // none: the next of PairBlock::found
        TouchingSides sides{0, 0, false, false};
    };
    // What has become of the pairs of one region in a stretch of the list, in key order.
    struct PairBlock {
        std::vector<TouchingPair> touching;
        std::vector<FoundContact> found;         // with the pair's slot
        std::vector<std::uint32_t> gone, parted; // places in the list
        std::vector<std::uint32_t> waking;       // slots of pairs
        std::vector<std::uint32_t> foreseen;     // places in the list
        std::vector<std::uint32_t> at_fixed;     // dynamic bodies that touch what is not, once for each pair
        FoundContact scratch;
        void clear();
    };
    std::vector<PairBlock> pair_blocks;
    // What has become of a pair of a shape with a mesh. The faces that it touches are pairs of their own, of which the
    // first stands for all.
    struct MeshPair {
        std::array<std::uint32_t, MeshManifolds::most> slots{}; // of the faces' pairs; no_index: there is none yet
        bool carried = false;                                // the contacts that there are have been brought up to date
        float apart = 0.0f;                                  // m, as FoundContact::apart
        std::array<FoundContact, MeshManifolds::most> found; // by face; of no points: it is not touched
    };
    std::vector<MeshPair> mesh_pairs;
    std::vector<std::uint32_t> mesh_places;  // in the list of pairs, of those of mesh_pairs
    std::vector<std::uint32_t> mesh_pair_of; // by slot of a face's pair, in mesh_pairs; no_index: it was not looked at
    // What is expected of a fast body in the coming step; of others, nothing is kept.
    struct alignas(32) Outlook {
        Vec3 way{0.0f}, turn{0.0f}; // m, rad, world
        float lift = 0.0f;          // m, by which turning moves the surface outwards, at most
        std::uint32_t number = 0;   // that of the last look_out(): counts
    };
    std::vector<Outlook> outlooks; // by slot
    std::uint32_t outlook_number = 0;
    std::vector<ActivePair> pending_pairs;
    std::vector<std::uint32_t> places_found; // in the list of pairs
    std::vector<std::uint32_t> foreseen;     // slots of pairs that are going to meet, by key
    std::vector<std::uint32_t> round_touching;
    std::vector<TouchingSides> touching_sides; // of ContactPool::touching()
    std::vector<std::uint8_t> touched;         // by motion: whose surface is within a slop of another's
    std::vector<std::uint32_t> at_fixed;       // dynamic bodies, once for each pair that touches something else
    std::vector<std::uint8_t> hidden;          // by contact: dropped, because a seam has made it
    std::vector<std::uint32_t> on_several;     // bodies of two such pairs or more
    std::vector<std::uint8_t> fixed_contacts; // by body: touching contacts with what does not move by itself, up to two
    // What move_bodies has found, by motion, and the slots of bodies so marked.
    static constexpr std::uint8_t mark_insane = 1;
    static constexpr std::uint8_t mark_fast = 2;    // came further than its contacts reach
    static constexpr std::uint8_t mark_strayed = 4; // may have left its own reach at the start of the step
    static constexpr std::uint8_t mark_escaped = 8; // its new reach is not held by the trees
    static constexpr std::uint8_t mark_tired = 16;  // has been quiet for as long as an island must to sleep
    std::vector<std::uint8_t> move_marks;
    bool any_tired = false;
    std::vector<std::uint32_t> fast_bodies, strayed, escaped;
    std::vector<KnownPair> fast_pairs;   // by key
    std::vector<std::uint8_t> lies_deep; // by motion: in another dynamic body
    std::vector<std::vector<KnownPair>> fast_pair_blocks;
    std::vector<std::vector<std::uint32_t>> pressed_blocks; // motions
    std::vector<BodyMotion> motions;
    std::vector<BodyDynamics> dynamics;
    std::vector<Transform> step_starts; // by slot, of awake bodies: poses before the solver moved them
    std::vector<std::uint32_t> hit_sleepers;
    std::vector<std::uint32_t> held_back; // slots of bodies of mechanisms that were held, ascending
    std::vector<float> held_at;           // in steps, by mechanism: when it was

    Executor& run_on() const { return executor != nullptr ? *executor : serial; }
    std::size_t scratch_bytes() const; // held by the members above but for the solver's

    // bodies.cpp
    CommandResult create(const BodyDef& def);
    void destroy(std::uint32_t slot);
    void refit(std::uint32_t slot);               // bounds and broadphase as they follow from the body's state
    void place(std::uint32_t slot);               // the same after the pose was set from outside
    void refresh_shapes_type(std::uint32_t slot); // after the type was changed
    std::uint64_t hash_of_bodies() const;
    void refresh_reach(std::uint32_t slot); // of all shapes of the body
    float margin_for(const BodyKind& kind, float inner_radius, float travel) const;
    void lay_reach(std::uint32_t slot, float travel); // how far the surface can come within a step, m
    // The motion of the coming step, in m and rad, if nothing but gravity acts.
    Sweep expected_path(std::uint32_t slot) const;

    // contacts.cpp
    void refresh_contacts(std::uint32_t slot);

    // commands.cpp
    std::string reason_not_to_push(BodyId id, std::string problem, const char* deed) const;
    CommandResult apply(const CreateBody& command);
    CommandResult apply(const DestroyBody& command);
    CommandResult apply(const SetBody& command);
    CommandResult apply(const ApplyImpulse& command);
    CommandResult apply(const Grab& command);
    CommandResult apply(const MoveGrab& command);
    CommandResult apply(const ReleaseGrab& command);
    CommandResult apply(const SetSettings& command);
    CommandResult apply(const CreateJoint& command);
    CommandResult apply(const DestroyJoint& command);
    CommandResult apply(const SetJoint& command);

    // joints.cpp
    void part(std::uint32_t slot);                                 // ends a joint; its bodies may collide again
    void break_joints();                                           // at the end of a step
    void end_contacts(const JointDef& def);                        // of joined bodies
    void end_ignored_contacts(std::uint32_t body);                 // with those that it is held apart from
    void look_for_contacts(std::span<const std::uint32_t> bodies); // that may be free to collide again
    void publish_joints(FrameState& frame) const;

    // step.cpp: the stages, in order
    void find_pairs();      // contacts.cpp
    void update_contacts(); // contacts.cpp
    void update_pairs(std::span<ActivePair> pairs);
    void update_stretch(std::span<ActivePair> pairs, std::size_t begin, std::size_t end, std::size_t region,
                        PairBlock& out);
    void update_block(std::span<ActivePair> pairs, std::span<const std::uint32_t> asked, PairBlock& out);
    void update_pair(std::span<ActivePair> pairs, std::uint32_t place, PairBlock& out);
    void note_touch(const ActivePair& entry, std::uint32_t place, std::uint32_t contact,
                    std::span<const ContactPoint> points, PairBlock& out) const;
    void keep_found(ActivePair& entry, std::uint32_t place, PairBlock& out);
    float gap_by_reach(const ShapeRecord& a, const ShapeRecord& b, float margin) const;
    bool find_mesh_contacts(std::span<const ActivePair> pairs); // mesh_pairs.cpp; whether pairs were added
    void look_at_mesh(const ActivePair& entry, MeshPair& out);
    bool is_mesh_pair(const ActivePair& entry) const { // by its bodies: of such a body other shapes are none
        return data.bodies.kind(entry.body_a).has_mesh || data.bodies.kind(entry.body_b).has_mesh;
    }
    bool update_mesh_pair(ActivePair& entry, std::uint32_t place, PairBlock& out);
    // How a pair of shapes moves in the coming step, if either is fast.
    struct PairMotion {
        bool fast = false;   // against each other
        float travel = 0.0f; // m, by which the surfaces come nearer at most
        float margin = 0.0f; // m, the gap within which the pair makes a contact where it is
        float reach = 0.0f;  // m, the same where it is going to meet
        Sweep path_a, path_b;
    };
    TouchingSides sides_of(const ShapeRecord& a, const ShapeRecord& b, std::span<const ContactPoint> points) const;
    bool is_crowded(std::uint32_t slot) const;
    bool is_buried(const ShapeRecord& a, const ShapeRecord& b) const;
    bool has_enough(std::uint32_t slot);
    void forget_counts();
    void ask_for_pairs();
    void touch_shapes(std::uint32_t slot);
    void disentangle();
    PairMotion pair_motion(const ShapeRecord& a, const ShapeRecord& b) const;
    void look_out();                                   // fills the outlooks
    const Outlook* outlook(std::uint32_t slot) const { // nullptr: not fast
        return outlooks[slot].number == outlook_number ? &outlooks[slot] : nullptr;
    }
    bool stays_apart(const ActivePair& pair) const;
    void take_over(std::span<const ActivePair> pairs, std::size_t stretches, std::size_t parts);
    void read_sides();
    void drop_seams();     // seams.cpp
    void gather_motions(); // motions.cpp
    void solve();
    void move_bodies();                                                   // motions.cpp
    std::uint8_t move_body(std::uint32_t slot, const BodyMotion& motion); // the marks
    bool quiet(std::uint32_t slot, float way) const;                      // m, come in this step
    bool keep_reach(std::uint32_t slot, float drift, float travel);
    void list_fast_pairs(); // fast_bodies.cpp
    void add_pressed_bodies();
    bool is_pressed_in(const Contact& contact, float slop) const;
    void tell_foreseen_impacts();
    void sort_impacts();
    void stop_fast_bodies(); // fast_bodies.cpp
    void hold_mechanisms(const ContinuousWorld& view);
    void refit_bounds(); // motions.cpp
    void fall_asleep();
    void mark_touching(); // contacts.cpp
};

} // namespace cairn::physics
