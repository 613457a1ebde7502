#include "physics/geometry/shape.h"
#include "tests/physics/world/two_threads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

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

TriangleMesh built(const Mesh& mesh, Executor* executor = nullptr) {
    auto made = build_triangle_mesh(mesh, executor);
    EXPECT_TRUE(std::holds_alternative<TriangleMesh>(made));
    return std::get<TriangleMesh>(std::move(made));
}

// Large enough that it is divided among threads.
TEST(TriangleMeshBuilding, IsTheSameOnAnyNumberOfThreads) {
    const Mesh mesh = rough_ground(150);
    const TriangleMesh one = built(mesh);
    testing::TwoThreads threads;
    const TriangleMesh two = built(mesh, &threads);
    ASSERT_EQ(one.triangles.size(), two.triangles.size());
    for (std::size_t t = 0; t < one.triangles.size(); ++t) {
        EXPECT_EQ(one.triangles[t].vertex, two.triangles[t].vertex);
        EXPECT_EQ(one.triangles[t].beside, two.triangles[t].beside);
    }
    EXPECT_EQ(one.ridges, two.ridges);
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
