// Narrowphase of the world: from pairs to contacts, for all active pairs.
#pragma once

#include "physics/base/executor.h"
#include "physics/narrowphase/update/contact_update.h"
#include "physics/world/contacts/mesh_pairs.h"
#include "physics/world/islands/partition.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// Pairs are examined in parallel, and what they have come to is noted; contacts are created and removed afterwards, in
// the order of keys. A body that touches a sleeping one wakes it, which makes more pairs active: these are brought up
// to date in further rounds, which the step runs.
class Narrowphase {
  public:
    struct World {
        Executor& executor;
        const Settings& settings;
        const BodyStore& bodies;
        const Partition& partition;
        const Broadphase& broadphase;
        ContactPool& contacts;
    };
    void begin_step(const World& world);
    // True if a pair touches more faces of a mesh than there were pairs for: they are active after the next commit.
    bool find_mesh_faces(const World& world, std::span<const ActivePair> pairs);
    // One round. Leaves its contacts in ContactPool::touching(). Returns the sleeping bodies that were touched.
    std::span<const std::uint32_t> update(const World& world, std::span<ActivePair> pairs);
    // After several rounds, of which sides() has the last.
    void read_sides(const World& world);

    // Of the contacts in ContactPool::touching().
    std::span<const TouchingSides> sides() const { return sides_; }
    std::vector<TouchingSides>& sides() { return sides_; }
    // Dynamic bodies, once for each pair that touches what does not move by itself.
    std::span<const std::uint32_t> at_fixed() const { return at_fixed_; }
    // Slots of pairs that will meet within the step (foresight.h), by key.
    std::span<const std::uint32_t> foreseen() const { return foreseen_; }

    std::size_t memory_bytes() const;

  private:
    // A pair that touches, by its place in the list of pairs.
    struct TouchingPair {
        std::uint32_t place = 0;
        std::uint32_t contact = no_index; // none: the next of Block::found
        TouchingSides sides{0, 0, false, false, false};
    };
    // What the pairs of one region in a range of the list have come to, in key order.
    struct Block {
        std::vector<TouchingPair> touching;
        std::vector<FoundContact> found;         // with the pair's slot
        std::vector<std::uint32_t> gone, parted; // places in the list
        std::vector<std::uint32_t> waking;       // slots of pairs
        std::vector<std::uint32_t> foreseen;     // places in the list
        std::vector<std::uint32_t> at_fixed;
        FoundContact scratch;
        void clear();
        std::size_t memory_bytes() const;
    };

    void examine_range(const World& world, std::span<ActivePair> pairs, std::size_t begin, std::size_t end,
                       std::size_t region, Block& out);
    void examine_listed(const World& world, std::span<ActivePair> pairs, std::span<const std::uint32_t> listed,
                        Block& out);
    void examine(const World& world, std::span<ActivePair> pairs, std::uint32_t place, Block& out);
    void take_mesh_face(const World& world, ActivePair& entry, std::uint32_t place, Block& out) const;
    static void keep_found(const World& world, ActivePair& entry, std::uint32_t place, Block& out);
    static void note_touch(const World& world, const ActivePair& entry, std::uint32_t place, std::uint32_t contact,
                           std::span<const ContactPoint> points, Block& out);
    void commit(const World& world, std::span<const ActivePair> pairs, std::size_t ranges, std::size_t parts);
    void merge_touching(const World& world, std::span<const Block> blocks, std::size_t ranges, std::size_t parts);

    ExpectedMotion expected_;
    MeshPairs mesh_pairs_;
    std::vector<TouchingSides> sides_;
    std::vector<std::uint32_t> at_fixed_, foreseen_;
    std::vector<std::uint32_t> to_wake_;
    std::vector<Block> blocks_;           // scratch
    std::vector<std::uint32_t> places_;   // scratch
    std::vector<std::uint32_t> touching_; // scratch
};

} // namespace cairn::physics
