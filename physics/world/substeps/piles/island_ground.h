// What islands stand on, and how it moves.
#pragma once

#include "physics/world/islands/islands.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// A pile on a lift or a lorry rests as one on the floor does: what tells whether it moves are its velocities against
// what it stands on.
class IslandGround {
  public:
    // `velocities` of kinematic bodies are those of the coming step.
    void find(const Islands& islands, std::span<const BodyMotion> motions);

    // Of an island, by root: m/s, of what it touches that is fixed or kinematic; zero where that does not move.
    const Vec3& velocity(std::uint32_t root) const { return grounds_[root].velocity; }
    bool moves(std::uint32_t root) const { return velocity(root) != Vec3(0.0f); }
    // False for an island between grounds that move differently, or on one that turns.
    bool is_one(std::uint32_t root) const { return !grounds_[root].several; }

    std::size_t memory_bytes() const { return bytes_of(grounds_); }

  private:
    struct Ground {
        Vec3 velocity{0.0f};
        bool known = false, several = false;
    };
    std::vector<Ground> grounds_; // by root
};

} // namespace cairn::physics
