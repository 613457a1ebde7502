// Captures that do not replay, and the captures that come with the project and must.
#include "app/core/capture/capture.h"
#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::cli {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using ::testing::StartsWith;

void write_capture(const std::filesystem::path& path, const core::Capture& capture) {
    core::CaptureWriter writer(path, capture.header.scene, capture.initial_hash);
    for (const core::CaptureStep& step : capture.steps) {
        writer.add(step);
    }
    writer.finish();
}

TEST(Verify, NamesTheFirstStepThatDiffers) {
    const Folder folder;
    ASSERT_EQ(folder.run({"simulate", shipped_scene("duel").string(), "--steps", "40", "--capture", "a.cairn"}).code,
              0);
    const core::Capture capture = core::read_capture(folder / "a.cairn");

    core::Capture tampered = capture;
    tampered.steps[29].hash ^= 0x100;
    write_capture(folder / "hash.cairn", tampered);
    Outcome outcome = folder.run({"verify", "hash.cairn"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.out, "hash.cairn: DIVERGED at step 30: expected " + core::hash_text(tampered.steps[29].hash) +
                               ", found " + core::hash_text(capture.steps[29].hash) + '\n');
    EXPECT_EQ(outcome.err, "");

    tampered = capture;
    tampered.steps[10].commands.push_back(physics::ApplyImpulse{{5, 0}, {0, 0, 10}, std::nullopt});
    write_capture(folder / "command.cairn", tampered);
    outcome = folder.run({"verify", "a.cairn", "command.cairn", "hash.cairn"});
    EXPECT_EQ(outcome.code, 1);
    const std::vector<std::string> lines = lines_of(outcome.out);
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0], "a.cairn: ok, 40 steps");
    EXPECT_THAT(lines[1], StartsWith("command.cairn: DIVERGED at step 11: expected "));
    EXPECT_THAT(lines[2], StartsWith("hash.cairn: DIVERGED at step 30: expected "));
}

// What the simulation did when the captures were made, it must do for ever. A change that is meant to change the
// motion makes them anew with tests/make_captures.sh.
TEST(Golden, EveryShippedSceneHasACaptureThatVerifies) {
    const Folder folder;
    std::vector<std::string> call = {"verify"};
    for (const std::filesystem::path& scene : shipped_scenes()) {
        const std::filesystem::path capture =
            std::filesystem::path(CAIRN_SOURCE_DIR) / "tests" / "captures" / (scene.stem().string() + ".cairn");
        EXPECT_TRUE(std::filesystem::exists(capture)) << "make it with tests/make_captures.sh: " << capture;
        if (std::filesystem::exists(capture)) {
            EXPECT_TRUE(core::read_capture(capture).header.scene == core::read_scene(scene))
                << scene.filename() << " has changed since its capture was made";
            call.push_back(capture.string());
        }
    }
    ASSERT_GE(call.size(), 2u);
    const Outcome outcome = folder.run(call);
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
}

} // namespace
} // namespace cairn::cli
