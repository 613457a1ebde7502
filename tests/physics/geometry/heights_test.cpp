// Heights in blocks that copies share.
#include "physics/geometry/height_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace cairn::physics::testing {
namespace {

std::size_t shared_blocks(const Heights& a, const Heights& b) {
    std::size_t shared = 0;
    for (std::size_t k = 0; k < a.blocks().size(); ++k) {
        shared += a.blocks()[k] == b.blocks()[k] ? 1 : 0;
    }
    return shared;
}

TEST(Heights, AreAVectorOfFloats) {
    std::mt19937 random(4);
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, Heights::block_size - 1, Heights::block_size,
                                    Heights::block_size + 1, 3 * Heights::block_size + 17}) {
        std::vector<float> list(count);
        std::generate(list.begin(), list.end(), [&] { return static_cast<float>(random() % 1000); });
        Heights heights(list);
        ASSERT_EQ(heights.size(), count);
        EXPECT_EQ(heights.empty(), count == 0);
        EXPECT_TRUE(std::ranges::equal(heights, list));
        EXPECT_EQ(heights.end() - heights.begin(), static_cast<std::ptrdiff_t>(count));
        for (std::size_t i = 0; i < count; i += 97) {
            EXPECT_EQ(heights[i], list[i]);
        }
        for (int change = 0; change < 20 && count > 0; ++change) {
            const std::size_t first = random() % count, many = random() % (count - first + 1);
            std::vector<float> put(many);
            std::iota(put.begin(), put.end(), 2000.0f);
            std::copy(put.begin(), put.end(), list.begin() + static_cast<std::ptrdiff_t>(first));
            heights.put(first, put);
            ASSERT_TRUE(std::ranges::equal(heights, list)) << count << ' ' << first << ' ' << many;
        }
        std::size_t in_blocks = 0;
        for (std::size_t k = 0; k < heights.blocks().size(); ++k) {
            in_blocks += heights.block(k).size();
        }
        EXPECT_EQ(in_blocks, count);
    }
}

TEST(Heights, CopiesShareWhatDoesNotChange) {
    Heights heights;
    heights.assign(10 * Heights::block_size, 1.0f);
    const Heights before = heights;
    EXPECT_EQ(shared_blocks(heights, before), 10u);
    heights.set(5 * Heights::block_size, 2.0f);
    heights.put(8 * Heights::block_size - 1, std::vector<float>{3.0f, 4.0f});
    EXPECT_EQ(shared_blocks(heights, before), 7u);
    EXPECT_EQ(std::ranges::count(before, 1.0f), static_cast<std::ptrdiff_t>(before.size())) << "a copy stays as it is";
    EXPECT_FALSE(heights == before);
    heights.set(5 * Heights::block_size, 1.0f);
    heights.put(8 * Heights::block_size - 1, std::vector<float>{1.0f, 1.0f});
    EXPECT_TRUE(heights == before) << "by content";
    EXPECT_EQ(shared_blocks(heights, before), 7u);
}

TEST(Heights, ChangedSamplesAreEnclosed) {
    HeightData data;
    data.columns = 150;
    data.rows = 90;
    data.heights.assign(150 * 90, 0.0f);
    EXPECT_EQ(changed_samples(data, data), HeightRegion());
    std::mt19937 random(8);
    for (int round = 0; round < 50; ++round) {
        HeightData other = data;
        HeightRegion expected{data.columns, data.rows, 0, 0};
        std::uint32_t right = 0, top = 0;
        for (int change = 0; change <= round % 4; ++change) {
            const auto i = static_cast<std::uint32_t>(random() % data.columns);
            const auto j = static_cast<std::uint32_t>(random() % data.rows);
            other.heights.set(std::size_t{j} * data.columns + i, 1.0f);
            expected.column = std::min(expected.column, i);
            expected.row = std::min(expected.row, j);
            right = std::max(right, i + 1);
            top = std::max(top, j + 1);
        }
        expected.columns = right - expected.column;
        expected.rows = top - expected.row;
        EXPECT_EQ(changed_samples(data, other), expected) << round;
        EXPECT_EQ(changed_samples(other, data), expected) << round;
    }
}

} // namespace
} // namespace cairn::physics::testing
