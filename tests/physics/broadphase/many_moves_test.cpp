// Many leaves that move at once, trees built anew, and pairs found together, against looking at every pair.
#include "physics/broadphase/broadphase.h"

#include "tests/physics/world/two_threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace cairn::physics {
namespace {

float draw(std::mt19937& generator, float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(generator);
}

Vec3 draw_vector(std::mt19937& generator, float low, float high) {
    const float x = draw(generator, low, high);
    const float y = draw(generator, low, high);
    const float z = draw(generator, low, high);
    return {x, y, z};
}

Aabb random_box(std::mt19937& generator, float room) {
    const Vec3 centre = draw_vector(generator, -room, room);
    const Vec3 half = draw_vector(generator, 0.05f, 0.8f);
    return {centre - half, centre + half};
}

Aabb moved(const Aabb& box, const Vec3& way) {
    return {box.lower + way, box.upper + way};
}

struct Leaf {
    DynamicTree::NodeId node = DynamicTree::none;
    Aabb bounds;
};

std::set<std::uint32_t> found_in(const DynamicTree& tree, const Aabb& region) {
    std::set<std::uint32_t> found;
    tree.query(region, [&](std::uint32_t value) { EXPECT_TRUE(found.insert(value).second) << "reported twice"; });
    return found;
}

std::set<std::uint32_t> meeting(const std::vector<Leaf>& leaves, const Aabb& region) {
    std::set<std::uint32_t> found;
    for (std::uint32_t i = 0; i < leaves.size(); ++i) {
        if (leaves[i].node != DynamicTree::none && overlaps(leaves[i].bounds, region)) {
            found.insert(i);
        }
    }
    return found;
}

void rebuild(DynamicTree& tree, std::vector<Leaf>& leaves) {
    std::size_t named = 0;
    tree.rebuild([&](std::uint32_t value, DynamicTree::NodeId node) {
        leaves[value].node = node;
        ++named;
    });
    EXPECT_EQ(named, tree.leaf_count());
}

// All fall, some are put elsewhere, some go and others come; the tree is refitted, and built anew now and then.
TEST(DynamicTreeTogether, HoldsEveryLeafThroughRefitsBuildsAndChangesBetween) {
    std::mt19937 generator(17);
    DynamicTree tree;
    std::vector<Leaf> leaves(300);
    for (std::uint32_t i = 0; i < leaves.size(); ++i) {
        leaves[i].bounds = random_box(generator, 4.0f);
        leaves[i].node = tree.insert(leaves[i].bounds, i);
    }
    std::size_t found = 0;
    int worn = 0;
    for (int round = 0; round < 120; ++round) {
        const std::uint32_t stride = 1 + static_cast<std::uint32_t>(round % 7);
        for (std::uint32_t i = 0; i < leaves.size(); i += stride) {
            if (leaves[i].node == DynamicTree::none) {
                continue;
            }
            leaves[i].bounds = generator() % 20 == 0 ? random_box(generator, 4.0f)
                                                     : moved(leaves[i].bounds, draw_vector(generator, -0.3f, 0.3f));
            tree.write(leaves[i].node, leaves[i].bounds);
        }
        tree.refit();
        ASSERT_TRUE(tree.valid()) << "round " << round;
        if (tree.worn()) {
            ++worn;
            const double before = tree.cost();
            rebuild(tree, leaves);
            ASSERT_TRUE(tree.valid()) << "round " << round;
            EXPECT_LT(tree.cost(), before);
        }
        for (int k = 0; k < 5; ++k) { // leaves that come and go one by one use what a build has left
            const std::uint32_t i = static_cast<std::uint32_t>(generator() % leaves.size());
            if (leaves[i].node == DynamicTree::none) {
                leaves[i].node = tree.insert(leaves[i].bounds, i);
            } else {
                tree.remove(leaves[i].node);
                leaves[i].node = DynamicTree::none;
            }
        }
        ASSERT_TRUE(tree.valid()) << "round " << round;
        for (int k = 0; k < 4; ++k) {
            const Aabb region = random_box(generator, 4.0f);
            const std::set<std::uint32_t> expected = meeting(leaves, region);
            ASSERT_EQ(found_in(tree, region), expected) << "round " << round;
            found += expected.size();
        }
    }
    EXPECT_GT(found, 200u);
    EXPECT_GT(worn, 3);
    EXPECT_LT(worn, 100);
}

TEST(DynamicTreeTogether, BuildsATreeThatCostsNoMoreThanInsertion) {
    std::mt19937 generator(5);
    DynamicTree tree;
    std::vector<Leaf> leaves(2000);
    for (std::uint32_t i = 0; i < leaves.size(); ++i) {
        leaves[i].bounds = random_box(generator, 20.0f);
        leaves[i].node = tree.insert(leaves[i].bounds, i);
    }
    const double inserted = tree.cost();
    rebuild(tree, leaves);
    EXPECT_LT(tree.cost(), 1.02 * inserted);
    EXPECT_LT(tree.height(), 24);
    EXPECT_FALSE(tree.worn());
    for (const Leaf& leaf : leaves) {
        EXPECT_EQ(tree.bounds(leaf.node), leaf.bounds);
    }
}

TEST(DynamicTreeTogether, BuildsFromNothingOneLeafAndLeavesAllInOnePlace) {
    DynamicTree tree;
    std::vector<Leaf> leaves(500);
    rebuild(tree, leaves);
    EXPECT_TRUE(tree.valid());
    EXPECT_EQ(tree.leaf_count(), 0u);
    const Aabb box{Vec3(0.0f), Vec3(1.0f)};
    for (std::uint32_t i = 0; i < leaves.size(); ++i) {
        leaves[i] = {tree.insert(box, i), box};
        if (i == 0) {
            rebuild(tree, leaves);
            EXPECT_TRUE(tree.valid());
            EXPECT_EQ(found_in(tree, box).size(), 1u);
        }
    }
    rebuild(tree, leaves);
    EXPECT_TRUE(tree.valid());
    EXPECT_LT(tree.height(), 12);
    EXPECT_EQ(found_in(tree, box).size(), leaves.size());
    for (const Leaf& leaf : leaves) {
        tree.remove(leaf.node);
    }
    EXPECT_TRUE(tree.valid());
    EXPECT_EQ(tree.leaf_count(), 0u);
    EXPECT_EQ(tree.cost(), 0.0);
}

// Every box lies in the next greater one, so that nothing is gained by putting it beside any but the last.
TEST(TreePairs, FindsAllOfBoxesWithinBoxes) {
    constexpr std::uint32_t count = 400;
    DynamicTree tree;
    std::vector<DynamicTree::NodeId> nodes;
    for (std::uint32_t i = 0; i < count; ++i) {
        const float half = 1.0f + 0.01f * static_cast<float>(i);
        nodes.push_back(tree.insert({Vec3(-half), Vec3(half)}, i));
    }
    tree.clear_marks();
    for (const DynamicTree::NodeId node : nodes) {
        tree.mark(node);
    }
    const TreePairs pairs(tree, tree);
    std::vector<TreePairs::Task> tasks;
    std::set<PairKey> found;
    std::size_t reported = 0;
    const auto visit = [&](std::uint32_t a, std::uint32_t b) {
        found.insert(make_pair_key(a, b));
        ++reported;
    };
    pairs.split(1, tasks, visit);
    for (const TreePairs::Task& task : tasks) {
        pairs.run(task, visit);
    }
    EXPECT_EQ(found.size(), std::size_t{count} * (count - 1) / 2);
    EXPECT_EQ(reported, found.size());
}

// A few or many marked leaves, one tree and two, and any number of tasks.
TEST(TreePairs, FindsEachPairWithAMarkedLeafOnceHoweverTheWorkIsSplit) {
    std::mt19937 generator(23);
    std::size_t among_in_all = 0, across_in_all = 0, left_out = 0;
    for (int round = 0; round < 40; ++round) {
        std::size_t counts[2];
        counts[0] = 1 + generator() % 150;
        counts[1] = generator() % 40;
        const std::uint32_t share = 1 + static_cast<std::uint32_t>(generator()) % 6; // one in so many is marked
        DynamicTree trees[2];
        std::vector<Leaf> leaves[2];
        std::vector<bool> marked[2];
        for (std::size_t t = 0; t < 2; ++t) {
            for (std::uint32_t i = 0; i < counts[t]; ++i) {
                const Aabb box = random_box(generator, 3.0f);
                leaves[t].push_back({trees[t].insert(box, i), box});
            }
            if (round % 2 == 0) {
                rebuild(trees[t], leaves[t]);
            }
            trees[t].clear_marks();
            for (const Leaf& leaf : leaves[t]) {
                marked[t].push_back(generator() % share == 0);
                if (marked[t].back()) {
                    trees[t].mark(leaf.node);
                }
            }
        }
        for (const std::size_t other : {std::size_t{0}, std::size_t{1}}) {
            std::set<std::pair<std::uint32_t, std::uint32_t>> found, expected;
            const auto visit = [&](std::uint32_t a, std::uint32_t b) {
                if (other == 0 && a > b) {
                    std::swap(a, b);
                }
                EXPECT_TRUE(found.emplace(a, b).second) << "reported twice";
            };
            const TreePairs pairs(trees[0], trees[other]);
            std::vector<TreePairs::Task> tasks;
            pairs.split(1 + generator() % 30, tasks, visit);
            for (const TreePairs::Task& task : tasks) {
                pairs.run(task, visit);
            }
            for (std::uint32_t a = 0; a < leaves[0].size(); ++a) {
                for (std::uint32_t b = other == 0 ? a + 1 : 0; b < leaves[other].size(); ++b) {
                    if (!overlaps(leaves[0][a].bounds, leaves[other][b].bounds)) {
                        continue;
                    }
                    if (marked[0][a] || marked[other][b]) {
                        expected.emplace(a, b);
                    } else {
                        ++left_out;
                    }
                }
            }
            ASSERT_EQ(found, expected) << "round " << round;
            (other == 0 ? among_in_all : across_in_all) += found.size();
        }
    }
    EXPECT_GT(among_in_all, 1000u);
    EXPECT_GT(across_in_all, 300u);
    EXPECT_GT(left_out, 300u);
}

// From one to all of the shapes move at once, so that both ways of moving and of finding are taken.
TEST(BroadphaseTogether, MissesNoPairWhileAnyNumberMovesComesAndGoes) {
    constexpr std::uint32_t count = 400;
    std::mt19937 generator(29);
    Broadphase broadphase;
    SerialExecutor executor;
    std::vector<Aabb> boxes(count);
    std::vector<bool> present(count, false);
    const auto moves = [](std::uint32_t i) { return i % 5 != 0; };
    std::set<PairKey> known; // of fat bounds that overlap
    std::vector<PairKey> pairs;
    std::size_t reported = 0, taken_out = 0;
    testing::TwoThreads threads;
    for (int round = 0; round < 60; ++round) {
        for (std::uint32_t k = 0; k < 20; ++k) {
            const std::uint32_t i = static_cast<std::uint32_t>(generator()) % count;
            if (present[i] && round > 5) {
                broadphase.remove(i);
                std::erase_if(known, [i](PairKey key) { return first_of(key) == i || second_of(key) == i; });
                present[i] = false;
            } else if (!present[i]) {
                boxes[i] = random_box(generator, 3.5f);
                broadphase.add(i, boxes[i], moves(i));
                present[i] = true;
            }
        }
        const std::uint32_t one_in = round % 3 == 0 ? 1 : 1 + static_cast<std::uint32_t>(generator()) % 60;
        std::vector<std::uint32_t> movers;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (present[i] && generator() % one_in == 0) {
                const bool far = generator() % 30 == 0;
                boxes[i] = far ? random_box(generator, 3.5f)
                               : moved(boxes[i], Vec3(0, 0, -0.2f) + draw_vector(generator, -0.02f, 0.02f));
                movers.push_back(i);
            }
        }
        broadphase.move_many(movers.size(), [&](const auto& move) {
            for (const std::uint32_t i : movers) {
                move(i, boxes[i]);
            }
        });
        Broadphase sifted = broadphase;
        broadphase.find_new_pairs(executor, pairs);
        EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
        EXPECT_EQ(std::adjacent_find(pairs.begin(), pairs.end()), pairs.end());
        reported += pairs.size();
        // What is known can be taken out on the way.
        const auto is_known = [&](PairKey key) { return known.count(key) == 1; };
        std::vector<PairKey> fresh, unknown = pairs;
        sifted.find_new_pairs(threads, fresh, [&](std::vector<PairKey>& some) { std::erase_if(some, is_known); });
        std::erase_if(unknown, is_known);
        EXPECT_EQ(fresh, unknown) << "round " << round;
        taken_out += pairs.size() - fresh.size();
        for (const PairKey key : pairs) {
            ASSERT_TRUE(broadphase.fat_overlap(first_of(key), second_of(key)));
        }
        known.insert(pairs.begin(), pairs.end());
        for (std::uint32_t a = 0; a < count; ++a) {
            ASSERT_TRUE(!present[a] || contains(broadphase.fat_bounds(a), boxes[a]));
            for (std::uint32_t b = a + 1; b < count; ++b) {
                const bool meet = present[a] && present[b] && (moves(a) || moves(b)) && broadphase.fat_overlap(a, b);
                ASSERT_TRUE(!meet || known.count(make_pair_key(a, b)) == 1) << a << " " << b << " round " << round;
                if (!meet) {
                    known.erase(make_pair_key(a, b));
                }
            }
        }
    }
    EXPECT_GT(reported, 5000u);
    EXPECT_GT(taken_out, 1000u);
}

