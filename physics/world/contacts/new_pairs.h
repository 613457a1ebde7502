// The pairs of shapes whose fat AABBs have come to overlap, and the bodies that were spawned inside others.
#pragma once

#include "physics/base/executor.h"
#include "physics/broadphase/broadphase.h"
#include "physics/narrowphase/pool/contact_pool.h"
#include "physics/world/islands/partition.h"
#include "physics/world/store/awake_bodies.h"
#include "physics/world/store/body_store.h"
#include "physics/world/store/joint_store.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// Bodies are entangled from when they become a pair, deep inside each other, until they have left all others. Each has
// few pairs with others that are entangled: one that lies in hundreds is pushed out of some after the others, since all
// of them together would only push harder.
class NewPairs {
  public:
    void find(Executor& executor, const AwakeBodies& awake, const JointStore& joints, BodyStore& bodies,
              Broadphase& broadphase, ContactPool& contacts);
    // Bodies that have left all others are entangled no longer. `sides`: of the contacts that touch.
    void disentangle(const AwakeBodies& awake, const Partition& partition, std::span<const TouchingSides> sides,
                     BodyStore& bodies, Broadphase& broadphase);

    std::size_t memory_bytes() const;

  private:
    bool has_enough(const BodyStore& bodies, const ContactPool& contacts, std::uint32_t slot);
    void ask_for_pairs(const AwakeBodies& awake, const BodyStore& bodies, const ContactPool& contacts,
                       Broadphase& broadphase);
    void forget_counts();

    std::vector<PairKey> found_;
    std::vector<std::uint32_t> counts_;   // by slot, of pairs with entangled bodies, as far as they are counted
    std::vector<std::uint32_t> counted_;  // slots
    std::vector<std::uint8_t> knows_all_; // by slot, of the entangled: is inside no other that it has no pair with
    std::vector<std::uint8_t> lies_deep_; // by motion: in another dynamic body
};

} // namespace cairn::physics
