// Finds the pairs of shapes whose bounds come to overlap.
#pragma once

#include "physics/base/executor.h"
#include "physics/broadphase/dynamic_tree.h"
#include "physics/broadphase/tree_pairs.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace cairn::physics {

// Two shape indices, a < b, as one sortable key.
using PairKey = std::uint64_t;
constexpr PairKey make_pair_key(std::uint32_t a, std::uint32_t b) {
    return a < b ? (static_cast<PairKey>(a) << 32) | b : (static_cast<PairKey>(b) << 32) | a;
}
// A shape touches a mesh on several faces that look different ways, each a pair of its own with a number from 0 on in
// the highest bits. So there may be as many shapes as the bits below can count.
inline constexpr std::uint32_t max_shapes = 1u << 29;
constexpr PairKey face_of_pair(PairKey key, std::uint32_t face) {
    return key | (static_cast<PairKey>(face) << 61);
}
constexpr std::uint32_t face_of(PairKey key) {
    return static_cast<std::uint32_t>(key >> 61);
}
constexpr std::uint32_t first_of(PairKey key) {
    return static_cast<std::uint32_t>(key >> 32) & (max_shapes - 1);
}
constexpr std::uint32_t second_of(PairKey key) {
    return static_cast<std::uint32_t>(key);
}

// Two trees: one for what never moves, one for what does. Leaves of the second are fattened, so that a body in slow
// motion costs nothing. Copyable: a snapshot holds one.
class Broadphase {
  public:
    // `moving` shapes get fat bounds and can meet everything; others meet only moving shapes.
    void add(std::uint32_t shape, const Aabb& tight, bool moving);
    void remove(std::uint32_t shape);
    // As it was: with these bounds, grown already, and to be checked for new pairs only if it was `queued`.
    void restore(std::uint32_t shape, const Aabb& fat, bool moving, bool queued);
    bool queued(std::uint32_t shape) const { return proxies_[shape].queued(); }
    // Tells where a moving shape is now. Returns true if it left its fat bounds and will be checked for new pairs.
    bool move(std::uint32_t shape, const Aabb& tight);
    // Moves about `count` shapes at once: move_all(to) calls to(shape, tight) for each. If they are many, leaves are
    // written where they are in the tree and what is above them is brought up to date once.
    template <typename MoveAll>
    void move_many(std::size_t count, MoveAll&& move_all) {
        const bool in_place = pays_in_place(count);
        move_all([&](std::uint32_t shape, const Aabb& tight) { move(shape, tight, in_place); });
        if (in_place) {
            moving_.refit();
        }
    }
    // Builds the tree of what moves anew: after many of its leaves have got much smaller, or are somewhere else.
    void rebuild();
    // Whether that pays where so many leaves have changed and all pairs of theirs are to be found.
    bool rebuild_pays(std::size_t changed) const { return pays_together(changed); }
    // Sees to it that queries for `region` find the shape, however much larger its bounds are.
    void cover(std::uint32_t shape, const Aabb& region);
    // Checks the shape for new pairs at the next find_new_pairs even if it stays within its bounds (e.g. just woken).
    void touch(std::uint32_t shape);

    // Overlapping pairs of fat bounds of which at least one shape was added or moved since the last call, sorted by
    // key, without duplicates. May contain pairs reported before: `sieve` is called on several threads, each time with
    // some of the pairs, and may take out those that are not wanted before the rest is sorted.
    using Sieve = std::function<void(std::vector<PairKey>&)>;
    void find_new_pairs(
        Executor& executor, std::vector<PairKey>& pairs, const Sieve& sieve = [](std::vector<PairKey>&) {});

    // Overlapping pairs of fat bounds of which at least one is of `shapes`, in no particular order but the same on any
    // number of threads; a pair of two of them may come twice. Calls keep(a, b), on several threads, and leaves out the
    // pairs that it turns down.
    using Keep = std::function<bool(std::uint32_t, std::uint32_t)>;
    void find_pairs_of(Executor& executor, std::span<const std::uint32_t> shapes, const Keep& keep,
                       std::vector<PairKey>& pairs);

    bool fat_overlap(std::uint32_t a, std::uint32_t b) const { return overlaps(fat_bounds(a), fat_bounds(b)); }
    const Aabb& fat_bounds(std::uint32_t shape) const;
    // Whether move() would leave the shape's bounds as they are.
    bool holds(std::uint32_t shape, const Aabb& tight) const;

    std::size_t memory_bytes() const; // of heap

    // Calls visit(shape) for every shape whose (fat) bounds overlap the region: moving ones first, then the others.
    template <typename Visit>
    void query(const Aabb& region, Visit&& visit) const {
        moving_.query(region, visit);
        resting_.query(region, visit);
    }
    template <typename Visit>
    void ray_query(const Ray& ray, Visit&& visit) const {
        moving_.ray_query(ray, visit);
        resting_.ray_query(ray, visit);
    }

    template <typename Visit>
    void near_query(const Aabb& from, float limit, Visit&& visit) const {
        resting_.near_query(from, moving_.near_query(from, limit, visit), visit);
    }

    // Calls visit(bounds, depth, is_leaf, moving) for every box of both trees, those above before those below.
    template <typename Visit>
    void for_each_box(Visit&& visit) const {
        moving_.for_each_box([&](const Aabb& box, std::uint16_t depth, bool leaf) { visit(box, depth, leaf, true); });
        resting_.for_each_box([&](const Aabb& box, std::uint16_t depth, bool leaf) { visit(box, depth, leaf, false); });
    }

  private:
    struct Proxy {
        DynamicTree::NodeId node = DynamicTree::none;
        bool moving = false;
        std::uint32_t queue_place = not_queued;
        bool queued() const { return queue_place != not_queued; }
    };
    static constexpr std::uint32_t not_queued = 0xffffffffu;
    static constexpr std::uint32_t removed = 0xffffffffu;

    bool pays_in_place(std::size_t count) const;
    bool move(std::uint32_t shape, const Aabb& tight, bool in_place);
    bool pays_together(std::size_t count) const;
    void find_one_by_one(Executor& executor, const Sieve& sieve);
    template <typename Report, typename Finish>
    void find_together(Executor& executor, std::span<const std::uint32_t> shapes, const Report& report,
                       const Finish& finish);

    DynamicTree moving_, resting_;
    std::vector<Proxy> proxies_;              // by shape
    std::vector<std::uint32_t> queued_;       // shapes to check, some of them removed since
    std::vector<std::vector<PairKey>> found_; // scratch, one list a block of queued shapes or a task
    std::vector<TreePairs::Task> tasks_;      // scratch
};

} // namespace cairn::physics
