#include "app/core/history/what_if.h"

#include "app/core/runner/simulation.h"
#include "tests/core/capture/test_scenes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace cairn::core {
namespace {

using core::testing::TemporaryFolder;
using namespace physics;

// A run in which a ball is thrown at step 11, gravity is changed at 31 and a box is pushed at 41. Its commands by step.
struct Story {
    Runner runner{testing::falling_boxes()};
    std::vector<std::pair<std::uint64_t, Command>> commands;
    std::vector<std::uint64_t> hashes; // of steps 0..

    explicit Story(std::uint64_t steps = 60) {
        BodyDef ball;
        ball.name = "ball";
        ball.pose.position = {-4, 0, 1};
        ball.linear_velocity = {12, 0, 2};
        ball.shapes = {{Sphere{0.4f}, {}}};
        Settings light = runner.current().settings;
        light.gravity = {0, 0, -3};
        commands = {{11, CreateBody{ball}},
                    {31, SetSettings{light}},
                    {41, ApplyImpulse{runner.current().bodies[2].id, {300, 0, 300}, std::nullopt}}};
        hashes.push_back(runner.current().hash);
        while (runner.current().step < steps) {
            for (const auto& [step, command] : commands) {
                if (step == runner.current().step + 1) {
                    runner.submit(command);
                }
            }
            runner.step();
            hashes.push_back(runner.current().hash);
        }
    }
};

// The same run with other settings from a step on, by hand.
std::vector<std::uint64_t> by_hand(const Story& run, std::uint64_t from, int substeps, std::uint64_t steps = 60) {
    World world = make_world(testing::falling_boxes());
    std::vector<std::uint64_t> hashes{world.hash()};
    while (world.step_count() < steps) {
        if (world.step_count() == from) {
            Settings other = world.settings();
            other.substeps = substeps;
            EXPECT_TRUE(world.apply(SetSettings{other}).ok());
        }
        for (const auto& [step, command] : run.commands) {
            if (step != world.step_count() + 1) {
                continue;
            }
            if (std::holds_alternative<SetSettings>(command)) {
                Settings light = world.settings();
                light.gravity = {0, 0, -3};
                EXPECT_TRUE(world.apply(SetSettings{light}).ok());
            } else {
                EXPECT_TRUE(world.apply(command).ok());
            }
        }
        world.step();
        hashes.push_back(world.hash());
    }
    return hashes;
}

TEST(WhatIf, DoesTheSameAgainInAnotherWorld) {
    Story run;
    for (const std::uint64_t from : {0u, 10u, 25u, 40u}) {
        SCOPED_TRACE(from);
        run.runner.take_branch(0);
        run.runner.go_to(from);
        const std::vector<std::uint64_t> expected = by_hand(run, from, 9);
        ASSERT_TRUE(run.runner.begin_what_if());
        ASSERT_TRUE(run.runner.what_if().has_value());
        EXPECT_EQ(run.runner.what_if()->from, from);
        EXPECT_EQ(run.runner.what_if()->end, 60u);
        Settings other = run.runner.current().settings;
        other.substeps = 9;
        run.runner.submit(SetSettings{other});
        while (run.runner.what_if()) {
            run.runner.step();
            ASSERT_EQ(run.runner.current().hash, expected[run.runner.current().step]) << run.runner.current().step;
        }
        EXPECT_EQ(run.runner.current().step, 60u) << "it ends with what there was to do again";
        EXPECT_EQ(run.runner.current().settings.substeps, 9) << "a later change of gravity does not take it back";
        const History& history = run.runner.history();
        EXPECT_EQ(history.branch(history.current_branch()).name, "Substeps 9");
        EXPECT_EQ(history.branch(history.current_branch()).fork, from);
        EXPECT_EQ(history.branch(0).end, 60u) << "the first way is kept";
        run.runner.step();
        EXPECT_EQ(run.runner.current().step, 61u) << "and the world goes on";
    }
}

TEST(WhatIf, StaysOnTheSameWayWhereNothingIsChanged) {
    Story run;
    run.runner.go_to(5);
    ASSERT_TRUE(run.runner.begin_what_if());
    while (run.runner.what_if()) {
        run.runner.step();
        ASSERT_EQ(run.runner.current().hash, run.hashes[run.runner.current().step]);
    }
    EXPECT_EQ(run.runner.history().branch_count(), 1u);
}

// What was changed before it began counts, too.
TEST(WhatIf, TakesInWhatHasJustBeenChanged) {
    Story run;
    run.runner.go_to(25);
    Settings other = run.runner.current().settings;
    other.substeps = 9;
    run.runner.submit(SetSettings{other});
    run.runner.apply_pending();
    ASSERT_TRUE(run.runner.begin_what_if());
    const std::vector<std::uint64_t> expected = by_hand(run, 25, 9);
    while (run.runner.what_if()) {
        run.runner.step();
        ASSERT_EQ(run.runner.current().hash, expected[run.runner.current().step]);
    }
}

TEST(WhatIf, NeedsSomethingThatFollowedAndEndsOnTheWayElsewhere) {
    Story run;
    EXPECT_FALSE(run.runner.begin_what_if());
    EXPECT_FALSE(run.runner.what_if().has_value());
    run.runner.go_to(20);
    EXPECT_TRUE(run.runner.begin_what_if());
    run.runner.step();
    run.runner.go_to(10);
    EXPECT_FALSE(run.runner.what_if().has_value());
    EXPECT_TRUE(run.runner.begin_what_if());
    run.runner.end_what_if();
    EXPECT_FALSE(run.runner.what_if().has_value());
    EXPECT_TRUE(run.runner.begin_what_if());
    run.runner.restart();
    EXPECT_FALSE(run.runner.what_if().has_value());

    // A recording notes what happens, and changes nothing of it.
    const testing::TemporaryFolder folder;
    Story other;
    other.runner.go_to(20);
    EXPECT_TRUE(other.runner.begin_what_if());
    other.runner.start_recording(folder / "a.cairn");
    EXPECT_TRUE(other.runner.what_if().has_value());
    other.runner.step();
    EXPECT_EQ(other.runner.current().step, 21u);
}

TEST(WhatIf, TellsWhatCannotBeDoneAgainAndGoesOn) {
    Story run;
    run.runner.go_to(20);
    ASSERT_TRUE(run.runner.begin_what_if());
    run.runner.submit(DestroyBody{run.runner.current().bodies[2].id}); // that is pushed at step 41
    run.runner.take_messages();
    while (run.runner.what_if()) {
        run.runner.step();
    }
    EXPECT_EQ(run.runner.current().step, 60u);
    EXPECT_THAT(run.runner.take_messages(), ::testing::Contains(::testing::StartsWith("what-if: ")));
}

TEST(WhatIf, GoesOnWithTheRestOfACapture) {
    const testing::TemporaryFolder folder;
    Story run;
    run.runner.save_history(folder / "run.cairn");
    Runner replay{testing::falling_boxes()};
    replay.start_replay(folder / "run.cairn");
    for (int i = 0; i < 15; ++i) {
        replay.step();
    }
    ASSERT_TRUE(replay.begin_what_if());
    EXPECT_FALSE(replay.replaying());
    EXPECT_EQ(replay.history().steps(), 60u) << "the capture's own course is kept as the first way";
    Settings other = replay.current().settings;
    other.substeps = 9;
    replay.submit(SetSettings{other});
    const std::vector<std::uint64_t> expected = by_hand(run, 15, 9);
    while (replay.what_if()) {
        replay.step();
        ASSERT_EQ(replay.current().hash, expected[replay.current().step]);
    }
    replay.take_branch(0);
    replay.go_to(60);
    EXPECT_EQ(replay.current().hash, run.hashes[60]);
}

TEST(WhatIf, IsHurriedToItsEndWhilePaused) {
    for (const auto place : {Simulation::Place::own_thread, Simulation::Place::caller}) {
        Simulation simulation(testing::falling_boxes(), nullptr, place);
        simulation.paused = true;
        for (int i = 0; i < 40; ++i) {
            place == Simulation::Place::caller ? simulation.step_now() : simulation.request_step();
        }
        const auto settle = [&](auto&& done) {
            while (!done()) {
                simulation.update(0.0);
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        };
        settle([&] { return simulation.current().step == 40; });
        simulation.go_to(10);
        settle([&] { return simulation.current().step == 10 && !simulation.seeking(); });
        ASSERT_TRUE(simulation.with_runner(std::mem_fn(&Runner::begin_what_if)));
        Settings other = simulation.current().settings;
        other.gravity = {0, 0, -1};
        simulation.submit(SetSettings{other});
        simulation.hurried = true;
        settle([&] { return simulation.current().step == 40 && !simulation.what_if(); });
        simulation.hurried = false;
        ASSERT_EQ(simulation.branches().size(), 2u);
        EXPECT_EQ(simulation.branches()[1].name, "Gravity (0, 0, -1)");
        simulation.name_branch(1, "light");
        EXPECT_EQ(simulation.branches()[1].name, "light");
    }
}

TEST(WhatIf, SettingsThatDifferAreNamed) {
    Settings a, b;
    EXPECT_EQ(settings_changes(a, b), "");
    b.warm_starting = false;
    EXPECT_THAT(settings_changes(a, b), ::testing::HasSubstr("off"));
    b.substeps = 1;
    b.hz = 30;
    b.gravity = {1, 2, 3};
    b.sleeping = false;
    EXPECT_EQ(settings_changes(a, b), "Gravity (1, 2, 3), Rate 30, Substeps 1 and 2 more");
}

} // namespace
} // namespace cairn::core
