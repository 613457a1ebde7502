// Continuous collision: what moves far within a step bounces where it first meets something, and goes on from there.
#pragma once

#include "physics/base/executor.h"
#include "physics/base/growth.h"
#include "physics/broadphase/broadphase.h"
#include "physics/continuous/impact.h"
#include "physics/continuous/pair_notes.h"
#include "physics/narrowphase/material.h"
#include "physics/query/manifold.h"
#include "physics/query/time_of_impact.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// A path is "fast" if a point of the body moves further than this share of the radius of the ball inside it. Below
// that, the discrete contact still finds the body on the near side of whatever it meets.
inline constexpr float fast_share = 0.5f;

// What weighs so many times as much as a body is not stopped by it.
inline constexpr float far_heavier = 10.0f;

// How deep a path may lead shapes into each other that the solver holds, m, negative: a tenth of the smaller ball
// inside them, and of thin ones three quarters of it, but then no more than the slop.
inline float deepest_path(const Shape& a, const Shape& b, float linear_slop) {
    const float inner = std::min(a.inner_radius, b.inner_radius);
    return -std::max(0.1f * inner, std::min(0.75f * inner, linear_slop));
}

// How one body moves during the step. Times are in steps: 0 = start, 1 = end. At first the path leads from the start to
// where the solver has put the body; impacts replace what is left of it.
struct SweptBody {
    Transform pose;                              // of the centre of mass at time `from`
    Transform end;                               // the same at time 1, to the last digits
    float from = 0.0f;                           // where the present piece of the path begins
    Vec3 linear{0.0f};                           // m per step
    Vec3 angular{0.0f};                          // rad per step, world
    Vec3 velocity{0.0f};                         // m/s, at the end of the step
    Vec3 spin{0.0f};                             // rad/s, world, at the end of the step
    Vec3 gravity{0.0f};                          // m/s that free fall adds in a step
    float max_turn = 0.0f;                       // rad per step, if spin_limited
    bool dynamic = false;                        // impulses move it
    bool jointed = false;                        // part of a mechanism, which is held back as a whole
    std::uint32_t mechanism = 0;                 // which, the same for all that joints connect; 0: none
    bool fast = false;                           // examined all along its path
    bool spin_limited = false;                   // as in BodyDynamics
    std::uint8_t locks = 0;                      // as in BodyDef
    float inverse_mass = 0.0f;                   // 1/kg
    SymmetricMat3 inertia, inverse_inertia;      // body axes
    const PrincipalInertia* principal = nullptr; // as in BodyDynamics
    float bounding_radius = 0.0f;                // m
    std::uint32_t slot = 0, first_shape = 0, shape_count = 0;

    // Outcome.
    bool changed = false;               // pose, velocity and spin are news
    bool stopped = false;               // its own path has ended before the step
    float stopped_at = 1.0f;            // the time then
    bool driven = false;                // moves along with something that it does not stop, or has done so
    std::uint32_t driver = 0xffffffffu; // slot of that, as long as it does
    float driver_inverse_mass = 0.0f;   // 1/kg, of that or of what drives it in turn
    bool drifted = false;               // was stopped, at first only as seen from what it touches
    std::uint32_t impacts = 0;          // answered in this step
    std::uint32_t rattles = 0;          // those among them that came soon after the one before
    std::uint32_t version = 0;          // grows with every change of the path

    bool moves() const { return linear != Vec3(0.0f) || angular != Vec3(0.0f); }
};

// What continuous collision reads of the world, on several threads at once. Asked only for what a fast body may meet.
class ContinuousWorld {
  public:
    struct ShapeRef {
        const Shape* shape = nullptr;
        Transform pose;         // in the body's frame
        std::uint32_t body = 0; // slot
    };
    // What a body touches by the contacts of this step.
    static constexpr std::uint32_t nobody = 0xffffffffu;
    struct Touch {
        bool anything = false; // it is carried: gravity does not act on it freely
        // Slots of two different dynamic bodies among them, as far as there are any.
        std::array<std::uint32_t, 2> dynamic{nobody, nobody};
        bool dynamic_but(std::uint32_t except) const {
            return dynamic[1] != nobody || (dynamic[0] != nobody && dynamic[0] != except);
        }
    };
    virtual ~ContinuousWorld() = default;
    // Indices of shapes and slots of bodies lie below these.
    virtual std::size_t shape_end() const = 0;
    virtual std::size_t body_end() const = 0;
    virtual ShapeRef shape(std::uint32_t index) const = 0;
    // `triangle`: of a mesh, else it does not count.
    virtual const Material& material(std::uint32_t shape, std::uint32_t triangle) const = 0;
    virtual SweptBody body(std::uint32_t slot) const = 0;
    // World bounds that hold the shape where body() says that its path ends. The trees must find it by them, besides by
    // those of its path, until the step is over; what is fast in a step that was examined in slices, see
    // ContinuousStats, is to be put there again.
    virtual Aabb reach(std::uint32_t index) const = 0;
    virtual Touch touch(std::uint32_t slot) const = 0;
    // How a dynamic body, what it touches and `other`, which it meets, move on the average, weighted by mass, at its
    // centre.
    struct Stream {
        Vec3 linear{0.0f}, angular{0.0f}; // m, rad per step; zero where it touches what is fixed
        std::uint32_t wall = nobody;      // slot of one that it does not stop, if it touches such a one
    };
    virtual Stream stream(std::uint32_t slot, std::uint32_t other) const = 0;
    // What the step knows of a pair from its start.
    struct Known {
        bool contact = false;
        // World, from the first shape to the second: the normal of the contact, else a direction that parted the
        // shapes; zero: none is known.
        Vec3 normal{0.0f};
        float separation = 0.0f; // m, of the deepest point of the contact
        float held = 0.0f;       // m, the same at the end of the step, as far as the rows of the contact tell
    };
    // `pair`: the slot of the pair, where it is at hand.
    static constexpr std::uint32_t unknown = 0xffffffffu;
    virtual Known known(PairKey, std::uint32_t /*pair*/) const { return {}; }
    // Bodies that do not collide with each other in this step.
    virtual bool held_apart(std::uint32_t, std::uint32_t) const { return false; }
};

