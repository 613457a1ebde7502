// The contacts of a step, sorted into blocks of rows by colour and kind.
#pragma once

#include "physics/base/executor.h"
#include "physics/narrowphase/contact_pool.h"
#include "physics/solver/colouring.h"
#include "physics/solver/impacts.h"
#include "physics/solver/row_passes.h"

#include <span>
#include <vector>

namespace cairn::physics {

// A touching contact and the motion indices of its bodies (0 = static).
struct TouchingContact {
    std::uint32_t slot = 0;
    RowBodies bodies;
};

// Keeps its memory from step to step.
class ContactBlocks {
  public:
    // Contacts in a canonical order. `work` names the bodies; its blocks become these.
    void build(Executor& executor, std::span<const TouchingContact> touching, ContactPool& contacts,
               std::span<const BodyDynamics> dynamics, RowWork& work);

    // Colours one after the other, from last to first if `backward`; the blocks of a colour side by side.
    void pass(Executor& executor, RowPass pass, const RowWork& work, bool backward) const;

    // Contacts that give back speed.
    std::span<const RowPlace> bouncy() const { return bouncy_; }
    RowBlocks& blocks() { return blocks_; }
    std::size_t used_colours() const { return colouring_.used_colours(); }

    // Carries the impulses back to the contacts.
    void store(Executor& executor, const RowWork& work) const;

    std::size_t memory_bytes() const; // of heap

  private:
    // Blocks of one kind and one colour, which stand next to each other.
    struct Run {
        RowKind kind = RowKind::one;
        std::uint32_t first_block = 0, blocks = 0;
        std::uint32_t first_row = 0, rows = 0; // in order_
        bool in_turn = false;                  // rows that share bodies
    };

    template <class Deed>
    void for_each_block(Executor& executor, std::span<const Run> runs, std::size_t grain, Deed&& deed) const;

    RowBlocks blocks_;
    Colouring colouring_;
    std::vector<RowBodies> row_bodies_;
    std::vector<RowKind> kinds_;       // by touching contact
    std::vector<std::uint32_t> order_; // indices of touching contacts, by colour, then kind
    std::vector<Run> runs_;
    std::array<std::uint32_t, Colouring::colour_count + 1> first_run_{}; // by colour
    std::vector<RowPlace> bouncy_;
};

} // namespace cairn::physics