// Of few shapes by single searches, of many by one descent.
TEST(ManyMoves, PairsOfSomeShapesAreAllThatOverlap) {
    std::mt19937 generator(17);
    Broadphase broadphase;
    constexpr std::uint32_t count = 600;
    for (std::uint32_t i = 0; i < count; ++i) {
        broadphase.add(i, random_box(generator, 5.0f), i % 6 != 0);
    }
    SerialExecutor serial;
    for (const std::uint32_t stride : {2u, 3u, 40u}) {
        std::vector<std::uint32_t> shapes;
        for (std::uint32_t i = 1; i < count; i += stride) {
            if (i % 6 != 0) {
                shapes.push_back(i);
            }
        }
        std::set<PairKey> expected;
        for (const std::uint32_t a : shapes) {
            for (std::uint32_t b = 0; b < count; ++b) {
                if (a != b && (a + b) % 5 != 0 && broadphase.fat_overlap(a, b)) {
                    expected.insert(make_pair_key(a, b));
                }
            }
        }
        std::vector<PairKey> found;
        broadphase.find_pairs_of(
            serial, shapes, [](std::uint32_t a, std::uint32_t b) { return (a + b) % 5 != 0; }, found);
        EXPECT_EQ(std::set<PairKey>(found.begin(), found.end()), expected);
        EXPECT_GT(expected.size(), shapes.size());
    }
}

} // namespace
} // namespace cairn::physics
