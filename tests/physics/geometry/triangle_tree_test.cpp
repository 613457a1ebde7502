#include "physics/geometry/triangle_tree.h"
#include "tests/physics/world/two_threads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <set>

namespace cairn::physics {
namespace {

std::vector<Aabb> random_boxes(std::size_t count, unsigned seed, bool level = false) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> place(-50.0f, 50.0f), size(0.0f, 1.5f);
    std::vector<Aabb> boxes(count);
    for (Aabb& box : boxes) {
        box.lower = {place(random), place(random), level ? 2.0f : place(random)};
        const float x = size(random), y = size(random), z = size(random);
        box.upper = box.lower + Vec3(x, y, level ? 0.0f : z);
    }
    return boxes;
}

struct Tree {
    explicit Tree(const std::vector<Aabb>& boxes, Executor& executor) { tree.build(boxes, executor, order); }
    explicit Tree(const std::vector<Aabb>& boxes) {
        SerialExecutor serial;
        tree.build(boxes, serial, order);
    }
    TriangleTree tree;
    std::vector<std::uint32_t> order;
};

bool holds(const TriangleTree::Node& node, std::size_t k, const Aabb& box) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto i = static_cast<int>(axis);
        if (!(node.lower[axis][k] <= box.lower[i] && box.upper[i] <= node.upper[axis][k])) {
            return false;
        }
    }
    return true;
}

// Checks what lies below the node, and that it lies in `within`; counts nodes and items.
void look_below(const Tree& made, const std::vector<Aabb>& boxes, std::uint32_t index, const Aabb& within,
                std::vector<int>& nodes_seen, std::vector<int>& items_seen, int depth) {
    ASSERT_LT(index, made.tree.nodes().size());
    ASSERT_LE(depth, 12);
    ++nodes_seen[index];
    const TriangleTree::Node& node = made.tree.nodes()[index];
    for (std::size_t k = 0; k < 4; ++k) {
        if (!(node.lower[0][k] <= node.upper[0][k])) {
            EXPECT_EQ(node.part[k].count(), 0u) << "nothing is there";
            continue;
        }
        const Aabb box{{node.lower[0][k], node.lower[1][k], node.lower[2][k]},
                       {node.upper[0][k], node.upper[1][k], node.upper[2][k]}};
        EXPECT_EQ(united(box, within), within);
        const TriangleTree::Part part = node.part[k];
        EXPECT_LE(part.count(), TriangleTree::leaf_size);
        for (std::uint32_t i = part.first(); i < part.first() + part.count(); ++i) {
            ++items_seen[i];
            EXPECT_TRUE(holds(node, k, boxes[made.order[i]]));
        }
        if (part.count() == 0) {
            look_below(made, boxes, part.first(), box, nodes_seen, items_seen, depth + 1);
        }
    }
}

void expect_whole(std::size_t count) {
    const std::vector<Aabb> boxes = random_boxes(count, static_cast<unsigned>(count));
    const Tree made(boxes);
    std::vector<std::uint32_t> sorted = made.order, all(count);
    std::ranges::sort(sorted);
    std::iota(all.begin(), all.end(), 0u);
    ASSERT_EQ(sorted, all);
    Aabb bounds;
    for (const Aabb& box : boxes) {
        bounds = united(bounds, box);
    }
    EXPECT_EQ(made.tree.bounds(), bounds);
    std::vector<int> nodes_seen(made.tree.nodes().size(), 0), items_seen(count, 0);
    look_below(made, boxes, 0, bounds, nodes_seen, items_seen, 1);
    EXPECT_EQ(nodes_seen, std::vector<int>(nodes_seen.size(), 1)) << count;
    EXPECT_EQ(items_seen, std::vector<int>(count, 1)) << count;
}

TEST(TriangleTree, IsWholeWhateverItsSize) {
    for (std::size_t count = 1; count <= 300; ++count) {
        expect_whole(count);
    }
    for (const std::size_t count : {1023u, 1025u, 4095u, 4097u, 16385u, 70000u}) {
        expect_whole(count);
    }
}

TEST(TriangleTree, TakesLittleMemory) {
    for (const std::size_t count :
         {4097u, 16385u, 65537u, 100000u}) { // just above powers of four its nodes are least full
        const Tree made(random_boxes(count, 3));
        EXPECT_LE(made.tree.nodes().size() * sizeof(TriangleTree::Node), 30 * count) << count;
    }
}

TEST(TriangleTree, IsTheSameOnAnyNumberOfThreads) {
    for (const bool level : {false, true}) { // of boxes side by side many compare as equal
        const std::vector<Aabb> boxes = random_boxes(40000, 11, level);
        testing::TwoThreads threads;
        const Tree one(boxes), two(boxes, threads);
        EXPECT_EQ(one.order, two.order);
        ASSERT_EQ(one.tree.nodes().size(), two.tree.nodes().size());
        for (std::size_t n = 0; n < one.tree.nodes().size(); ++n) {
            const TriangleTree::Node &a = one.tree.nodes()[n], &b = two.tree.nodes()[n];
            EXPECT_EQ(a.lower, b.lower);
            EXPECT_EQ(a.upper, b.upper);
            for (std::size_t k = 0; k < 4; ++k) {
                EXPECT_EQ(a.part[k].bits, b.part[k].bits);
            }
        }
    }
}

