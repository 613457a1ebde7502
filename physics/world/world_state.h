// The world's own data. Internal: outside this folder the world is changed by commands and read from published frames.
#pragma once

#include "physics/broadphase/broadphase.h"
#include "physics/continuous/continuous.h"
#include "physics/islands/union_find.h"
#include "physics/narrowphase/body_trace.h"
#include "physics/narrowphase/contact_pool.h"
#include "physics/narrowphase/contact_update.h"
#include "physics/solver/batched_solver.h"
#include "physics/world/body_kind.h"
#include "physics/world/division.h"
#include "physics/world/world.h"

#include <atomic>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace cairn::physics {

// What the stages of a step read and write of a body, one cache line; what it is made of stands in ColdBody.
struct alignas(64) BodyRecord {
    Transform pose; // of the centre of mass
    Vec3 linear_velocity{0.0f}, angular_velocity{0.0f};
    float quiet_time = 0.0f; // s since the body last moved faster than the sleep speed
    std::uint32_t generation = 0;
    BodyType type = BodyType::dynamic;
    bool alive : 1 = false;
    bool sleeping : 1 = false;
    bool awake : 1 = false;     // listed in WorldData::awake: dynamic and not sleeping, or kinematic and moving
    bool touching : 1 = false;  // as published
    bool placed : 1 = false;    // put down at rest since the last step
    bool entangled : 1 = false; // was put into another dynamic body, and has not come out of all since
};
static_assert(sizeof(BodyRecord) == 64);

struct ColdBody {
    std::shared_ptr<const BodyKind> kind; // none: no body lives here
    std::uint32_t first_shape = 0, shape_count = 0;
    float margin = 0.0f;    // m, least of the shapes' margins
    float fitted = 0.0f;    // m, how far ahead of the surface the reach was laid when it was last fitted
    float drift = 0.0f;     // m, at most so far has any point of the surface come since
    std::uint64_t hash = 0; // of a body at rest; those that are awake are hashed when somebody asks
};

struct ShapeRecord {
    const Shape* shape = nullptr; // kept alive by the body's model
    Transform pose;               // in the body's frame
    std::uint32_t body = no_index;
    float margin = 0.0f; // m, gap within which this shape makes contacts ahead of touching
    // Holds the world bounds grown by the margin; fitted anew only when the body has come some way, since most of those
    // that are awake lie in heaps and hardly move.
    Aabb reach;
    bool centred = false; // its pose is the identity, as for most bodies of one shape
};

struct GrabRecord {
    bool active = false;
    Grab grab;
    Vec3 impulse{0.0f}; // N s per substep, where the next solve starts
};

struct JointRecord {
    std::uint32_t generation = 0;
    bool alive = false;
    std::shared_ptr<const JointDef> def;
    JointImpulses impulses;         // per plain substep, where the next solve starts
    float position = 0.0f;          // rad or m; the angle of a hinge keeps its turns
    Vec3 force{0.0f}, torque{0.0f}; // N, N m on B, as published
    bool unhashed = false;          // acted in the last step
    std::uint64_t def_hash = 0, hash = 0;
};

// A contact below a column that asks for finer substeps than the plain ones (solver/fineness.h).
struct ColumnContact {
    std::uint32_t slot = 0;    // of the pair
    std::uint8_t fineness = 0; // rung of the ladder
    PairKey key = 0;           // of the pair that stood there
};

// A contact whose bodies were put down touching, and which has yet to find its impulses.
struct SettlingContact {
    std::uint32_t slot = 0; // of the pair
    std::uint8_t steps = 0; // left
    PairKey key = 0;
};

// All that a snapshot holds.
struct WorldData {
    Settings settings;
    std::uint64_t step = 0;
    double time = 0.0;          // s, sum of the steps taken
    std::uint64_t revision = 0; // moves when a body is made, destroyed or its model replaced

    std::vector<BodyRecord> bodies;
    std::vector<ColdBody> cold;             // by slot, as the bodies
    std::vector<std::uint32_t> free_bodies; // last in, first out
    std::vector<std::uint32_t> awake;       // slots, ascending, as of the last commit_awake
    std::vector<std::uint32_t> newly_awake; // not yet in `awake`
    bool slept = false;                     // `awake` holds slots of bodies that are no longer
    std::vector<ShapeRecord> shapes;
    std::map<std::uint32_t, std::vector<std::uint32_t>> free_shape_runs; // by length: first indices

