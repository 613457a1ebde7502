// Height fields as they are drawn, in tiles.
#include "app/ui/view/fields/field_tiles.h"
#include "render/creases.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace cairn::ui {
namespace {

using physics::HeightData;
using physics::Vec3;

HeightData rough_field(std::uint32_t columns, std::uint32_t rows) {
    HeightData data;
    data.columns = columns;
    data.rows = rows;
    data.spacing = 0.5f;
    std::mt19937 random(2);
    for (std::uint32_t k = 0; k < columns * rows; ++k) {
        data.heights.push_back(0.01f * static_cast<float>(random() % 100));
    }
    return data;
}

physics::Shape shape_of(const HeightData& data) {
    return std::get<physics::Shape>(
        physics::build_shape(physics::HeightField{std::make_shared<const HeightData>(data)}));
}

// Places, normals and edges of a triangle.
using Drawn = std::tuple<std::array<float, 9>, std::array<float, 9>, std::array<float, 3>>;

void add(std::multiset<Drawn>& to, const render::Mesh& mesh) {
    for (std::size_t t = 0; 3 * t < mesh.triangles.size(); ++t) {
        Drawn drawn;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t v = mesh.triangles[3 * t + k];
            for (int axis = 0; axis < 3; ++axis) {
                std::get<0>(drawn)[3 * k + static_cast<std::size_t>(axis)] = mesh.positions[v][axis];
                std::get<1>(drawn)[3 * k + static_cast<std::size_t>(axis)] = mesh.normals[v][axis];
            }
            std::get<2>(drawn)[k] = mesh.creases[t][static_cast<int>(k)];
        }
        to.insert(drawn);
    }
}

TEST(FieldTiles, TogetherAreTheWholeField) {
    HeightData data = rough_field(150, 131);
    for (const bool holes : {false, true}) {
        if (holes) {
            for (const auto& [i, j] : {std::pair{0u, 0u}, {63u, 63u}, {64u, 63u}, {20u, 90u}, {148u, 129u}}) {
                physics::add_hole(data, i, j);
            }
        }
        const physics::Shape shape = shape_of(data);
        const physics::ShapeMesh all = physics::tessellate(shape);
        render::Mesh whole{all.positions, all.normals, all.triangles, {}};
        whole.creases = render::crease_strengths(whole);
        const FieldTiles tiles(data);
        EXPECT_EQ(tiles.columns(), 3u);
        EXPECT_EQ(tiles.rows(), 3u);
        std::multiset<Drawn> expected, found;
        add(expected, whole);
        for (std::uint32_t tile = 0; tile < tiles.count(); ++tile) {
            add(found, tiles.mesh(*shape.mesh->grid, tile));
        }
        EXPECT_EQ(found.size(), expected.size());
        EXPECT_TRUE(found == expected) << holes;
    }
}

bool same(const render::Mesh& a, const render::Mesh& b) {
    return a.positions == b.positions && a.normals == b.normals && a.triangles == b.triangles && a.creases == b.creases;
}

// All that look otherwise, and not many more. Of the large one not every sample is drawn.
TEST(FieldTiles, DependOnTheSamplesThatTheyShow) {
    for (const std::uint32_t side : {200u, 1300u}) {
        const HeightData data = rough_field(side, side);
        const physics::Shape shape = shape_of(data);
        const FieldTiles tiles(data);
        EXPECT_GE(tiles.count(), 16u);
        std::mt19937 random(3);
        for (int round = 0; round < (side < 1000 ? 40 : 4); ++round) {
            HeightData other = data;
            physics::HeightRegion region{static_cast<std::uint32_t>(random() % (side - 17)),
                                         static_cast<std::uint32_t>(random() % (side - 17)), 17, 17};
            if (round < 4) { // beside a seam
                region.column = 64 - 17 + static_cast<std::uint32_t>(round);
            }
            for (std::uint32_t j = 0; j < 17; ++j) {
                for (std::uint32_t i = 0; i < 17; ++i) {
                    other.heights.set(std::size_t{region.row + j} * side + region.column + i, 3.0f);
                }
            }
            const physics::HeightRegion changed = physics::changed_samples(data, other);
            EXPECT_EQ(changed, region);
            const physics::Shape now = shape_of(other);
            std::uint32_t made = 0;
            for (std::uint32_t tile = 0; tile < tiles.count(); ++tile) {
                const bool depends = tiles.depends_on(tile, changed);
                made += depends ? 1 : 0;
                if (!depends) {
                    EXPECT_TRUE(same(tiles.mesh(*shape.mesh->grid, tile), tiles.mesh(*now.mesh->grid, tile))) << tile;
                }
            }
            EXPECT_GE(made, 1u);
            EXPECT_LE(made, 4u);
        }
    }
}

TEST(FieldTiles, HaveNoTrianglesWhereAllIsAHole) {
    HeightData data = rough_field(130, 20);
    for (std::uint32_t j = 0; j + 1 < 20; ++j) {
        for (std::uint32_t i = 0; i < 64; ++i) {
            physics::add_hole(data, i, j);
        }
    }
    const physics::Shape shape = shape_of(data);
    const FieldTiles tiles(data);
    ASSERT_EQ(tiles.count(), 3u);
    EXPECT_TRUE(tiles.mesh(*shape.mesh->grid, 0).triangles.empty());
    EXPECT_FALSE(tiles.mesh(*shape.mesh->grid, 1).triangles.empty());
    EXPECT_EQ(tiles.mesh(*shape.mesh->grid, 2).triangles.size(), 6u * 19u);
}

} // namespace
} // namespace cairn::ui
