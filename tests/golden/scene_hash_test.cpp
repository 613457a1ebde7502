// Every shipped scene does what it did when its hashes were written down, to the last bit: at every thread count, when
// it is run again in the same process, and, as the same file serves every build, with g++ and clang and at every
// optimisation level.
#include "app/core/base/files/text_file.h"
#include "app/core/scene/scene.h"
#include "tests/golden/scene_runs.h"
#include "tests/sanitized.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

namespace cairn::golden {

static void PrintTo(const Checkpoint& at, std::ostream* out) {
    *out << "step " << at.step << ": " << at.bodies << " bodies, " << at.contact_points << " contact points, hash "
         << at.hash;
}

namespace {

constexpr const char* mend = "If scenes or motion were meant to change: tools/update_hashes.py writes the hashes anew";

const nlohmann::json& golden_file() {
    static const nlohmann::json file =
        nlohmann::json::parse(core::read_whole_file(CAIRN_SOURCE_DIR "/tests/golden/scene_hashes.json"));
    return file;
}

std::vector<Checkpoint> golden_run(const std::string& scene, std::uint64_t last_step) {
    std::vector<Checkpoint> noted;
    for (const auto& at : golden_file().at(scene)) {
        if (at.at("step").get<std::uint64_t>() <= last_step) {
            noted.push_back({at.at("step"), at.at("bodies"), at.at("contact_points"), at.at("hash")});
        }
    }
    return noted;
}

class SceneHash : public ::testing::TestWithParam<std::tuple<std::filesystem::path, int>> {
  protected:
    const std::filesystem::path& scene() const { return std::get<0>(GetParam()); }
    int threads() const { return std::get<1>(GetParam()); }
    // One thread goes all the way; the others repeat as much of it as keeps the whole within seconds. ./test.sh
    // --compilers runs all steps at every thread count.
    std::uint64_t last_step() const {
        const auto start = golden_run(scene().stem(), 0);
        const bool small = !start.empty() && start[0].bodies <= 100;
        return sanitized                 ? checkpoints[threads() == 1 && small ? 2 : 1]
               : threads() == 1 || small ? checkpoints[3]
               : threads() == 3          ? checkpoints[2]
                                         : checkpoints[1];
    }
};

TEST_P(SceneHash, IsTheGoldenOne) {
    ASSERT_TRUE(golden_file().contains(scene().stem().string())) << "no golden hash of this scene. " << mend;
    const std::uint64_t last = last_step();
    const auto run = run_scene(scene(), threads(), last), golden = golden_run(scene().stem(), last);
    ASSERT_EQ(run.size(), golden.size()) << mend;
    for (std::size_t i = 0; i < run.size(); ++i) {
        // The first checkpoint that differs says all.
        ASSERT_EQ(run[i], golden[i]) << (run[i].step == 0 ? "the scene itself is another. " : "") << mend;
    }
    EXPECT_NE(run.front().hash, run.back().hash) << "nothing happens in this scene";
}

class SceneRepeat : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(SceneRepeat, GivesTheSameHashes) {
    const auto first = run_scene(GetParam(), 1, checkpoints[1]);
    EXPECT_EQ(run_scene(GetParam(), 1, checkpoints[1]), first);
}

INSTANTIATE_TEST_SUITE_P(Shipped, SceneHash,
                         ::testing::Combine(::testing::ValuesIn(shipped_scenes()),
                                            ::testing::ValuesIn(sanitized ? std::vector{1, 3}
                                                                          : std::vector{1, 2, 3, 4})),
                         [](const ::testing::TestParamInfo<SceneHash::ParamType>& of) {
                             return std::get<0>(of.param).stem().string() + "_threads_" +
                                    std::to_string(std::get<1>(of.param));
                         });
// Sanitizers find nothing in the same steps again.
INSTANTIATE_TEST_SUITE_P(Shipped, SceneRepeat,
                         ::testing::ValuesIn(sanitized ? std::vector{shipped_scenes().front()} : shipped_scenes()),
                         [](const ::testing::TestParamInfo<std::filesystem::path>& of) {
                             return of.param.stem().string();
                         });

TEST(SceneHashes, AreThoseOfTheShippedScenes) {
    std::set<std::string> shipped, noted;
    for (const auto& scene : shipped_scenes()) {
        shipped.insert(scene.stem());
    }
    for (const auto& [scene, run] : golden_file().items()) {
        noted.insert(scene);
        ASSERT_EQ(run.size(), checkpoints.size()) << scene << ". " << mend;
    }
    EXPECT_EQ(shipped, noted) << mend;
    std::set<std::string> listed; // in the window
    for (const core::SceneFile& file : core::list_scenes(CAIRN_SOURCE_DIR "/scenes")) {
        listed.insert(file.path.stem());
    }
    EXPECT_EQ(shipped, listed);
    EXPECT_GT(shipped.size(), 20u);
}

} // namespace
} // namespace cairn::golden