    Broadphase broadphase;
    ContactPool contacts;
    std::vector<BodyTrace> traces; // by body slot
    std::uint32_t trace_epoch = 1; // moves when the pairs have been looked at
    GrabRecord grab;
    std::vector<ColumnContact> columns; // by slot
    std::vector<SettlingContact> settling;
    std::vector<std::uint32_t> placed; // slots of bodies that were put down at rest since the last step
    std::uint32_t entangled = 0;       // bodies that are
    bool any_meshes = false;           // there is a body with a mesh, or has been

    std::vector<JointRecord> joints;
    std::vector<std::uint32_t> free_joints;                 // last in, first out
    std::vector<std::uint32_t> unhashed_joints;             // slots; some of them may have gone since
    std::vector<std::vector<std::uint32_t>> joints_of_body; // by body slot, no longer than the last that has any

    const BodyKind& kind(std::uint32_t slot) const { return *cold[slot].kind; } // of a live body

    std::span<const std::uint32_t> joints_of(std::uint32_t body) const; // slots
    // Whether bodies never collide: their filters or their joints say so.
    bool held_apart(std::uint32_t body_a, std::uint32_t body_b) const;
    std::vector<std::uint32_t> ignored_by(std::uint32_t body) const; // slots of bodies, for their joints' sake
    std::vector<std::uint32_t> decided_by(const JointDef& def) const;

    // Wrapping sums of the single hashes: of bodies at rest, and of joints that did not act in the last step.
    std::uint64_t body_hash_sum = 0, joint_hash_sum = 0;
    StepStats stats;
    std::vector<BodyId> stopped; // see FrameState
    std::vector<ImpactState> impacts;
    std::vector<BreakState> breaks; // of joints, in the last step
};

struct Snapshot {
    WorldData data;
};

struct World::Impl {
    WorldData data;
    mutable SerialExecutor serial;
    Executor* executor = nullptr; // none = serial

    BodyKindLibrary kinds;
    BatchedSolver solver;
    std::vector<std::uint32_t> root_of_motion; // of its island
    ContinuousCollision continuous;

    // Names this world among all in the process, anew after each restore, and moves when a body wakes, falls asleep or
    // changes at rest: a published frame with both up to date needs only what is awake.
    std::uint64_t source = next_source();
    std::uint64_t rest_revision = 0;
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
    // The bodies of a contact, whether their surfaces are within a slop of each other, and whether two dynamic
    // ones lie deeper in each other than any path may lead.
    struct Sides {
        std::uint32_t body_a : 31, deep : 1;
        std::uint32_t body_b : 31, meet : 1;

