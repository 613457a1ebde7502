// What fast bodies are expected to do in the coming step, if nothing but gravity acts.
#pragma once

#include "physics/base/executor.h"
#include "physics/narrowphase/pool/contact_pool.h"
#include "physics/world/contacts/reach.h"
#include "physics/world/islands/partition.h"

#include <cstdint>
#include <vector>

namespace cairn::physics {

// How a pair of shapes moves in the coming step.
struct PairMotion {
    bool fast = false;   // against each other
    float travel = 0.0f; // m, by which the surfaces approach at most
    float margin = 0.0f; // m, the gap within which the pair makes a contact where it is
    float reach = 0.0f;  // m, the same where it is going to meet
    Sweep path_a, path_b;
};

// Kept for fast bodies alone: those whose surface may come further than their inner radius allows.
class ExpectedMotion {
  public:
    void predict(Executor& executor, const Settings& settings, const BodyStore& bodies, const Partition& partition);

    bool is_fast(std::uint32_t slot) const { return of(slot) != nullptr; }
    bool any_fast(const ActivePair& pair) const { return is_fast(pair.body_a) || is_fast(pair.body_b); }
    // Whether the shapes of a pair with fast bodies will not come near each other, by what is expected of these alone.
    // What is not fast comes no further than its own margin.
    bool stays_apart(const Settings& settings, const BodyStore& bodies, const ActivePair& pair) const;
    // Of a pair with a fast body.
    PairMotion of_pair(const Settings& settings, const BodyStore& bodies, const ShapeRecord& a,
                       const ShapeRecord& b) const;

    std::size_t memory_bytes() const;

  private:
    struct alignas(32) Path {
        Vec3 displacement{0.0f}, turn{0.0f}; // m, rad, world
        float lift = 0.0f;                   // m, by which turning moves the surface outwards, at most
        std::uint32_t step = 0;              // of predict(): counts if it was the last
    };
    const Path* of(std::uint32_t slot) const { return paths_[slot].step == step_ ? &paths_[slot] : nullptr; }

    std::vector<Path> paths_; // by slot
    std::uint32_t step_ = 0;  // calls of predict()
};

} // namespace cairn::physics
