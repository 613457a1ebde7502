// The runner behind its own thread. Nothing here depends on how fast anything is: a step is held up until the test lets
// it go, and what waits for such a step does not come back at all.
#include "app/core/base/error.h"
#include "app/core/capture/capture.h"
#include "app/core/runner/simulation.h"
#include "app/core/scene/worlds/frame_bodies.h"
#include "app/core/workers/worker_pool.h"
#include "tests/core/capture/test_scenes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace cairn::core {
namespace {

using core::testing::TemporaryFolder;
using namespace testing;
using namespace physics;
using ::testing::HasSubstr;

// Holds every step up until it is opened.
class Gate {
  public:
    void pass() {
        std::unique_lock lock(mutex_);
        ++arrived_;
        changed_.notify_all();
        changed_.wait(lock, [this] { return open_ || tickets_ > 0; });
        tickets_ -= open_ ? 0 : 1;
    }
    void open() {
        const std::lock_guard lock(mutex_);
        open_ = true;
        changed_.notify_all();
    }
    void let_one_through() {
        const std::lock_guard lock(mutex_);
        ++tickets_;
        changed_.notify_all();
    }
    void wait_for_step(int number) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return arrived_ >= number; });
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool open_ = false;
    int tickets_ = 0, arrived_ = 0;
};

template <typename Condition>
void update_until(Simulation& simulation, Condition&& condition) {
    simulation.update(0.0);
    while (!condition()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        simulation.update(0.0);
    }
}

BodyDef small_ball(const Vec3& position) {
    BodyDef body;
    body.pose.position = position;
    body.shapes = {{Sphere{0.4f}, {}}};
    return body;
}

// A simulation whose steps wait at a gate. The gate opens before the thread is joined, whatever the test has found.
struct Held {
    Gate gate;
    Simulation simulation;
    explicit Held(const Scene& scene, bool paused = false) : simulation(scene, nullptr, Simulation::Place::own_thread) {
        simulation.delay_steps([this] { gate.pass(); });
        simulation.paused = paused;
        simulation.update(0.0);
    }
    ~Held() { gate.open(); }
};

TEST(Simulation, TakesTheStepsOfTheRunner) {
    const Scene scene = falling_boxes();
    Runner runner(scene);
    Simulation simulation(scene, nullptr, Simulation::Place::own_thread);
    for (int i = 0; i < 40; ++i) {
        runner.step();
        simulation.request_step();
    }
    update_until(simulation, [&] { return simulation.current().step >= 40; });
    EXPECT_EQ(simulation.current().step, 40u);
    EXPECT_EQ(simulation.current().hash, runner.current().hash);
    EXPECT_EQ(simulation.previous().hash, runner.previous().hash);
}

TEST(Simulation, NothingThatAPictureNeedsWaitsForAStep) {
    Held held(falling_boxes());
    Simulation& simulation = held.simulation;
    held.gate.wait_for_step(1);
    // The step hangs. A hundred pictures, a command, a change of speed, a pause: none of them may.
    for (int i = 0; i < 100; ++i) {
        simulation.update(0.0);
        EXPECT_EQ(simulation.current().step, 0u);
        EXPECT_GE(simulation.interpolation(), 0.0);
        EXPECT_LE(simulation.interpolation(), 1.0);
    }
    const std::size_t bodies = simulation.current().bodies.size();
    simulation.submit(CreateBody{small_ball({5, 5, 5})});
    simulation.time_scale = 2.0;
    simulation.paused = true;
    simulation.update(0.0);
    EXPECT_TRUE(simulation.paused);
    EXPECT_FALSE(simulation.stands_still()) << "the step in progress is still to come";
    EXPECT_EQ(simulation.current().bodies.size(), bodies);

    held.gate.let_one_through();
    update_until(simulation, [&] { return simulation.stands_still(); });
    EXPECT_EQ(simulation.current().step, 1u) << "the one in progress, and no other";
    update_until(simulation, [&] { return simulation.current().bodies.size() == bodies + 1; });
    EXPECT_EQ(simulation.current().step, 1u) << "an edit shows without a step while paused";
}

