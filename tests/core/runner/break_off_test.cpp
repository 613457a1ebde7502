// Long steps are broken off for what somebody asks for, and taken again with the same bits.
#include "app/core/runner/runner.h"
#include "app/core/runner/simulation.h"
#include "app/core/workers/breakable_executor.h"
#include "app/core/workers/worker_pool.h"
#include "tests/core/capture/test_scenes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

namespace cairn::core {
namespace {

using core::testing::TemporaryFolder;
using namespace testing;
using namespace physics;

// Enough bodies for a first step that may take long, as far as anybody knows; they fall into each other and fly fast.
Scene crowd() {
    Scene scene = falling_boxes();
    for (int i = 0; i < 300; ++i) {
        BodyDef body;
        body.shapes.push_back({Box{Vec3(0.25f)}, {}});
        body.pose.position = Vec3(0.45f * static_cast<float>(i % 7), 0.52f * static_cast<float>(i / 7 % 7),
                                  0.6f + 0.6f * static_cast<float>(i / 49));
        body.linear_velocity = Vec3(0, 0, i % 3 == 0 ? -40.0f : 0.0f);
        scene.bodies.push_back(body);
    }
    return scene;
}

// Raises the flag at the call of that number.
class RaisesAt final : public Executor {
  public:
    std::atomic<bool> flag = false;
    int calls = 0, at = 0;

    void parallel_for(std::size_t count, std::size_t grain, const Block& block) override {
        note();
        serial_.parallel_for(count, grain, block);
    }
    int thread_count() const override { return 1; }
    void rouse() override { note(); }

  private:
    void note() {
        if (++calls == at) {
            flag = true;
        }
    }
    SerialExecutor serial_;
};

TEST(BreakOff, LeavesTheWorldAsItWasWhereverTheStepWas) {
    Runner plain(crowd());
    plain.step();
    RaisesAt counted;
    Runner counting(crowd(), &counted);
    ASSERT_TRUE(counting.steps_are_long()) << "nothing would be broken off";
    counted.calls = 0;
    ASSERT_TRUE(counting.step(&counted.flag));
    ASSERT_GT(counted.calls, 5);
    for (int at = 1; at <= counted.calls; ++at) {
        RaisesAt breaking;
        Runner runner(crowd(), &breaking);
        const std::uint64_t start = runner.current().hash;
        breaking.calls = 0;
        breaking.at = at;
        if (runner.step(&breaking.flag)) {
            EXPECT_GT(at, counted.calls / 2) << "nothing of a step looks at the flag after that";
            continue;
        }
        EXPECT_EQ(runner.current().step, 0u);
        EXPECT_EQ(runner.current().hash, start);
        breaking.at = 0;
        breaking.flag = false;
        ASSERT_TRUE(runner.step(&breaking.flag));
        EXPECT_EQ(runner.current().hash, plain.current().hash) << "broken off at call " << at;
    }
}

TEST(BreakOff, WhatWasQueuedIsAppliedAndRecordedOnce) {
    const TemporaryFolder folder;
    RaisesAt breaking;
    Runner runner(crowd(), &breaking);
    runner.start_recording(folder / "broken.cairn");
    const std::size_t bodies = runner.current().bodies.size();
    runner.submit(DestroyBody{runner.current().bodies.back().id});
    breaking.flag = true;
    EXPECT_FALSE(runner.step(&breaking.flag));
    EXPECT_EQ(runner.current().bodies.size(), bodies - 1) << "it shows before the step";
    EXPECT_EQ(runner.current().step, 0u);
    runner.submit(DestroyBody{runner.current().bodies.back().id});
    EXPECT_FALSE(runner.step(&breaking.flag));
    EXPECT_EQ(runner.current().bodies.size(), bodies - 2);
    breaking.flag = false;
    for (int i = 0; i < 5; ++i) {
        EXPECT_TRUE(runner.step(&breaking.flag));
    }
    const std::uint64_t hash = runner.current().hash;
    runner.stop_recording();

    // The replay is broken off, too, and applies each command once.
    runner.start_replay(folder / "broken.cairn");
    breaking.flag = true;
    EXPECT_FALSE(runner.step(&breaking.flag));
    EXPECT_FALSE(runner.step(&breaking.flag));
    breaking.flag = false;
    while (!runner.replay()->finished) {
        ASSERT_TRUE(runner.step(&breaking.flag));
    }
    EXPECT_FALSE(runner.replay()->divergence.has_value());
    EXPECT_EQ(runner.current().hash, hash);
    EXPECT_THAT(runner.take_messages(), ::testing::IsEmpty());
}

TEST(BreakOff, LeavesOutTheRestOnAllThreads) {
    for (const int threads : {1, 3}) {
        const auto pool = make_worker_pool(threads);
        BreakableExecutor executor(pool.get());
        std::atomic<bool> flag = false;
        std::atomic<int> done = 0;
        const auto count = [&] {
            executor.parallel_for(1000, 1, [&](std::size_t, std::size_t) {
                if (++done == 10) {
                    flag = true;
                }
            });
        };
        {
            const BreakableExecutor::BreakOff watching(executor, flag);
            EXPECT_THROW(count(), BreakableExecutor::BrokenOff);
            EXPECT_LT(done, 1000);
            const std::vector<std::uint32_t> needs{0, 1, 2};
            EXPECT_THROW(executor.run_stages(needs, static_cast<std::size_t>(threads),
                                             [](std::size_t, std::size_t) { FAIL() << "it is raised already"; }),
                         BreakableExecutor::BrokenOff);
            EXPECT_THROW(executor.check(), BreakableExecutor::BrokenOff);
        }
        done = 0;
        count(); // nobody looks at the flag any more
        EXPECT_EQ(done, 1000);
    }
}

// Hangs in the midst of a step until it is let go.
class Hanging final : public Executor {
  public:
    std::atomic<bool> hangs = false, waits = false;

