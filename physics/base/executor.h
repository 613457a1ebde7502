// How the engine runs work on several threads without knowing which library provides them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

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

    // Calls task(stage, part) once for each of needs.size() stages and each of their `parts` parts, at most
    // thread_count(). A part of stage s begins when its part of s - 1 and all parts of the first needs[s] stages are
    // done; needs[s] is at most s and never falls. What may then run side by side must write to disjoint memory. A
    // thread has the same part in all stages as long as it comes in time. For stages of a few microseconds, which are
    // not worth a call each.
    virtual void run_stages(std::span<const std::uint32_t> needs, std::size_t parts, const Stage& task) {
        for (std::size_t begin = 0, end = 0; begin < needs.size(); begin = end) {
            for (end = begin + 1; end < needs.size() && needs[end] <= begin; ++end) {
            }
            parallel_for(parts, 1, [&task, begin, end](std::size_t first, std::size_t last) {
                for (std::size_t part = first; part < last; ++part) {
                    for (std::size_t stage = begin; stage < end; ++stage) {
                        task(stage, part);
                    }
                }
            });
        }
    }

    // Called between two parts of long work that no loop hands over. Work that is to be broken off throws here, or when
    // it calls a loop or stages.
    virtual void check() {}

    // Work is about to come: threads that sleep take a while to be there.
    virtual void rouse() {}
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
