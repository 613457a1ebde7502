// In every shipped scene, bodies get where their velocities say: what continuous collision holds back within a step
// never adds up over a second.
#include "app/core/scene/scene.h"
#include "tests/golden/scene_runs.h"
#include "tests/physics/world/way.h"
#include "tests/sanitized.h"

#include <gtest/gtest.h>

namespace cairn::golden {
namespace {

class SceneWay : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(SceneWay, IsWhatTheVelocitiesSay) {
    physics::World world = core::make_world(core::read_scene(GetParam()));
    // Some of 500 stones that roll down a valley at 20 m/s lose some centimetres in single steps.
    const double least = GetParam().stem() == "valley" ? 0.95 : 0.98;
    EXPECT_GE(physics::testing::least_share_of_way(world, sanitized ? 1 : 5), least);
}

INSTANTIATE_TEST_SUITE_P(Shipped, SceneWay, ::testing::ValuesIn(shipped_scenes()),
                         [](const ::testing::TestParamInfo<std::filesystem::path>& of) {
                             return of.param.stem().string();
                         });

} // namespace
} // namespace cairn::golden
