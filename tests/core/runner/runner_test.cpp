#include "app/core/base/error.h"
#include "app/core/runner/runner.h"
#include "tests/core/capture/test_scenes.h"
#include "tests/core/runner/ball.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cairn::core {
namespace {

using core::testing::TemporaryFolder;
using namespace testing;
using namespace physics;

TEST(Runner, StartsAsTheSceneSays) {
    const Scene scene = falling_boxes();
    Runner runner(scene);
    EXPECT_EQ(runner.current().step, 0u);
    ASSERT_EQ(runner.current().bodies.size(), scene.bodies.size());
    EXPECT_EQ(runner.previous().hash, runner.current().hash);
    EXPECT_EQ(runner.current().hash, make_world(scene).hash());
    EXPECT_TRUE(runner.scene() == scene);
}

// What undoing does is recorded like all else, and the capture replays it.
TEST(Runner, UndoIsRecordedAsCommands) {
    const TemporaryFolder folder;
    Runner runner(falling_boxes());
    runner.start_recording(folder / "undo.cairn");
    const std::size_t bodies = runner.current().bodies.size();
    const BodyId first = runner.current().bodies.back().id;
    runner.submit(CreateBody{ball({0, 0, 20})}, {}, {"Throw a ball", 0});
    runner.step();
    EXPECT_EQ(runner.edits().undo_what(), "Throw a ball");
    runner.submit(DestroyBody{first});
    runner.step();
    EXPECT_EQ(runner.current().bodies.size(), bodies);
    runner.undo();
    runner.undo();
    runner.step();
    EXPECT_EQ(runner.current().bodies.size(), bodies);
    EXPECT_EQ(runner.edits().redo_what(), "Throw a ball");
    EXPECT_EQ(runner.edits().undo_what(), "");
    runner.redo();
    runner.redo();
    runner.undo();
    runner.undo();
    runner.undo(); // once too often
    for (int i = 0; i < 20; ++i) {
        runner.step();
    }
    EXPECT_TRUE(runner.edits().undo_what().empty());
    EXPECT_TRUE(runner.take_messages().empty());
    const std::uint64_t hash = runner.current().hash;
    runner.stop_recording();
    runner.start_replay(folder / "undo.cairn");
    while (!runner.replay()->finished) {
        runner.step();
    }
    EXPECT_FALSE(runner.replay()->divergence.has_value());
    EXPECT_EQ(runner.current().hash, hash);
    runner.undo();
    EXPECT_TRUE(runner.edits().undo_what().empty());
}

TEST(Runner, ReplacedShapesAreRecorded) {
    const TemporaryFolder folder;
    Runner runner(falling_boxes());
    runner.start_recording(folder / "shapes.cairn");
    const BodyId body = runner.current().bodies.back().id;
    const std::vector<ShapeDef> before = runner.current().models.back()->def.shapes;
    ShapeDef ball{Sphere{0.3f}, {Vec3(0.5f, 0, 0), identity_orientation}, false, {0.1f, {}, 0.2f}};
    for (int i = 0; i < 5; ++i) {
        runner.step();
        std::get<Sphere>(ball.geometry).radius += 0.05f;
        runner.submit(ReplaceShape{body, 0, ball}, {"Make it a ball", 1});
        // The centre of mass moves from one step to the next: it is not drawn on its way.
        runner.apply_pending();
        EXPECT_EQ(runner.previous().bodies.back().pose.position, runner.current().bodies.back().pose.position);
    }
    runner.step();
    EXPECT_EQ(runner.current().models.back()->def.shapes, std::vector<ShapeDef>{ball});
    ShapeDef bad = ball;
    bad.geometry = Sphere{0.0f};
    runner.submit(ReplaceShape{body, 0, bad});
    runner.step();
    EXPECT_THAT(runner.take_messages(),
                ::testing::ElementsAre(::testing::HasSubstr(": shape 0: the radius must lie between")));
    EXPECT_EQ(runner.current().models.back()->def.shapes, std::vector<ShapeDef>{ball});
    EXPECT_EQ(runner.edits().undo_what(), "Make it a ball");
    runner.undo();
    runner.step();
    EXPECT_EQ(runner.current().models.back()->def.shapes, before);
    runner.redo();
    for (int i = 0; i < 20; ++i) {
        runner.step();
    }
    EXPECT_EQ(runner.current().models.back()->def.shapes, std::vector<ShapeDef>{ball});
    const std::uint64_t hash = runner.current().hash;
    runner.stop_recording();
    runner.start_replay(folder / "shapes.cairn");
    runner.submit(ReplaceShape{body, 0, bad}); // is not interactive
    while (!runner.replay()->finished) {
        runner.step();
    }
    EXPECT_FALSE(runner.replay()->divergence.has_value());
    EXPECT_EQ(runner.current().hash, hash);
    EXPECT_TRUE(runner.take_messages().empty());
}

TEST(Runner, BrushedGroundIsRecorded) {
    const TemporaryFolder folder;
    Scene scene = falling_boxes();
    auto heights = std::make_shared<HeightData>();
    heights->columns = heights->rows = 21;
    heights->heights.assign(21 * 21, 0.0f);
    scene.bodies[0].shapes = {{HeightField{heights}, {}}};
    Runner runner(scene);
    const BodyId ground = runner.current().bodies[0].id;
    runner.start_recording(folder / "ground.cairn");
    for (int i = 0; i < 40; ++i) {
        BrushHeights brush{ground, 0, 0.1f * static_cast<float>(i) - 2.0f, 0.0f, 3.0f, BrushHeights::Action::raise,
                           0.05f};
        runner.submit(brush, {"Raise the ground", 5});
        runner.step();
    }
    const auto top = [&] {
        const auto data = std::get<HeightField>(runner.current().models[0]->def.shapes[0].geometry).data;
        return *std::ranges::max_element(data->heights);
    };
    EXPECT_GT(top(), 0.5f);
    EXPECT_EQ(runner.edits().undo_what(), "Raise the ground");
    runner.undo();
    runner.step();
    EXPECT_EQ(top(), 0.0f);
    runner.redo();
    runner.step();
    EXPECT_GT(top(), 0.5f);
    const std::uint64_t hash = runner.current().hash;
    runner.stop_recording();
    runner.go_to(5); // and back: the history keeps the ground of every step
    EXPECT_LT(top(), 0.3f);
    runner.go_to(42);
    EXPECT_EQ(runner.current().hash, hash);
    runner.start_replay(folder / "ground.cairn");
    runner.submit(BrushHeights{ground, 0, 0, 0, 3.0f, BrushHeights::Action::raise, 1.0f}); // is not interactive
    while (!runner.replay()->finished) {
        runner.step();
    }
    EXPECT_FALSE(runner.replay()->divergence.has_value());
    EXPECT_EQ(runner.current().hash, hash);
    EXPECT_TRUE(runner.take_messages().empty());
}

TEST(Runner, FramesThatWereGivenOutStayAsTheyAre) {
    Runner runner(falling_boxes());
    runner.step();
    runner.step();
    const std::shared_ptr<const FrameState> previous = runner.share_previous(), current = runner.share_current();
    const FrameState previous_then = *previous, current_then = *current;
    EXPECT_EQ(previous.get(), &runner.previous()) << "no copy";
    SetBody set;
    set.body = current->bodies.back().id;
    set.position = Vec3(7, 8, 9);
    runner.submit(set);
    runner.apply_pending();
    EXPECT_EQ(runner.previous().bodies.back().pose.position, Vec3(7, 8, 9));
    for (int i = 0; i < 6; ++i) {
        runner.step();
        runner.share_current();
    }
    const auto expect_same = [](const FrameState& now, const FrameState& then) {
        EXPECT_EQ(now.step, then.step);
        EXPECT_EQ(now.hash, then.hash);
        ASSERT_EQ(now.bodies.size(), then.bodies.size());
        for (std::size_t i = 0; i < then.bodies.size(); ++i) {
            EXPECT_EQ(now.bodies[i].pose.position, then.bodies[i].pose.position);
            EXPECT_EQ(now.bodies[i].linear_velocity, then.bodies[i].linear_velocity);
        }
    };
    expect_same(*previous, previous_then);
    expect_same(*current, current_then);
}

TEST(Runner, ABodyMovedBeforeTheFirstStepIsMovedInBothFrames) {
    Runner runner(falling_boxes());
    const std::shared_ptr<const FrameState> start = runner.share_previous();
    const Vec3 stood = start->bodies.back().pose.position;
    SetBody set;
    set.body = start->bodies.back().id;
    set.position = Vec3(7, 8, 9);
    runner.submit(set);
    runner.apply_pending();
    EXPECT_EQ(runner.previous().bodies.back().pose.position, Vec3(7, 8, 9));
    EXPECT_EQ(runner.current().bodies.back().pose.position, Vec3(7, 8, 9));
    EXPECT_EQ(start->bodies.back().pose.position, stood);
}

TEST(Runner, StepsLikeTheWorldItself) {
    const Scene scene = falling_boxes();
    Runner runner(scene);
    World world = make_world(scene);
    for (int i = 0; i < 60; ++i) {
        const std::uint64_t before = runner.current().hash;
        runner.step();
        world.step();
        ASSERT_EQ(runner.current().hash, world.hash());
        ASSERT_EQ(runner.previous().hash, before);
        ASSERT_EQ(runner.current().step, runner.previous().step + 1);
    }
}

TEST(Runner, AnswersCommandsAfterTheStep) {
    Runner runner(falling_boxes());
    BodyId created;
    std::uint64_t answered_at = 0;
    runner.submit(CreateBody{ball({5, 5, 5})}, [&](const CommandResult& result) {
        EXPECT_TRUE(result.ok()) << result.error;
        created = result.created;
        answered_at = runner.current().step;
        EXPECT_EQ(runner.current().bodies.back().id, result.created) << "the newcomer is already published";
    });
    EXPECT_FALSE(created);
    runner.step();
    EXPECT_TRUE(created);
    EXPECT_EQ(answered_at, 1u);
}

TEST(Runner, CommandsOfAnAnswerAreForTheNextStep) {
    Runner runner(falling_boxes());
    int answers = 0;
    runner.submit(CreateBody{ball({5, 5, 5})}, [&](const CommandResult& result) {
        ++answers;
        runner.submit(DestroyBody{result.created}, [&](const CommandResult& second) {
            EXPECT_TRUE(second.ok());
            ++answers;
        });
    });
    const std::size_t bodies = runner.current().bodies.size();
    runner.step();
    EXPECT_EQ(answers, 1);
    EXPECT_EQ(runner.current().bodies.size(), bodies + 1);
    runner.step();
    EXPECT_EQ(answers, 2);
    EXPECT_EQ(runner.current().bodies.size(), bodies);
}

TEST(Runner, RejectedCommandsAreToldAndChangeNothing) {
    const Scene scene = falling_boxes();
    Runner runner(scene), control(scene);
    bool rejected = false;
    runner.submit(DestroyBody{{99, 0}}, [&](const CommandResult& result) { rejected = !result.ok(); });
    BodyDef bad = ball({0, 0, 0});
    bad.shapes[0].geometry = Sphere{std::nanf("")};
    runner.submit(CreateBody{bad});
    runner.step();
    control.step();
    EXPECT_TRUE(rejected);
    EXPECT_EQ(runner.current().hash, control.current().hash);
    EXPECT_EQ(runner.take_messages().size(), 2u);
    EXPECT_TRUE(runner.take_messages().empty());
}

TEST(Runner, EditsShowWhilePaused) {
    Runner runner(falling_boxes());
    runner.paused = true;
    const BodyId box = runner.current().bodies[1].id;
    SetBody set;
    set.body = box;
    set.position = Vec3(7, 8, 9);
    runner.submit(set);
    EXPECT_EQ(runner.advance(1.0), 0);
    EXPECT_NE(runner.current().bodies[1].pose.position, Vec3(7, 8, 9));
    runner.apply_pending();
    EXPECT_EQ(runner.current().step, 0u);
    EXPECT_EQ(runner.current().bodies[1].pose.position, Vec3(7, 8, 9));
    EXPECT_EQ(runner.previous().bodies[1].pose.position, Vec3(7, 8, 9)) << "it is put there, it does not fly there";
    EXPECT_EQ(runner.interpolation(), 1.0);
}

TEST(Runner, ClockTakesTheStepsThatAreDue) {
    Runner runner(falling_boxes(1));
    int steps = 0;
    for (int frame = 0; frame < 600; ++frame) {
        steps += runner.advance(1.0 / 60.0);
    }
    EXPECT_EQ(steps, 600) << "one step a frame at equal rates, no drift";
    EXPECT_EQ(runner.dropped_seconds(), 0.0);

    steps = 0;
    for (int frame = 0; frame < 144 * 5; ++frame) {
        steps += runner.advance(1.0 / 144.0);
        EXPECT_GE(runner.interpolation(), 0.0);
        EXPECT_LE(runner.interpolation(), 1.0);
    }
    EXPECT_NEAR(steps, 300, 1);
}

TEST(Runner, TimeScaleSlowsAndSpeedsUp) {
    for (const double scale : {0.1, 0.5, 3.0}) {
        Runner runner(falling_boxes(1));
        runner.time_scale = scale;
        int steps = 0;
        for (int frame = 0; frame < 120; ++frame) {
            steps += runner.advance(1.0 / 60.0);
        }
        EXPECT_NEAR(steps, 120 * scale, 1.0) << scale;
        EXPECT_EQ(runner.dropped_seconds(), 0.0);
    }
}

TEST(Runner, InterpolationIsTheShareOfAStepAhead) {
    Runner runner(falling_boxes(1));
    EXPECT_EQ(runner.advance(0.25 / 60.0), 0);
    EXPECT_NEAR(runner.interpolation(), 0.25, 1e-6);
    EXPECT_EQ(runner.advance(1.5 / 60.0), 1);
    EXPECT_NEAR(runner.interpolation(), 0.75, 1e-6);
}

TEST(Runner, TimeThatCannotBeKeptUpWithIsDroppedAndCounted) {
    Runner runner(falling_boxes(1));
    EXPECT_EQ(runner.advance(1.0, 8), 8);
    EXPECT_NEAR(runner.dropped_seconds(), 52.0 / 60.0, 1e-6);
    EXPECT_EQ(runner.advance(1.0 / 60.0), 1) << "no debt remains";
    // Counted in real time: at double speed, half a second of it is 60 steps.
    runner.time_scale = 2.0;
    const double before = runner.dropped_seconds();
    EXPECT_EQ(runner.advance(0.5, 10), 10);
    EXPECT_NEAR(runner.dropped_seconds() - before, 50.0 / 120.0, 1e-3);
}

TEST(Runner, ClockIgnoresNonsense) {
    Runner runner(falling_boxes(1));
    EXPECT_EQ(runner.advance(-1.0), 0);
    EXPECT_EQ(runner.advance(std::nan("")), 0);
    EXPECT_EQ(runner.advance(0.0), 0);
    EXPECT_EQ(runner.dropped_seconds(), 0.0);
}

TEST(Runner, GoesOnSmoothlyAfterAPause) {
    Runner runner(falling_boxes(1));
    runner.advance(1.5 / 60.0);
    runner.paused = true;
    EXPECT_EQ(runner.advance(10.0), 0);
    runner.paused = false;
    EXPECT_EQ(runner.advance(0.1 / 60.0), 1) << "what was shown was the present state: the next one is due";
    EXPECT_NEAR(runner.interpolation(), 0.1, 1e-6);
    EXPECT_EQ(runner.dropped_seconds(), 0.0);
}

TEST(Runner, RestartIsTheSameStart) {
    Runner runner(falling_boxes());
    const std::uint64_t start = runner.current().hash;
    for (int i = 0; i < 30; ++i) {
        runner.step();
    }
    bool rejected = false;
    runner.submit(ReleaseGrab{}, [&](const CommandResult& result) { rejected = !result.ok(); });
    runner.restart();
    EXPECT_TRUE(rejected) << "a command of the old world must not reach the new one";
    EXPECT_EQ(runner.current().step, 0u);
    EXPECT_EQ(runner.current().hash, start);
}

TEST(Runner, BadSceneLeavesTheOldOneRunning) {
    Runner runner(falling_boxes());
    runner.step();
    const std::uint64_t hash = runner.current().hash;
    Scene bad = falling_boxes();
    bad.bodies[1].shapes[0].geometry = Sphere{-1.0f};
    EXPECT_THROW(runner.load(bad), InputError);
    EXPECT_EQ(runner.current().hash, hash);
    runner.step();
    EXPECT_EQ(runner.current().step, 2u);
}

} // namespace
} // namespace cairn::core
