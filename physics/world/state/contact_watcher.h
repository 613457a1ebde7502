// Finds the contact events of a step.
#pragma once

#include "physics/world/contact_events.h"
#include "physics/world/state/world_state.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// Compares what touches with what did a step ago. Nothing of it acts on later steps, and no snapshot holds it.
class ContactWatcher {
  public:
    void watch(const ContactWatch& watch, const WorldData& data);
    // The state has been exchanged: what touches now has not begun to.
    void forget(const WorldData& data);
    // Shapes of a body have other places (`places`) and indices (`indices`, of those from `first` on) now; no_index:
    // they are gone. Before the pairs follow.
    void renumber(BodyId body, std::span<const std::uint32_t> places, std::span<const std::uint32_t> indices,
                  std::uint32_t first);
    // Before the solver runs: which contacts approach fast.
    void note_approaches(const WorldData& data);
    void begin_step();
    // When a short step is over: adds to the events of the step.
    void find(const WorldData& data);

    const ContactEvents& events() const { return events_; }
    std::size_t memory_bytes() const;

  private:
    struct Touch {
        PairKey key = 0; // without the face
        std::uint32_t pair = no_index;
        ContactEvent event;
        bool operator<(const Touch& other) const;
    };
    struct Approach {
        std::uint32_t contact = no_index;
        HitEvent hit;
    };
    static ContactEvent event_of(const WorldData& data, const ShapePair& pair);
    void add(const WorldData& data, const Contact& contact);
    void put_in_order();

    ContactWatch watch_;
    ContactEvents events_;
    std::vector<Touch> before_, now_;  // by key
    std::vector<Touch> begun_, ended_; // in this step, by key
    std::vector<Approach> approaches_;
};

} // namespace cairn::physics
