#include "app/core/workers/worker_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
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
    for (const int threads : {1, 2, 3, 4, 8}) {
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

// Loops of a few blocks follow each other at once, as the stages of a step do: whoever comes late to one must find the
// next one whole.
TEST(WorkerPool, ShortLoopsInARowLoseNothing) {
    for (const int threads : {2, 3, 8}) {
        const auto pool = make_worker_pool(threads);
        std::vector<std::size_t> visits(37);
        for (std::size_t loop = 1; loop <= 2000; ++loop) {
            const std::size_t count = 1 + loop % visits.size();
            std::fill(visits.begin(), visits.end(), 0);
            pool->parallel_for(count, 1 + loop % 3, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    visits[i] += loop;
                }
            });
            for (std::size_t i = 0; i < visits.size(); ++i) {
                ASSERT_EQ(visits[i], i < count ? loop : 0) << threads << " threads, loop " << loop << ", item " << i;
            }
        }
    }
}

TEST(WorkerPool, HelpersThatHaveGoneToSleepComeBack) {
    const auto pool = make_worker_pool(2);
    for (int loop = 0; loop < 5; ++loop) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2)); // much longer than idle threads look out
        EXPECT_EQ(blocks_of(*pool, 100, 1).size(), 100u);
    }
}

TEST(WorkerPool, LoopsWithinLoopsAndSecondCallersRunByThemselves) {
    const auto pool = make_worker_pool(2);
    std::atomic<std::size_t> visits = 0;
    const auto nested = [&] {
        for (int loop = 0; loop < 50; ++loop) {
            pool->parallel_for(20, 1, [&](std::size_t, std::size_t) {
                pool->parallel_for(10, 1, [&](std::size_t, std::size_t) { ++visits; });
            });
        }
    };
    std::thread other(nested);
    nested();
    other.join();
    EXPECT_EQ(visits, 2u * 50u * 20u * 10u);
}

std::vector<std::uint32_t> needs_of(std::size_t stages) { // each all of the one before
    std::vector<std::uint32_t> needs(stages);
    std::iota(needs.begin(), needs.end(), 0u);
    return needs;
}

// A part may begin only when all of the stage before is done, whoever does it and however late he comes.
TEST(WorkerPool, StagesFollowEachOtherAndRunEveryPartOnce) {
    constexpr std::size_t stages = 300;
    for (const int threads : {1, 2, 3, 8}) {
        const auto pool = make_worker_pool(threads);
        for (std::size_t parts = 1; parts <= static_cast<std::size_t>(threads); ++parts) {
            std::vector<std::vector<std::size_t>> visits(stages, std::vector<std::size_t>(parts, 0));
            std::atomic<std::size_t> early = 0;
            pool->run_stages(needs_of(stages), parts, [&](std::size_t stage, std::size_t part) {
                if (stage > 0) { // not atomic: threads must have met in between
                    for (const std::size_t before : visits[stage - 1]) {
                        early += before != 1 ? 1 : 0;
                    }
                }
                if (stage % 50 == 7 && part + 1 == parts) { // much longer than the others wait patiently
                    std::this_thread::sleep_for(std::chrono::microseconds(300));
                }
                ++visits[stage][part];
            });
            EXPECT_EQ(early, 0u) << threads << " threads, " << parts << " parts";
            for (const std::vector<std::size_t>& stage : visits) {
                EXPECT_EQ(stage, std::vector<std::size_t>(parts, 1));
            }
        }
    }
}

// Parts that need little of each other may drift apart, but no further than that.
TEST(WorkerPool, StagesBeginWhenWhatTheyNeedIsDone) {
    std::vector<std::uint32_t> needs; // pairs of stages: the first needs the first of the pair before, the second none
    for (std::uint32_t stage = 0; stage < 5000; ++stage) {
        needs.push_back(stage < 2 ? 0u : (stage & ~1u) - 1u);
    }
    for (const int threads : {1, 2, 3, 8}) {
        const auto pool = make_worker_pool(threads);
        const auto parts = static_cast<std::size_t>(threads);
        std::vector<std::atomic<std::uint32_t>> done(parts);
        std::atomic<std::size_t> wrong = 0;
        pool->run_stages(needs, parts, [&](std::size_t stage, std::size_t part) {
            for (std::size_t other = 0; other < parts; ++other) {
                const bool there = other == part ? done[other] == stage : done[other] >= needs[stage];
                wrong += there ? 0 : 1;
            }
            if (stage % 1000 == 77 && part == stage / 1000 % parts) {
                std::this_thread::sleep_for(std::chrono::microseconds(200));
            }
            ++done[part];
        });
        EXPECT_EQ(wrong, 0u) << threads << " threads";
        for (const std::atomic<std::uint32_t>& count : done) {
            EXPECT_EQ(count, needs.size());
        }
    }
}

// With helpers asleep, with calls that need fewer of them, and with loops in between.
TEST(WorkerPool, CallsOfStagesAndLoopsFollowEachOther) {
    for (const int threads : {2, 3}) {
        const auto pool = make_worker_pool(threads);
        std::vector<std::size_t> sums(8, 0);
        std::size_t expected = 0;
        for (std::size_t call = 0; call < 600; ++call) {
            const std::size_t parts = 1 + call % static_cast<std::size_t>(threads), stages = call % 5;
            if (call % 100 == 99) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            pool->run_stages(needs_of(stages), parts, [&](std::size_t stage, std::size_t part) {
                for (std::size_t i = part; i < sums.size(); i += parts) {
                    sums[i] += stage + 1;
                }
            });
            pool->parallel_for(sums.size(), 1, [&](std::size_t begin, std::size_t) { ++sums[begin]; });
            expected += stages * (stages + 1) / 2 + 1;
            ASSERT_EQ(sums, std::vector<std::size_t>(sums.size(), expected)) << threads << " threads, call " << call;
        }
    }
}

TEST(WorkerPool, WhatAPartThrowsReachesTheCaller) {
    const auto pool = make_worker_pool(2);
    std::atomic<int> parts = 0;
    EXPECT_THROW(pool->run_stages(needs_of(10), 2,
                                  [&](std::size_t stage, std::size_t part) {
                                      ++parts;
                                      if (stage == 3 && part == 1) {
                                          throw std::runtime_error("from a part");
                                      }
                                  }),
                 std::runtime_error);
    pool->run_stages(needs_of(10), 2, [&](std::size_t, std::size_t) { ++parts; });
    EXPECT_GE(parts, 20 + 7) << "and the pool goes on";
}

} // namespace
} // namespace cairn::core
