#include "app/core/capture/capture.h"
#include "tests/core/capture/test_scenes.h"

#include <gtest/gtest.h>

namespace cairn::core {
namespace {

using namespace physics;

TEST(Replay, AppliesInOrderAndStepsAndTellsTheFirstRefusal) {
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

    // What is refused does nothing, and the rest of the step is as if it were not there.
    const std::string reason = same.apply(DestroyBody{{77, 0}}).error;
    ASSERT_NE(reason, "");
    EXPECT_EQ(replay_step(world, {2, {DestroyBody{{77, 0}}, first, DestroyBody{{78, 0}}}}),
              "a command of step 2 was rejected: " + reason);
    ASSERT_TRUE(same.apply(first).ok());
    same.step();
    EXPECT_EQ(world.hash(), same.hash());
}

} // namespace
} // namespace cairn::core
