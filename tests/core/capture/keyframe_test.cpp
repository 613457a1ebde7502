// Keyframes: any step of a capture is had again from the nearest one, to the bit.
#include "app/core/capture/keyframe.h"

#include "app/core/base/error.h"
#include "app/core/capture/capture.h"
#include "app/core/runner/runner.h"
#include "tests/core/capture/test_scenes.h"
#include "tests/core/temporary_folder.h"
#include "tests/sanitized.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace cairn::core {
namespace {

using core::testing::TemporaryFolder;
using namespace physics;

Capture record(const std::filesystem::path& path, const std::string& scene, int steps) {
    Runner runner(read_scene(data_folder() / "scenes" / scene), nullptr, 0);
    runner.start_recording(path);
    for (int i = 0; i < steps; ++i) {
        if (i % 50 == 20) {
            BodyDef ball;
            ball.name = "ball " + std::to_string(i);
            ball.pose.position = {0.1f * static_cast<float>(i % 7), 0.0f, 5.0f};
            ball.shapes = {{Sphere{0.3f}, {}}};
            runner.submit(CreateBody{ball});
        }
        runner.step();
    }
    runner.stop_recording();
    return read_capture(path);
}

class KeyframesOf : public ::testing::TestWithParam<const char*> {};

TEST_P(KeyframesOf, GiveEveryStepToTheBit) {
    const TemporaryFolder folder;
    constexpr int recorded = sanitized ? 150 : 260;
    const Capture capture = record(folder.path() / "a.cairn", std::string(GetParam()) + ".json", recorded);
    ASSERT_GE(capture.keyframes.size(), 2u);
    const std::vector<std::uint64_t> steps =
        sanitized ? std::vector<std::uint64_t>{0, 61, recorded - 1, recorded}
                  : std::vector<std::uint64_t>{0, 1, 59, 60, 61, 130, 199, 259, recorded};
    for (const std::uint64_t step : steps) {
        const World world = world_at(capture, step);
        EXPECT_EQ(world.step_count(), step);
        EXPECT_EQ(world.hash(), step == 0 ? capture.initial_hash : capture.steps[step - 1].hash) << "at step " << step;
    }
    for (const KeyframePlace& place : capture.keyframes) {
        World world = make_world(capture.header.scene);
        ASSERT_EQ(world.load(read_keyframe(capture, place)), "");
        EXPECT_EQ(world.hash(), capture.steps[place.step - 1].hash) << "at step " << place.step;
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, KeyframesOf,
                         ::testing::Values("sandbox", "wrecking_ball", "tumbling", "columns", "mill"),
                         [](const ::testing::TestParamInfo<const char*>& of) { return std::string(of.param); });

TEST(Keyframes, TheSameRunGivesTheSameFile) {
    const TemporaryFolder folder;
    constexpr int steps = sanitized ? 70 : 150;
    record(folder.path() / "a.cairn", "sandbox.json", steps);
    record(folder.path() / "b.cairn", "sandbox.json", steps);
    const auto content = [&](const char* name) {
        std::ifstream file(folder.path() / name, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    EXPECT_FALSE(content("a.cairn").empty());
    EXPECT_EQ(content("a.cairn"), content("b.cairn"));
}

TEST(Keyframes, AFileThatIsAnotherByNowIsRejected) {
    const TemporaryFolder folder;
    const Capture capture = record(folder.path() / "a.cairn", "duel.json", 200);
    ASSERT_FALSE(capture.keyframes.empty());
    std::ofstream(folder.path() / "a.cairn", std::ios::binary)
        << "something else, and long enough to hold the place" << std::string(100000, 'x');
    try {
        read_keyframe(capture, capture.keyframes.back());
        FAIL() << "a file of x was read";
    } catch (const InputError& error) {
        EXPECT_NE(error.message().find("damaged at byte " + std::to_string(capture.keyframes.back().offset)),
                  std::string::npos)
            << error.message();
    }
}

// Keyframes of version 4 from before bodies had the inertia of their loads lack the columns that came with it.
TEST(Keyframes, OlderOnesWithoutTheLastColumnsAreRead) {
    const Scene scene = read_scene(data_folder() / "scenes" / "tower.json");
    World world = make_world(scene);
    for (int step = 0; step < 30; ++step) {
        world.step();
    }
    const SceneBodies bodies(scene);
    const StateImage image = world.image();
    ASSERT_FALSE(image.contacts.flags.empty());
    CborWriter out;
    encode(out, image, bodies);
    std::string bytes(out.bytes().begin(), out.bytes().end());
    const std::size_t count = bytes.find("columns\xb8") + 8; // a map of more than 23
    const std::size_t first = bytes.find("\x78\x1b"
                                         "contact_loaded_inverse_mass"),
                      end = bytes.find("\x66"
                                       "joints");
    ASSERT_LT(count, first);
    ASSERT_LT(first, end);
    ASSERT_LT(end, bytes.size());
    bytes[count] = static_cast<char>(bytes[count] - 3);
    bytes.erase(first, end - first);
    const std::vector<std::uint8_t> older(bytes.begin(), bytes.end());
    CborReader in(older);
    StateImage read;
    decode(in, read, bodies);
    EXPECT_TRUE(in.at_end());
    World other = make_world(scene);
    ASSERT_EQ(other.load(read), "");
    EXPECT_EQ(other.hash(), world.hash()); // a tower of ten has none of that
}

// A column of its own only where the next step is divided.
TEST(Keyframes, KeepHowManyShortStepsComeNext) {
    const Scene scene = read_scene(data_folder() / "scenes" / "tower.json");
    World world = make_world(scene);
    world.step();
    const SceneBodies bodies(scene);
    StateImage image = world.image();
    for (const std::vector<std::uint8_t>& short_steps : {std::vector<std::uint8_t>{}, {4, 3}}) {
        image.short_steps = short_steps;
        CborWriter out;
        encode(out, image, bodies);
        const std::string bytes(out.bytes().begin(), out.bytes().end());
        EXPECT_EQ(bytes.find("short_steps") != std::string::npos, !short_steps.empty());
        CborReader in(out.bytes());
        StateImage read;
        decode(in, read, bodies);
        EXPECT_TRUE(in.at_end());
        EXPECT_EQ(read.short_steps, short_steps);
        EXPECT_EQ(world.load(read), "");
    }
}

} // namespace
} // namespace cairn::core
