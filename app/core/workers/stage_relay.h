// Stages that follow each other at once, on threads that meet after each.
#pragma once

#include "app/core/workers/looking_out.h"
#include "physics/base/executor.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace cairn::core {

// Calling the threads anew for each stage costs three or four trips of a cache line between two cores, 0.2 us each.
// Here all of them go through the stages by themselves and every thread tells the others when its part is done: one
// trip. Stages are numbered on and on, over all calls, so that nothing has to be set back between two calls.
//
// Whoever raises `claimed` of a part from s to s + 1 owns that part of stage s. Its own thread does so on a line that
// nobody else looks at as long as it comes in time; a thread that is kept from running has its part done by the others.
class StageRelay {
  public:
    explicit StageRelay(std::size_t parts) : parts_(parts) {}

    // By one thread at a time, that of part 0, while the others are called to help(). What a part throws reaches the
    // caller once all stages are over.
    void run(std::size_t stages, std::size_t parts, const physics::Executor::Stage& deed, auto&& call) {
        const std::uint64_t end = end_.load(std::memory_order_relaxed) + stages;
        for (std::size_t part = parts; part < parts_.size(); ++part) { // these stay out of it
            parts_[part].claimed.store(end, std::memory_order_relaxed);
            parts_[part].done.store(end, std::memory_order_relaxed);
        }
        deed_ = &deed;
        first_ = end - stages;
        end_.store(end, std::memory_order_release);
        call();
        help(0);
        await(end, 0);
        if (thrown_) {
            std::rethrow_exception(std::exchange(thrown_, nullptr));
        }
    }

    // Takes part until the stages are over.
    void help(std::size_t place) {
        for (;;) {
            const std::uint64_t stage = parts_[place].claimed.load(std::memory_order_relaxed);
            if (stage >= end_.load(std::memory_order_acquire)) {
                return;
            }
            await(stage, place);
            attempt(place, stage);
        }
    }

  private:
    struct alignas(128) Part { // apart even where the processor fetches lines by twos
        std::atomic<std::uint64_t> claimed = 0;
        alignas(128) std::atomic<std::uint64_t> done = 0; // stages below this
        bool late = false;                                // of place 0 only: it had to be stood in for last time
    };

    // What describes the stages is read only by those who have claimed a part: then the call cannot end before it.
    bool attempt(std::size_t part, std::uint64_t stage) {
        std::uint64_t expected = stage;
        if (!parts_[part].claimed.compare_exchange_strong(expected, stage + 1, std::memory_order_acq_rel,
                                                          std::memory_order_relaxed)) {
            return false;
        }
        try {
            (*deed_)(static_cast<std::size_t>(stage - first_), part);
        } catch (...) {
            const std::lock_guard lock(throwing_);
            if (!thrown_) {
                thrown_ = std::current_exception();
            }
        }
        parts_[part].done.store(stage + 1, std::memory_order_release);
        return true;
    }

    // Until all stages below `stage` are done.
    void await(std::uint64_t stage, std::size_t place) {
        for (std::size_t i = 0; i < parts_.size(); ++i) { // its own as well: another may be standing in for it
            const std::size_t part = place + i < parts_.size() ? place + i : place + i - parts_.size();
            Part& other = parts_[part];
            const auto there = [&] { return other.done.load(std::memory_order_acquire) >= stage; };
            if (there()) {
                continue;
            }
            // A look at what the other has claimed slows it down. One that was late is likely to be late again.
            constexpr auto patience = std::chrono::microseconds(5);
            const bool was_late = place == 0 && other.late;
            if (was_late || !spin_until(there, patience)) {
                // All stages before are done, else this thread would not have come to this one.
                const bool late = attempt(part, stage - 1);
                if (place == 0 && late != was_late) {
                    other.late = late;
                }
            }
            while (!there() && !spin_until(there)) {
                std::this_thread::yield();
            }
        }
    }

    std::vector<Part> parts_;
    alignas(128) std::atomic<std::uint64_t> end_ = 0; // of the stages called for so far
    const physics::Executor::Stage* deed_ = nullptr;
    std::uint64_t first_ = 0;
    std::mutex throwing_;
    std::exception_ptr thrown_;
};

} // namespace cairn::core
