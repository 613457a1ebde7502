#include "physics/geometry/shape.h"
#include "tests/physics/world/two_threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace cairn::physics {
namespace {

// Waves over a grid, with vertices that stand twice, triangles without area and some that are turned over.
Mesh rough_ground(int side) {
    auto data = std::make_shared<MeshData>();
    std::mt19937 random(7);
    for (int j = 0; j < side; ++j) {
        for (int i = 0; i < side; ++i) {
            data->vertices.emplace_back(i, j,
                                        std::sin(0.3f * static_cast<float>(i)) * static_cast<float>(random() % 3));
        }
    }
    const auto at = [side](int i, int j) { return static_cast<std::uint32_t>(j * side + i); };
    for (int j = 0; j + 1 < side; ++j) {
        for (int i = 0; i + 1 < side; ++i) {
            std::uint32_t corner = at(i, j);
            if (random() % 5 == 0) { // the same place under another number
                data->vertices.push_back(data->vertices[corner]);
                corner = static_cast<std::uint32_t>(data->vertices.size() - 1);
            }
            data->triangles.push_back({corner, at(i + 1, j), at(i + 1, j + 1)});
            if (random() % 7 == 0) {
                data->triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
                std::swap(data->triangles.back()[1], data->triangles.back()[2]);
            } else {
                data->triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
            }
            if (random() % 11 == 0) {
                data->triangles.push_back({at(i, j), at(i, j), at(i + 1, j)});
            }
        }
    }
    return {data};
}

TriangleMesh built(const Mesh& mesh, Executor* executor = nullptr, MeshOrders* orders = nullptr) {
    auto made = build_triangle_mesh(mesh, executor, orders);
    EXPECT_TRUE(std::holds_alternative<TriangleMesh>(made));
    return std::get<TriangleMesh>(std::move(made));
}

void expect_equal(const TriangleMesh& one, const TriangleMesh& two) {
    ASSERT_EQ(one.triangles.size(), two.triangles.size());
    for (std::size_t t = 0; t < one.triangles.size(); ++t) {
        EXPECT_EQ(one.triangles[t].vertex, two.triangles[t].vertex);
        EXPECT_EQ(one.triangles[t].beside, two.triangles[t].beside);
    }
    EXPECT_EQ(one.ridges, two.ridges);
    EXPECT_EQ(one.source, two.source);
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

// Large enough that it is divided among threads.
TEST(TriangleMeshBuilding, IsTheSameOnAnyNumberOfThreads) {
    const Mesh mesh = rough_ground(150);
    const TriangleMesh one = built(mesh);
    testing::TwoThreads threads;
    const TriangleMesh two = built(mesh, &threads);
    expect_equal(one, two);
}

// By an order that is kept the same is built, and nothing else than orders of this mesh is taken for one.
TEST(TriangleMeshBuilding, IsTheSameByAnOrderThatIsKept) {
    struct Kept : MeshOrders {
        std::vector<std::uint32_t> order;
        int found = 0, kept = 0;
        std::vector<std::uint32_t> find(const MeshData&) override {
            ++found;
            return order;
        }
        void keep(const MeshData&, std::span<const std::uint32_t> made) override {
            ++kept;
            order.assign(made.begin(), made.end());
        }
    };
    const Mesh mesh = rough_ground(150);
    const TriangleMesh anew = built(mesh);
    testing::TwoThreads threads;
    Kept orders;
    expect_equal(anew, built(mesh, nullptr, &orders));
    EXPECT_EQ(orders.kept, 1);
    EXPECT_EQ(orders.order, anew.source);
    expect_equal(anew, built(mesh, &threads, &orders));
    EXPECT_EQ(orders.found, 2);
    EXPECT_EQ(orders.kept, 1);
    const std::vector<std::uint32_t> good = orders.order;
    const auto places = static_cast<std::uint32_t>(mesh.data->triangles.size());
    std::uint32_t without_area = 0;
    while (std::ranges::find(good, without_area) != good.end()) {
        ++without_area;
    }
    ASSERT_LT(without_area, places);
    int spoilt = 0;
    for (const std::uint32_t wrong : {good[1], places, 0xffffffffu, without_area}) {
        orders.order = good;
        orders.order[0] = wrong;
        expect_equal(anew, built(mesh, nullptr, &orders));
        EXPECT_EQ(orders.kept, 1 + ++spoilt) << "it is kept anew";
        EXPECT_EQ(orders.order, good);
    }
    orders.order.pop_back();
    expect_equal(anew, built(mesh, nullptr, &orders));
    EXPECT_EQ(orders.order, good);
    // Another order of its own triangles makes another tree, that finds the same.
    std::ranges::reverse(orders.order);
    const TriangleMesh reversed = built(mesh, nullptr, &orders);
    for (float x = 0.3f; x < 149.0f; x += 7.7f) {
        const Aabb around{Vec3(x, x, -9), Vec3(x + 1, x + 2, 9)};
        std::vector<std::uint32_t> a, b;
        anew.query(around, [&](std::uint32_t t) { a.push_back(anew.source[t]); });
        reversed.query(around, [&](std::uint32_t t) { b.push_back(reversed.source[t]); });
        std::ranges::sort(a);
        std::ranges::sort(b);
        EXPECT_EQ(a, b);
        EXPECT_FALSE(a.empty());
    }
}

// Against all pairs of triangles: joined are two that alone have an edge and run along it in opposite directions.
TEST(TriangleMeshBuilding, NeighboursAreThoseOfAllPairs) {
    const TriangleMesh mesh = built(rough_ground(14));
    struct Use {
        std::uint32_t triangle, edge;
        bool forward;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Use>> uses;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::uint32_t k = 0; k < 3; ++k) {
            const std::uint32_t a = mesh.triangles[t].vertex[k], b = mesh.triangles[t].vertex[(k + 1) % 3];
            uses[{std::min(a, b), std::max(a, b)}].push_back({t, k, a < b});
        }
    }
    std::size_t joined = 0, apart = 0;
    for (const auto& [edge, all] : uses) {
        const bool pair = all.size() == 2 && all[0].forward != all[1].forward;
        (pair ? joined : apart) += 1;
        for (std::size_t i = 0; i < all.size(); ++i) {
            EXPECT_EQ(mesh.triangles[all[i].triangle].beside[all[i].edge],
                      pair ? all[1 - i].triangle : TriangleMesh::none);
        }
    }
    EXPECT_GT(joined, 200u);
    EXPECT_GT(apart, 50u);
}

} // namespace
} // namespace cairn::physics
