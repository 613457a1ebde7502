// Strokes of the brush over a height field, and their undo.
#include "app/core/edits/height_edits.h"

#include "tests/core/edits/edit_bench.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace cairn::core {
namespace {

using namespace physics;
using testing::Bench;

HeightField rough_ground() {
    auto data = std::make_shared<HeightData>();
    data->columns = 30;
    data->rows = 20;
    data->spacing = 0.5f;
    for (int i = 0; i < 600; ++i) {
        data->heights.push_back(0.01f * static_cast<float>(i * 7919 % 101));
    }
    return {data};
}

TEST(HeightEdits, AStrokeOverTheGroundIsTakenBackByOneCommand) {
    Bench bench;
    BodyDef def;
    def.name = "ground";
    def.type = BodyType::fixed;
    def.shapes = {{Box{Vec3(1)}, {Vec3(0, 0, -5), identity_orientation}, false, {}}, {rough_ground(), {}}};
    const BodyId body = bench.edit(CreateBody{def}).created;
    const auto heights = [&] {
        return std::get<HeightField>(bench.world.model(body)->def.shapes[1].geometry).data->heights;
    };
    const Heights before = heights();
    std::vector<Command> applied;
    const auto brush = [&](float x, float y, BrushHeights::Action action, float amount, std::uint64_t gesture = 7) {
        BrushHeights one{body, 1, x, y, 1.6f, action, amount, 0.3f};
        EXPECT_TRUE(bench.history.apply(bench.world, one, {"", gesture}, applied).ok());
    };
    // Back and forth, so that places are passed twice, and over the border.
    for (int i = 0; i < 12; ++i) {
        brush(static_cast<float>(i % 7) - 2.0f, 0.8f * static_cast<float>(i) - 3.0f, BrushHeights::Action::raise, 0.2f);
    }
    EXPECT_EQ(applied.size(), 12u);
    const Heights after = heights();
    EXPECT_NE(after, before);
    brush(100, 0, BrushHeights::Action::raise, 0.2f); // beside the ground nothing happens
    EXPECT_EQ(applied.size(), 12u);
    EXPECT_EQ(bench.history.names(5).undo, (std::vector<std::string>{"Shape ground", "Create ground"}));
    EXPECT_LT(bench.history.bytes(), 10000u) << "as large as the ground is";
    const EditHistory::Outcome undone = bench.history.undo(bench.world);
    EXPECT_EQ(undone.applied.size(), 1u);
    EXPECT_EQ(heights(), before);
    bench.redo();
    EXPECT_EQ(heights(), after);
    brush(0, 0, BrushHeights::Action::raise, -0.5f, 8); // another stroke
    const Heights lowered = heights();
    bench.edit(SetHeights{body, 1, {3, 4, 2, 1}, {5, 6}}, {"", 9}); // by itself
    EXPECT_EQ(heights()[4 * 30 + 4], 6.0f);
    bench.undo();
    EXPECT_EQ(heights(), lowered);
    bench.undo();
    EXPECT_EQ(heights(), after);
    // Given up, it leaves nothing behind.
    brush(0, 0, BrushHeights::Action::smooth, 0.5f, 10);
    brush(1, 0, BrushHeights::Action::smooth, 0.5f, 10);
    EXPECT_EQ(bench.history.give_up(bench.world, 10).problem, "");
    EXPECT_EQ(heights(), after);
    EXPECT_FALSE(bench.history.can_redo());
}

TEST(HeightEdits, TheBrushRaisesSmoothsAndFlattens) {
    World world;
    BodyDef def;
    def.type = BodyType::fixed;
    def.shapes = {{rough_ground(), {}}};
    const BodyId body = world.apply(CreateBody{def}).created;
    const Heights before = rough_ground().data->heights;
    const auto brushed = [&](BrushHeights::Action action, float amount) {
        EditHistory history;
        std::vector<Command> applied;
        EXPECT_TRUE(
            history.apply(world, BrushHeights{body, 0, 0.25f, 0.25f, 2.0f, action, amount, 0.4f}, {}, applied).ok());
        Heights out = std::get<HeightField>(world.model(body)->def.shapes[0].geometry).data->heights;
        EXPECT_EQ(history.undo(world).problem, "");
        return out;
    };
    const std::size_t middle = 10 * 30 + 15, rim = 10 * 30 + 19, beside = 10 * 30 + 20; // 0, 2 and 2.5 m away
    const Heights up = brushed(BrushHeights::Action::raise, 0.5f);
    EXPECT_EQ(up[middle], before[middle] + 0.5f);
    EXPECT_EQ(up[rim], before[rim]);
    EXPECT_EQ(up[beside], before[beside]);
    EXPECT_NEAR(up[middle + 2], before[middle + 2] + 0.5f * 0.5625f, 1e-5f); // half way to the rim
    EXPECT_EQ(brushed(BrushHeights::Action::flatten, 1.0f)[middle], 0.4f);
    const auto roughness = [&](const Heights& heights) {
        float sum = 0.0f;
        for (std::size_t i = middle - 1; i <= middle + 1; ++i) {
            sum += std::abs(heights[i + 1] - 2.0f * heights[i] + heights[i - 1]);
        }
        return sum;
    };
    EXPECT_LT(roughness(brushed(BrushHeights::Action::smooth, 1.0f)), 0.5f * roughness(before));
    EXPECT_EQ(brushed(BrushHeights::Action::raise, 1e9f)[middle], max_height) << "as high as the ground may be";
}

} // namespace
} // namespace cairn::core
