// Piles that stand still: each body responds with as much inertia as what it carries.
#pragma once

#include "physics/solver/motion/motion.h"
#include "physics/world/store/joint_store.h"
#include "physics/world/substeps/piles/column_loads.h"
#include "physics/world/substeps/piles/island_ground.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace cairn::physics {

// A body of a pile that stands still.
struct LoadedBody {
    std::uint32_t slot = 0, generation = 0;
    float load = 0.0f; // kg, of what rests on it
};

// The spring of a contact can be no stiffer than the lighter of its bodies allows (solver/substep_levels.h), so that
// what carries fifty times its weight sinks and leans on it unless substeps become finer. Where nothing moves, inertia
// shows in nothing: there a body gets as much of it as what it carries, and its springs are as stiff as their loads ask
// for at the plain number of substeps. Its weight stays, and with it all forces of a pile at rest.
//
// Inertia that was added would show as soon as something pushes or falls. So it is given to whole islands, and only as
// long as all of their bodies are slow, rest on something, and are not moved from outside: those of joints
// (but for a ground on joints), of the mouse and of forces are left out. What disturbs an island takes it away within
// the same step, and the island goes on with finer substeps. Speeds are those against the ground. Where that turns or
// changes its velocity, added inertia would ask friction for as many times the force that takes a body along; so what
// is added is taken along by pushes of its own, and neighbours feel what the body itself asks for.
class PileInertia {
  public:
    struct Input {
        const Settings& settings;
        const BodyStore& bodies;
        const AwakeBodies& awake;
        const Partition& partition;
        const Islands& islands;
        const IslandGround& ground;
        const ContactPool& contacts;
        const JointStore& joints;
        const GrabRecord& grab;
        std::span<const BodyDynamics> dynamics; // by motion
    };
    // `fresh`: loads as they were passed down in this step, none if they were not. `loaded`, by slot, loses what
    // belongs to islands that are disturbed, and is made anew for those that the loads cover.
    void update(const Input& in, const std::vector<ColumnContact>& columns, const ColumnLoads* fresh,
                std::vector<LoadedBody>& loaded);
    // Whether the island, by root, has the inertia of its loads.
    bool stands(std::uint32_t root) const { return !islands_.empty() && islands_[root].stands(); }
    // Whether the island, or any, lost it in the last update because nothing holds up one of its bodies any more.
    bool falls(std::uint32_t root) const { return !islands_.empty() && islands_[root].falls; }
    bool any_falls() const { return std::any_of(islands_.begin(), islands_.end(), std::mem_fn(&Island::falls)); }

    struct Places {
        float step; // s
        const BodyStore& bodies;
        const Partition& partition;
        const Islands& islands;
    };
    // After update().
    void apply(const Places& in, const IslandGround& ground, std::span<const LoadedBody> loaded,
               std::span<BodyMotion> motions, std::span<BodyDynamics> dynamics);

    std::size_t memory_bytes() const;

  private:
    struct Island {
        float fastest = 0.0f;                               // m/s, of any point of its bodies, against its ground
        float smallest = std::numeric_limits<float>::max(); // m, least half width of its bodies
        float mass = 0.0f;                                  // kg
        Vec3 momentum{0.0f};                                // kg m/s, against its ground
        bool carried = false;                               // its ground is a dynamic body
        bool tall = false;   // has a column that asks for finer substeps; known where loads are fresh
        bool loaded = false; // has the inertia of its loads
        bool disturbed = false;
        bool falls = false; // because a body that carries others is held up no more

        bool asks() const { return tall || loaded; }
        bool stands() const { return loaded && !disturbed; }
    };

    void look_at_bodies(const Input& in);
    void look_at_contacts(const Input& in, const Vec3& down);
    static bool is_calm(const Island& island, const Vec3& gravity);
    static BodyPush ride(const GroundMotion& ground, const Vec3& place, float added, float step,
                         const BodyDynamics& body);

    std::vector<Island> islands_;         // by root
    std::vector<std::uint8_t> supported_; // by motion, of islands that ask: something holds it against gravity
    std::vector<BodyPush> pushes_;        // of bodies on ground that turns
};

} // namespace cairn::physics
