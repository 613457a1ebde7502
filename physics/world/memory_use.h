// What a world holds of the heap.
#pragma once

#include <cstddef>

namespace cairn::physics {

// Bytes held now, spare room included: vectors shrink only with their world. What the allocator adds is not known here.
struct MemoryUse {
    std::size_t bodies = 0;   // state, shapes as placed, and the lists of them
    std::size_t kinds = 0;    // definitions, masses, and shapes with their hulls; shared by bodies made alike
    std::size_t trees = 0;    // broadphase
    std::size_t contacts = 0; // pairs with their manifolds
    std::size_t joints = 0;
    std::size_t solver = 0;  // rows and motions, kept from step to step
    std::size_t scratch = 0; // of the other stages

    std::size_t total() const { return bodies + kinds + trees + contacts + joints + solver + scratch; }
};

} // namespace cairn::physics
