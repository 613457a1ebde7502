// An executor whose work can be broken off from another thread, in the midst of a step.
#pragma once

#include "physics/base/executor.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn::core {

// Hands everything on to another executor. While a BreakOff is alive and its flag is raised, blocks of loops and parts
// of stages that have not begun are left out, and the call throws BrokenOff on the calling thread: what such a loop was
// to write is then undefined.
class BreakableExecutor final : public physics::Executor {
  public:
    struct BrokenOff {};

    class BreakOff {
      public:
        // `flag` may be raised by any thread; both must outlive this.
        BreakOff(BreakableExecutor& executor, const std::atomic<bool>& flag) : executor_(executor) {
            executor_.flag_ = &flag;
        }
        BreakOff(const BreakOff&) = delete;
        BreakOff& operator=(const BreakOff&) = delete;
        ~BreakOff() { executor_.flag_ = nullptr; }

      private:
        BreakableExecutor& executor_;
    };

    // `inner` must outlive this; none = everything on the calling thread.
    explicit BreakableExecutor(physics::Executor* inner) : inner_(inner != nullptr ? *inner : serial_) {}

    void parallel_for(std::size_t count, std::size_t grain, const Block& block) override;
    void run_stages(std::span<const std::uint32_t> needs, std::size_t parts, const Stage& task) override;
    void check() override;
    int thread_count() const override { return inner_.thread_count(); }
    void rouse() override { inner_.rouse(); }

  private:
    bool raised() const { return flag_->load(std::memory_order_relaxed); }

    physics::SerialExecutor serial_;
    physics::Executor& inner_;
    const std::atomic<bool>* flag_ = nullptr;
};

} // namespace cairn::core
