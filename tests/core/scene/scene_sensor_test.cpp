// What a shape of a body may be besides its geometry, in scene files and captures: sensors, materials.
#include "app/core/base/error.h"
#include "app/core/capture/records/scene_records.h"
#include "app/core/scene/scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::core {
namespace {

using ::testing::HasSubstr;

std::string mistake_in(const std::string& body) {
    try {
        parse_scene(R"({"cairn": 1, "bodies": [)" + body + "]}", "scene.json", ".");
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

// From the text of a scene file, and from a capture.
void expect_the_same_back(const Scene& scene) {
    EXPECT_TRUE(parse_scene(write_scene(scene), "scene.json", ".") == scene);
    CborWriter out;
    encode(out, scene);
    CborReader in(out.bytes());
    Scene back;
    decode(in, back);
    EXPECT_TRUE(in.at_end());
    EXPECT_TRUE(back == scene);
}

TEST(SceneSensor, IsReadWrittenAndRecorded) {
    const Scene scene = parse_scene(R"({"cairn": 1, "bodies": [
      {"type": "static", "shapes": [{"shape": {"sphere": {"radius": 1}}, "sensor": true}]},
      {"shapes": [{"shape": {"sphere": {"radius": 1}}, "sensor": false},
                  {"shape": {"box": {"half_extents": [1, 1, 1]}}, "position": [2, 0, 0], "sensor": true}]}]})",
                                    "scene.json", ".");
    ASSERT_EQ(scene.bodies.size(), 2u);
    EXPECT_TRUE(scene.bodies[0].shapes[0].sensor);
    EXPECT_FALSE(scene.bodies[1].shapes[0].sensor);
    EXPECT_TRUE(scene.bodies[1].shapes[1].sensor);
    expect_the_same_back(scene);
}

TEST(SceneSensor, MistakesAreLocated) {
    EXPECT_THAT(mistake_in(R"({"type": "static", "shapes": [{"shape": {"mesh": {"vertices": [[0,0,0],[1,0,0],[0,1,0]],
      "triangles": [[0,1,2]]}}, "sensor": true}]})"),
                HasSubstr("scene.json:2:33: a sensor is a solid shape"));
    EXPECT_THAT(mistake_in("\n"
                           R"({"shapes": [{"shape": {"sphere": {"radius": 1}}, "sensor": true}]})"),
                HasSubstr("scene.json:2:12: a dynamic body all of whose shapes are sensors"));
    EXPECT_THAT(mistake_in(R"({"shapes": [{"shape": {"sphere": {"radius": 1}}, "sensor": 1}]})"),
                HasSubstr("\"sensor\""));
    EXPECT_EQ(mistake_in(R"({"mass": 2, "shapes": [{"shape": {"sphere": {"radius": 1}}, "sensor": true}]})"),
              "no error");
}

TEST(SceneShapeMaterial, IsReadWrittenAndRecorded) {
    const Scene scene = parse_scene(R"({"cairn": 1, "bodies": [
      {"friction": 0.9, "shapes": [{"shape": {"sphere": {"radius": 1}}, "friction": 0.1, "restitution": 0.25},
                                   {"shape": {"sphere": {"radius": 2}}, "rolling_resistance": 0.5}]},
      {"shapes": [{"shape": {"sphere": {"radius": 1}}, "friction": 0}]}]})",
                                    "scene.json", ".");
    const physics::ShapeMaterial& first = scene.bodies.at(0).shapes.at(0).material;
    EXPECT_EQ(first.friction, 0.1f);
    EXPECT_EQ(first.restitution, 0.25f);
    EXPECT_FALSE(first.rolling_resistance);
    EXPECT_EQ(scene.bodies[0].shapes[1].material.rolling_resistance, 0.5f);
    expect_the_same_back(scene);
    EXPECT_THAT(mistake_in(R"({"shapes": [{"shape": {"sphere": {"radius": 1}}, "restitution": 2}]})"),
                HasSubstr("\"restitution\""));
}

} // namespace
} // namespace cairn::core
