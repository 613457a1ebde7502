// From a scene to a running world and back.
#include "app/core/base/error.h"
#include "app/core/scene/scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::core {
namespace {

using physics::Vec3;
using ::testing::HasSubstr;

Scene sample() {
    return parse_scene(R"({"cairn": 1, "name": "Sample", "gravity": [0, 0, -5], "step": {"substeps": 8}, "bodies": [
        {"name": "floor", "type": "static", "shape": {"box": {"half_extents": [20, 20, 0.5]}}, "position": [0, 0, -0.5]},
        {"name": "hammer", "position": [0, 0, 3], "angular_velocity": [1, 2, 3], "shapes": [
          {"shape": {"cylinder": {"radius": 0.05, "half_height": 0.6}}},
          {"shape": {"box": {"half_extents": [0.3, 0.12, 0.12]}}, "position": [0, 0, 0.6]}]},
        {"name": "gem", "position": [5, 0, 2], "mass": 2, "shape": {"hull": {"mesh": "assets/meshes/gem.obj"}},
         "repeat": {"count": [2, 1, 1], "spacing": [2, 0, 0], "spin": true}},
        {"name": "lift", "type": "kinematic", "position": [-5, 0, 1], "linear_velocity": [0, 0, 0.5],
         "shape": {"cone": {"radius": 1, "height": 1}}}]})",
                       "sample.json", CAIRN_SOURCE_DIR);
}

TEST(SceneWorld, StartsAsTheSceneSays) {
    const Scene scene = sample();
    const physics::World world = make_world(scene);
    physics::FrameState frame;
    world.publish(frame);
    ASSERT_EQ(frame.bodies.size(), scene.bodies.size());
    EXPECT_TRUE(frame.settings == scene.settings);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        EXPECT_EQ(frame.bodies[i].id.index, i); // the order of the file
        EXPECT_EQ(frame.models[i]->def.name, scene.bodies[i].name);
        EXPECT_EQ(frame.bodies[i].pose.position, scene.bodies[i].pose.position);
        EXPECT_EQ(frame.bodies[i].linear_velocity, scene.bodies[i].linear_velocity);
    }
}

TEST(SceneWorld, ARunningWorldIsASceneAgain) {
    const Scene scene = sample();
    physics::World world = make_world(scene);
    for (int i = 0; i < 30; ++i) {
        world.step();
    }
    physics::FrameState frame;
    world.publish(frame);
    const SceneCamera camera{{1, 2, 3}, {0, 0, 0}};
    const Scene later = scene_from(frame, "Later", camera);
    EXPECT_EQ(later.name, "Later");
    EXPECT_TRUE(later.camera == camera);
    EXPECT_TRUE(later.settings == scene.settings);
    ASSERT_EQ(later.bodies.size(), scene.bodies.size());
    EXPECT_LT(later.bodies[1].pose.position.z, 3.0f); // it has fallen
    EXPECT_NEAR(later.bodies.back().pose.position.z, 1.25f, 1e-4f);
    EXPECT_TRUE(parse_scene(write_scene(later), "later", ".") == later);

    // What changes is pose and velocity alone.
    Scene reset = later;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        reset.bodies[i].pose = scene.bodies[i].pose;
        reset.bodies[i].linear_velocity = scene.bodies[i].linear_velocity;
        reset.bodies[i].angular_velocity = scene.bodies[i].angular_velocity;
    }
    reset.name = scene.name;
    reset.camera = scene.camera;
    EXPECT_TRUE(reset == scene);

    // Two worlds made from what was saved are the same world.
    physics::World a = make_world(later);
    physics::World b = make_world(parse_scene(write_scene(later), "later", "."));
    for (int i = 0; i < 60; ++i) {
        a.step();
        b.step();
        ASSERT_EQ(a.hash(), b.hash()) << i;
    }
}

TEST(SceneWorld, EditedBodiesCanBeSaved) {
    physics::World world = make_world(sample());
    const physics::BodyId hammer = world.body_ids().at(1);
    physics::SetBody change;
    change.body = hammer;
    change.inertia = Vec3(1, 2, 3);
    change.mass = 3.0f; // the hammer was given by its density
    change.type = physics::BodyType::fixed;
    ASSERT_TRUE(world.apply(change).ok());
    physics::FrameState frame;
    world.publish(frame);
    const Scene scene = scene_from(frame, "Edited", {});
    EXPECT_EQ(scene.bodies[1].mass, 3.0f);
    EXPECT_EQ(scene.bodies[1].inertia, Vec3(1, 2, 3));
    EXPECT_EQ(scene.bodies[1].type, physics::BodyType::fixed);
    EXPECT_TRUE(parse_scene(write_scene(scene), "edited", ".") == scene);
}

TEST(SceneWorld, ARejectedBodyIsNamed) {
    Scene scene = sample();
    scene.bodies[3].pose.position.x = HUGE_VALF;
    try {
        make_world(scene);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("scene \"Sample\": body 3 (\"gem[1]\"): position"));
    }
}

// Whatever the format accepts at the edges of its ranges, the world accepts as well.
TEST(SceneWorld, LimitsOfTheFormatAreLimitsOfTheWorld) {
    const char* const bodies[] = {
        R"({"shape": {"sphere": {"radius": 1}}, "position": [1e6, -1e6, 1e6]})",
        R"({"shape": {"sphere": {"radius": 1}}, "linear_velocity": [1e5, 0, 0], "angular_velocity": [0, 0, -1e4]})",
        R"({"shape": {"sphere": {"radius": 1}}, "mass": 1e-9})",
        R"({"shape": {"sphere": {"radius": 1}}, "mass": 1e12})",
        R"({"shape": {"sphere": {"radius": 1}}, "inertia": [1e-18, 1e-18, 1e-18]})",
        R"({"shape": {"sphere": {"radius": 1}}, "inertia": [1e21, 1e21, 1e21]})",
        R"({"shape": {"sphere": {"radius": 1}}, "inertia": [2.1e15, 1e21, 1e21]})",
        R"({"shape": {"sphere": {"radius": 1}}, "density": 0.001, "friction": 100, "restitution": 1})",
        R"({"shape": {"sphere": {"radius": 1}}, "density": 1e6, "rolling_resistance": 1, "gravity_scale": -1000})",
        R"({"shape": {"sphere": {"radius": 1}}, "linear_damping": 1000, "angular_damping": 1000})",
        R"({"shape": {"diamond": {"scale": 0.001}}, "orientation": [3, 4, 5, 6]})",
    };
    for (const char* body : bodies) {
        const Scene scene = parse_scene(std::string("{\"cairn\": 1, \"bodies\": [") + body + "]}", "edge.json", ".");
        EXPECT_NO_THROW(make_world(scene)) << body;
    }
}

TEST(SceneWorld, ShippedScenesMakeWorlds) {
    for (const SceneFile& file : list_scenes(CAIRN_SOURCE_DIR "/scenes")) {
        const Scene scene = read_scene(file.path);
        const physics::World world = make_world(scene);
        EXPECT_EQ(world.body_count(), scene.bodies.size()) << file.path;
    }
}

} // namespace
} // namespace cairn::core
