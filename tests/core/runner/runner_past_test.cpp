// Recording, replay, and what has happened: history, lines and going back.
#include "app/core/base/error.h"
#include "app/core/runner/runner.h"
#include "app/core/workers/worker_pool.h"
#include "tests/core/capture/test_scenes.h"
#include "tests/core/runner/ball.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::core {
namespace {

using core::testing::TemporaryFolder;
using namespace testing;
using namespace physics;
using ::testing::HasSubstr;

// Plays with the world as a person would: through the runner, at odd moments, also while paused.
void play(Runner& runner, int steps) {
    BodyId made, held;
    for (int i = 0; i < steps; ++i) {
        if (i == 5) {
            runner.submit(CreateBody{ball({0.2f, 0.1f, 6})}, [&](const CommandResult& r) { made = r.created; });
        }
        if (i == 12) {
            held = runner.current().bodies[2].id;
            Grab grab;
            grab.body = held;
            grab.target = {1, 1, 4};
            runner.submit(grab);
        }
        if (i > 12 && i < 30) {
            runner.submit(MoveGrab{{1, 1.0f + 0.1f * static_cast<float>(i), 4}});
        }
        if (i == 30) {
            runner.submit(ReleaseGrab{});
        }
        if (i == 35) {
            // Edits while paused: three rounds of them belong to one step.
            runner.paused = true;
            Settings settings = runner.current().settings;
            settings.gravity = {0, 0, -3.7f};
            runner.submit(SetSettings{settings});
            runner.apply_pending();
            SetBody set;
            set.body = made;
            set.position = Vec3(2, 2, 5);
            set.restitution = 0.9f;
            runner.submit(set);
            runner.apply_pending();
            runner.submit(ApplyImpulse{made, {0, 100, 0}, Vec3(2, 2, 5.1f)});
            runner.apply_pending();
            runner.paused = false;
        }
        if (i == 50) {
            runner.submit(DestroyBody{runner.current().bodies[3].id});
            runner.submit(DestroyBody{{1000, 0}});       // rejected: must not be recorded
            runner.submit(CreateBody{ball({-2, 0, 3})}); // reuses the slot
        }
        runner.step();
    }
}

void expect_verifies(const std::filesystem::path& path, std::size_t steps) {
    const Capture capture = read_capture(path);
    EXPECT_EQ(capture.steps.size(), steps);
    EXPECT_FALSE(capture.truncated);
    for (const int threads : {1, 2, 4}) {
        const auto pool = make_worker_pool(threads);
        const auto divergence = verify_capture(capture, pool.get());
        EXPECT_FALSE(divergence) << threads << " threads: " << divergence->what;
    }
}

TEST(Recording, FromTheStartReplaysBitForBit) {
    const TemporaryFolder folder;
    Runner runner(falling_boxes());
    runner.start_recording(folder / "a.cairn");
    EXPECT_TRUE(runner.recording());
    play(runner, 100);
    EXPECT_EQ(runner.recorded_steps(), 100u);
    EXPECT_EQ(runner.recording_path(), folder / "a.cairn");
    runner.stop_recording();
    EXPECT_FALSE(runner.recording());
    expect_verifies(folder / "a.cairn", 100);
    EXPECT_TRUE(read_capture(folder / "a.cairn").header.scene == falling_boxes());
}

TEST(Recording, FromTheMiddleReplaysBitForBit) {
    const TemporaryFolder folder;
    Runner runner(falling_boxes());
    play(runner, 60);
    // Something is still queued, and something was edited while paused.
    runner.submit(CreateBody{ball({3, 3, 3})});
    const std::uint64_t hash = runner.current().hash;
    runner.start_recording(folder / "a.cairn");
    EXPECT_EQ(runner.current().step, 60u);
    EXPECT_EQ(runner.recording_from(), 60u);
    EXPECT_EQ(runner.recorded_steps(), 0u);
    play(runner, 100);
    EXPECT_EQ(runner.recorded_steps(), 100u);
    runner.stop_recording();
    expect_verifies(folder / "a.cairn", 160);
    EXPECT_TRUE(read_capture(folder / "a.cairn").header.scene == falling_boxes());
    // The past is there as before, and so is undo.
    EXPECT_EQ(runner.history().steps(), 160u);
    EXPECT_EQ(runner.edits().undo_what(), "Create ball");
    runner.go_to(60);
    EXPECT_EQ(runner.current().hash, hash);
}

TEST(Recording, OnABranchHoldsTheBranch) {
    const TemporaryFolder folder;
    Runner runner(falling_boxes());
    play(runner, 60);
    runner.go_to(20);
    runner.submit(CreateBody{ball({3, 3, 3})});
    runner.start_recording(folder / "a.cairn"); // the other branch goes on to step 60
    play(runner, 30);
    runner.stop_recording();
    EXPECT_EQ(runner.history().branch_count(), 2u);
    expect_verifies(folder / "a.cairn", 50);
}

TEST(Recording, OfAReplayGoesOnFromIt) {
    const TemporaryFolder folder;
    Runner runner(falling_boxes());
    runner.start_recording(folder / "a.cairn");
    play(runner, 50);
    runner.start_replay(folder / "a.cairn", 30);
    runner.start_recording(folder / "b.cairn");
    EXPECT_FALSE(runner.replaying());
    play(runner, 10);
    runner.stop_recording();
    expect_verifies(folder / "b.cairn", 40);
}

TEST(Recording, WithoutAPastBeginsWithTheScene) {
    const TemporaryFolder folder;
    Runner runner(falling_boxes(), nullptr, 0);
    play(runner, 3);
    EXPECT_THROW(runner.start_recording(folder / "a.cairn"), InputError);
    EXPECT_FALSE(std::filesystem::exists(folder / "a.cairn"));
}

TEST(Recording, OfNothingIsACaptureToo) {
    const TemporaryFolder folder;
    Runner runner(falling_boxes());
    runner.start_recording(folder / "a.cairn");
    runner.stop_recording();
    expect_verifies(folder / "a.cairn", 0);
}

TEST(Recording, TheSecondOneHoldsTheWholePastToo) {
    const TemporaryFolder folder;
    Runner runner(falling_boxes());
    play(runner, 20);
    runner.start_recording(folder / "a.cairn");
    runner.stop_recording();
    runner.start_recording(folder / "b.cairn");
    play(runner, 40);
    runner.stop_recording();
    expect_verifies(folder / "b.cairn", 60);
}

TEST(Recording, UnusablePathsThrowAndChangeNothing) {
    const TemporaryFolder folder;
    Runner runner(falling_boxes());
    play(runner, 10);
    const std::uint64_t hash = runner.current().hash;
    EXPECT_THROW(runner.start_recording(folder / "no/such/folder.cairn"), InputError);
    EXPECT_FALSE(runner.recording());
    EXPECT_EQ(runner.current().hash, hash);
    EXPECT_EQ(runner.current().step, 10u);
}

TEST(Recording, LoadEndsIt) {
    const TemporaryFolder folder;
    Runner runner(falling_boxes());
    runner.start_recording(folder / "a.cairn");
    play(runner, 20);
    runner.load(falling_boxes(2));
    EXPECT_FALSE(runner.recording());
    expect_verifies(folder / "a.cairn", 20);
}

TEST(Replay, FollowsTheCaptureAndThenStops) {
    const TemporaryFolder folder;
    std::uint64_t last = 0;
    {
        Runner runner(falling_boxes());
        runner.start_recording(folder / "a.cairn");
        play(runner, 70);
        last = runner.current().hash;
        runner.stop_recording();
    }
    Runner runner(falling_boxes(1));
    runner.start_replay(folder / "a.cairn");
    ASSERT_TRUE(runner.replaying());
    EXPECT_EQ(runner.replay()->steps, 70u);
    bool rejected = false;
    runner.submit(CreateBody{ball({0, 0, 9})}, [&](const CommandResult& result) { rejected = !result.ok(); });
    EXPECT_TRUE(rejected);
    for (int i = 0; i < 70; ++i) {
        EXPECT_FALSE(runner.replay()->finished);
        runner.step();
    }
    EXPECT_TRUE(runner.replay()->finished);
    EXPECT_FALSE(runner.replay()->divergence);
    EXPECT_EQ(runner.current().hash, last);
    runner.step();
    EXPECT_EQ(runner.current().step, 70u) << "the end is the end";
    EXPECT_EQ(runner.advance(1.0), 0);

    runner.stop_replay();
    EXPECT_FALSE(runner.replay());
    runner.submit(CreateBody{ball({0, 0, 9})});
    runner.step();
    EXPECT_EQ(runner.current().step, 71u) << "interactive again, from where it was";
}

TEST(Replay, NamesTheFirstDivergence) {
    const TemporaryFolder folder;
    const Scene scene = falling_boxes();
    {
        World world = make_world(scene);
        CaptureWriter writer(folder / "a.cairn", scene, world.hash());
        for (std::uint64_t i = 1; i <= 50; ++i) {
            world.step();
            writer.add({i, {}, i >= 20 ? world.hash() ^ i : world.hash(), nullptr});
        }
        writer.finish();
    }
    Runner runner(scene);
    runner.start_replay(folder / "a.cairn");
    for (int i = 0; i < 50; ++i) {
        runner.step();
    }
    ASSERT_TRUE(runner.replay()->divergence);
    EXPECT_EQ(runner.replay()->divergence->step, 20u);
    const std::vector<std::string> messages = runner.take_messages();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_THAT(messages[0], HasSubstr("DIVERGED at step 20"));
}

TEST(Replay, BadFileLeavesTheWorldAlone) {
    const TemporaryFolder folder;
    Runner runner(falling_boxes());
    runner.step();
    EXPECT_THROW(runner.start_replay(folder / "missing.cairn"), InputError);
    EXPECT_FALSE(runner.replay());
    EXPECT_EQ(runner.current().step, 1u);
}

TEST(Replay, OfItsOwnRecording) {
    const TemporaryFolder folder;
    Runner runner(falling_boxes());
    runner.start_recording(folder / "a.cairn");
    play(runner, 40);
    runner.start_replay(folder / "a.cairn");
    EXPECT_EQ(runner.replay()->steps, 40u);
    EXPECT_EQ(runner.current().step, 0u);
}

TEST(Runner, GoesBackAndForwardAgainToTheBit) {
    Runner runner(falling_boxes());
    std::vector<std::uint64_t> hashes = {runner.current().hash};
    for (int i = 0; i < 90; ++i) {
        if (i == 20) {
            runner.submit(CreateBody{ball({0, 0, 9})});
        }
        runner.step();
        hashes.push_back(runner.current().hash);
    }
    for (const std::uint64_t to : {30u, 60u, 0u, 19u, 90u, 200u}) {
        runner.go_to(to);
        EXPECT_EQ(runner.current().step, std::min<std::uint64_t>(to, 90));
        EXPECT_EQ(runner.current().hash, hashes[runner.current().step]);
        EXPECT_EQ(runner.history().steps(), 90u);
        EXPECT_EQ(&runner.previous(), &runner.current()); // nothing slides there from where it was
    }
    // On from the past, without the ball and with an edit that was not part of it.
    runner.go_to(15);
    runner.submit(CreateBody{ball({2, 0, 9})});
    runner.apply_pending();
    runner.step();
    EXPECT_EQ(runner.current().step, 16u);
    EXPECT_NE(runner.current().hash, hashes[16]);
    EXPECT_EQ(runner.history().steps(), 16u);
    const std::uint64_t other = runner.current().hash;
    runner.go_to(15);
    EXPECT_EQ(runner.current().hash, hashes[15]);
    // Both are kept.
    ASSERT_EQ(runner.history().branch_count(), 2u);
    runner.go_to(16);
    runner.take_branch(0);
    EXPECT_EQ(runner.current().step, 15u); // the last that both have
    EXPECT_EQ(runner.current().hash, hashes[15]);
    EXPECT_EQ(runner.history().steps(), 90u);
    runner.go_to(90);
    EXPECT_EQ(runner.current().hash, hashes[90]);
    runner.take_branch(1);
    EXPECT_EQ(runner.current().step, 15u);
    runner.go_to(16);
    EXPECT_EQ(runner.current().hash, other);
}

TEST(Runner, WhatWasAppliedSinceTheLastStepIsKeptByGoingElsewhere) {
    Runner runner(falling_boxes());
    for (int i = 0; i < 10; ++i) {
        runner.step();
    }
    const std::uint64_t hash = runner.current().hash;
    const std::size_t bodies = runner.current().bodies.size();
    runner.submit(CreateBody{ball({0, 0, 9})});
    runner.apply_pending();
    ASSERT_EQ(runner.current().bodies.size(), bodies + 1);
    std::string rejection;
    runner.submit(CreateBody{ball({0, 0, 12})}, [&](const CommandResult& result) { rejection = result.error; });
    runner.go_to(10);
    EXPECT_EQ(runner.current().hash, hash);
    EXPECT_EQ(runner.current().bodies.size(), bodies);
    EXPECT_THAT(rejection, HasSubstr("another step"));
    EXPECT_EQ(runner.edits().undo_what(), "");
    EXPECT_THAT(runner.take_messages(), ::testing::Contains(HasSubstr("Step 11 was taken, to keep what you changed")));
    EXPECT_EQ(runner.history().steps(), 11u);
    runner.go_to(11);
    EXPECT_EQ(runner.current().bodies.size(), bodies + 1);
    runner.go_to(10);
    EXPECT_THAT(runner.take_messages(), ::testing::IsEmpty()) << "nothing has been changed since";
    // In the past it is kept on a branch.
    runner.go_to(4);
    runner.submit(CreateBody{ball({3, 0, 9})});
    runner.apply_pending();
    runner.take_branch(0);
    EXPECT_EQ(runner.history().branch_count(), 2u);
    EXPECT_EQ(runner.current().step, 4u);
    EXPECT_EQ(runner.history().steps(), 11u);
    runner.take_branch(1);
    runner.go_to(5);
    EXPECT_EQ(runner.current().bodies.size(), bodies + 1);
}

TEST(Runner, SaysWhatIsLeftOutByGoingOnFromThePast) {
    Runner runner(falling_boxes());
    for (int i = 0; i < 10; ++i) {
        if (i == 6) {
            runner.submit(CreateBody{ball({0, 0, 9})});
        }
        runner.step();
    }
    runner.go_to(3);
    while (runner.current().step < 7) {
        runner.step();
    }
    EXPECT_EQ(runner.history().branch_count(), 2u);
    EXPECT_THAT(runner.take_messages(),
                ::testing::Contains(HasSubstr("What you did at step 7 is on the other branch")));
}

TEST(Runner, HistoryIsSavedAfterwardsAndReplays) {
    const TemporaryFolder folder;
    Runner runner(falling_boxes());
    for (int i = 0; i < 40; ++i) {
        if (i == 5) {
            runner.submit(CreateBody{ball({0, 0, 9})});
        }
        runner.step();
    }
    const std::uint64_t last = runner.current().hash;
    runner.save_history(folder / "after.cairn");
    EXPECT_THROW(runner.save_history(folder / "no" / "such.cairn"), InputError);
    const Capture capture = read_capture(folder / "after.cairn");
    ASSERT_EQ(capture.steps.size(), 40u);
    EXPECT_EQ(capture.steps.back().hash, last);
    EXPECT_FALSE(verify_capture(capture));

    // A replay is a world with a history, too: what was seen of it is had again.
    runner.start_replay(folder / "after.cairn");
    for (int i = 0; i < 30; ++i) {
        runner.step();
    }
    runner.go_to(12);
    EXPECT_EQ(runner.replay()->step, 12u);
    EXPECT_EQ(runner.current().hash, capture.steps[11].hash);
    for (int i = 0; i < 28; ++i) {
        runner.step();
    }
    EXPECT_TRUE(runner.replay()->finished);
    EXPECT_FALSE(runner.replay()->divergence);
    EXPECT_EQ(runner.current().hash, last);
    runner.go_to(39);
    EXPECT_FALSE(runner.replay()->finished);
    EXPECT_EQ(runner.history().branch_count(), 1u);
}

TEST(Runner, ARecordingEndsWhereTheWorldLeavesIt) {
    const TemporaryFolder folder;
    Runner runner(falling_boxes());
    runner.start_recording(folder / "left.cairn");
    for (int i = 0; i < 20; ++i) {
        runner.step();
    }
    runner.go_to(5);
    EXPECT_FALSE(runner.recording());
    const Capture capture = read_capture(folder / "left.cairn");
    EXPECT_EQ(capture.steps.size(), 20u);
    EXPECT_FALSE(verify_capture(capture));
}

// A capture whose fifth step lacks what led to all that follows, and whose keyframes know it all the same.
TEST(Runner, SeeksInAReplayUseTheCapturesKeyframes) {
    const TemporaryFolder folder;
    const Scene scene = falling_boxes();
    World world = make_world(scene);
    CaptureWriter writer(folder / "a.cairn", scene, world.hash());
    std::vector<std::uint64_t> hashes{world.hash()};
    for (std::uint64_t step = 1; step <= 120; ++step) {
        if (step == 5) {
            ASSERT_TRUE(world.apply(ApplyImpulse{world.body_ids().at(1), {50, 0, 90}, std::nullopt}).ok());
        }
        world.step();
        hashes.push_back(world.hash());
        writer.add({step, {}, world.hash()});
        if (step % 40 == 0) {
            writer.add_keyframe(world.image());
        }
    }
    writer.finish();

    Runner runner{Scene{}};
    runner.start_replay(folder / "a.cairn");
    EXPECT_EQ(runner.history().steps(), 120u) << "all of it, at once";
    for (const std::uint64_t step : {100u, 120u, 40u, 79u, 80u}) {
        runner.go_to(step);
        EXPECT_EQ(runner.current().hash, hashes[step]) << step;
        EXPECT_EQ(runner.replay()->step, step);
    }
    EXPECT_FALSE(runner.replay()->divergence.has_value());
    EXPECT_EQ(runner.replay()->compared, 0u) << "nothing has been gone through";
    runner.step();
    EXPECT_EQ(runner.current().hash, hashes[81]);
    EXPECT_EQ(runner.replay()->compared, 1u);
    EXPECT_EQ(runner.history().branch_count(), 1u);
    runner.go_to(39); // no keyframe helps here
    ASSERT_TRUE(runner.replay()->divergence.has_value());
    EXPECT_EQ(runner.replay()->divergence->step, 5u);

    // The file is gone: that is reported, and the steps are computed from the start. By another runner that has not
    // taken a step yet: slow ones leave snapshots, which serve instead of the file.
    Runner other{Scene{}};
    other.start_replay(folder / "a.cairn");
    other.take_messages();
    std::filesystem::remove(folder / "a.cairn");
    other.go_to(90);
    EXPECT_EQ(other.current().step, 90u);
    World plain = make_world(scene); // that nobody has pushed
    while (plain.step_count() < 90) {
        plain.step();
    }
    EXPECT_EQ(other.current().hash, plain.hash());
    EXPECT_THAT(other.take_messages(), ::testing::Contains(HasSubstr("a.cairn")));
    other.go_to(100);
    EXPECT_EQ(other.current().step, 100u);
    EXPECT_THAT(other.take_messages(), ::testing::IsEmpty()) << "once";
}

TEST(Runner, AReplayThatDiffersGoesItsOwnWay) {
    const TemporaryFolder folder;
    Runner first{falling_boxes()};
    for (int i = 0; i < 30; ++i) {
        first.step();
    }
    first.save_history(folder / "a.cairn");
    Capture capture = read_capture(folder / "a.cairn");
    capture.steps[9].commands.push_back(ApplyImpulse{first.current().bodies[1].id, {0, 0, 90}, std::nullopt});
    {
        CaptureWriter writer(folder / "b.cairn", capture.header.scene, capture.initial_hash);
        for (const CaptureStep& step : capture.steps) {
            writer.add(step);
        }
        writer.finish();
    }
    Runner runner{Scene{}};
    runner.start_replay(folder / "b.cairn");
    while (!runner.replay()->finished) {
        runner.step();
    }
    ASSERT_TRUE(runner.replay()->divergence.has_value());
    EXPECT_EQ(runner.replay()->divergence->step, 10u);
    ASSERT_EQ(runner.history().branch_count(), 2u);
    EXPECT_EQ(runner.history().branch(1).name, "As computed here");
    EXPECT_EQ(runner.history().branch(1).fork, 9u);
    EXPECT_EQ(runner.history().branch(0).end, 30u);
}

} // namespace
} // namespace cairn::core
