#include "app/ui/timeline/branch_graph.h"

#include <gtest/gtest.h>

namespace cairn::ui {
namespace {

using Line = core::History::Branch;
using Order = std::vector<std::size_t>;

TEST(BranchGraph, OneBranchIsOneRow) {
    EXPECT_EQ(branch_order(std::vector<Line>{{0, 0, 100, ""}}), (Order{0}));
    EXPECT_TRUE(branch_order({}).empty());
}

// What leaves last is nearest, so that the others' connections pass to the left of it.
TEST(BranchGraph, LaterForksAreNearer) {
    const std::vector<Line> lines = {{0, 0, 100, ""}, {0, 20, 90, ""}, {0, 60, 90, ""}, {0, 40, 50, ""}};
    EXPECT_EQ(branch_order(lines), (Order{0, 2, 3, 1}));
}

TEST(BranchGraph, BranchesOfABranchFollowIt) {
    const std::vector<Line> lines = {
        {0, 0, 100, ""}, {0, 20, 90, ""}, {1, 30, 90, ""}, {0, 50, 60, ""}, {2, 80, 99, ""}};
    EXPECT_EQ(branch_order(lines), (Order{0, 3, 1, 2, 4}));
}

// No connection crosses a row that begins before it, whatever the tree.
TEST(BranchGraph, ConnectionsCrossNoRow) {
    std::vector<Line> lines = {{0, 0, 1000, ""}};
    std::uint32_t seed = 7;
    const auto random = [&seed](std::uint64_t below) {
        seed = seed * 1664525u + 1013904223u;
        return (seed >> 8) % below;
    };
    for (int i = 0; i < 40; ++i) {
        const auto parent = static_cast<std::size_t>(random(lines.size()));
        const std::uint64_t from = lines[parent].fork;
        const std::uint64_t fork = from + 1 + random(lines[parent].end - from);
        lines.push_back({parent, fork, fork + 1 + random(400), ""});
    }
    const Order order = branch_order(lines);
    ASSERT_EQ(order.size(), lines.size());
    std::vector<std::size_t> row(lines.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        row[order[i]] = i;
    }
    std::size_t passed = 0;
    for (std::size_t line = 1; line < lines.size(); ++line) {
        ASSERT_LT(row[lines[line].parent], row[line]);
        for (std::size_t between = row[lines[line].parent] + 1; between < row[line]; ++between) {
            EXPECT_GE(lines[order[between]].fork, lines[line].fork);
            ++passed;
        }
    }
    EXPECT_GT(passed, 20u) << "some rows lie between";
}

TEST(BranchGraph, ScaleFollowsWhatTheTrackShows) {
    const TrackScale scale{100.0f, 300.0f, 50.0, 100.0};
    EXPECT_FLOAT_EQ(scale.x_of(50), 100.0f);
    EXPECT_FLOAT_EQ(scale.x_of(100), 200.0f);
    EXPECT_FLOAT_EQ(scale.x_of(400), 300.0f) << "what lies beyond is at the edge";
    EXPECT_TRUE(scale.shows(150));
    EXPECT_FALSE(scale.shows(151));
    EXPECT_FALSE(scale.shows(49));
}

} // namespace
} // namespace cairn::ui
