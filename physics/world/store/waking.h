// What wakes and what falls asleep: the one place that changes BodyRecord::awake.
#pragma once

#include "physics/broadphase/broadphase.h"
#include "physics/narrowphase/pool/contact_pool.h"
#include "physics/world/store/awake_bodies.h"
#include "physics/world/store/body_store.h"
#include "physics/world/store/joint_store.h"

#include <cstdint>
#include <vector>

namespace cairn::physics {

// Sleeping dynamic bodies and fixed ones take no part in a step, nor do pairs of two of them. Bodies that touch or are
// joined wake together. Holds references: make one where it is needed.
class Waking {
  public:
    Waking(BodyStore& bodies, AwakeBodies& awake, ContactPool& contacts, const JointStore& joints)
        : bodies_(bodies), awake_(awake), contacts_(contacts), joints_(joints) {}

    // The body, and all that it touches or is joined to, transitively. Restarts its sleep timer.
    void wake(std::uint32_t slot);
    void wake_neighbours(std::uint32_t slot); // bodies that touch it or are joined to it
    void wake_both(const JointDef& def);
    // Bodies whose bounds it meets: contacts between what does not move and what sleeps are not looked at, while what
    // is awake wakes what it touches.
    void wake_around(std::uint32_t slot, const Broadphase& broadphase);
    void fall_asleep(std::uint32_t slot);
    // Sets the flag, and which of its pairs are active. The lists follow at the next commit().
    void set_awake(std::uint32_t slot, bool awake);
    void refresh(std::uint32_t slot) { set_awake(slot, bodies_[slot].moves()); }
    // Brings the lists of awake bodies and active pairs up to date. Takes time with their length.
    void commit();

  private:
    BodyStore& bodies_;
    AwakeBodies& awake_;
    ContactPool& contacts_;
    const JointStore& joints_;
};

} // namespace cairn::physics
