// How the engine runs work on several threads without knowing which library provides them.
#pragma once

#include <cstddef>
#include <functional>

namespace cairn::physics {

// Runs the blocks of a loop, on as many threads as it likes. The engine only hands over loops whose blocks write to
// disjoint memory, and splits them by size alone, so results never depend on the thread count or on timing.
class Executor {
  public:
    using Block = std::function<void(std::size_t begin, std::size_t end)>;

    virtual ~Executor() = default;

    // Calls block(begin, end) for consecutive ranges of at most `grain` items that cover [0, count). Returns when all
    // are done.
    virtual void parallel_for(std::size_t count, std::size_t grain, const Block& block) = 0;

    virtual int thread_count() const = 0;
};

// Everything on the calling thread, in order.
class SerialExecutor final : public Executor {
  public:
    void parallel_for(std::size_t count, std::size_t grain, const Block& block) override {
        for (std::size_t begin = 0; begin < count; begin += grain) {
            block(begin, begin + grain < count ? begin + grain : count);
        }
    }
    int thread_count() const override { return 1; }
};

} // namespace cairn::physics