        Sides(std::uint32_t a, std::uint32_t b, bool close, bool sunk)
            : body_a(a & 0x7fffffffu), deep(sunk ? 1 : 0), body_b(b & 0x7fffffffu), meet(close ? 1 : 0) {}
    };
    // A pair that touches, by its place in the list of pairs.
    struct TouchingPair {
        std::uint32_t place = 0;
        std::uint32_t contact = no_index; // none: the next of PairBlock::found
        Sides sides{0, 0, false, false};
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
    std::vector<Sides> touching_sides;        // of ContactPool::touching()
    std::vector<std::uint8_t> touched;        // by motion: whose surface is within a slop of another's
    std::vector<std::uint32_t> at_fixed;      // dynamic bodies, once for each pair that touches something else
    std::vector<std::uint8_t> hidden;         // by contact: dropped, because a seam has made it
    std::vector<std::uint32_t> on_several;    // bodies of two such pairs or more
    std::vector<std::uint8_t> fixed_contacts; // by body: touching contacts with what does not move by itself, up to two
    std::vector<std::uint32_t> motion_of_body; // by slot; 0 for what is not awake
    std::vector<std::uint8_t> driven;          // by motion: kinematic; it ties no islands together
    Regions regions;                           // of motions
    std::uint64_t awake_version = 1;           // moves when WorldData::awake changes
    std::uint64_t numbered_awake = 0;          // the version that motion_of_body belongs to
    static constexpr std::uint8_t no_region = 255;
    std::vector<std::uint8_t> region_of_body;  // by slot; of some that are not awake, too
    std::vector<std::uint32_t> slot_of_motion; // by motion, from 1 on
    Division division;
    std::uint64_t division_age = 0;           // steps
    std::size_t divided_contacts = 0;         // that touched then
    std::vector<std::uint32_t> place_of_body; // by slot, in the division
    std::vector<std::uint32_t> region_sizes;  // scratch
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
    std::vector<Solver::TouchingContact> touching;
    std::vector<std::uint32_t> acting_joints; // slots, ascending
    std::vector<std::uint32_t> paced_joints;  // of them, of one pace
    std::vector<JointRows> joint_rows;    // of joints that have an awake body, by pace, then slot, then the mouse drag
    std::atomic<bool> any_broken = false; // of joint_rows
    UnionFind islands, mechanisms;
    std::vector<std::uint32_t> mechanism_of_motion; // empty: there are none
    std::vector<float> island_quiet;
    std::vector<std::pair<float, std::uint32_t>> by_depth; // m along gravity, slot
    struct IslandColumn {
        float top = std::numeric_limits<float>::max(); // m along gravity, of its highest body
        std::uint32_t feet = 0;                        // contacts with what is fixed
    };
    std::vector<IslandColumn> island_columns; // by root
    std::vector<float> leans_from;            // m along gravity, by slot: the top of what leans together with the body
    std::vector<ColumnContact> old_columns;
    std::vector<float> carried; // N, by slot
    std::vector<std::uint32_t> supports;
    struct IslandLoad {
        std::uint32_t contacts = 0, settling = 0; // touching
        std::uint8_t fineness = 0;                // greatest of the contacts
        std::uint32_t joints = 0;                 // counted only where joints turn fast
        float turning = 0.0f;                     // how many times finer they want it
        float fastest = 0.0f;                     // m/s, of any point of its bodies, where some are settling
    };
    std::vector<IslandLoad> island_loads; // by root
    std::vector<std::uint8_t> pace_of_motion;
    std::vector<Pace> paces;
    std::vector<Transform> step_starts; // by slot, of awake bodies: poses before the solver moved them
    std::vector<std::uint32_t> hit_sleepers;
    std::vector<std::uint32_t> held_back; // slots of bodies of mechanisms that were held, ascending
    std::vector<float> held_at;           // in steps, by mechanism: when it was
    std::vector<std::uint32_t> merged_awake;
    std::vector<std::uint32_t> wake_stack;

    Executor& run_on() const { return executor != nullptr ? *executor : serial; }
    std::size_t scratch_bytes() const; // held by the members above but for the solver's
    BodyRecord* find(BodyId id);
    const BodyRecord* find(BodyId id) const;

    // bodies.cpp
    CommandResult create(const BodyDef& def);
    void destroy(std::uint32_t slot);
    void refit(std::uint32_t slot);               // bounds and broadphase as they follow from the body's state
    void place(std::uint32_t slot);               // the same after the pose was set from outside
    void refresh_shapes_type(std::uint32_t slot); // after the type was changed
    void rehash(std::uint32_t slot);              // after any change of the body's state but by the stages of a step
    std::uint64_t hash_of_body(std::uint32_t slot) const;
    std::uint64_t hash_of_bodies() const;
    Transform shape_pose(const ShapeRecord& shape) const { // world
        const Transform& body = data.bodies[shape.body].pose;
        return shape.centred ? body : compose(body, shape.pose);
    }
    void refresh_reach(std::uint32_t slot); // of all shapes of the body
    float margin_for(const BodyKind& kind, float inner_radius, float travel) const;
    void lay_reach(std::uint32_t slot, float travel); // how far the surface can come within a step, m
    // The motion of the coming step, in m and rad, if nothing but gravity acts.
    Sweep expected_path(std::uint32_t slot) const;

    // contacts.cpp
    void trace_motion(std::uint32_t slot);
    void lose_track(std::uint32_t slot);
    void refresh_contacts(std::uint32_t slot);

