#include "app/core/base/error.h"
#include "app/ui/text/paths.h"
#include "app/ui/tools/spawn/prototypes.h"
#include "app/ui/tools/spawn/spawn.h"
#include "physics/query/distance.h"
#include "physics/world/world.h"
#include "tests/core/temporary_folder.h"

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

physics::Aabb bounds_at_origin(const std::vector<physics::ShapeDef>& shapes) {
    core::Scene scene;
    scene.bodies.emplace_back().shapes = shapes;
    return bounds_of(scene); // of the world's axes: the body is not turned
}

TEST(Spawn, AShapeIsAsLargeAsItsSizesSay) {
    for (const SpawnShapeInfo& info : spawn_shapes()) {
        SpawnSettings settings;
        settings.shape = info.shape;
        settings.by_axis = true;
        settings.sizes = {1.5f, 0.4f, 2.5f};
        for (int axis = 1; axis < 3; ++axis) {
            settings.sizes[axis] = info.sizes[axis] != nullptr ? settings.sizes[axis] : settings.sizes.x;
        }
        if (info.shape == SpawnShape::diamond) {
            settings.sizes.z = 0.7f * settings.sizes.x;
        }
        physics::Aabb box = bounds_at_origin(spawn_bodies(settings, physics::Vec3(0.0f)).at(0).shapes);
        for (int axis = 0; axis < 3; ++axis) {
            if (info.shape == SpawnShape::pebble) { // about as large
                EXPECT_LT(box.upper[axis] - box.lower[axis], settings.sizes[axis]) << axis;
                EXPECT_GT(box.upper[axis] - box.lower[axis], 0.3f * settings.sizes[axis]) << axis;
            } else {
                EXPECT_NEAR(box.upper[axis] - box.lower[axis], settings.sizes[axis], 1e-4f) << info.name << axis;
            }
        }
        settings.by_axis = false;
        settings.size = 3.0f;
        if (info.shape != SpawnShape::pebble) {
            box = bounds_at_origin(spawn_bodies(settings, physics::Vec3(0.0f)).at(0).shapes);
            EXPECT_LT(glm::length(box.upper - box.lower - spawn_extents(info.shape, 3.0f)), 1e-4f) << info.name;
        }
    }
}

TEST(Prototypes, AreKeptWithTheirJointsAndFoundAgain) {
    const core::testing::TemporaryFolder folder;
    core::Scene pair = core::parse_scene(R"({"cairn": 1, "bodies": [
        {"name": "a", "shape": {"box": {"half_extents": [1, 1, 1]}}, "position": [7, 8, 9], "linear_velocity": [1, 0, 0]},
        {"name": "b", "shape": {"sphere": {"radius": 0.5}}, "position": [9, 8, 9], "colour": "#ff8000"}],
        "joints": [{"type": "ball", "a": "a", "b": "b", "anchor": [8.5, 8, 9]}]})",
                                         "pair.json", ".");
    {
        Prototypes prototypes(folder / "kept");
        EXPECT_TRUE(prototypes.names().empty());
        prototypes.keep("swing", pair);
        prototypes.keep("arm", pair);
        EXPECT_EQ(prototypes.names(), (std::vector<std::string>{"arm", "swing"}));
    }
    Prototypes later(folder / "kept");
    EXPECT_EQ(later.names(), (std::vector<std::string>{"arm", "swing"}));
    const auto swing = later.get("swing");
    ASSERT_EQ(swing->bodies.size(), 2u);
    ASSERT_EQ(swing->joints.size(), 1u);
    EXPECT_EQ(swing->bodies[1].colour, (physics::Colour{255, 128, 0}));
    EXPECT_EQ(swing->bodies[0].linear_velocity, physics::Vec3(0.0f));
    const physics::Aabb box = bounds_of(*swing);
    EXPECT_NEAR(box.lower.z, 0.0f, 1e-4f);
    EXPECT_NEAR(box.lower.x + box.upper.x, 0.0f, 1e-4f);
    physics::World world;
    for (const physics::BodyDef& body : swing->bodies) {
        ASSERT_TRUE(world.apply(physics::CreateBody{body}).ok());
    }
    ASSERT_TRUE(world.apply(physics::CreateJoint{swing->joints.front()}).ok());
    later.forget("swing");
    EXPECT_FALSE(later.has("swing"));
    EXPECT_THROW(later.get("swing"), core::InputError);
    EXPECT_TRUE(later.has("arm"));
}

TEST(Prototypes, NeedNamesThatFilesCanHave) {
    EXPECT_EQ(wrong_with_name("two wheels, 2nd"), "");
    for (const char* name : {"", "../x", "a/b", ".hidden", "a\nb", "Box"}) {
        EXPECT_NE(wrong_with_name(name), "") << name;
    }
}

TEST(Spawn, PebblesDifferBySeedAndRepeatWithIt) {
    EXPECT_EQ(spawn_geometry(SpawnShape::pebble, physics::Vec3(1.0f), 5),
              spawn_geometry(SpawnShape::pebble, physics::Vec3(1.0f), 5));
    EXPECT_NE(spawn_geometry(SpawnShape::pebble, physics::Vec3(1.0f), 5),
              spawn_geometry(SpawnShape::pebble, physics::Vec3(1.0f), 6));
}

TEST(Spawn, BodiesAndTheBallGetTheColour) {
    Spawning spawning;
    EXPECT_EQ(spawn_bodies(spawning.settings, physics::Vec3(0.0f)).at(0).colour, std::nullopt);
    spawning.settings.colour = physics::Colour{1, 255, 16};
    EXPECT_EQ(spawn_bodies(spawning.settings, physics::Vec3(0.0f)).at(0).colour, spawning.settings.colour);
    EXPECT_EQ(thrown_ball(spawning.settings, {physics::Vec3(0.0f), physics::Vec3(1, 0, 0), 1.0f}).colour,
              spawning.settings.colour);
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
