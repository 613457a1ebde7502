// What contacts carry after a command has changed what presses on them.
#pragma once

#include "physics/world/state/world_state.h"

#include <cstdint>
#include <map>
#include <vector>

namespace cairn::physics {

// A contact begins a step with the impulses of the last one, and its spring presses as it did. When a command takes
// away what they carried, they throw what is left: a cube of a tonne from under one of a hundred that is deleted flew
// off at 1.6 m/s. So the commands that change loads say so here, before they do it. At the start of the next step,
// contacts of bodies that have become heavier together press as many times more, and all other changes go from body to
// body, divided as the forces of the last step are, until they are a small share of what contacts carry. All forces
// follow gravity. Loads are estimated anew.
class LoadChanges {
  public:
    explicit LoadChanges(WorldData& data) : data_(data) {}

    // The body goes, or is put elsewhere: it presses on nothing any more.
    void release(std::uint32_t slot);
    // The body gets this definition: another mass, share of gravity or type.
    void change_kind(std::uint32_t slot, const BodyKind& after);
    // The settings become others.
    void change_settings();
    // A kinematic body gets other velocities: what stands on it is to be carried along.
    void change_motion(std::uint32_t slot);

    // At the start of a step.
    void take_effect();

  private:
    // A contact that takes a force on, and the way it goes.
    struct Support {
        PairKey key = 0;
        std::uint32_t contact = 0, other = 0; // slot of the body behind it
        Vec3 away{0.0f};                      // unit, towards that
        float normal_impulse = 0.0f;          // N s per plain substep, of all its points
    };

    using Impulses = std::map<std::uint32_t, Vec3>; // by slot: what presses more than in the last step

    void release(std::uint32_t slot, bool upwards);
    void scale_together(Impulses& impulses);
    void pass_on(const Impulses& impulses, const Vec3& order);
    void find_supports(std::uint32_t slot);
    void scale(Contact& contact, float factor);
    void scale_impulses(Contact& contact, float factor);
    void note_inertia(Contact& contact);
    bool lies_still(const Contact& contact) const;
    void follow(const Settings& before);
    const Settings& last_settings() const; // of the last step
    Vec3 down() const;                     // unit, in the last step

    WorldData& data_;
    std::vector<Support> supports_; // scratch: of one body, by key
};

} // namespace cairn::physics