    // awake.cpp
    void wake(std::uint32_t slot);            // and all that it touches, transitively
    void wake_neighbours(std::uint32_t slot); // bodies that touch it
    // Bodies whose bounds it meets, since contacts between what does not move and what sleeps are not looked at. What
    // is awake wakes whom it touches.
    void wake_around(std::uint32_t slot);
    void set_awake(std::uint32_t slot, bool awake);
    // Brings the lists of awake bodies and active contacts up to date after any number of set_awake. Takes time with
    // their length: the step does it, commands do not, so that a thousand of them cost no more than one each.
    void commit_awake();
    void refresh_contact_activity(std::uint32_t slot);
    bool moves(std::uint32_t slot) const; // awake in the sense of BodyRecord::awake

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
    JointRecord* find(JointId id);
    void destroy_joint(std::uint32_t slot);
    void part(std::uint32_t slot);                                 // ends a joint; its bodies may collide again
    void break_joints();                                           // at the end of a step
    void end_contacts(const JointDef& def);                        // of joined bodies
    void end_ignored_contacts(std::uint32_t body);                 // with those that it is held apart from
    void look_for_contacts(std::span<const std::uint32_t> bodies); // that may be free to collide again
    void wake_joined(std::uint32_t body);                          // all that joints tie to it
    void wake_both(const JointDef& def);
    bool pushed(BodyId body) const; // it is awake and moves by what it meets
    void list_acting_joints();      // one of their bodies is pushed
    void join_islands();
    bool in_one_mechanism(std::uint32_t body_a, std::uint32_t body_b) const; // joints connect them; slots of awake ones
    void disturb_islands(); // joints to moving kinematic bodies keep islands awake
    void place_joint(JointRows& rows, std::uint32_t slot) const;
    void gather_joints();
    std::size_t gather_joints(std::size_t pace, std::size_t count);
    std::size_t gather_locks(std::size_t pace, std::size_t count);
    void store_joints();
    void rehash_joint(std::uint32_t slot);
    void rehash_whole_joint(std::uint32_t slot); // its definition, too
    void leave_joints_unhashed();
    std::uint64_t hash_of_joint(std::uint32_t slot) const;
    std::uint64_t hash_of_joints() const;
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
        return data.kind(entry.body_a).has_mesh || data.kind(entry.body_b).has_mesh;
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
    Sides sides_of(const ShapeRecord& a, const ShapeRecord& b, std::span<const ContactPoint> points) const;
    bool is_crowded(std::uint32_t slot) const;
    bool is_buried(const ShapeRecord& a, const ShapeRecord& b) const;
    bool has_enough(std::uint32_t slot);
    void forget_counts();
    void ask_for_pairs();
    void touch_shapes(std::uint32_t slot);
    void set_entangled(std::uint32_t slot, bool entangled);
    void disentangle();
    PairMotion pair_motion(const ShapeRecord& a, const ShapeRecord& b) const;
    void look_out();                                   // fills the outlooks
    const Outlook* outlook(std::uint32_t slot) const { // nullptr: not fast
        return outlooks[slot].number == outlook_number ? &outlooks[slot] : nullptr;
    }
    bool stays_apart(const ActivePair& pair) const;
    void take_over(std::span<const ActivePair> pairs, std::size_t stretches, std::size_t parts);
    std::size_t region_of(std::uint32_t body_a, std::uint32_t body_b) const;
    void read_sides();
    void drop_seams(); // seams.cpp
    void build_islands();
    void divide_bodies(); // division.cpp
    void cut_bodies(std::size_t count);
    void choose_paces();
    bool add_mechanisms();
    float turning_speed(const JointDef& def) const;
    float swinging_speed(const JointRecord& joint) const;
    void estimate_loads();
    void begin_settling();
    float surface_speed(std::uint32_t slot) const;                  // m/s, no point of it is faster
    std::uint32_t motion_that_yields(const Contact& contact) const; // of its dynamic body, A first
    std::uint64_t hash_of_paces() const;
    void forget_placed();
    void gather_motions(); // motions.cpp
    void solve();
    void move_bodies();                                                   // motions.cpp
    std::uint8_t move_body(std::uint32_t slot, const BodyMotion& motion); // the marks
    bool quiet(std::uint32_t slot, float way) const;                      // m, come in this step
    float time_at_rest(std::uint32_t slot) const;
    int substeps_taken(std::uint32_t slot) const;
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
