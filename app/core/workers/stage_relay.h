// Stages that follow each other at once, on threads that meet after each.
#pragma once

#include "app/core/workers/spin_wait.h"
#include "physics/base/executor.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace cairn::core {

// Calling the threads anew for each stage costs five or six trips of a cache line between two cores, 0.2 us each. Here
// all of them go through the stages by themselves and every thread tells the others when its part is done: one trip.
// Stages are numbered on and on, over all calls, so that nothing has to be set back between two calls.
//
// Whoever raises `claimed` of a part from s to s + 1 owns that part of stage s. Its own thread does so on a line that
// nobody else looks at as long as it comes in time; a thread that is kept from running has its part done by the others.
class StageRelay {
  public:
    explicit StageRelay(std::size_t parts) : parts_(parts), needs_(most_stages) {}

    // By one thread at a time, that of part 0, while the others are called to help(). What a part throws reaches the
    // caller once all stages are over.
    void run(std::span<const std::uint32_t> needs, std::size_t parts, const physics::Executor::Stage& task,
             const auto& call) {
        for (std::size_t begin = 0; begin < needs.size(); begin += most_stages) {
            run_some(needs.subspan(begin, std::min(most_stages, needs.size() - begin)), begin, parts, task, call);
        }
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
            // Of the call that this stage belongs to, or the stage is done by now and cannot be claimed.
            const std::uint64_t first = first_.load(std::memory_order_relaxed);
            const std::uint64_t need =
                first + needs_[static_cast<std::size_t>(stage - first) % most_stages].load(std::memory_order_relaxed);
            if (await(need, stage, place)) {
                attempt(place, stage);
            }
        }
    }

  private:
    static constexpr std::size_t most_stages = 4096; // at a time

    struct alignas(128) Part { // apart even where the processor fetches lines by twos
        std::atomic<std::uint64_t> claimed = 0;
        alignas(128) std::atomic<std::uint64_t> done = 0; // stages below this
        bool late = false;                                // of place 0 only: it had to be stood in for last time
    };

    void run_some(std::span<const std::uint32_t> needs, std::size_t before, std::size_t parts,
                  const physics::Executor::Stage& task, const auto& call) {
        const std::uint64_t first = end_.load(std::memory_order_relaxed), end = first + needs.size();
        for (std::size_t part = parts; part < parts_.size(); ++part) { // these stay out of it
            parts_[part].claimed.store(end, std::memory_order_relaxed);
            parts_[part].done.store(end, std::memory_order_relaxed);
        }
        for (std::size_t i = 0; i < needs.size(); ++i) {
            needs_[i].store(needs[i] > before ? needs[i] - static_cast<std::uint32_t>(before) : 0u,
                            std::memory_order_relaxed);
        }
        task_ = &task;
        before_ = before;
        first_.store(first, std::memory_order_relaxed);
        end_.store(end, std::memory_order_release);
        call();
        help(0);
        await(end, end, 0);
    }

    // What describes the stages is read only by those who have claimed a part: then the call cannot end before it.
    bool attempt(std::size_t part, std::uint64_t stage) {
        std::uint64_t expected = stage;
        if (!parts_[part].claimed.compare_exchange_strong(expected, stage + 1, std::memory_order_acq_rel,
                                                          std::memory_order_relaxed)) {
            return false;
        }
        try {
            (*task_)(before_ + static_cast<std::size_t>(stage - first_.load(std::memory_order_relaxed)), part);
        } catch (...) {
            const std::lock_guard lock(throwing_);
            if (!thrown_) {
                thrown_ = std::current_exception();
            }
        }
        parts_[part].done.store(stage + 1, std::memory_order_release);
        return true;
    }

    // Until all parts have done the stages below `need`, and this part those below `stage`. False if another has
    // claimed this part of the stage meanwhile.
    bool await(std::uint64_t need, std::uint64_t stage, std::size_t place) {
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            const std::size_t part = place + i < parts_.size() ? place + i : place + i - parts_.size();
            Part& other = parts_[part];
            const std::uint64_t wanted = part == place ? stage : need;
            const auto there = [&] {
                return other.done.load(std::memory_order_acquire) >= wanted ||
                       parts_[place].claimed.load(std::memory_order_relaxed) != stage;
            };
            // A look at what the other has claimed slows it down. One that was late is likely to be late again.
            constexpr auto patience = std::chrono::microseconds(5);
            const bool was_late = place == 0 && other.late;
            constexpr auto no_time = std::chrono::microseconds(0);
            bool late = was_late;
            for (auto time = late ? no_time : patience; !there() && !(time != no_time && spin_until(there, time));) {
                if (time == spin_time) {
                    std::this_thread::yield();
                }
                // What the next stage of that part needs is done: it comes before the one that waits here.
                const std::uint64_t next = other.claimed.load(std::memory_order_relaxed);
                late = next < wanted && other.done.load(std::memory_order_acquire) == next && attempt(part, next);
                time = late ? no_time : spin_time;
            }
            if (place == 0 && late != was_late) {
                other.late = late;
            }
        }
        return parts_[place].claimed.load(std::memory_order_relaxed) == stage;
    }

    std::vector<Part> parts_;
    std::vector<std::atomic<std::uint32_t>> needs_;   // by stage of the call
    alignas(128) std::atomic<std::uint64_t> end_ = 0; // of the stages called for so far
    std::atomic<std::uint64_t> first_ = 0;            // of the call
    const physics::Executor::Stage* task_ = nullptr;
    std::size_t before_ = 0; // stages of the same call that came before
    std::mutex throwing_;
    std::exception_ptr thrown_;
};

} // namespace cairn::core
