// Disjoint sets against a plain search through the graph.
#include "physics/islands/union_find.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace cairn::physics {
namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// The smallest member of every node's component, by spreading from each node in turn.
std::vector<std::uint32_t> smallest_connected(std::size_t count, const Edges& edges) {
    std::vector<std::vector<std::uint32_t>> neighbours(count);
    for (const auto& [a, b] : edges) {
        neighbours[a].push_back(b);
        neighbours[b].push_back(a);
    }
    std::vector<std::uint32_t> smallest(count, 0xffffffffu);
    for (std::uint32_t start = 0; start < count; ++start) {
        std::vector<std::uint32_t> open{start};
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            open.pop_back();
            if (smallest[node] != 0xffffffffu) {
                continue;
            }
            smallest[node] = start;
            open.insert(open.end(), neighbours[node].begin(), neighbours[node].end());
        }
    }
    return smallest;
}

TEST(UnionFind, RootIsTheSmallestMemberWhateverTheOrderOfUnions) {
    std::mt19937 generator(7);
    UnionFind sets; // one for all rounds: it must forget the last
    int joined = 0, alone = 0;
    for (int round = 0; round < 200; ++round) {
        const std::uint32_t count = 1 + static_cast<std::uint32_t>(generator()) % 60;
        const std::uint32_t edge_count = static_cast<std::uint32_t>(generator()) % (2 * count);
        Edges edges;
        for (std::uint32_t i = 0; i < edge_count; ++i) {
            const std::uint32_t a = static_cast<std::uint32_t>(generator()) % count;
            const std::uint32_t b = static_cast<std::uint32_t>(generator()) % count;
            edges.emplace_back(a, b);
        }
        const std::vector<std::uint32_t> expected = smallest_connected(count, edges);
        for (int order = 0; order < 3; ++order) {
            std::shuffle(edges.begin(), edges.end(), generator);
            sets.reset(count);
            for (const auto& [a, b] : edges) {
                sets.unite(a, b);
            }
            std::size_t components = 0;
            for (std::uint32_t i = 0; i < count; ++i) {
                components += expected[i] == i ? 1 : 0;
            }
            ASSERT_EQ(sets.sets(), components) << "round " << round;
            for (std::uint32_t i = 0; i < count; ++i) {
                ASSERT_EQ(sets.root(i), expected[i]) << "round " << round << ", node " << i;
                (expected[i] == i ? alone : joined) += 1;
            }
        }
    }
    EXPECT_GT(joined, 1000);
    EXPECT_GT(alone, 1000);
}

} // namespace
} // namespace cairn::physics
