// Height fields against the same surface as a list of triangles, which has other code for everything.
#include "physics/geometry/height_grid.h"

#include "physics/geometry/shape.h"
#include "physics/query/ray_cast.h"
#include "tests/physics/world/height_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

namespace cairn::physics {
namespace {

using testing::as_mesh;
using testing::height_data;

using TriangleKey = std::array<std::array<double, 3>, 3>;

TriangleKey key_of_triangle(const TriangleMesh& mesh, std::uint32_t t) {
    TriangleKey out;
    const auto c = mesh.corners(t);
    for (std::size_t k = 0; k < 3; ++k) {
        out[k] = {c[k].x, c[k].y, c[k].z};
    }
    std::rotate(out.begin(), std::min_element(out.begin(), out.end()), out.end());
    return out;
}

struct FieldAndList {
    TriangleMesh field, list;
    std::map<TriangleKey, std::uint32_t> in_list;
    std::vector<std::uint32_t> of_field; // its triangles

    explicit FieldAndList(const HeightField& from)
        : field(std::get<TriangleMesh>(build_height_field(from))),
          list(std::get<TriangleMesh>(build_triangle_mesh(as_mesh(from)))) {
        for (std::uint32_t t = 0; t < list.triangles.size(); ++t) {
            in_list[key_of_triangle(list, t)] = t;
        }
        for (std::uint32_t j = 0; j + 1 < from.data->rows; ++j) {
            for (std::uint32_t i = 0; i + 1 < from.data->columns; ++i) {
                if (!field.grid->is_hole(i, j)) {
                    of_field.push_back(field.grid->first_triangle_of(i, j));
                    of_field.push_back(field.grid->first_triangle_of(i, j) + 1);
                }
            }
        }
    }
};

// Not square, with more than one block and a part of one on each side, rough, and full of holes.
HeightField rough_field(bool holes, float spacing = 0.7f) {
    std::mt19937 random(4);
    const auto unit = [&] { return static_cast<float>(random() % 1001) / 1000.0f; };
    auto data = height_data(39, 27, spacing, [&](float x, float y) {
        return spacing * (std::sin(0.4f * x / spacing) + std::cos(0.3f * y / spacing) + 0.5f * unit());
    });
    for (int i = 0; holes && i < 60; ++i) {
        add_hole(*data, static_cast<std::uint32_t>(random() % 38), static_cast<std::uint32_t>(random() % 26));
    }
    for (std::uint32_t j = 16; holes && j < 26; ++j) { // a block without anything
        for (std::uint32_t i = 0; i < 16; ++i) {
            add_hole(*data, i, j);
        }
    }
    return {std::move(data)};
}

TEST(HeightGrid, TrianglesNeighboursAndRidgesAreThoseOfTheList) {
    for (const bool holes : {false, true}) {
        const FieldAndList pair(rough_field(holes));
        ASSERT_EQ(pair.of_field.size(), pair.list.triangles.size());
        int borders = 0;
        for (const std::uint32_t t : pair.of_field) {
            const auto found = pair.in_list.find(key_of_triangle(pair.field, t));
            ASSERT_NE(found, pair.in_list.end());
            const std::uint32_t same = found->second;
            const TriangleMesh::Triangle a = pair.field.triangle(t), b = pair.list.triangle(same);
            // Corner 0 is the same one: both take it from the field.
            for (std::size_t k = 0; k < 3; ++k) {
                ASSERT_EQ(a.beside[k] == TriangleMesh::none, b.beside[k] == TriangleMesh::none);
                if (a.beside[k] != TriangleMesh::none) {
                    ASSERT_EQ(pair.in_list.at(key_of_triangle(pair.field, a.beside[k])), b.beside[k]);
                } else {
                    ++borders;
                }
            }
            ASSERT_EQ(pair.field.ridges_of(t), pair.list.ridges_of(same));
            for (int k = 0; k < 3; ++k) {
                const TriangleMesh::Feature corner{TriangleMesh::Feature::Kind::corner, k};
                for (const DVec3& d : {DVec3(0, 0, 1), glm::normalize(DVec3(0.3, -0.2, 1)), pair.field.normal(t)}) {
                    ASSERT_EQ(pair.field.admits(t, corner, d), pair.list.admits(same, corner, d));
                }
            }
        }
        EXPECT_EQ(borders, holes ? borders : 2 * (38 + 26));
        EXPECT_EQ(pair.field.bounds.lower, pair.list.bounds.lower);
        EXPECT_EQ(pair.field.bounds.upper, pair.list.bounds.upper);
    }
}

TEST(HeightGrid, RegionsFindTheSameTriangles) {
    std::mt19937 random(5);
    const auto one = [&] { return static_cast<float>(random() % 2001) / 1000.0f - 1.0f; };
    for (const bool holes : {false, true}) {
        const FieldAndList pair(rough_field(holes));
        std::size_t all = 0;
        for (int n = 0; n < 300; ++n) {
            Vec3 low(15 * one(), 11 * one(), 2 * one());
            if (n % 3 == 0) { // exactly on samples
                low = pair.field.vertex(static_cast<std::uint32_t>(random() % pair.field.vertex_count()));
            }
            const Aabb region{low, low + glm::abs(Vec3(3 * one(), 3 * one(), one())) * (n % 2 == 0 ? 1.0f : 0.0f)};
            std::vector<std::uint32_t> found, wanted;
            pair.field.query(region, [&](std::uint32_t t) { found.push_back(t); });
            EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
            for (const std::uint32_t t : pair.of_field) {
                if (overlaps(pair.field.bounds_of(t), region)) {
                    wanted.push_back(t);
                }
            }
            ASSERT_EQ(found, wanted);
            all += found.size();
        }
        EXPECT_GT(all, 1000u);
    }
}

TEST(HeightGrid, RaysHitTheSamePlaces) {
    std::mt19937 random(6);
    const auto one = [&] { return double(random() % 2001) / 1000.0 - 1.0; };
    for (const bool holes : {false, true}) {
        for (const float spacing : {0.7f, 0.003f}) {
            const FieldAndList pair(rough_field(holes, spacing));
            const double size = double(spacing);
            int hits = 0, misses = 0;
            for (int n = 0; n < 3000; ++n) {
                DVec3 origin = size * DVec3(25 * one(), 18 * one(), 4 + 3 * one());
                DVec3 direction =
                    glm::normalize(DVec3(one(), one(), n % 4 == 0 ? 0.1 * one() : -std::abs(one()) - 1e-3));
                if (n % 5 == 0) { // straight down, along rows, along columns, and through samples
                    origin = DVec3(pair.field.vertex(static_cast<std::uint32_t>(random() % pair.field.vertex_count())));
                    direction = n % 3 == 0 ? DVec3(0, 0, -1) : n % 3 == 1 ? DVec3(1, 0, -0.05) : DVec3(0, -1, -0.05);
                    origin -= 7.3 * size * direction;
                }
                const double reach = n % 7 == 0 ? 5.0 * size : 100.0 * size;
                int tested = 0, all = 0;
                const auto a = pair.field.cast(origin, direction, reach, tested);
                const auto b = pair.list.cast(origin, direction, reach, all);
                ASSERT_EQ(a.triangle == TriangleMesh::none, b.triangle == TriangleMesh::none) << n;
                ASSERT_EQ(a.distance, b.distance) << n;
                EXPECT_LE(tested, 220);
                (a.triangle == TriangleMesh::none ? misses : hits) += 1;
            }
            EXPECT_GT(hits, 500);
            EXPECT_GT(misses, 300);
        }
    }
}

// Every seam between blocks, and the borders, come to lie in, at and beside the rectangle.
TEST(HeightGrid, ChangedSamplesGiveWhatABuildFromTheNewHeightsGives) {
    const HeightField field = rough_field(true);
    TriangleMesh before = std::get<TriangleMesh>(build_height_field(field));
    Shape shape = std::get<Shape>(build_shape(field));
    HeightData heights = *field.data;
    std::mt19937 random(9);
    const auto whole = [&](std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); };
    for (int round = 0; round < 120; ++round) {
        HeightRegion at{whole(39), whole(27), 1, 1};
        at.columns += whole(std::min(39 - at.column, 20u));
        at.rows += whole(std::min(27 - at.row, 20u));
        for (std::uint32_t j = at.row; j < at.row + at.rows; ++j) {
            for (std::uint32_t i = at.column; i < at.column + at.columns; ++i) {
                heights.heights.set(j * 39 + i, 0.01f * static_cast<float>(whole(1001)) - 5.0f);
            }
        }
        const auto data = std::make_shared<const HeightData>(heights);
        const TriangleMesh after = with_heights(before, data, at);
        const TriangleMesh anew = std::get<TriangleMesh>(build_height_field({data}));
        ASSERT_EQ(after.bounds, anew.bounds) << round;
        EXPECT_EQ(after.skin, anew.skin);
        EXPECT_EQ(after.grid->radius(), anew.grid->radius()) << round;
        for (int asked = 0; asked < 8; ++asked) { // the lowest and the highest of each block decide what is looked at
            const Vec3 middle(static_cast<float>(whole(28)) - 14.0f, static_cast<float>(whole(19)) - 9.0f,
                              static_cast<float>(whole(11)) - 5.0f);
            const Aabb box{middle - Vec3(0.3f), middle + Vec3(0.3f)};
            std::vector<std::uint32_t> changed, built;
            after.query(box, [&](std::uint32_t t) { changed.push_back(t); });
            anew.query(box, [&](std::uint32_t t) { built.push_back(t); });
            EXPECT_EQ(changed, built);
        }
        const Shape now = with_heights(shape, data, at), fresh = std::get<Shape>(build_shape(HeightField{data}));
        EXPECT_EQ(now.bounding_radius, fresh.bounding_radius);
        EXPECT_EQ(now.local_bounds, fresh.local_bounds);
        EXPECT_EQ(now.half_extents, fresh.half_extents);
        before = after;
        shape = now;
    }
}

TEST(HeightGrid, HeightsAreThoseOfTheTriangles) {
    const HeightField field = rough_field(true);
    const Shape shape = std::get<Shape>(build_shape(field));
    const HeightGrid& grid = *shape.mesh->grid;
    std::mt19937 random(3);
    int over_ground = 0, over_holes = 0;
    for (int i = 0; i < 500; ++i) {
        const float x = 0.05f * (static_cast<float>(random() % 601) - 300.0f) + 0.011f;
        const float y = 0.05f * (static_cast<float>(random() % 401) - 200.0f) + 0.017f;
        const std::optional<float> height = grid.height_at(x, y);
        const RayCast hit = ray_cast(shape, {}, {Vec3(x, y, 50), Vec3(0, 0, -1), 100.0f});
        ASSERT_EQ(height.has_value(), static_cast<bool>(hit)) << x << " " << y;
        if (height) {
            EXPECT_NEAR(*height, hit->point.z, 1e-4f);
        }
        ++(height ? over_ground : over_holes);
    }
    EXPECT_GT(over_ground, 200);
    EXPECT_GT(over_holes, 50);
    int corners = 0;
    for (std::uint32_t j = 0; j < 27; ++j) { // those of the border, too
        for (std::uint32_t i = 0; i < 39; ++i) {
            const Vec3 at = grid.sample(i, j);
            if (const std::optional<float> height = grid.height_at(at.x, at.y)) {
                EXPECT_NEAR(*height, at.z, 1e-5f);
                ++corners;
            }
        }
    }
    EXPECT_GT(corners, 700);
    EXPECT_FALSE(grid.height_at(std::numeric_limits<float>::quiet_NaN(), 0.0f));
}

TEST(HeightGrid, LargeFieldsAreSmall) {
    const auto field = testing::level_field(1025, 1.0f);
    const TriangleMesh mesh = std::get<TriangleMesh>(build_height_field(field));
    EXPECT_LT(mesh.memory_bytes(), 1025u * 1025u / 16);
}

std::string field_refusal(const HeightData& data) {
    const auto built = build_shape(HeightField{std::make_shared<const HeightData>(data)});
    const auto* error = std::get_if<ShapeError>(&built);
    return error != nullptr ? error->reason : "";
}

TEST(HeightGrid, BadFieldsAreRefused) {
    EXPECT_EQ(field_refusal({2, 2, 1.0f, {0, 0, 0, 1}, {}}), "");
    EXPECT_EQ(field_refusal({1, 2, 1.0f, {0, 0}, {}}), "a height field has 2 to 4096 samples along each side, not 1");
    EXPECT_EQ(field_refusal({2, 2, 1.0f, {0, 0, 0}, {}}), "a height field of 2 x 2 samples has 3 heights");
    EXPECT_EQ(field_refusal({2, 2, 1.0f, {0, 0, 0, std::nanf("")}, {}}),
              "height 3 is not within 10000 m of the origin");
    EXPECT_EQ(field_refusal({2, 2, 1.0f, {0, 0, 0, 0}, {1}}), "all cells of the height field are holes");
    EXPECT_EQ(field_refusal({2, 2, 1.0f, {0, 0, 0, 0}, {2}}), "hole 1 is no cell of the height field");
    EXPECT_EQ(field_refusal({2, 2, 1.0f, {0, 0, 0, 0}, {0, 0}}), "the list of holes does not fit the height field");
    EXPECT_NE(field_refusal({3, 2, 1.1e4f, {0, 0, 0, 0, 0, 0}, {}}), "");
    EXPECT_NE(field_refusal({2, 2, std::nanf(""), {0, 0, 0, 0}, {}}), "");
    const auto nothing = build_shape(HeightField{});
    EXPECT_TRUE(std::holds_alternative<ShapeError>(nothing));
}

} // namespace
} // namespace cairn::physics
