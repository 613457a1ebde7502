// Which contacts carry columns that would lean or sink at the plain number of substeps.
#pragma once

#include "physics/narrowphase/pool/contact_pool.h"
#include "physics/solver/motion/substep_levels.h"
#include "physics/world/islands/islands.h"

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace cairn::physics {

// Cosine between the normal and the vertical from which on a body stands on the other rather than leans on it.
inline constexpr float standing_slope = 0.5f;

// rad/s, of the contact springs of islands that take the plain number of substeps.
inline float plain_spring_omega(const Settings& settings) {
    return 6.28318531f *
           plain_spring_hertz(settings.contact_hertz, settings.dt() / static_cast<float>(settings.substeps));
}

// A contact below a column that asks for more substeps (solver/substep_levels.h).
struct ColumnContact {
    std::uint32_t slot = 0;    // of the pair
    std::uint8_t level = 0;    // substep level
    std::uint8_t standing = 0; // the same where bodies have the inertia of their loads
    PairKey key = 0;           // of the pair that had the slot then

    // Both levels, as images have them.
    std::uint8_t packed() const { return static_cast<std::uint8_t>(level + 16u * standing); }

    // The contact, if it is awake and holds a column up: with fewer points than three that turns about them.
    const Contact* holding(const ContactPool& contacts) const {
        const ShapePair& pair = contacts.pair(slot);
        return pair.active && contacts[pair.contact].count >= 3 ? &contacts[pair.contact] : nullptr;
    }
};

// The island of the contact's dynamic body, A first.
inline std::uint32_t root_of(const Contact& contact, const BodyStore& bodies, const Partition& partition,
                             const Islands& islands) {
    return islands.root(partition.motion_of(bodies.is_dynamic(contact.body_a) ? contact.body_a : contact.body_b));
}

// Bodies hand their weight, and what they carry, in equal parts to what they stand on, from the top down. Weights and
// not the impulses of the last step: these ring after every blow, and what has jammed between walls presses with many
// times its weight without being a column. Impulses only tell what holds a body from the side.
class ColumnLoads {
  public:
    // Of all islands, or only of those in which a body has been placed since the last step. `columns`, by slot, of the
    // last time: those of such islands are found anew, the others stay. Impulses are those of `kept_for` s.
    enum class Scope : std::uint8_t { all, placed };
    void estimate(Scope scope, const Settings& settings, float kept_for, const BodyStore& bodies,
                  const AwakeBodies& awake, const Partition& partition, const Islands& islands,
                  const ContactPool& contacts, std::span<const BodyMotion> motions,
                  std::vector<ColumnContact>& columns);

    // Whether the last estimate was of the island, by root.
    bool covers(std::uint32_t root) const { return islands_[root].covered; }
    // N, of what rests on the body, if its island was covered.
    float carried(std::uint32_t slot) const { return carried_[slot]; }

    std::size_t memory_bytes() const;

  private:
    struct World; // what estimate() reads
    struct IslandColumn {
        float top = std::numeric_limits<float>::max(); // m along gravity, of its highest body
        std::uint32_t feet = 0;                        // contacts with what is fixed
        bool covered = false;
    };

    void choose_islands(const World& world, Scope scope);
    void sort_by_depth(const World& world);
    void hand_down(const World& world, std::uint32_t slot, float depth, std::vector<ColumnContact>& columns);
    Hold find_supports(const World& world, std::uint32_t slot, float depth, float weight, const IslandColumn& island);
    void ask_for_level(const World& world, std::uint32_t index, std::uint32_t above, float weight, ColumnLoad load,
                       std::vector<ColumnContact>& columns) const;

    std::vector<std::pair<float, std::uint32_t>> by_depth_; // m along gravity, slot
    std::vector<IslandColumn> islands_;                     // by root
    std::vector<float> leans_from_;       // m along gravity, by slot: the top of what leans together with the body
    std::vector<float> stacked_;          // by slot: how many bodies one above the other that is
    std::vector<float> carried_;          // N, by slot
    std::vector<float> moments_;          // N m, by slot: each part of that by its depth, m along gravity
    std::vector<std::uint32_t> supports_; // of one body: slots of pairs
    std::vector<ColumnContact> old_columns_;
};

} // namespace cairn::physics