    void parallel_for(std::size_t count, std::size_t grain, const Block& block) override {
        wait();
        serial_.parallel_for(count, grain, block);
    }
    int thread_count() const override { return 1; }
    void rouse() override { wait(); }

  private:
    void wait() {
        while (hangs) {
            waits = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    SerialExecutor serial_;
};

class SlowSimulation : public ::testing::Test {
  protected:
    // Until the step has begun.
    void hang() {
        executor_.hangs = true;
        simulation_->update(0.0);
        while (!executor_.waits) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    template <typename Condition>
    void update_until(const Condition& condition) {
        while (!condition()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            simulation_->update(0.0);
        }
    }
    Hanging executor_;
    std::unique_ptr<Simulation> simulation_ =
        std::make_unique<Simulation>(crowd(), &executor_, Simulation::Place::own_thread);
};

TEST_F(SlowSimulation, BreaksItsStepOffForAPauseAndACommand) {
    hang();
    const std::size_t bodies = simulation_->current().bodies.size();
    simulation_->paused = true;
    simulation_->submit(DestroyBody{simulation_->current().bodies.back().id}, {"Delete", 0});
    executor_.hangs = false;
    update_until([&] { return simulation_->current().bodies.size() < bodies; });
    EXPECT_EQ(simulation_->current().step, 0u) << "the step was taken first";
    update_until([&] { return simulation_->stands_still(); });
    EXPECT_EQ(simulation_->current().step, 0u);
    EXPECT_EQ(simulation_->undo_what(), "Delete");
    simulation_->undo();
    update_until([&] { return simulation_->current().bodies.size() == bodies; });
    EXPECT_EQ(simulation_->current().step, 0u);
}

TEST_F(SlowSimulation, TakesAStepThatWasAskedForAgainAfterACommand) {
    simulation_->paused = true;
    const std::size_t bodies = simulation_->current().bodies.size();
    executor_.hangs = true;
    simulation_->request_step();
    while (!executor_.waits) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    simulation_->submit(DestroyBody{simulation_->current().bodies.back().id});
    executor_.hangs = false;
    update_until([&] { return simulation_->current().step == 1; });
    EXPECT_EQ(simulation_->current().bodies.size(), bodies - 1);
    update_until([&] { return simulation_->stands_still(); });
    EXPECT_EQ(simulation_->current().step, 1u);
}

TEST_F(SlowSimulation, GoesOnWithItsStepWhileAGrabIsMoved) {
    hang();
    simulation_->submit(MoveGrab{Vec3(1, 2, 3)});
    executor_.hangs = false;
    update_until([&] { return simulation_->current().step >= 1; });
}

TEST_F(SlowSimulation, EndsInTheMidstOfAStep) {
    hang();
    std::thread closing([this] { simulation_.reset(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    executor_.hangs = false;
    closing.join();
    SUCCEED() << "it would hang, or the sanitizers would tell";
}

} // namespace
} // namespace cairn::core
