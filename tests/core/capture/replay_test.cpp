#include "app/core/capture/capture.h"
#include "tests/core/capture/test_scenes.h"

#include <gtest/gtest.h>

namespace cairn::core {
namespace {

using namespace physics;

TEST(Replay, AppliesInOrderAndStepsAndTellsTheFirstRejection) {
    const Scene scene = testing::falling_boxes();
    World world = make_world(scene), same = make_world(scene);
    SetBody first, second;
    first.body = second.body = world.body_ids().at(2);
    first.linear_velocity = Vec3(1.0f, 0.0f, 0.0f);
    second.linear_velocity = Vec3(2.0f, 0.0f, 0.0f);
    EXPECT_EQ(replay_step(world, {1, {first, second}}), "");
    ASSERT_TRUE(same.apply(second).ok());
    same.step();
    EXPECT_EQ(world.step_count(), 1u);
    EXPECT_EQ(world.hash(), same.hash());

    // What is rejected does nothing, and the rest of the step is as if it were not there.
    const std::string reason = same.apply(DestroyBody{{77, 0}}).error;
    ASSERT_NE(reason, "");
    EXPECT_EQ(replay_step(world, {2, {DestroyBody{{77, 0}}, first, DestroyBody{{78, 0}}}}),
              "a command of step 2 was rejected: " + reason);
    ASSERT_TRUE(same.apply(first).ok());
    same.step();
    EXPECT_EQ(world.hash(), same.hash());
}

TEST(Replay, TheLastKeyframeUpToAStep) {
    const std::vector<KeyframePlace> places = {{10, 100}, {20, 200}};
    EXPECT_EQ(keyframe_before(places, 9), nullptr);
    EXPECT_EQ(keyframe_before(places, 10), &places[0]);
    EXPECT_EQ(keyframe_before(places, 19), &places[0]);
    EXPECT_EQ(keyframe_before(places, 1000), &places[1]);
    EXPECT_EQ(keyframe_before({}, 5), nullptr);
}

// Hashes hold no colour, so that one never makes a capture differ.
TEST(Replay, ColoursAreThereAndHashesAreAsWithoutThem) {
    Scene scene = testing::falling_boxes();
    World plain = make_world(scene);
    scene.bodies[1].colour = Colour{1, 2, 3};
    World world = make_world(scene);
    EXPECT_EQ(world.hash(), plain.hash());
    const BodyId first = world.body_ids().at(1), second = world.body_ids().at(2);
    EXPECT_EQ(replay_step(world, {1, {SetColour{first, {}}, SetColour{second, Colour{4, 5, 6}}}}), "");
    EXPECT_EQ(replay_step(plain, {1, {}}), "");
    EXPECT_EQ(world.hash(), plain.hash());
    EXPECT_EQ(world.model(first)->def.colour, std::nullopt);
    EXPECT_EQ(world.model(second)->def.colour, (Colour{4, 5, 6}));
}

} // namespace
} // namespace cairn::core