TEST(Simulation, WhatIsHeldDoesNotChangeUnderTheReader) {
    Scene scene = falling_boxes();
    scene.settings.hz = 1000.0f;
    Simulation simulation(scene, nullptr, Simulation::Place::own_thread);
    for (int round = 0; round < 5; ++round) {
        update_until(simulation, [&] { return simulation.current().step > 10u * static_cast<unsigned>(round); });
        const FrameState& shown = simulation.current();
        const FrameState before = shown;
        const std::uint64_t wanted = shown.step + 8; // more than there are frames to write into
        while (simulation.published_step() < wanted) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        EXPECT_EQ(shown.step, before.step);
        EXPECT_EQ(shown.hash, before.hash);
        ASSERT_EQ(shown.bodies.size(), before.bodies.size());
        for (std::size_t i = 0; i < before.bodies.size(); ++i) {
            EXPECT_EQ(shown.bodies[i].pose.position, before.bodies[i].pose.position);
            EXPECT_EQ(shown.bodies[i].linear_velocity, before.bodies[i].linear_velocity);
        }
        EXPECT_EQ(shown.contacts.size(), before.contacts.size());
        EXPECT_EQ(simulation.previous().step + 1, shown.step);
    }
}

TEST(Simulation, ABodyPutElsewhereIsNotDrawnOnItsWay) {
    Held held(falling_boxes(), true);
    Simulation& simulation = held.simulation;
    held.gate.open();
    simulation.request_step();
    update_until(simulation, [&] { return simulation.current().step == 1; });
    const auto [id, old] = std::pair(simulation.current().bodies.back().id, simulation.current().bodies.back().pose);
    SetBody set;
    set.body = id;
    set.position = Vec3(7, 8, 9);
    simulation.submit(set);
    update_until(simulation, [&] { return simulation.current().bodies.back().pose.position == Vec3(7, 8, 9); });
    EXPECT_EQ(simulation.previous().bodies.back().pose.position, Vec3(7, 8, 9));
    EXPECT_NE(old.position, Vec3(7, 8, 9));
}

TEST(Simulation, TimeThatCannotBeKeptUpWithIsDroppedAndSaid) {
    Scene scene = falling_boxes();
    scene.settings.hz = 1000.0f;
    Simulation simulation(scene, nullptr, Simulation::Place::own_thread);
    simulation.delay_steps([] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });
    update_until(simulation, [&] { return simulation.dropped_seconds() > 0.0; });
    EXPECT_FALSE(simulation.take_events().step_seconds.empty());
    simulation.paused = true;
    simulation.restart();
    EXPECT_EQ(simulation.dropped_seconds(), 0.0) << "counted since the start";
}

TEST(Simulation, LoadingWaitsForTheStepAndShowsTheNewWorld) {
    Held held(falling_boxes());
    Simulation& simulation = held.simulation;
    held.gate.wait_for_step(1);
    std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        held.gate.open();
    });
    Scene other = falling_boxes();
    other.name = "another";
    other.bodies.resize(1);
    simulation.paused = true;
    simulation.load(other);
    later.join();
    EXPECT_EQ(simulation.scene().name, "another");
    EXPECT_EQ(simulation.current().step, 0u);
    EXPECT_EQ(simulation.current().bodies.size(), 1u);

    Scene bad = other;
    bad.bodies[0].shapes.clear();
    EXPECT_THROW(simulation.load(bad), InputError);
    simulation.request_step();
    update_until(simulation, [&] { return simulation.current().step == 1; });
    EXPECT_EQ(simulation.scene().name, "another") << "a refused scene changes nothing";
}

TEST(Simulation, RejectedCommandsAreTold) {
    Held held(falling_boxes(), true);
    Simulation& simulation = held.simulation;
    simulation.submit(DestroyBody{{99, 0}});
    std::vector<Simulation::Message> told;
    update_until(simulation, [&] {
        for (Simulation::Message& message : simulation.take_events().messages) {
            told.push_back(std::move(message));
        }
        return !told.empty();
    });
    ASSERT_EQ(told.size(), 1u);
    EXPECT_FALSE(told[0].text.empty());
    EXPECT_FALSE(told[0].error);
}

TEST(Simulation, CreatesBodiesAndJointsAsOneEditWithOneAnswer) {
    Held held(falling_boxes(), true);
    Simulation& simulation = held.simulation;
    BodyDef rejected = small_ball({6, 6, 6});
    rejected.shapes.clear();
    JointDef rope, of_rejected, tie;
    rope.body_a = {0, 0};
    rope.body_b = {2, 0};
    of_rejected.body_a = {0, 0};
    of_rejected.body_b = {1, 0};
    tie.body_b = {2, 0}; // to the world
    const std::size_t before = simulation.current().bodies.size();
    simulation.submit(
        CreateBodies{{small_ball({5, 5, 5}), rejected, small_ball({7, 7, 7})}, {rope, of_rejected}, {tie}},
        {"Two balls", 7});
    std::vector<Simulation::Created> created;
    update_until(simulation, [&] {
        for (const Simulation::Created& one : simulation.take_events().created) {
            created.push_back(one);
        }
        return !created.empty();
    });
    ASSERT_EQ(created.size(), 1u);
    EXPECT_EQ(created[0].gesture, 7u);
    ASSERT_EQ(created[0].bodies.size(), 3u);
    EXPECT_FALSE(created[0].bodies[1]);
    const FrameState& frame = simulation.current();
    EXPECT_EQ(frame.bodies.size(), before + 2) << "the answer comes with the frame that holds them";
    for (const std::size_t place : {0u, 2u}) {
        EXPECT_TRUE(find_body(frame, created[0].bodies[place]));
    }
    ASSERT_EQ(frame.joints.size(), 2u);
    EXPECT_EQ(frame.joints[0].def->body_a, created[0].bodies[0]);
    EXPECT_EQ(frame.joints[0].def->body_b, created[0].bodies[2]);
    EXPECT_FALSE(frame.joints[1].def->body_a);
    EXPECT_EQ(simulation.undo_what(), "Two balls");
    simulation.update(0.0);
    EXPECT_TRUE(simulation.take_events().created.empty());
    simulation.undo();
    update_until(simulation, [&] { return simulation.current().bodies.size() == before; });
    EXPECT_TRUE(simulation.current().joints.empty());
}

