#include "app/core/workers/worker_pool.h"

#include <algorithm>
#include <atomic>
#include <optional>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

namespace cairn::core {
namespace {

// ThreadSanitizer does not see into Debian's oneTBB: that a block starts after the call of parallel_for and ends before
// its return is said again here, in its terms. Nothing orders one block after another, so races between blocks show.
class Handover {
  public:
#ifdef __SANITIZE_THREAD__
    void begin_call() {
        begun_.store(true, std::memory_order_release);
    }
    void begin_block() {
        begun_.load(std::memory_order_acquire);
    }
    void end_block() {
        ended_.fetch_add(1, std::memory_order_release);
    }
    void end_call() {
        ended_.load(std::memory_order_acquire);
    }

  private:
    std::atomic<bool> begun_ = false;
    std::atomic<std::size_t> ended_ = 0;
#else
    void begin_call() {
    }
    void begin_block() {
    }
    void end_block() {
    }
    void end_call() {
    }
#endif
};

class WorkerPool final : public physics::Executor {
  public:
    explicit WorkerPool(int threads) : threads_(threads), arena_(threads) {
        // oneTBB starts no more threads than there are cores unless it is told to. Asking for more is for tests of
        // determinism; the default asks for as many as there are.
        if (threads > tbb::info::default_concurrency()) {
            more_threads_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
        }
    }

    void parallel_for(std::size_t count, std::size_t grain, const Block& block) override {
        grain = std::max<std::size_t>(grain, 1);
        const std::size_t blocks = count / grain + (count % grain != 0 ? 1 : 0);
        if (blocks <= 1) {
            if (count > 0) {
                block(0, count);
            }
            return;
        }
        // The blocks depend on count and grain alone; which thread takes one does not matter to the caller.
        Handover handover;
        const auto run = [&](const tbb::blocked_range<std::size_t>& range) {
            handover.begin_block();
            for (std::size_t i = range.begin(); i != range.end(); ++i) {
                block(i * grain, std::min(count, (i + 1) * grain));
            }
            handover.end_block();
        };
        handover.begin_call();
        arena_.execute(
            [&] { tbb::parallel_for(tbb::blocked_range<std::size_t>(0, blocks, 1), run, tbb::simple_partitioner{}); });
        handover.end_call();
    }

    int thread_count() const override { return threads_; }

  private:
    int threads_;
    std::optional<tbb::global_control> more_threads_;
    tbb::task_arena arena_; // of exactly threads_ slots, one of them for the caller
};

} // namespace

std::unique_ptr<physics::Executor> make_worker_pool(int threads) {
    if (threads <= 0) {
        threads = std::max(1, tbb::info::default_concurrency());
    }
    if (threads == 1) {
        return std::make_unique<physics::SerialExecutor>();
    }
    return std::make_unique<WorkerPool>(threads);
}

} // namespace cairn::core
