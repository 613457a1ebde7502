// Islands that the ground is stopping.
#pragma once

#include "physics/narrowphase/pool/contact_pool.h"
#include "physics/solver/motion/motion.h"
#include "physics/world/islands/islands.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// A stack that lands is stopped contact by contact: a pass over the rows takes little of a long wave, and the impulses
// that have stopped it, applied again in the next substep, act like springs that throw it back. Ten boxes without any
// elasticity parted with half of the 3 m/s that they had come with. More relaxing passes take that away. They are worth
// their time only where an island of several bodies moves against the ground as a whole, or has just been stopped or
// thrown by it.
class Landings {
  public:
    // Relaxing passes of an island that lands, where that can be afforded.
    static constexpr int most_relaxations = 6;

    struct Input {
        Vec3 gravity{0.0f};    // m/s^2
        float step = 0.0f;     // s
        float kept_for = 0.0f; // s, for how long the impulses of contacts act
        int substeps = 1;      // of an island that needs no more
        const AwakeBodies& awake;
        const Partition& partition;
        const Islands& islands;
        const ContactPool& contacts;
        std::span<const BodyMotion> motions;
        std::span<const BodyDynamics> dynamics;
    };
    // By velocities, and by the impulses of the last step. True if any island lands.
    bool find(const Input& in);

    // Of an island that the last find() was given, by root.
    int relaxations(std::uint32_t root) const { return islands_.empty() ? 1 : islands_[root].relaxations; }

    std::size_t memory_bytes() const;

  private:
    struct Island {
        float mass = 0.0f;     // kg
        Vec3 momentum{0.0f};   // kg m/s
        float speed = 0.0f;    // m/s, root mean square by mass
        Vec3 change{0.0f};     // kg m/s, of the momentum in a step, by gravity and the last impulses of the ground
        bool grounded = false; // touches what is fixed or kinematic
        bool several = false;  // has contacts of its bodies with each other
        bool meets_ground = false;
        std::uint32_t contacts = 0;
        int relaxations = 1;
    };

    static bool is_ground(const Input& in, std::uint32_t motion) { return motion == 0 || in.islands.is_driver(motion); }
    static std::uint32_t root_of(const Input& in, const TouchingContact& contact);
    void add_bodies(const Input& in);
    void add_contacts(const Input& in);

    std::vector<Island> islands_; // by root; empty where nothing moves
};

} // namespace cairn::physics
