// Sensors in scene files and captures.
#include "app/core/base/error.h"
#include "app/core/capture/records.h"
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
    EXPECT_TRUE(parse_scene(write_scene(scene), "scene.json", ".") == scene);
    CborWriter out;
    encode(out, scene);
    CborReader in(out.bytes());
    Scene back;
    decode(in, back);
    EXPECT_TRUE(in.at_end());
    EXPECT_TRUE(back == scene);
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

} // namespace
} // namespace cairn::core
