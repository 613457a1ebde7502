#include "app/core/history/history.h"

#include "app/core/capture/verify/verification.h"
#include "app/core/workers/worker_pool.h"
#include "tests/core/capture/test_scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace cairn::core {
namespace {

using core::testing::TemporaryFolder;
using namespace physics;

Scene shipped(const std::string& name) {
    return read_scene(data_folder() / "scenes" / name);
}

// A world whose life is noted: things are thrown in, pushed, pulled and taken away, and settings change.
struct Life {
    std::shared_ptr<const Scene> scene;
    World world;
    History history;
    std::vector<std::uint64_t> hashes;
    std::mt19937 random{7};

    explicit Life(Scene from, std::size_t budget = History::usual_budget)
        : scene(std::make_shared<const Scene>(std::move(from))), world(make_world(*scene)), history(budget) {
        history.begin(scene, world.hash());
        hashes.push_back(world.hash());
    }

    float number(float low, float high) {
        return low + (high - low) * (static_cast<float>(random() >> 8) / 16777216.0f);
    }

    std::vector<Command> deeds() {
        const std::vector<BodyId> bodies = world.body_ids();
        const BodyId one = bodies[random() % bodies.size()];
        std::vector<Command> commands;
        switch (random() % 12) {
        case 0: {
            BodyDef ball;
            ball.name = "thrown";
            const float x = number(-3.0f, 3.0f);
            ball.pose.position = {x, number(-3.0f, 3.0f), 6.0f};
            ball.shapes = {{Sphere{0.3f}, {}}};
            commands.push_back(CreateBody{ball});
            break;
        }
        case 1: {
            ApplyImpulse push;
            push.body = one;
            push.impulse = {number(-50.0f, 50.0f), 0.0f, 80.0f};
            commands.push_back(push);
            break;
        }
        case 2:
            if (world.model(one)->def.type == BodyType::dynamic) {
                commands.push_back(DestroyBody{one});
            }
            break;
        case 3: {
            Grab grab;
            grab.body = one;
            grab.target = {0.0f, 0.0f, 4.0f};
            commands.push_back(grab);
            break;
        }
        case 4:
            commands.push_back(ReleaseGrab{});
            break;
        case 5: {
            Settings settings = world.settings();
            settings.substeps = 3 + static_cast<int>(random() % 3);
            commands.push_back(SetSettings{settings});
            break;
        }
        default:
            break;
        }
        return commands;
    }

