// Passes of the solver over blocks of contacts, in the widest vectors that the processor has.
#pragma once

#include "physics/narrowphase/contact.h"
#include "physics/solver/rows/row_blocks.h"

#include <cstddef>

namespace cairn::physics {

enum class RowPass : std::uint8_t {
    prepare,    // makes the rows of blocks that say which contacts and bodies they hold
    turn,       // turns the arms with the bodies where that changes a lever
    warm_start, // applies the accumulated impulses
    push,       // one pass of sequential impulses; penetration is pushed out softly
    relax,      // turns the arms, takes the velocity of the push back, and adds the substep's impulses to the step's
    settle,     // the same once more than a substep needs it: its impulses are not added
    store,      // carries the impulses back to the contacts
};

struct RowWork {
    RowBlocks* blocks = nullptr;
    Contact* contacts = nullptr; // the pool's, by index
    ContactPoint* points = nullptr;
    StepImpulse* step_impulses = nullptr;
    BodyMotion* motions = nullptr;
    const BodyInertia* inertias = nullptr;
    ContactSolverSettings settings;
    bool adds_impulses = true; // of the relaxing pass to the sums of the step
    bool fetch_ahead = false;  // ask for blocks while those before are worked on: they come from beyond the caches
};

// Blocks [begin, end) of one kind, one after the other. Those of one colour may run at the same time.
void run_rows(RowPass pass, RowKind kind, std::size_t begin, std::size_t end, const RowWork& work);

} // namespace cairn::physics
