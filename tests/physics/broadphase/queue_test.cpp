// Shapes that come and go between two searches for pairs.
#include "physics/broadphase/broadphase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace cairn::physics {
namespace {

Aabb unit_box_at_random(std::mt19937& generator) {
    const auto coordinate = [&] { return static_cast<float>(generator() % 1000u) * 0.01f; };
    const float x = coordinate();
    const float y = coordinate();
    const float z = coordinate();
    return {Vec3(x, y, z), Vec3(x, y, z) + Vec3(1.0f)};
}

// Half of the shapes are removed, added again or moved between two searches, many of them twice or thrice.
TEST(BroadphaseQueue, MissesNothingAndReportsNoneThatAreGoneOrTwice) {
    constexpr std::uint32_t count = 200;
    std::mt19937 generator(11);
    Broadphase broadphase;
    SerialExecutor executor;
    std::vector<Aabb> boxes(count);
    std::vector<bool> present(count, false);
    std::vector<PairKey> pairs;
    std::set<PairKey> known;
    int reported = 0;
    for (int round = 0; round < 40; ++round) {
        for (int k = 0; k < 100; ++k) {
            const std::uint32_t i = static_cast<std::uint32_t>(generator()) % count;
            const std::uint32_t edit = static_cast<std::uint32_t>(generator()) % 3;
            boxes[i] = unit_box_at_random(generator);
            if (!present[i]) {
                broadphase.add(i, boxes[i], i % 4 != 0);
                present[i] = true;
            } else if (edit == 0) {
                broadphase.move(i, boxes[i]);
            } else if (edit == 1) {
                broadphase.touch(i); // queued already when it moves
                broadphase.move(i, boxes[i]);
            } else {
                broadphase.remove(i);
                present[i] = false;
                std::erase_if(known, [i](PairKey key) { return first_of(key) == i || second_of(key) == i; });
            }
        }
        broadphase.find_new_pairs(executor, pairs);
        EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
        EXPECT_EQ(std::adjacent_find(pairs.begin(), pairs.end()), pairs.end());
        reported += static_cast<int>(pairs.size());
        for (const PairKey key : pairs) {
            ASSERT_TRUE(present[first_of(key)] && present[second_of(key)]) << "round " << round;
        }
        known.insert(pairs.begin(), pairs.end());
        for (std::uint32_t a = 0; a < count; ++a) {
            for (std::uint32_t b = a + 1; b < count; ++b) {
                if (present[a] && present[b] && (a % 4 != 0 || b % 4 != 0) && overlaps(boxes[a], boxes[b])) {
                    ASSERT_TRUE(known.count(make_pair_key(a, b))) << a << " " << b << " round " << round;
                }
            }
        }
    }
    EXPECT_GT(reported, 1000);
}

} // namespace
} // namespace cairn::physics