TEST(TriangleTree, FindsAllThatOverlapARegionInOrder) {
    const std::vector<Aabb> boxes = random_boxes(3000, 5);
    const Tree made(boxes);
    for (const Aabb& small : random_boxes(200, 6)) {
        const Aabb region = grown(small, 3.0f);
        std::vector<std::uint32_t> found;
        made.tree.query(region, [&](std::uint32_t item) { found.push_back(item); });
        EXPECT_TRUE(std::ranges::is_sorted(found));
        const std::set<std::uint32_t> visited(found.begin(), found.end());
        EXPECT_EQ(visited.size(), found.size());
        for (std::uint32_t i = 0; i < boxes.size(); ++i) {
            EXPECT_TRUE(!overlaps(boxes[made.order[i]], region) || visited.contains(i));
        }
        EXPECT_LE(found.size(), 1000u) << "it looks at a part only";
    }
}

// Where the ray enters the box, in multiples of its direction, to the last bit of a double; negative: nowhere.
double entry(const Aabb& box, const DVec3& origin, const DVec3& direction, double reach) {
    double from = 0.0, to = reach;
    for (int axis = 0; axis < 3; ++axis) {
        if (direction[axis] == 0.0) {
            if (origin[axis] < double(box.lower[axis]) || origin[axis] > double(box.upper[axis])) {
                return -1.0;
            }
            continue;
        }
        const double a = (double(box.lower[axis]) - origin[axis]) / direction[axis];
        const double b = (double(box.upper[axis]) - origin[axis]) / direction[axis];
        from = std::max(from, std::min(a, b));
        to = std::min(to, std::max(a, b));
    }
    return from <= to ? from : -1.0;
}

struct TestRay {
    DVec3 origin, direction;
    double reach;
};

// In all directions, along the axes with zeros of both signs, nearly along them, through edges of boxes, and from afar.
std::vector<TestRay> test_rays(const std::vector<Aabb>& boxes) {
    std::mt19937 random(17);
    std::uniform_real_distribution<double> place(-60.0, 60.0), along(-1.0, 1.0);
    std::vector<TestRay> rays;
    for (int i = 0; i < 400; ++i) {
        DVec3 origin(place(random), place(random), place(random));
        DVec3 direction(along(random), along(random), along(random));
        if (i % 4 == 1) {
            const int axis = i / 4 % 3;
            direction = DVec3(i % 8 == 1 ? 0.0 : -0.0);
            direction[axis] = i % 16 < 8 ? 1.0 : -1.0;
            const Aabb& met = boxes[static_cast<std::size_t>(i) % boxes.size()]; // along one of its edges
            origin = DVec3(met.lower) - 30.0 * direction;
        } else if (i % 4 == 2) {
            direction[i / 4 % 3] *= 1e-12;
        } else if (i % 4 == 3) {
            origin *= 1e4;
            direction = DVec3(boxes[static_cast<std::size_t>(i) % boxes.size()].upper) - origin; // at a corner
        }
        rays.push_back({origin, direction / glm::length(direction), i % 5 == 0 ? 20.0 : 1e7});
    }
    return rays;
}

TEST(TriangleTree, NoBoxThatARayMeetsIsMissed) {
    for (const bool level : {false, true}) {
        const std::vector<Aabb> boxes = random_boxes(2000, 8, level);
        const Tree made(boxes);
        std::size_t met = 0, looked_at = 0;
        for (const TestRay& ray : test_rays(boxes)) {
            std::set<std::uint32_t> visited;
            made.tree.along_ray(ray.origin, ray.direction, ray.reach,
                                [&](std::uint32_t item) { visited.insert(item); });
            looked_at += visited.size();
            for (std::uint32_t i = 0; i < boxes.size(); ++i) {
                if (entry(boxes[made.order[i]], ray.origin, ray.direction, ray.reach) >= 0.0) {
                    ++met;
                    EXPECT_TRUE(visited.contains(i));
                }
            }
        }
        EXPECT_GT(met, 150u);
        EXPECT_LE(looked_at, 400u * 100u);
    }
}

TEST(TriangleTree, WhatLiesBeyondAHitIsLeftAlone) {
    const std::vector<Aabb> boxes = random_boxes(20000, 9);
    const Tree made(boxes);
    std::size_t all = 0, some = 0;
    for (const TestRay& ray : test_rays(boxes)) {
        double nearest = ray.reach, least = ray.reach;
        for (const Aabb& box : boxes) {
            const double at = entry(box, ray.origin, ray.direction, ray.reach);
            least = at >= 0.0 ? std::min(least, at) : least;
        }
        made.tree.along_ray(ray.origin, ray.direction, nearest, [&](std::uint32_t item) {
            ++some;
            const double at = entry(boxes[made.order[item]], ray.origin, ray.direction, ray.reach);
            nearest = at >= 0.0 ? std::min(nearest, at) : nearest;
        });
        EXPECT_EQ(nearest, least);
        made.tree.along_ray(ray.origin, ray.direction, ray.reach, [&](std::uint32_t) { ++all; });
    }
    EXPECT_LT(2 * some, all);
}

} // namespace
} // namespace cairn::physics