TEST(Simulation, WhatItRecordsReplaysEqual) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "session.cairn";
    const auto workers = make_worker_pool(2);
    Scene scene = falling_boxes();
    scene.settings.hz = 1000.0f;
    {
        Simulation simulation(scene, workers.get(), Simulation::Place::own_thread);
        simulation.with_runner([&](Runner& runner) { runner.start_recording(file); });
        EXPECT_TRUE(simulation.recording());
        EXPECT_EQ(simulation.recording_path(), file);
        for (int i = 0; i < 10; ++i) {
            simulation.submit(CreateBody{small_ball({0.1f * static_cast<float>(i), 0, 6})});
            const std::uint64_t wanted = simulation.recorded_steps() + 3;
            update_until(simulation, [&] { return simulation.recorded_steps() >= wanted; });
        }
        simulation.with_runner(std::mem_fn(&Runner::stop_recording));
        EXPECT_FALSE(simulation.recording());
    }
    Simulation simulation(scene, workers.get(), Simulation::Place::own_thread);
    simulation.start_replay(file);
    ASSERT_TRUE(simulation.replaying());
    update_until(simulation, [&] { return simulation.replay()->finished; });
    EXPECT_GE(simulation.replay()->steps, 30u);
    EXPECT_EQ(simulation.replay()->step, simulation.replay()->steps);
    EXPECT_FALSE(simulation.replay()->divergence);
    EXPECT_EQ(simulation.interpolation(), 1.0);
    simulation.with_runner(std::mem_fn(&Runner::stop_replay));
    EXPECT_FALSE(simulation.replaying());
    EXPECT_THROW(simulation.start_replay(folder / "nothing.cairn"), InputError);
}

TEST(Simulation, InTheCallersPlaceNothingHappensByItself) {
    const Scene scene = falling_boxes();
    Simulation simulation(scene, nullptr, Simulation::Place::caller);
    Runner runner(scene);
    simulation.update(0.0);
    EXPECT_EQ(simulation.current().step, 0u);
    for (int i = 0; i < 5; ++i) {
        simulation.step_now();
        runner.step();
        EXPECT_EQ(simulation.current().hash, runner.current().hash);
    }
    simulation.update(2.0 / 60.0);
    EXPECT_EQ(simulation.current().step, 7u);
    simulation.paused = true;
    simulation.submit(CreateBody{small_ball({5, 5, 5})});
    simulation.update(1.0);
    EXPECT_EQ(simulation.current().step, 7u);
    EXPECT_EQ(simulation.current().bodies.size(), scene.bodies.size() + 1);
    EXPECT_TRUE(simulation.stands_still());
}

TEST(Simulation, StrikesOfAllStepsWaitForAReaderThatListens) {
    const Scene scene = falling_boxes();
    for (const bool listening : {false, true}) {
        Simulation simulation(scene, nullptr, Simulation::Place::caller);
        simulation.listen(listening);
        std::vector<Touch> expected, touches;
        for (int i = 0; i < 200; ++i) {
            simulation.step_now();
            find_touches(simulation.previous(), simulation.current(), expected);
        }
        ASSERT_GT(expected.size(), 3u);
        EXPECT_NE(expected.front().step, expected.back().step);
        touches = simulation.take_events().touches;
        ASSERT_EQ(touches.size(), listening ? expected.size() : 0u);
        for (std::size_t i = 0; i < touches.size(); ++i) {
            EXPECT_EQ(touches[i].step, expected[i].step);
            EXPECT_EQ(touches[i].impulse, expected[i].impulse);
        }
        EXPECT_TRUE(simulation.take_events().touches.empty());
    }
}

