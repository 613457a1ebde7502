// Contacts that exist only because a floor is divided into tiles.
#pragma once

#include "physics/base/executor.h"
#include "physics/narrowphase/pool/contact_pool.h"
#include "physics/narrowphase/pool/seams.h"
#include "physics/world/islands/touching.h"
#include "physics/world/settings.h"
#include "physics/world/store/body_store.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// Drops the contacts of a body with the sides of tiles that lie behind the face of another tile, and with the feet of
// slopes (seams.h). Floors are laid of what does not move by itself; a heap is not tiled. Hardly any body lies on two
// tiles, and only those are looked at: to visit the contacts of all bodies, scattered as they are, took a tenth of a
// heap's step.
class InternalEdges {
  public:
    // `at_fixed`: dynamic bodies, once for each pair that touches what does not move by itself. `sides`: of
    // ContactPool::touching(); both lose what is dropped.
    void drop(Executor& executor, const Settings& settings, const BodyStore& bodies,
              std::span<const std::uint32_t> at_fixed, ContactPool& contacts, std::vector<TouchingSides>& sides);

    // Slots of bodies that have lost a contact with the foot of a slope: they come on to it within the step.
    std::span<const std::uint32_t> at_slopes() const { return at_slopes_; }

    std::size_t memory_bytes() const;

  private:
    enum Hidden : std::uint8_t { not_hidden, behind_face, foot_of_slope };
    struct Side {
        SeamSide side;
        std::array<Vec3, 4> points;
        std::uint32_t contact = 0;
    };

    void list_on_several(const BodyStore& bodies, std::span<const std::uint32_t> at_fixed);
    static void collect_sides(const BodyStore& bodies, const ContactPool& contacts, std::uint32_t body,
                              std::vector<Side>& out);

    std::vector<std::uint32_t> on_several_;      // bodies of two such pairs or more
    std::vector<std::uint8_t> fixed_contacts_;   // by body: counted up to two
    std::vector<std::vector<Side>> block_sides_; // by block of bodies: of one of them
    std::vector<std::uint8_t> hidden_;           // by contact: Hidden
    std::vector<std::uint32_t> kept_;            // contacts
    std::vector<std::uint32_t> at_slopes_;
};

} // namespace cairn::physics
