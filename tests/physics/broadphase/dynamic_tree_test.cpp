// The tree and the broadphase against looking at every pair.
#include "physics/broadphase/broadphase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace cairn::physics {
namespace {

Aabb random_box(std::mt19937& generator) {
    std::uniform_real_distribution<float> position(-20.0f, 20.0f);
    std::uniform_real_distribution<float> size(0.05f, 3.0f);
    const Vec3 centre{position(generator), position(generator), position(generator)};
    const Vec3 half{size(generator), size(generator), size(generator)};
    return {centre - half, centre + half};
}

TEST(DynamicTree, FindsExactlyWhatOverlapsWhileLeavesComeGoAndMove) {
    std::mt19937 generator(7);
    DynamicTree tree;
    std::vector<std::pair<DynamicTree::NodeId, Aabb>> leaves; // by value; node none = removed
    for (std::uint32_t i = 0; i < 400; ++i) {
        const Aabb box = random_box(generator);
        leaves.emplace_back(tree.insert(box, i), box);
    }
    std::size_t found_in_all = 0;
    for (int round = 0; round < 300; ++round) {
        const std::size_t i = generator() % leaves.size();
        if (leaves[i].first == DynamicTree::none) {
            leaves[i].second = random_box(generator);
            leaves[i].first = tree.insert(leaves[i].second, static_cast<std::uint32_t>(i));
        } else if (round % 3 == 0) {
            tree.remove(leaves[i].first);
            leaves[i].first = DynamicTree::none;
        } else {
            leaves[i].second = random_box(generator);
            tree.update(leaves[i].first, leaves[i].second);
        }
        ASSERT_TRUE(tree.valid()) << "round " << round;
        const Aabb region = random_box(generator);
        std::set<std::uint32_t> found;
        tree.query(region, [&](std::uint32_t value) { EXPECT_TRUE(found.insert(value).second) << "reported twice"; });
        std::set<std::uint32_t> expected;
        for (std::uint32_t k = 0; k < leaves.size(); ++k) {
            if (leaves[k].first != DynamicTree::none && overlaps(leaves[k].second, region)) {
                expected.insert(k);
            }
        }
        ASSERT_EQ(found, expected);
        found_in_all += found.size();
    }
    EXPECT_GT(found_in_all, 100u);
    EXPECT_LT(tree.height(), 32);
}

TEST(DynamicTree, StaysShallowWhenBoxesComeInARow) {
    DynamicTree tree;
    for (std::uint32_t i = 0; i < 4096; ++i) {
        const Vec3 at(static_cast<float>(i), 0, 0);
        tree.insert({at, at + Vec3(0.9f)}, i);
    }
    EXPECT_TRUE(tree.valid());
    EXPECT_LT(tree.height(), 48);
}

TEST(DynamicTree, StaysShallowWhenBoxesCoincide) {
    const Aabb box{Vec3(-1.0f), Vec3(1.0f)};
    DynamicTree tree;
    std::vector<DynamicTree::NodeId> leaves;
    for (std::uint32_t i = 0; i < 5000; ++i) {
        leaves.push_back(tree.insert(box, i));
    }
    EXPECT_LT(tree.height(), 60); // of a balanced one 13, of a chain 4999
    const Aabb moved{Vec3(0.0f), Vec3(2.0f)};
    for (const DynamicTree::NodeId leaf : leaves) {
        tree.update(leaf, moved);
    }
    EXPECT_LT(tree.height(), 60);
    EXPECT_TRUE(tree.valid());
    std::size_t found = 0;
    tree.query(moved, [&](std::uint32_t) { ++found; });
    EXPECT_EQ(found, leaves.size());
}

TEST(DynamicTree, RayMeetsTheBoxesItPasses) {
    std::mt19937 generator(11);
    DynamicTree tree;
    std::vector<Aabb> boxes;
    for (std::uint32_t i = 0; i < 300; ++i) {
        boxes.push_back(random_box(generator));
        tree.insert(boxes.back(), i);
    }
    std::uniform_real_distribution<float> position(-20.0f, 20.0f);
    std::size_t met_in_all = 0;
    for (int round = 0; round < 50; ++round) {
        const Vec3 origin{-30.0f, position(generator), position(generator)};
        const Ray ray{origin, Vec3(1, 0, 0), 100.0f};
        std::set<std::uint32_t> met;
        tree.ray_query(ray, [&](std::uint32_t value) {
            met.insert(value);
            return ray.max_distance;
        });
        std::set<std::uint32_t> expected;
        for (std::uint32_t i = 0; i < boxes.size(); ++i) {
            if (boxes[i].lower.y <= origin.y && origin.y <= boxes[i].upper.y && boxes[i].lower.z <= origin.z &&
                origin.z <= boxes[i].upper.z) {
                expected.insert(i);
            }
        }
        EXPECT_EQ(met, expected) << "round " << round;
        met_in_all += met.size();
    }
    EXPECT_GT(met_in_all, 50u);
}

TEST(Broadphase, ReportsEveryOverlappingPairOnceAndNeverTwoRestingShapes) {
    std::mt19937 generator(3);
    Broadphase broadphase;
    SerialExecutor executor;
    std::vector<Aabb> boxes;
    for (std::uint32_t i = 0; i < 300; ++i) {
        boxes.push_back(random_box(generator));
        broadphase.add(i, boxes.back(), i % 3 != 0);
    }
    std::vector<PairKey> pairs;
    std::set<PairKey> known;
    for (int round = 0; round < 10; ++round) {
        broadphase.find_new_pairs(executor, pairs);
        EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
        EXPECT_EQ(std::adjacent_find(pairs.begin(), pairs.end()), pairs.end());
        known.insert(pairs.begin(), pairs.end());
        for (std::uint32_t a = 0; a < boxes.size(); ++a) {
            for (std::uint32_t b = a + 1; b < boxes.size(); ++b) {
                const bool meet = overlaps(boxes[a], boxes[b]) && (a % 3 != 0 || b % 3 != 0);
                if (meet) {
                    ASSERT_TRUE(known.count(make_pair_key(a, b))) << a << " " << b << " round " << round;
                }
            }
        }
        for (const PairKey key : known) {
            EXPECT_TRUE(first_of(key) % 3 != 0 || second_of(key) % 3 != 0);
        }
        for (int k = 0; k < 50; ++k) {
            const auto i = static_cast<std::uint32_t>(generator() % 300);
            if (i % 3 != 0) {
                boxes[i] = random_box(generator);
                broadphase.move(i, boxes[i]);
            }
        }
    }
}

} // namespace
} // namespace cairn::physics