struct ContinuousSettings {
    float step = 0.0f;                  // s
    float linear_slop = 0.0f;           // m
    float restitution_threshold = 0.0f; // m/s
};

// An impact that was answered by impulses.
struct SweptImpact {
    std::uint32_t body_a = 0, body_b = 0; // slots
    Vec3 point{0.0f};                     // m, world, amid the points of the contact
    Vec3 normal{0.0f};                    // unit, from A to B
    Vec3 impulse{0.0f};                   // N s, on B, world; on A its opposite
    float time = 0.0f;                    // in steps
    Vec3 centre_a{0.0f}, centre_b{0.0f};  // m, world, of the bodies at that time
};

struct ContinuousStats {
    std::uint32_t impacts = 0;      // answered by impulses
    std::uint32_t held = 0;         // bodies whose own paths ended before the step
    double given_up = 0.0;          // in steps: what was left of those, summed over the bodies
    std::uint32_t spin_limited = 0; // spins held to what sweeps resolve
    bool sliced = false;            // the trees hold fast bodies where the end of the step has them, and no more
};

// A pair of the narrowphase that may meet within the step.
struct KnownPair {
    PairKey key = 0;
    std::uint32_t pair = 0; // its slot
};

// Handles all fast bodies together, impact by impact in order of time; see docs/how/continuous-collision.md.
class ContinuousCollision {
  public:
    // A body squeezed between others, or a plate that rattles on a floor, meets them in ever shorter times. From so
    // many impacts on that come this soon after the one before, in steps, it does not bounce and its path does not
    // turn, ...
    static constexpr std::uint32_t most_rattles = 4;
    static constexpr float soon = 1.0f / 256.0f;
    // ... and at last it stands still, and the solver answers for all its contacts at once.
    static constexpr std::uint32_t max_impacts = 16;

    // `fast` and `strayed` list slots in ascending order; strayed is what has left the path that it was expected to
    // take: the trees of `broadphase` may not hold it, and the narrowphase not know its pairs. Its bounds are put
    // there, and so are those of paths that change. `pairs`, by key, are those of all other fast bodies. The bodies
    // that changed are left in changed(), by slot.
    ContinuousStats run(Executor& executor, const ContinuousWorld& world, const ContinuousSettings& settings,
                        std::span<const std::uint32_t> fast, std::span<const std::uint32_t> strayed,
                        std::span<const KnownPair> pairs, Broadphase& broadphase);
    std::span<const SweptBody> changed() const { return changed_; }
    // Of the last run, in order of time.
    std::span<const SweptImpact> impacts() const { return impacts_; }

    // Of a step that has nothing to follow: after a while of them the memory of the last crowd is given back.
    void rest();
    std::size_t memory_bytes() const; // of heap

  private:
    struct Exam {
        enum class Result : std::uint8_t { miss, impact, lost };
        Result result = Result::miss;
        float time = 0.0f;
        float floor = 0.0f; // distance that the pair may sink to, m
        bool in_touch = false;
        Vec3 axis{0.0f};    // along which the pair was separated last; zero: not known
        bool whole = false; // to the end of the step, not only of the slice
        TimeOfImpact impact;
        std::uint32_t triangle = 0; // of a mesh, that is met
    };
    struct MeshMeeting; // of a shape and one triangle
    struct Event {
        float time = 0.0f;
        PairKey key = 0;                            // of the shapes
        std::uint32_t version_a = 0, version_b = 0; // of the bodies when the time was computed
        bool lost = false;                          // the sweep ran out of iterations
        bool looks = false; // no impact: body A, at index `key` of bodies_, looks further along its path
        float distance = 0.0f;
        Vec3 normal{0.0f}, point{0.0f};
        std::uint32_t triangle = 0; // of a mesh
    };
    // What a body may meet, from a time on.
    struct Candidate {
        float time = 0.0f;
        std::uint32_t other = 0;   // index into bodies_
        std::uint32_t version = 0; // of its path
        PairKey key = 0;
    };
    struct Step {
        const ContinuousWorld& world;
        const ContinuousSettings& settings;
        Broadphase& broadphase;
    };

