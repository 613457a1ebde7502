#include "app/core/workers/worker_pool.h"

#include "app/core/workers/spin_wait.h"
#include "app/core/workers/stage_relay.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace cairn::core {
namespace {

// Blocks [next, end) of a loop that nobody has taken yet, in one word: whoever moves `next` on owns that block of the
// loop that is running then, however late he comes.
class alignas(64) Share {
  public:
    void fill(std::uint32_t begin, std::uint32_t end) {
        range_.store(static_cast<std::uint64_t>(begin) << 32 | end, std::memory_order_release);
    }
    bool take(std::uint32_t& block) {
        std::uint64_t range = range_.load(std::memory_order_relaxed);
        while (range >> 32 < (range & 0xffffffffu)) {
            if (range_.compare_exchange_weak(range, range + (std::uint64_t{1} << 32), std::memory_order_acquire,
                                             std::memory_order_relaxed)) {
                block = static_cast<std::uint32_t>(range >> 32);
                return true;
            }
        }
        return false;
    }

  private:
    std::atomic<std::uint64_t> range_ = 0;
};

// Every thread has its own share of a loop's blocks, the same part in each loop of the same length, so that a body's
// data stays in the cache of the core that has worked on it; whoever is done takes from the shares of the others.
class WorkerPool final : public physics::Executor {
  public:
    explicit WorkerPool(int threads)
        : spins_(static_cast<unsigned>(threads) <= std::thread::hardware_concurrency()),
          shares_(static_cast<std::size_t>(threads)),
          stages_(static_cast<std::size_t>(threads)) {
        helpers_.reserve(shares_.size() - 1);
        try {
            for (std::size_t place = 1; place < shares_.size(); ++place) {
                helpers_.emplace_back([this, place] { help(place); });
            }
        } catch (...) { // no more threads to be had
            stop();
            throw;
        }
    }
    ~WorkerPool() override { stop(); }

    void parallel_for(std::size_t count, std::size_t grain, const Block& block) override {
        grain = std::max<std::size_t>(grain, 1);
        const std::size_t blocks = count / grain + (count % grain != 0 ? 1 : 0);
        if (blocks <= 1 || blocks > std::numeric_limits<std::uint32_t>::max() ||
            busy_.exchange(true, std::memory_order_acquire)) {
            serial_.parallel_for(count, grain, block);
            return;
        }
        block_ = &block;
        count_ = count;
        grain_ = grain;
        left_.store(static_cast<std::uint32_t>(blocks), std::memory_order_relaxed);
        for (std::size_t place = 0; place < shares_.size(); ++place) {
            const auto bound = [&](std::size_t i) { return static_cast<std::uint32_t>(blocks * i / shares_.size()); };
            shares_[place].fill(bound(place), bound(place + 1));
        }
        rouse();
        work(0);
        const auto done = [this] { return left_.load(std::memory_order_acquire) == 0; };
        if (!spins_ || !spin_until(done)) {
            for (std::uint32_t left = left_.load(std::memory_order_acquire); left != 0;
                 left = left_.load(std::memory_order_acquire)) {
                left_.wait(left, std::memory_order_acquire);
            }
        }
        const std::exception_ptr thrown = std::exchange(thrown_, nullptr);
        busy_.store(false, std::memory_order_release);
        if (thrown) {
            std::rethrow_exception(thrown);
        }
    }

    void run_stages(std::span<const std::uint32_t> needs, std::size_t parts, const Stage& task) override {
        if (!spins_ || parts < 2 || busy_.exchange(true, std::memory_order_acquire)) {
            Executor::run_stages(needs, parts, task);
            return;
        }
        const Busy busy(busy_);
        stages_.run(needs, parts, task, [this] { rouse(); });
    }

    void rouse() override {
        loops_.fetch_add(1, std::memory_order_seq_cst);
        loops_.notify_all();
    }

    int thread_count() const override { return static_cast<int>(shares_.size()); }

  private:
    // Until the end of the scope, whatever ends it.
    class Busy {
      public:
        explicit Busy(std::atomic<bool>& flag) : flag_(flag) {}
        Busy(const Busy&) = delete;
        Busy& operator=(const Busy&) = delete;
        ~Busy() { flag_.store(false, std::memory_order_release); }

      private:
        std::atomic<bool>& flag_;
    };

    void help(std::size_t place) {
        std::uint32_t seen = 0;
        auto patience = spin_time; // long only after a sleep that was not worth while
        for (;;) {
            const auto called = [&] { return loops_.load(std::memory_order_acquire) != seen; };
            const auto since = std::chrono::steady_clock::now();
            if (!spins_ || !spin_until(called, patience)) {
                loops_.wait(seen, std::memory_order_acquire);
                patience = std::chrono::steady_clock::now() - since < between_steps ? between_steps : spin_time;
            }
            seen = loops_.load(std::memory_order_acquire);
            if (stopping_.load(std::memory_order_relaxed)) {
                return;
            }
            stages_.help(place);
            work(place);
        }
    }

    // What describes the loop is read once a block of it is taken, and then the loop cannot end before that block does.
    void work(std::size_t place) {
        std::uint32_t done = 0;
        for (std::size_t i = 0; i < shares_.size(); ++i) {
            Share& share = shares_[(place + i) % shares_.size()];
            for (std::uint32_t block = 0; share.take(block); ++done) {
                const std::size_t begin = block * grain_;
                try {
                    (*block_)(begin, std::min(count_, begin + grain_));
                } catch (...) {
                    const std::lock_guard lock(throwing_);
                    if (!thrown_) {
                        thrown_ = std::current_exception();
                    }
                }
            }
        }
        if (done != 0 && left_.fetch_sub(done, std::memory_order_acq_rel) == done) {
            left_.notify_all();
        }
    }

    void stop() {
        stopping_.store(true, std::memory_order_relaxed);
        rouse();
        for (std::thread& helper : helpers_) {
            helper.join();
        }
    }

    // Where threads share cores, one that looks out keeps another from working.
    const bool spins_;
    std::atomic<bool> busy_ = false, stopping_ = false;
    physics::SerialExecutor serial_;
    std::vector<Share> shares_; // by place: the caller's first
    StageRelay stages_;
    std::vector<std::thread> helpers_;
    std::mutex throwing_;
    std::exception_ptr thrown_;

    alignas(64) std::atomic<std::uint32_t> loops_ = 0; // begun so far
    const Block* block_ = nullptr;
    std::size_t count_ = 0, grain_ = 1;
    alignas(64) std::atomic<std::uint32_t> left_ = 0; // blocks not yet done
};

} // namespace

std::unique_ptr<physics::Executor> make_worker_pool(int threads) {
    if (threads <= 0) {
        threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    }
    if (threads == 1) {
        return std::make_unique<physics::SerialExecutor>();
    }
    return std::make_unique<WorkerPool>(threads);
}

} // namespace cairn::core
