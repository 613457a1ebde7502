// How many substeps each island takes.
#pragma once

#include "physics/solver/motion/substep_levels.h"
#include "physics/world/substeps/landings.h"
#include "physics/world/substeps/piles/column_loads.h"
#include "physics/world/substeps/piles/pile_inertia.h"
#include "physics/world/substeps/short_steps.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// A contact whose bodies were spawned touching, and which has yet to find its impulses.
struct RecoveringContact {
    std::uint32_t slot = 0; // of the pair
    std::uint8_t steps = 0; // left
    PairKey key = 0;        // of the pair that had the slot then
};

// What the choice remembers from step to step: part of a snapshot.
struct SubstepState {
    std::vector<ColumnContact> columns;        // by slot
    std::vector<RecoveringContact> recovering; // by slot
    std::vector<LoadedBody> loaded;            // by slot

    std::uint64_t hash() const; // by key, so that neither slots of pairs nor the order of entries show
};

// Islands take more substeps than the settings say where columns would buckle, where bodies were spawned touching, and
// where joints turn fast; how many more is bounded by the work that takes.
class IslandSubsteps {
  public:
    struct Input {
        Executor& executor;
        const Settings& settings;
        std::uint64_t step;          // the number of the coming one
        const ShortStep& short_step; // which of those that it is taken as
        const BodyStore& bodies;
        const AwakeBodies& awake;
        const Partition& partition;
        const Islands& islands;
        const ContactPool& contacts;
        const JointStore& joints;
        const GrabRecord& grab;
        std::span<const BodyMotion> motions; // with the inertia that light bodies under heavy ones have
        std::span<const BodyDynamics> dynamics;
        ActingSlots acting;
        std::span<const ChangedGround> changed_grounds{};
    };
    void choose(const Input& in, SubstepState& state);
    // Afterwards: bodies of piles that stand still get the inertia of what they carry.
    void add_inertia(const PileInertia::Places& in, std::span<const LoadedBody> loaded, std::span<BodyMotion> motions,
                     std::span<BodyDynamics> dynamics) {
        pile_inertia_.apply(in, ground_, loaded, motions, dynamics);
    }

    // The classes of substep counts that are in use, and that of each motion's island. Both empty: all islands take the
    // number that the settings say.
    std::span<const TimeStepClass> classes() const { return classes_; }
    std::span<const std::uint8_t> class_of_motion() const {
        return std::span(class_of_motion_).first(classes_.empty() ? 0 : class_of_motion_.size());
    }
    int taken_by(std::uint32_t motion, int plain) const { // motion 0: nothing is known
        return motion == 0 || classes_.empty() ? plain : classes_[class_of_motion_[motion]].substeps;
    }
    int finest(int plain) const;

    std::size_t memory_bytes() const;

  private:
    static constexpr std::uint8_t no_class = 0xff;
    struct IslandLoad {
        std::uint32_t contacts = 0, recovering = 0; // touching
        std::uint8_t level = 0;                     // greatest of the contacts
        std::uint32_t joints = 0;
        float turning = 0.0f;               // how many times more substeps they want
        std::uint8_t step_class = no_class; // place in classes_
        float fastest = 0.0f; // m/s, of any point of its bodies against its ground, where some contacts recover

        bool parts = false;   // some of those that recover lie in each other
        bool settles = false; // has recovered for a while

        bool recovers() const { return 2 * recovering > contacts; }
        std::uint32_t work() const; // contacts, and what takes as long
    };

    bool add_mechanisms(const Input& in);
    bool add_columns(const Input& in, const std::vector<ColumnContact>& columns);
    bool add_recovering(const Input& in, std::vector<RecoveringContact>& recovering);
    IslandLoad& load_below(const Input& in, const Contact& contact);
    IslandLoad& load_of_joint(const Input& in, std::uint32_t slot);
    bool stands(const Input& in, const Contact& contact) const;
    void share_out(const Input& in);

    ColumnLoads column_loads_;
    IslandGround ground_;
    PileInertia pile_inertia_;
    Landings landings_;
    std::vector<IslandLoad> loads_; // by root
    std::vector<float> asked_;      // by acting joint: how many times the plain substeps
    std::vector<std::uint8_t> class_of_motion_;
    std::vector<TimeStepClass> classes_;
};

} // namespace cairn::physics
