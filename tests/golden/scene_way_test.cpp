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

// In these, a body that hits others loses some centimetres in single steps: this share of its way of a second is left.
struct Crowd {
    std::string_view scene;
    double least;
};
constexpr std::array<Crowd, 9> crowds{{{"chairs", 0.83},
                                       {"letters", 0.83},
                                       {"mill", 0.95},
                                       {"mixed_rain", 0.83},
                                       {"ragdolls", 0.83}, // a figure among others on the stairs
                                       {"rings", 0.83},
                                       {"tumbling", 0.4}, // a hammer between a table and a ledge, for 13 cm
                                       {"valley", 0.95},
                                       {"wall", 0.83}}}; // the ball among the bricks that it breaks out

class SceneWay : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(SceneWay, IsWhatTheVelocitiesSay) {
    physics::World world = core::make_world(core::read_scene(GetParam()));
    const auto* const crowd = std::ranges::find(crowds, GetParam().stem().string(), &Crowd::scene);
    const double least = crowd != crowds.end() ? crowd->least : 0.98;
    EXPECT_GE(physics::testing::least_share_of_way(world, sanitized ? 1 : 5), least);
}

INSTANTIATE_TEST_SUITE_P(Shipped, SceneWay, ::testing::ValuesIn(shipped_scenes()),
                         [](const ::testing::TestParamInfo<std::filesystem::path>& of) {
                             return of.param.stem().string();
                         });

} // namespace
} // namespace cairn::golden
