// What islands stand on, and how it moves.
#pragma once

#include "physics/world/islands/islands.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// A kinematic body to which commands have given other velocities since the last step.
struct ChangedGround {
    BodyId body;
    Vec3 velocity{0.0f}, spin{0.0f}; // m/s and rad/s, in the last step
};

// The speed of its fastest point with which a body counts as moving, as a share of sqrt(g a), a being a half width: 10
// cm/s of a cube of 1 m.
inline constexpr float moving_share = 0.045f;

// How a ground moves: as a rigid body that nothing pushes.
struct GroundMotion {
    Vec3 velocity{0.0f}; // m/s, of its centre
    Vec3 spin{0.0f};     // rad/s
    Vec3 centre{0.0f};   // m, world; counts where it turns

    bool turns() const { return spin != Vec3(0.0f); }
    bool moves() const { return turns() || velocity != Vec3(0.0f); }
    friend bool operator==(const GroundMotion&, const GroundMotion&) = default;
    // m/s, of what rides along at a place.
    Vec3 velocity_at(const Vec3& place) const {
        return turns() ? velocity + glm::cross(spin, place - centre) : velocity;
    }
    // m/s, of a body against it. Substeps move bodies along chords, `h` s each, and leave them the velocity of the
    // last chord, which is half a substep old.
    Vec3 relative(const Vec3& place, const Vec3& velocity, float h) const {
        const Vec3 difference = velocity - velocity_at(place);
        if (!turns()) {
            return difference;
        }
        const Vec3 inwards = glm::cross(spin, glm::cross(spin, place - centre));
        const float square = glm::dot(inwards, inwards);
        const float age = square > 0.0f ? std::clamp(-glm::dot(difference, inwards) / square, 0.0f, 0.5f * h) : 0.0f;
        return difference + age * inwards;
    }
    // m/s^2, towards the axis, of what rides along: the mean over the next `seconds`.
    Vec3 acceleration_at(const Vec3& place, float seconds) const {
        const Vec3 arm = place - centre, amid = arm + (0.5f * seconds) * glm::cross(spin, arm);
        return glm::cross(spin, glm::cross(spin, amid));
    }
};

// A pile on a lift, a lorry or a turntable rests as one on the floor does: whether it moves is decided by its
// velocities against what it stands on. That is fixed or kinematic; but where a dynamic body of its own island moves
// and is heavier than all the rest of it, that is the ground.
class IslandGround {
  public:
    struct Input {
        const Settings& settings;
        const BodyStore& bodies;
        const AwakeBodies& awake;
        const Partition& partition;
        const Islands& islands;
        const ContactPool& contacts;
        const JointStore& joints;
        std::span<const BodyMotion> motions; // kinematic bodies have the velocities of the coming step
        std::span<const ChangedGround> changed;
    };
    void find(const Input& in);

    // Of an island, by root: how its ground moved in the last step, whose velocities the bodies of the island have.
    const GroundMotion& motion(std::uint32_t root) const { return grounds_[root].motion; }
    // The same in the coming step.
    const GroundMotion& next(std::uint32_t root) const { return grounds_[root].next; }
    // In either.
    bool moves(std::uint32_t root) const { return grounds_[root].motion.moves() || grounds_[root].next.moves(); }
    bool any_moves() const { return any_moves_; }
    // False for an island between grounds that move differently.
    bool is_one(std::uint32_t root) const { return !grounds_[root].several; }
    // Slot of the dynamic body that is the ground of its island; mostly no_index.
    std::uint32_t carrier(std::uint32_t root) const { return grounds_[root].carrier; }

    std::size_t memory_bytes() const;

  private:
    struct Ground {
        GroundMotion motion, next;
        std::uint32_t slot = no_index; // of the fixed or kinematic body that was looked at last
        bool several = false;
        std::uint32_t carrier = no_index;   // slot of the heaviest body
        float heaviest = 0.0f, mass = 0.0f; // kg, of that, and of all bodies
    };
    void find_below(const Input& in);
    void find_carriers(const Input& in);

    bool any_moves_ = false;
    std::vector<Ground> grounds_;        // by root
    std::vector<std::uint32_t> changes_; // by slot: place in the list of changes, and 1; empty if there are none
};

} // namespace cairn::physics
