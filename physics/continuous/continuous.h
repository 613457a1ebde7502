// Continuous collision: bodies that moved far within a step are stopped where they first meet something.
#pragma once

#include "physics/broadphase/broadphase.h"
#include "physics/query/time_of_impact.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// How one body moved during the step. Times are in steps: 0 = start, 1 = end.
struct BodySweep {
    Transform start, end;    // of the centre of mass
    Vec3 linear{0.0f};       // m per step
    Vec3 angular{0.0f};      // rad per step, world
    bool fast = false;       // moved further than the discrete contacts can be trusted with
    float stopped_at = 1.0f; // time from which the body stands still
    std::uint32_t first_shape = 0, shape_count = 0;
};

// Sweeps of all bodies by slot (shapes of bodies at rest: start == end), and the shapes they carry.
struct ContinuousInput {
    const Broadphase* broadphase = nullptr;
    struct ShapeRef {
        const Shape* shape = nullptr;
        Transform pose;         // in the body's frame
        std::uint32_t body = 0; // slot
        Aabb swept;             // world bounds over the whole step
    };
    std::span<const ShapeRef> shapes;           // by shape index
    std::span<const std::uint32_t> fast_bodies; // slots, ascending
    float linear_slop = 0.0f;                   // m
};

// A path is "fast" if a point of the body moves further than this share of the radius of the ball inside it. Below
// that, the discrete contact still finds the body on the near side of whatever it meets.
inline constexpr float fast_share = 0.5f;

// Handles all fast bodies together, event by event in order of time: the earliest impact of any pair stops its fast
// bodies for the rest of the step, later impacts see them standing there. So two fast bodies meet where they truly
// meet, and a third meets the pair as it stands. Returns the number of bodies stopped; `stopped_at` of the sweeps tells
// when.
class ContinuousCollision {
  public:
    std::size_t run(const ContinuousInput& input, std::span<BodySweep> sweeps);

  private:
    struct Pair {
        PairKey key = 0;     // of the shapes
        bool queued = false; // an event of this pair waits
    };
    struct Event {
        float time = 0.0f;
        std::uint32_t pair = 0;
        std::uint32_t stops = 0; // how many of the two bodies had been stopped when the time was computed
    };
    struct Link {
        std::uint32_t body = 0, pair = 0;
        friend auto operator<=>(const Link&, const Link&) = default;
    };
    void collect_pairs(const ContinuousInput& input, std::span<const BodySweep> sweeps);
    void enqueue(const ContinuousInput& input, std::span<const BodySweep> sweeps, std::uint32_t pair, float not_before);
    float impact_time(const ContinuousInput& input, std::span<const BodySweep> sweeps, PairKey key) const;
    bool later(const Event& x, const Event& y) const;

    std::vector<Pair> pairs_;   // by key
    std::vector<Link> links_;   // sorted: the pairs of every body
    std::vector<Event> events_; // a binary heap, earliest first
};

} // namespace cairn::physics
