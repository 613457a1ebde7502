#include "app/core/workers/worker_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace cairn::core {
namespace {

using Blocks = std::multiset<std::pair<std::size_t, std::size_t>>;

Blocks blocks_of(physics::Executor& executor, std::size_t count, std::size_t grain) {
    std::mutex guard;
    Blocks blocks;
    executor.parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
        const std::lock_guard lock(guard);
        blocks.emplace(begin, end);
    });
    return blocks;
}

TEST(WorkerPool, BlocksDependOnSizeAloneAndCoverEverythingOnce) {
    physics::SerialExecutor serial;
    for (const int threads : {1, 2, 3, 4}) {
        const auto pool = make_worker_pool(threads);
        EXPECT_EQ(pool->thread_count(), threads);
        for (const std::size_t count : {0, 1, 7, 64, 65, 1000}) {
            for (const std::size_t grain : {1, 7, 64, 5000}) {
                EXPECT_EQ(blocks_of(*pool, count, grain), blocks_of(serial, count, grain))
                    << threads << " threads, " << count << " by " << grain;
            }
        }
    }
}

TEST(WorkerPool, ZeroMeansAsManyAsThereAreCores) {
    EXPECT_GE(make_worker_pool(0)->thread_count(), 1);
    EXPECT_LE(make_worker_pool(0)->thread_count(), static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
}

TEST(WorkerPool, OneThreadRunsOnTheCaller) {
    const auto pool = make_worker_pool(1);
    pool->parallel_for(100, 1, [caller = std::this_thread::get_id()](std::size_t, std::size_t) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
    });
}

TEST(WorkerPool, UsesItsThreadsAndNeverMore) {
    for (const int threads : {2, 3}) {
        const auto pool = make_worker_pool(threads);
        std::atomic<int> running = 0, most = 0;
        std::atomic<bool> met = false;
        // Blocks wait for company, so that on a busy machine the helpers get their chance to come.
        for (int attempt = 0; attempt < 20 && !met; ++attempt) {
            pool->parallel_for(200, 1, [&](std::size_t, std::size_t) {
                const int now = ++running;
                int seen = most;
                while (now > seen && !most.compare_exchange_weak(seen, now)) {
                }
                for (int wait = 0; wait < 100 && !met; ++wait) {
                    if (running >= threads) {
                        met = true;
                    }
                    std::this_thread::sleep_for(std::chrono::microseconds(100));
                }
                --running;
            });
        }
        EXPECT_EQ(most, threads);
    }
}

TEST(WorkerPool, ExceptionsReachTheCaller) {
    const auto pool = make_worker_pool(2);
    EXPECT_THROW(pool->parallel_for(100, 1,
                                    [](std::size_t begin, std::size_t) {
                                        if (begin == 50) {
                                            throw std::runtime_error("from a block");
                                        }
                                    }),
                 std::runtime_error);
    EXPECT_EQ(blocks_of(*pool, 10, 1).size(), 10u) << "and the pool goes on";
}

} // namespace
} // namespace cairn::core
