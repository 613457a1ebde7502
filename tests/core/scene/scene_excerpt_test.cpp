// What goes through a clipboard.
#include "app/core/base/error.h"
#include "app/core/scene/worlds/excerpt.h"

#include <gtest/gtest.h>

namespace cairn::core {
namespace {

using namespace physics;

const char* const chain = R"({
  "cairn": 1, "name": "chain", "gravity": [0, 0, -1],
  "bodies": [
    {"name": "a", "shape": {"sphere": {"radius": 0.5}}, "position": [0, 0, 3]},
    {"name": "b", "shape": {"box": {"half_extents": [1, 1, 1]}}, "position": [0, 0, 1], "mass": 3},
    {"name": "c", "type": "static", "shape": {"sphere": {"radius": 0.5}}, "position": [4, 0, 3]}],
  "joints": [
    {"type": "ball", "b": "a", "anchor": [0, 0, 4]},
    {"type": "ball", "a": "a", "b": "b", "anchor": [0, 0, 2]},
    {"type": "ball", "a": "b", "b": "c", "anchor": [2, 0, 2]}]
})";

FrameState frame_of(const Scene& scene) {
    FrameState frame;
    make_world(scene).publish(frame);
    return frame;
}

std::string complaint(const std::string& text) {
    try {
        parse_excerpt(text, "clipboard", "");
    } catch (const InputError& error) {
        return error.what();
    }
    return "none";
}

TEST(SceneExcerpt, TakesTheBodiesAndTheJointsAmongThem) {
    const FrameState frame = frame_of(parse_scene(chain, "chain", ""));
    const std::vector<std::size_t> places = {0, 1};
    const Scene part = excerpt_from(frame, places);
    ASSERT_EQ(part.bodies.size(), 2u);
    EXPECT_EQ(part.bodies[1].name, "b");
    ASSERT_EQ(part.joints.size(), 2u) << "the one to c stays behind";
    EXPECT_FALSE(part.joints[0].body_a) << "hangs on the world";
    EXPECT_EQ(part.joints[1].body_b.index, 1u);
    EXPECT_EQ(part.settings, Settings{});

    // Handles are places in the excerpt, not in the world.
    const std::vector<std::size_t> later = {1, 2};
    const Scene other = excerpt_from(frame, later);
    ASSERT_EQ(other.joints.size(), 1u);
    EXPECT_EQ(other.joints[0].body_a.index, 0u);
    EXPECT_EQ(other.joints[0].body_b.index, 1u);
}

TEST(SceneExcerpt, ComesBackFromItsTextAndMoves) {
    const FrameState frame = frame_of(parse_scene(chain, "chain", ""));
    const std::vector<std::size_t> places = {0, 1};
    const Scene part = excerpt_from(frame, places);
    Scene again = parse_excerpt(write_scene(part), "clipboard", "");
    EXPECT_EQ(again, part);
    move_by(again, Vec3(1, 2, 3));
    EXPECT_EQ(again.bodies[0].pose.position, part.bodies[0].pose.position + Vec3(1, 2, 3));
    EXPECT_EQ(again.joints[0].frame_a.position, part.joints[0].frame_a.position + Vec3(1, 2, 3));
    EXPECT_EQ(again.joints[1].frame_a, part.joints[1].frame_a) << "in the frame of a body";
    EXPECT_NO_THROW(make_world(again));
}

TEST(SceneExcerpt, TakesBodiesWithoutAScene) {
    const std::string body = R"({"name": "ball", "shape": {"sphere": {"radius": 0.5}}})";
    EXPECT_EQ(parse_excerpt(body, "clipboard", "").bodies.size(), 1u);
    EXPECT_EQ(parse_excerpt("  " + body + ",\n", "clipboard", "").bodies.size(), 1u);
    EXPECT_EQ(parse_excerpt("[" + body + ", " + body + "]", "clipboard", "").bodies.size(), 2u);
    const std::string row =
        R"({"shape": {"sphere": {"radius": 1}}, "repeat": {"count": [3, 1, 1], "spacing": [3, 0, 0]}})";
    EXPECT_EQ(parse_excerpt(row, "clipboard", "").bodies.size(), 3u);
}

TEST(SceneExcerpt, ComplainsWithLineAndColumn) {
    EXPECT_NE(complaint("[{\"shape\": {\"sphere\": {\"radius\": 1}}},\n  {\"shape\": {\"sphere\": {\"radius\": -1}}}]")
                  .find("clipboard:2:35:"),
              std::string::npos);
    EXPECT_NE(complaint("hello").find("clipboard:1:"), std::string::npos);
    EXPECT_NE(complaint("{\"name\": \"no shape\"}").find("clipboard:1:"), std::string::npos);
    EXPECT_NE(complaint(",").find("clipboard:1:"), std::string::npos);
    EXPECT_NE(complaint("").find("clipboard:1:"), std::string::npos);
}

} // namespace
} // namespace cairn::core
