// Bodies that stand on each other with several of their shapes rest as boxes do: springs side by side share what one of
// them would carry. Before they did, stacks of tables with four legs and more shook at 0.1 m/s for ever.
#include "tests/physics/world/world_builder.h"

namespace cairn::physics::testing {
namespace {

constexpr float half_top = 0.03f, half_leg = 0.32f; // m, thickness and height

// Along its sides, on `legs` legs in two rows.
BodyDef table(int legs) {
    BodyDef def;
    def.density = 600.0f;
    const int in_row = legs / 2;
    for (int i = 0; i < legs; ++i) {
        const float x =
            in_row == 1 ? 0.0f : 1.12f * (static_cast<float>(i % in_row) / static_cast<float>(in_row - 1) - 0.5f);
        def.shapes.push_back({Box{Vec3(0.04f, 0.04f, half_leg)},
                              Transform{Vec3(x, i < in_row ? -0.36f : 0.36f, half_leg), identity_orientation}});
    }
    def.shapes.push_back(
        {Box{Vec3(0.6f, 0.4f, half_top)}, Transform{Vec3(0, 0, 2.0f * half_leg + half_top), identity_orientation}});
    return def;
}

// Shapes are stated in a frame of their own, bodies by their centres of mass.
void stack(World& world, const BodyDef& def, int count) {
    const CommandResult first = world.apply(CreateBody{def});
    ASSERT_TRUE(first.ok()) << first.error;
    const float low = world.model(first.created)->parts[0].pose.position.z - half_leg;
    ASSERT_TRUE(world.apply(DestroyBody{first.created}).ok());
    for (int i = 0; i < count; ++i) {
        BodyDef one = def;
        one.pose.position.z = -low + 2.0f * (half_leg + half_top) * static_cast<float>(i);
        add(world, one);
    }
}

class TableStack : public ::testing::TestWithParam<int> {};

TEST_P(TableStack, Rests) {
    for (const int count : {3, 5, 10}) {
        World world(without_sleep());
        add(world, make_floor());
        stack(world, table(GetParam()), count);
        const FrameState begun = published(world);
        run(world, 600);
        const FrameState ended = published(world);
        for (std::size_t i = 1; i < ended.bodies.size(); ++i) {
            EXPECT_LT(glm::length(ended.bodies[i].linear_velocity), 1e-3f) << count << " tables, body " << i;
            EXPECT_LT(glm::distance(ended.bodies[i].pose.position, begun.bodies[i].pose.position), 1e-3f)
                << count << " tables, body " << i;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Legs, TableStack, ::testing::Values(4, 6, 10));

} // namespace
} // namespace cairn::physics::testing
