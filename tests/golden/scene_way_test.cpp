// In every shipped scene, bodies get where their velocities say: what continuous collision holds back within a step
// never adds up over a second.
#include "app/core/scene/scene.h"
#include "tests/golden/scene_runs.h"
#include "tests/physics/world/way.h"
#include "tests/sanitized.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace cairn::golden {
namespace {

// In these, a body that hits others loses some centimetres in single steps, up to a sixth of its way of a second. (In
// the wall it is the ball among the bricks that it breaks out.)
constexpr std::array<std::string_view, 7> crowds{"chairs", "letters",  "mixed_rain", "ragdolls",
                                                 "rings",  "tumbling", "wall"};

class SceneWay : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(SceneWay, IsWhatTheVelocitiesSay) {
    physics::World world = core::make_world(core::read_scene(GetParam()));
    const bool crowd = std::ranges::find(crowds, GetParam().stem().string()) != crowds.end();
    const bool jams = GetParam().stem() == "tumbling"; // a hammer between a table and a ledge loses a fifth
    EXPECT_GE(physics::testing::least_share_of_way(world, sanitized ? 1 : 5), crowd ? (jams ? 0.8 : 0.83) : 0.98);
}

INSTANTIATE_TEST_SUITE_P(Shipped, SceneWay, ::testing::ValuesIn(shipped_scenes()),
                         [](const ::testing::TestParamInfo<std::filesystem::path>& of) {
                             return of.param.stem().string();
                         });

} // namespace
} // namespace cairn::golden
