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

    using Stage = std::function<void(std::size_t stage, std::size_t part)>;

    // Calls deed(stage, part) once for each of `stages` stages and each of their `parts` parts, at most thread_count().
    // A stage begins when all parts of the one before are done, and its parts must write to disjoint memory. A thread
    // has the same part in all stages as long as it comes in time. For stages of a few microseconds, which are not
    // worth a call each.
    virtual void run_stages(std::size_t stages, std::size_t parts, const Stage& deed) {
        for (std::size_t stage = 0; stage < stages; ++stage) {
            parallel_for(parts, 1, [&deed, stage](std::size_t begin, std::size_t end) {
                for (std::size_t part = begin; part < end; ++part) {
                    deed(stage, part);
                }
            });
        }
    }
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
