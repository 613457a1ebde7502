// Contacts of the same two bodies.
#pragma once

#include "physics/narrowphase/pool/contact_pool.h"
#include "physics/world/islands/touching.h"
#include "physics/world/store/body_store.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace cairn::physics {

// A body that stands on another with several of its shapes has a contact for each, solved one after the other, and
// springs side by side add up: on six legs a table stands on springs six times as stiff as those of a box, which no
// substep follows. Stacks of tables shook for ever, the more the more legs they had. So each of such springs takes its
// share of one (Contact::parallel, docs/how/solver.md): one over the sum of the squared cosines between its normal and
// those of all contacts of the two bodies.
class ParallelContacts {
  public:
    // `sides`: of the contacts that touch, in their order.
    void find(const BodyStore& bodies, std::span<const TouchingSides> sides, ContactPool& contacts);

    std::size_t memory_bytes() const;

  private:
    void share(std::span<const std::pair<std::uint32_t, std::uint32_t>> met, ContactPool& contacts);

    // Scratch, of one body: what it touches, and the place of the contact in the list.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> met_;
};

} // namespace cairn::physics
