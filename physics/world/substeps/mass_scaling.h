// Light bodies under heavy ones, with as much inertia as the solver needs.
#pragma once

#include "physics/solver/motion/motion.h"
#include "physics/world/islands/islands.h"
#include "physics/world/store/joint_store.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// A contact responds with the mass of its lighter body: a heavy one loses but a small share of its speed in each pass,
// and the spring between them is as soft as the light one needs it. But what presses a light body against something
// that holds it does not depend on the light body's inertia. So a body that is squeezed in this way gets more inertia
// within the solver, and keeps its weight: the forces that it passes on are what they were. (Scaling masses is usual in
// explicit finite elements, for the same reason: L. Olovsson et al., "Selective mass scaling for explicit finite
// element analyses", Int. J. Numer. Meth. Engng 63, 2005.)
//
// The momentum that the added inertia takes in smooth motion is handed back to what presses, so that a sledge slides as
// far as its load would. A body on joints is held as far as these pulled against the load in the last step, and by
// nothing else: the plank of a bridge bears what rests on it, a gate that is pushed open, or a limb under a wheel,
// hardly more than itself.
class MassScaling {
  public:
    struct Input {
        const Settings& settings;
        const BodyStore& bodies;
        const Partition& partition;
        const Islands& islands;
        const ContactPool& contacts;
        const JointStore& joints;
        std::span<const std::uint32_t> acting; // joints
        const GrabRecord& grab;
    };
    // Motions and dynamics as they were gathered, before forces from outside are added.
    void begin(const Input& in, std::span<BodyMotion> motions, std::span<BodyDynamics> dynamics);
    // After the solver.
    void end(const Settings& settings, std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics) const;

    std::size_t memory_bytes() const;

  private:
    // A body that a load passes through.
    struct Bearer {
        std::uint32_t motion = 0, source = 0; // `source`: the heavy body that presses
        PairKey key = 0;                      // of the contact that the load comes through
        float load = 0.0f;                    // kg, its share of the source
        Vec3 along{0.0f};                     // unit, away from what presses
        std::uint32_t first_link = 0;         // in links_
        bool held = false;
        Vec3 holder{0.0f}; // m/s, of what holds it, where it does
    };
    struct Scaled {
        std::uint32_t motion = 0, source = 0;
        float added = 0.0f;  // kg
        Vec3 velocity{0.0f}; // m/s, before the solver
    };

    void find_grounded(const Input& in, std::span<const BodyMotion> motions);
    void find_pressed(const Input& in, std::span<const BodyMotion> motions);
    void follow_loads(const Input& in, std::span<const BodyMotion> motions);
    void find_supports(const Input& in, std::span<const BodyMotion> motions, Bearer& bearer);

    std::vector<std::uint8_t> grounded_;                 // by root: something of the island touches what nothing pushes
    std::vector<Bearer> waiting_;                        // a heap, greatest load first
    std::vector<Bearer> bearers_;                        // by falling load
    std::vector<Bearer> supports_;                       // scratch: of one bearer
    std::vector<std::uint32_t> links_;                   // motions that bearers rest on
    std::vector<std::uint32_t> bearer_of_;               // by motion: one more than its place among the bearers
    std::vector<std::array<std::uint16_t, 6>> pressing_; // by motion: light bodies that it presses on, by direction
    std::vector<Scaled> scaled_;
};

} // namespace cairn::physics