    void meet(std::uint32_t slot);
    void gather(Executor& executor, const Step& step, std::size_t from);
    Aabb path_bounds(const ContinuousWorld::ShapeRef& shape, const SweptBody& body, float begin, float until) const;
    void sweep(const Step& step, const SweptBody& body);
    int count_slices(const Step& step, std::span<const std::uint32_t> fast) const;
    void begin_slice(Executor& executor, const Step& step, int slice, int slices);
    void cover_paths(const Step& step, std::span<const std::uint32_t> slots, bool whole);
    void collect_all(Executor& executor, const Step& step, std::span<const std::uint32_t> roaming,
                     std::span<const KnownPair> pairs);
    void examine_all(Executor& executor, const Step& step, std::span<const KnownPair> pairs);
    void answer_all(Executor& executor, const Step& step);
    bool examined_whole(PairKey key) const;
    void consider(const Step& step, std::uint32_t body, std::uint32_t shape, std::uint32_t other, bool moving);
    void collect(const Step& step, std::uint32_t body, bool standing);
    const ContinuousWorld::Touch& touch(const Step& step, const SweptBody& body);
    Exam examine(const Step& step, PairKey key, float now, std::uint32_t pair = ContinuousWorld::unknown) const;
    Exam examine_mesh(const Step& step, PairKey key, float now) const; // mesh_paths.cpp
    MeshMeeting examine_triangle(const MeshMeeting& asked) const;
    static Manifold mesh_contact(const ContinuousWorld::ShapeRef& a, const Transform& pose_a,
                                 const ContinuousWorld::ShapeRef& b, const Transform& pose_b, float reach,
                                 const Vec3& normal);
    void enqueue(PairKey key, const Exam& exam);
    void add(const Event& event);
    float pair_give(const ContinuousWorld::ShapeRef& a, const ContinuousWorld::ShapeRef& b, float slop) const; // m
    static bool next_step_finds(const ContinuousWorld::ShapeRef& a, const SweptBody& body_a,
                                const ContinuousWorld::ShapeRef& b, const SweptBody& body_b, const Vec3& normal);
    static bool leads_back(const Manifold& end, const Vec3& normal, float deepest);
    void put_in_touch(PairKey key, float floor);
    void look_ahead(const Step& step, float now, std::span<const std::uint32_t> bodies, bool standing);
    void look_further(const Step& step, float now, std::uint32_t body);
    static bool pushes(const SweptBody& other, const SweptBody& body);
    bool must_wait(const Step& step, const SweptBody& body, const SweptBody& other);
    bool crosses_seam(const Step& step, const Event& event);
    void hold(const Step& step, SweptBody& a, SweptBody& b, float now);
    void wait(const Step& step, SweptBody& body, const SweptBody& other, float now);
    void count_held(const SweptBody& body, float now);
    void stop(SweptBody& body, float now);
    void move_along(SweptBody& body, const SweptBody& other, float now);
    void answer(const Step& step, const Event& event, SweptBody& a, SweptBody& b);
    void record(const ImpactContact& contact, const SweptBody& a, const SweptBody& b, const Vec3& impulse, float time);
    bool go_on(const Step& step, SweptBody& body, float now, const ImpactBody& state);
    static bool later(const Event& x, const Event& y);
    void give_back(std::size_t bodies);

    std::vector<SweptBody> bodies_;    // those met so far
    std::vector<std::uint32_t> slots_; // of bodies_
    static constexpr std::uint32_t not_met = 0xffffffffu;
    std::vector<std::uint32_t> index_of_; // by slot, into bodies_
    std::vector<std::uint32_t> holder_;   // by shape: index into bodies_
    std::vector<Aabb> swept_;             // by shape, of bodies met so far
    std::vector<std::uint32_t> shapes_;   // of fast bodies whose pairs the trees are to find
    std::vector<std::uint32_t> roaming_;  // in slices: slots of all that is fast
    float begin_ = 0.0f, until_ = 1.0f;   // of the present slice, in steps
    std::vector<PairKey> keys_;
    std::vector<Exam> exams_;
    PairNotes notes_;
    std::vector<Event> events_;                 // a binary heap, earliest first
    std::vector<std::vector<Candidate>> ahead_; // by index into bodies_: not yet examined, the last first
    struct KnownTouch {
        bool known = false;
        ContinuousWorld::Touch touch;
    };
    std::vector<KnownTouch> touches_;     // by index into bodies_
    std::vector<std::uint32_t> affected_; // by the event, indices into bodies_
    std::vector<SweptBody> changed_;
    std::vector<SweptImpact> impacts_;

    ContinuousStats stats_;
    RecentPeak most_bodies_; // followed in a step
};

} // namespace cairn::physics
