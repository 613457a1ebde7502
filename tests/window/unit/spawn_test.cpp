#include "app/ui/text/paths.h"
#include "app/ui/tools/spawn/spawn.h"
#include "physics/query/distance.h"
#include "physics/world/world.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace cairn::ui {
namespace {

TEST(Spawn, EveryShapeIsAcceptedByTheWorldAndRestsAboveItsBase) {
    for (const SpawnShapeInfo& info : spawn_shapes()) {
        for (const float size : {0.1f, 1.0f, 5.0f}) {
            SpawnSettings settings;
            settings.shape = info.shape;
            settings.size = size;
            settings.count = 3;
            physics::World world;
            for (const auto& body : spawn_bodies(settings, {1, 2, 3})) {
                const auto result = world.apply(physics::CreateBody{body});
                ASSERT_TRUE(result.ok()) << info.name << ": " << result.error;
            }
            physics::FrameState frame;
            world.publish(frame);
            ASSERT_EQ(frame.bodies.size(), 3u);
            for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
                for (const auto& part : frame.models[i]->parts) {
                    const auto box = physics::bounds(*part.shape, physics::compose(frame.bodies[i].pose, part.pose));
                    EXPECT_GT(box.lower.z, 3.0f) << info.name;
                    EXPECT_LT(box.upper.z, 3.0f + 10.0f * size) << info.name;
                }
            }
        }
    }
}

TEST(Spawn, ManyBodiesDoNotOverlap) {
    SpawnSettings settings;
    settings.shape = SpawnShape::table;
    settings.count = 11;
    settings.tumbled = true;
    physics::World world;
    const auto bodies = spawn_bodies(settings, physics::Vec3(0.0f));
    ASSERT_EQ(bodies.size(), 11u);
    for (const auto& body : bodies) {
        ASSERT_TRUE(world.apply(physics::CreateBody{body}).ok());
    }
    physics::FrameState frame;
    world.publish(frame);
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            for (const auto& a : frame.models[i]->parts) {
                for (const auto& b : frame.models[j]->parts) {
                    EXPECT_FALSE(physics::overlap(*a.shape, physics::compose(frame.bodies[i].pose, a.pose), *b.shape,
                                                  physics::compose(frame.bodies[j].pose, b.pose)));
                }
            }
        }
    }
}

TEST(Spawn, PebblesDifferBySeedAndRepeatWithIt) {
    EXPECT_EQ(spawn_geometry(SpawnShape::pebble, 1.0f, 5), spawn_geometry(SpawnShape::pebble, 1.0f, 5));
    EXPECT_NE(spawn_geometry(SpawnShape::pebble, 1.0f, 5), spawn_geometry(SpawnShape::pebble, 1.0f, 6));
}

TEST(Spawn, TheBallLeavesAlongTheRay) {
    SpawnSettings settings;
    settings.throw_speed = 20.0f;
    const physics::BodyDef ball = thrown_ball(settings, {{0, 0, 5}, {0, 1, 0}, 1e6f});
    EXPECT_EQ(ball.linear_velocity, physics::Vec3(0, 20, 0));
    EXPECT_NEAR(ball.pose.position.y, 1.0f, 1e-6f);
}

TEST(Paths, TitlesBecomeFileNames) {
    EXPECT_EQ(file_stem("Diamond duel, 2nd!"), "diamond-duel-2nd");
    EXPECT_EQ(file_stem("../../etc/passwd"), "etc-passwd");
    EXPECT_EQ(file_stem(""), "scene");
    EXPECT_EQ(file_stem("///"), "scene");
    EXPECT_EQ(in_user_folder("a/b.json", "scenes"), "a/b.json");
    EXPECT_EQ(in_user_folder("b.json", "scenes"), user_folder("scenes") / "b.json");
}

} // namespace
} // namespace cairn::ui