void pause_after(Simulation& simulation, std::uint64_t steps) {
    update_until(simulation, [&] { return simulation.current().step >= steps; });
    simulation.paused = true;
    update_until(simulation, [&] { return simulation.stands_still(); });
}

TEST(Simulation, GoesToAnyStepThatIsKnown) {
    const TemporaryFolder folder;
    Simulation simulation(falling_boxes(), nullptr, Simulation::Place::own_thread);
    pause_after(simulation, 20);
    const std::uint64_t known = simulation.known_steps();
    EXPECT_EQ(simulation.current().step, known);
    const std::uint64_t last = simulation.current().hash;
    simulation.go_to(7);
    update_until(simulation, [&] { return simulation.current().step == 7; });
    EXPECT_EQ(simulation.known_steps(), known);
    const Segment segment = simulation.with_runner([](Runner& runner) { return runner.history().segment(4, 7); });
    ASSERT_FALSE(segment.steps.empty());
    EXPECT_LE(segment.steps.front().step, 5u);
    EXPECT_EQ(segment.steps.back().step, 7u);
    simulation.with_runner([&](Runner& runner) { runner.save_history(folder / "kept.cairn"); });
    EXPECT_EQ(read_capture(folder / "kept.cairn").steps.size(), known);
    EXPECT_THROW(simulation.with_runner([&](Runner& runner) { runner.save_history(folder / "no" / "kept.cairn"); }),
                 InputError);
    // Of many wishes the last one counts.
    for (const std::uint64_t to : {3u, 15u, 1u, 9u, 0u}) {
        simulation.go_to(to);
    }
    // Each of these goes on from where the last one leads, before any of it is shown.
    for (int i = 0; i < 10; ++i) {
        simulation.go_to(simulation.step_to_come() + 1);
    }
    EXPECT_EQ(simulation.step_to_come(), 10u);
    simulation.request_step();
    simulation.go_to(simulation.step_to_come() - 1);
    update_until(simulation, [&] { return !simulation.seeking() && simulation.current().step == 10; });
    EXPECT_EQ(simulation.step_to_come(), 10u);
    simulation.go_to(known);
    update_until(simulation, [&] { return !simulation.seeking(); });
    update_until(simulation, [&] { return simulation.current().step == known; });
    EXPECT_EQ(simulation.current().hash, last);
}

TEST(Simulation, WhatWasDoneToARunningWorldIsKeptWhenItIsLeftAtOnce) {
    Simulation simulation(falling_boxes(), nullptr, Simulation::Place::own_thread);
    pause_after(simulation, 20);
    const std::uint64_t known = simulation.known_steps();
    const std::size_t bodies = simulation.current().bodies.size();
    simulation.go_to(known - 10);
    update_until(simulation, [&] { return simulation.current().step == known - 10; });
    // In one breath: the world runs, a ball is thrown, and another step is asked for.
    simulation.with_runner([&](Runner&) {
        simulation.paused = false;
        simulation.submit(CreateBody{small_ball({0, 0, 9})});
        simulation.go_to(5);
    });
    simulation.paused = true;
    update_until(simulation, [&] {
        return !simulation.seeking() && simulation.stands_still() && simulation.current().step < known - 10;
    });
    ASSERT_EQ(simulation.branches().size(), 2u);
    EXPECT_EQ(simulation.branches()[1].fork, known - 10);
    simulation.go_to(known - 9);
    update_until(simulation, [&] { return simulation.current().step == known - 9; });
    EXPECT_EQ(simulation.current().bodies.size(), bodies + 1);
}

TEST(Simulation, LinesOfThePastAreToldAndTaken) {
    Simulation simulation(falling_boxes(), nullptr, Simulation::Place::own_thread);
    pause_after(simulation, 20);
    const std::uint64_t known = simulation.known_steps(), last = simulation.current().hash;
    ASSERT_EQ(simulation.branches().size(), 1u);
    simulation.go_to(5);
    update_until(simulation, [&] { return simulation.current().step == 5; });
    simulation.submit(CreateBody{small_ball({0, 0, 9})});
    simulation.request_step();
    update_until(simulation, [&] { return simulation.current().step == 6; });
    ASSERT_EQ(simulation.branches().size(), 2u);
    EXPECT_EQ(simulation.current_branch(), 1u);
    EXPECT_EQ(simulation.branches()[1].fork, 5u);
    EXPECT_EQ(simulation.branches()[0].end, known);
    simulation.take_branch(0);
    EXPECT_EQ(simulation.current().step, 5u);
    EXPECT_EQ(simulation.known_steps(), known);
    simulation.go_to(known);
    update_until(simulation, [&] { return simulation.current().step == known; });
    EXPECT_EQ(simulation.current().hash, last);
}

} // namespace
} // namespace cairn::core