    void live(int steps, double seconds_per_step) {
        for (int i = 0; i < steps; ++i) {
            CaptureStep step;
            for (Command& command : deeds()) {
                if (world.apply(command).ok()) {
                    step.commands.push_back(std::move(command));
                }
            }
            world.step();
            step.hash = world.hash();
            hashes.resize(world.step_count());
            hashes.push_back(step.hash);
            history.add(std::move(step), world, seconds_per_step);
        }
    }
};

class HistoryOf : public ::testing::TestWithParam<const char*> {};

TEST_P(HistoryOf, AnyStepIsHadAgainToTheBit) {
    Life life(shipped(GetParam()));
    life.live(90, 1.0); // slow steps: a snapshot after each of them would do
    ASSERT_GT(life.history.snapshots(), 60u);
    Life sparse(shipped(GetParam()));
    sparse.live(90, 0.0); // none at all
    ASSERT_EQ(sparse.history.snapshots(), 0u);
    ASSERT_EQ(life.hashes, sparse.hashes);

    World world = make_world(*life.scene);
    std::mt19937 random(3);
    bool at_hand = false;
    for (int i = 0; i < 12; ++i) {
        const std::uint64_t to = random() % 91;
        (i % 3 == 2 ? sparse : life).history.seek(world, to, at_hand);
        EXPECT_EQ(world.step_count(), to);
        EXPECT_EQ(world.hash(), life.hashes[to]);
        at_hand = true;
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, HistoryOf,
                         ::testing::Values("sandbox.json", "bridge.json", "tower.json", "mill.json", "domino_run.json",
                                           "wrecking_ball.json"));

TEST(History, AStretchIsRetracedOnAnyNumberOfThreads) {
    Life life(shipped("sandbox.json"));
    life.live(90, 0.002);
    const auto pool = make_worker_pool(3);
    for (Executor* executor : {static_cast<Executor*>(nullptr), pool.get()}) {
        Retrace retrace(life.history.segment(50), executor);
        EXPECT_LE(retrace.step(), 50u);
        while (!retrace.done()) {
            retrace.advance();
            EXPECT_EQ(retrace.world().hash(), life.hashes[retrace.step()]);
        }
        EXPECT_EQ(retrace.step(), 90u);
        EXPECT_FALSE(retrace.divergence());
    }
}

// The check is one: a history that does not fit is told.
TEST(History, ARetraceThatDiffersSaysWhere) {
    Life life(shipped("tower.json"));
    life.live(10, 0.0);
    Segment segment = life.history.segment(0);
    segment.steps[6].hash ^= 1;
    Retrace retrace(std::move(segment));
    while (!retrace.done()) {
        retrace.advance();
    }
    ASSERT_TRUE(retrace.divergence());
    EXPECT_EQ(retrace.divergence()->step, 7u);
}

// Back, on with other deeds, back again, over to a line of before: whatever is done, every step of every line is had
// again to the bit.
TEST(History, LinesThatPartAreAllKept) {
    Life life(shipped("tower.json"), std::size_t{4} << 20);
    std::vector<std::vector<std::uint64_t>> hashes; // by line and step
    std::mt19937 random(11);
    for (int round = 0; round < 25; ++round) {
        life.random.seed(100 + static_cast<unsigned>(round)); // other deeds than before
        const std::size_t before = life.history.branch_count();
        life.live(5 + static_cast<int>(random() % 25), 1.0);
        ASSERT_LE(life.history.branch_count(), before + 1);
        hashes.resize(life.history.branch_count());
        hashes[life.history.current_branch()] = life.hashes;
        ASSERT_EQ(life.hashes.size(), life.history.steps() + 1);

        bool at_hand = true;
        if (random() % 2 == 0) {
            const std::size_t line = random() % life.history.branch_count();
            const std::uint64_t shared = life.history.take_branch(line);
            const auto& theirs = hashes[line];
            ASSERT_LE(shared, life.history.steps());
            ASSERT_TRUE(std::equal(theirs.begin(), theirs.begin() + static_cast<std::ptrdiff_t>(shared) + 1,
                                   life.hashes.begin()));
            at_hand = life.world.step_count() <= shared;
            life.hashes = theirs;
        }
        const std::uint64_t to = random() % (life.history.steps() + 1);
        life.history.seek(life.world, to, at_hand);
        ASSERT_EQ(life.world.hash(), life.hashes[to]);
    }
    ASSERT_GT(life.history.branch_count(), 8u);
    World world = make_world(*life.scene);
    for (std::size_t line = 0; line < life.history.branch_count(); ++line) {
        life.history.take_branch(line);
        const History::Branch told = life.history.branch(line);
        EXPECT_EQ(told.end + 1, hashes[line].size());
        EXPECT_LE(told.fork, told.end);
        for (int i = 0; i < 3; ++i) {
            const std::uint64_t to = random() % (told.end + 1);
            life.history.seek(world, to, false);
            EXPECT_EQ(world.hash(), hashes[line][to]);
        }
        Retrace retrace(life.history.segment(told.end / 2));
        while (!retrace.done()) {
            retrace.advance();
        }
        EXPECT_FALSE(retrace.divergence());
        EXPECT_EQ(retrace.world().hash(), hashes[line].back());
    }
}

TEST(History, GoingTheSameWayAgainBeginsNoLine) {
    Life life(shipped("tower.json"));
    life.live(0, 1.0);
    for (int i = 0; i < 20; ++i) {
        life.world.step();
        life.history.add({0, {}, life.world.hash(), nullptr}, life.world, 1.0);
    }
    life.history.seek(life.world, 5, true);
    for (int i = 0; i < 30; ++i) {
        life.world.step();
        life.history.add({0, {}, life.world.hash(), nullptr}, life.world, 1.0);
    }
    EXPECT_EQ(life.history.branch_count(), 1u);
    EXPECT_EQ(life.history.steps(), 35u);
}

TEST(History, WindingCanBeGivenUp) {
    Life life(shipped("tower.json"));
    life.live(50, 0.0);
    World world = make_world(*life.scene);
    int asked = 0;
    life.history.seek(world, 40, false, [&] { return ++asked > 10; });
    EXPECT_EQ(world.step_count(), 10u);
    EXPECT_EQ(world.hash(), life.hashes[10]);
    life.history.seek(world, 40, true);
    EXPECT_EQ(world.hash(), life.hashes[40]);
}

TEST(History, SnapshotsStayWithinTheirBudgetAndAreDenserForTheRecentPast) {
    Life life(shipped("tower.json"), std::size_t{1} << 20);
    life.live(600, 1.0);
    EXPECT_LE(life.history.snapshot_bytes(), std::size_t{1} << 20);
    ASSERT_GT(life.history.snapshots(), 4u);
    // What has to be repeated to reach a step: little near the end, more farther back.
    const auto way = [&](std::uint64_t step) { return life.history.segment(step).steps.size() - (600 - step); };
    std::size_t near = 0, far = 0;
    for (std::uint64_t back = 0; back < 20; ++back) {
        near = std::max(near, way(600 - back));
        far = std::max(far, way(300 - back));
    }
    EXPECT_LT(near, 20u);
    EXPECT_GT(far, near);
}

TEST(History, AWorldTooLargeForTheBudgetIsHadFromItsStart) {
    Life life(shipped("tower.json"), 1000);
    life.live(20, 1.0);
    EXPECT_EQ(life.history.snapshots(), 0u);
    life.history.seek(life.world, 7, true);
    EXPECT_EQ(life.world.hash(), life.hashes[7]);
}

TEST(History, IsSavedAsACaptureThatVerifies) {
    const core::testing::TemporaryFolder folder;
    Life life(shipped("bridge.json"));
    life.live(80, 0.01);
    life.history.save(folder / "past.cairn");
    const Capture capture = read_capture(folder / "past.cairn");
    EXPECT_EQ(capture.steps.size(), 80u);
    EXPECT_FALSE(capture.truncated);
    EXPECT_FALSE(verify_capture(capture));
    EXPECT_EQ(capture.steps.back().hash, life.hashes.back());
}

// A push is recorded; the capture from which it has been taken out is that of an engine that does otherwise there.
TEST(History, ASavedPastNamesTheBodyThatDiffers) {
    const core::testing::TemporaryFolder folder;
    Life life(shipped("flight.json"));
    for (int i = 1; i <= 90; ++i) {
        CaptureStep step;
        if (i == 40) {
            SetBody change;
            change.body = life.world.body_ids().at(2);
            change.linear_velocity = life.world.state(change.body)->linear_velocity + Vec3(0.05f, 0.0f, 0.0f);
            step.commands = {change};
            ASSERT_TRUE(life.world.apply(change).ok());
        }
        life.world.step();
        step.hash = life.world.hash();
        life.history.add(std::move(step), life.world, i % 30 == 0 ? 1.0 : 0.0); // snapshots after some of the steps
    }
    ASSERT_GE(life.history.snapshots(), 2u);
    life.history.save(folder / "past.cairn");
    Capture capture = read_capture(folder / "past.cairn");
    World again = make_world(*life.scene);
    for (const CaptureStep& step : capture.steps) {
        replay_step(again, step);
        ASSERT_TRUE(step.digest) << step.step;
        EXPECT_EQ(*step.digest, again.digest()) << step.step;
    }

    capture.steps[39].commands.clear();
    CaptureWriter writer(folder / "tampered.cairn", capture.header.scene, capture.initial_hash);
    for (const CaptureStep& step : capture.steps) {
        writer.add(step);
    }
    writer.finish();
    const Verification result = verify(read_capture(folder / "tampered.cairn"), {});
    ASSERT_TRUE(result.divergence);
    EXPECT_EQ(result.divergence->step, 40u);
    ASSERT_TRUE(result.cause);
    EXPECT_EQ(result.cause->stage, "free motion: forces, integration, fast bodies or sleep");
    EXPECT_TRUE(result.cause->bodies_certain);
    ASSERT_EQ(result.cause->bodies.size(), 1u);
    EXPECT_EQ(result.cause->bodies[0], "body 2 \"thrown at 30 degrees\"");
}

TEST(History, ASavedPastHasDigestsOfItsLastMinute) {
    const core::testing::TemporaryFolder folder;
    Life life(core::testing::falling_boxes(1));
    for (std::uint64_t i = 0; i < History::digest_steps + 50; ++i) {
        life.world.step();
        CaptureStep step;
        step.hash = life.world.hash();
        life.history.add(std::move(step), life.world, i % 100 == 0 ? 1.0 : 0.0);
    }
    life.history.save(folder / "past.cairn");
    const Capture capture = read_capture(folder / "past.cairn");
    ASSERT_EQ(capture.steps.size(), History::digest_steps + 50);
    EXPECT_FALSE(capture.steps[0].digest);
    EXPECT_FALSE(capture.steps[49].digest);
    EXPECT_TRUE(capture.steps.back().digest);
    EXPECT_FALSE(verify_capture(capture));
}

// What is recorded and what is computed are not the same there: a digest of the one says nothing of the other.
TEST(History, AStepThatComesOutOtherwiseGetsNoDigest) {
    const core::testing::TemporaryFolder folder;
    Life life(core::testing::falling_boxes());
    for (int i = 1; i <= 20; ++i) {
        life.world.step();
        CaptureStep step;
        step.hash = life.world.hash() ^ (i == 15 ? 1u : 0u);
        life.history.add(std::move(step), life.world, 0.0);
    }
    life.history.save(folder / "past.cairn");
    for (const CaptureStep& step : read_capture(folder / "past.cairn").steps) {
        EXPECT_EQ(step.digest != nullptr, step.step != 15) << step.step;
    }
}

} // namespace
} // namespace cairn::core
