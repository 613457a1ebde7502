// The captures that come with the project: what the simulation did when they were made, it must do for ever. A change
// that is meant to change the motion makes them anew with tests/make_captures.sh.
#include "app/core/capture/capture.h"
#include "app/core/edits/edit_commands.h"
#include "tests/cli/program.h"
#include "tests/sanitized.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::cli {
namespace {

using namespace testing;

const std::filesystem::path folder_of_captures = std::filesystem::path(CAIRN_SOURCE_DIR) / "tests" / "captures";

std::vector<std::filesystem::path> shipped_captures() {
    std::vector<std::filesystem::path> captures;
    for (const auto& entry : std::filesystem::directory_iterator(folder_of_captures)) {
        captures.push_back(entry.path());
    }
    std::sort(captures.begin(), captures.end());
    return captures;
}

// A test for each, so that they run side by side.
class ShippedCapture : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(ShippedCapture, Verifies) {
    const Folder folder;
    // The hashes are the same at every count, or one of these tests fails in a plain build.
    const std::vector<const char*> counts = sanitized ? std::vector{"2"} : std::vector{"1", "2", "4"};
    for (const char* threads : counts) {
        const Outcome outcome = folder.run({"verify", GetParam().string(), "--threads", threads});
        EXPECT_EQ(outcome.code, 0) << threads << " threads\n" << outcome.out << outcome.err;
    }
}

INSTANTIATE_TEST_SUITE_P(Golden, ShippedCapture, ::testing::ValuesIn(shipped_captures()),
                         [](const ::testing::TestParamInfo<std::filesystem::path>& of) {
                             return of.param.stem().string();
                         });

// And two more: one in which every command comes up, and the one of an earlier build in its place, which knew fewer.
TEST(ShippedCaptures, AreOneOfEverySceneAndThePlayedOnes) {
    std::set<std::string> wanted{"played", "played_earlier"}, there;
    for (const std::filesystem::path& scene : shipped_scenes()) {
        wanted.insert(scene.stem());
        const std::filesystem::path capture = folder_of_captures / (scene.stem().string() + ".cairn");
        ASSERT_TRUE(std::filesystem::exists(capture)) << "make it with tests/make_captures.sh: " << capture;
        core::Scene moving = core::read_scene(scene); // captures do not hold what is expected or shown
        moving.zones.clear();
        moving.expectations.clear();
        moving.show = {};
        EXPECT_TRUE(core::read_capture(capture).header.scene == moving)
            << scene.filename() << " has changed since its capture was made";
    }
    for (const std::filesystem::path& capture : shipped_captures()) {
        EXPECT_EQ(capture.extension(), ".cairn") << capture;
        there.insert(capture.stem());
    }
    EXPECT_EQ(there, wanted);
    EXPECT_GT(there.size(), 30u);
}

template <std::size_t... Kinds>
std::vector<std::string> examples(std::index_sequence<Kinds...>) {
    return {core::description(physics::World(), physics::Command(std::in_place_index<Kinds>))...};
}

// What no shipped capture holds is guarded by none of them: whoever adds a command adds it to record_played.
TEST(ShippedCaptures, ThePlayedOneHoldsCommandsOfEveryKind) {
    constexpr std::size_t kinds = std::variant_size_v<physics::Command>;
    const std::vector<std::string> what = examples(std::make_index_sequence<kinds>());
    std::vector<std::size_t> counts(kinds);
    for (const core::CaptureStep& step : core::read_capture(folder_of_captures / "played.cairn").steps) {
        for (const physics::Command& command : step.commands) {
            ++counts[command.index()];
        }
    }
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        EXPECT_GT(counts[kind], 0u) << "no command number " << kind << ", as of: " << what[kind];
    }
}

} // namespace
} // namespace cairn::cli
