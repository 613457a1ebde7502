// Queries of a world against all of its shapes asked one by one.
#include "tests/physics/geometry/shape_samples.h"
#include "tests/physics/world/world_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <utility>
#include <vector>

using namespace cairn::physics;
using namespace cairn::physics::testing;

namespace {

using geometry_testing::shape_of;

float between(std::mt19937& random, float low, float high) {
    return low + (high - low) * static_cast<float>(random() % 10001) / 10000.0f;
}

Vec3 within(std::mt19937& random, float half) {
    const float x = between(random, -half, half), y = between(random, -half, half);
    return {x, y, between(random, -half, half)};
}

// Balls, boxes and dumb-bells, some fixed, some in other groups; moved by some steps, so that bounds are no longer
// those they were added with.
World crowd(std::mt19937& random) {
    Settings settings = weightless();
    World world(settings);
    for (int i = 0; i < 60; ++i) {
        BodyDef def = make_body(Sphere{0.4f}, within(random, 6.0f));
        if (i % 3 == 1) {
            def.shapes[0].geometry = Box{Vec3(0.5f, 0.3f, 0.6f)};
        } else if (i % 3 == 2) {
            def.shapes[0].pose.position = Vec3(0, 0, 0.7f);
            def.shapes.push_back({Sphere{0.3f}, {Vec3(0, 0, -0.7f), identity_orientation}});
        }
        def.type = i % 4 == 0 ? BodyType::fixed : i % 4 == 1 ? BodyType::kinematic : BodyType::dynamic;
        def.filter.group = static_cast<std::uint8_t>(i % 5);
        def.linear_velocity = within(random, 1.0f);
        add(world, def);
    }
    run(world, 20);
    return world;
}

struct Part {
    WorldShape of;
    const Shape* shape = nullptr;
    Transform pose;
};

std::vector<Part> all_parts(const World& world) {
    std::vector<Part> parts;
    for (const BodyId id : world.body_ids()) {
        const auto model = world.model(id);
        for (std::uint32_t i = 0; i < model->parts.size(); ++i) {
            const Transform pose = compose(state_of(world, id).pose, model->parts[i].pose);
            parts.push_back({{id, i}, model->parts[i].shape.get(), pose});
        }
    }
    return parts;
}

// Two triangles, 20 m wide, at z = 0, seen from above.
BodyDef make_sheet(bool two_sided) {
    auto data = std::make_shared<MeshData>();
    data->vertices = {Vec3(-10, -10, 0), Vec3(10, -10, 0), Vec3(10, 10, 0), Vec3(-10, 10, 0)};
    data->triangles = {{0, 1, 2}, {0, 2, 3}};
    data->two_sided = two_sided;
    Mesh mesh;
    mesh.data = std::move(data);
    return make_static(std::move(mesh), Vec3(0.0f));
}

} // namespace

TEST(WorldQuery, RaysSeeWhatEachShapeAnswers) {
    std::mt19937 random(1);
    const World world = crowd(random);
    const std::vector<Part> parts = all_parts(world);
    int hits = 0;
    for (int i = 0; i < 300; ++i) {
        const Vec3 origin = within(random, 9.0f);
        const Ray ray{origin, glm::normalize(within(random, 6.0f) - origin), 12.0f};
        std::vector<std::pair<float, WorldShape>> expected;
        for (const Part& part : parts) {
            if (const RayCast hit = ray_cast(*part.shape, part.pose, ray)) {
                expected.emplace_back(hit->distance, part.of);
            }
        }
        std::stable_sort(expected.begin(), expected.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        const std::vector<WorldRayHit> all = world.ray_cast_all(ray);
        ASSERT_EQ(all.size(), expected.size());
        for (std::size_t k = 0; k < all.size(); ++k) {
            EXPECT_EQ(all[k].hit.distance, expected[k].first);
            EXPECT_EQ((WorldShape{all[k].body, all[k].shape}), expected[k].second);
        }
        EXPECT_EQ(world.ray_cast_any(ray), !expected.empty());
        const auto first = world.ray_cast(ray);
        ASSERT_EQ(first.has_value(), !expected.empty());
        if (first) {
            ++hits;
            EXPECT_EQ((WorldShape{first->body, first->shape}), expected.front().second);
        }
    }
    EXPECT_GT(hits, 60);
    EXPECT_LT(hits, 240);
}

TEST(WorldQuery, OverlapsCastsAndDistancesAreThoseOfTheShapes) {
    std::mt19937 random(2);
    const World world = crowd(random);
    const std::vector<Part> parts = all_parts(world);
    const Shape probe = shape_of(Box{Vec3(0.5f, 0.4f, 0.3f)});
    int met = 0, apart = 0, cast_hits = 0, misses = 0;
    for (int i = 0; i < 200; ++i) {
        const Transform pose{within(random, 7.0f), normalized(Quat(1.0f, 0.3f, between(random, -1, 1), 0.2f))};
        const Vec3 way = within(random, 4.0f);
        std::vector<WorldShape> expected;
        float nearest = std::numeric_limits<float>::max(), fraction = 2.0f;
        for (const Part& part : parts) {
            if (overlap(probe, pose, *part.shape, part.pose)) {
                expected.push_back(part.of);
            }
            nearest = std::min(nearest, signed_distance(probe, pose, *part.shape, part.pose).distance);
            const ShapeCast cast = shape_cast(probe, pose, way, *part.shape, part.pose);
            if (cast.status != ShapeCastStatus::miss) {
                fraction = std::min(fraction, cast.fraction);
            }
        }
        EXPECT_EQ(world.overlaps(probe, pose), expected);
        (expected.empty() ? apart : met) += 1;
        const auto closest = world.closest(probe, pose, 100.0f);
        ASSERT_TRUE(closest);
        EXPECT_EQ(closest->nearest.distance, nearest);
        EXPECT_EQ(world.closest(probe, pose, 0.3f).has_value(), nearest < 0.3f);
        const auto cast = world.shape_cast(probe, pose, way);
        ASSERT_EQ(cast.has_value(), fraction <= 1.0f);
        if (cast) {
            EXPECT_EQ(cast->cast.fraction, fraction);
        }
        (cast ? cast_hits : misses) += 1;
    }
    EXPECT_GT(met, 20);
    EXPECT_GT(apart, 30);
    EXPECT_GT(cast_hits, 30);
    EXPECT_GT(misses, 30);
}

TEST(WorldQuery, FiltersSayWhatIsSeen) {
    World world(weightless());
    BodyDef wall = make_static(Box{Vec3(0.1f, 1, 1)}, Vec3(2, 0, 0));
    wall.filter.group = 3;
    const BodyId near_wall = add(world, wall);
    BodyDef lift = make_body(Box{Vec3(0.1f, 1, 1)}, Vec3(4, 0, 0));
    lift.type = BodyType::kinematic;
    const BodyId platform = add(world, lift);
    const BodyId ball = add(world, make_body(Sphere{0.5f}, Vec3(6, 0, 0)));
    const Ray ray{Vec3(0.0f), Vec3(1, 0, 0), 100.0f};
    const auto seen = [&](const QueryFilter& filter) {
        std::vector<BodyId> bodies;
        for (const WorldRayHit& hit : world.ray_cast_all(ray, filter)) {
            bodies.push_back(hit.body);
        }
        const auto first = world.ray_cast(ray, filter);
        EXPECT_EQ(first ? first->body : BodyId{}, bodies.empty() ? BodyId{} : bodies.front());
        EXPECT_EQ(world.ray_cast_any(ray, filter), !bodies.empty());
        const Shape large = shape_of(Box{Vec3(10.0f)});
        EXPECT_EQ(world.overlaps(large, {}, filter).size(), bodies.size());
        const auto nearest = world.closest_point(Vec3(0.0f), 100.0f, filter);
        EXPECT_EQ(nearest ? nearest->body : BodyId{}, bodies.empty() ? BodyId{} : bodies.front());
        const auto cast = world.shape_cast(shape_of(Sphere{0.1f}), {}, Vec3(10, 0, 0), filter);
        EXPECT_EQ(cast ? cast->body : BodyId{}, bodies.empty() ? BodyId{} : bodies.front());
        return bodies;
    };
    EXPECT_EQ(seen({}), (std::vector{near_wall, platform, ball}));
    QueryFilter filter;
    filter.groups = 1u << 3;
    EXPECT_EQ(seen(filter), (std::vector{near_wall}));
    filter = {};
    filter.fixed = false;
    EXPECT_EQ(seen(filter), (std::vector{platform, ball}));
    filter.kinematic = false;
    EXPECT_EQ(seen(filter), (std::vector{ball}));
    filter.dynamic = false;
    EXPECT_TRUE(seen(filter).empty());
    filter = {};
    filter.except = near_wall;
    EXPECT_EQ(seen(filter), (std::vector{platform, ball}));
    filter.accept = [&](BodyId body, std::uint32_t shape) { return shape == 0 && body != platform; };
    EXPECT_EQ(seen(filter), (std::vector{ball}));
}

TEST(WorldQuery, PointsKnowTheirNearestSurface) {
    World world;
    const BodyId box = add(world, make_static(Box{Vec3(1.0f)}, Vec3(0.0f)));
    add(world, make_static(Sphere{0.5f}, Vec3(8, 0, 0)));
    const auto outside = world.closest_point(Vec3(3, 0, 0.5f), 10.0f);
    ASSERT_TRUE(outside);
    EXPECT_EQ(outside->body, box);
    EXPECT_NEAR(outside->nearest.distance, 2.0f, 1e-5f);
    EXPECT_LT(glm::length(outside->nearest.point_b - Vec3(1, 0, 0.5f)), 1e-4f);
    const auto inside = world.closest_point(Vec3(0.75f, 0, 0), 10.0f);
    ASSERT_TRUE(inside);
    EXPECT_NEAR(inside->nearest.distance, -0.25f, 1e-5f);
    EXPECT_FALSE(world.closest_point(Vec3(0, 0, 30), 10.0f));
    EXPECT_FALSE(world.closest_point(Vec3(std::numeric_limits<float>::quiet_NaN()), 10.0f));
}

TEST(WorldQuery, MeshesAreSurfaces) {
    for (const bool two_sided : {false, true}) {
        World world;
        add(world, make_sheet(two_sided));
        const Shape ball = shape_of(Sphere{0.5f});
        const auto at = [](float z) { return Transform{Vec3(1, 2, z), identity_orientation}; };
        for (const float side : {1.0f, -1.0f}) {
            EXPECT_EQ(world.overlaps(ball, at(side * 0.45f)).size(), 1u) << side;
            EXPECT_TRUE(world.overlaps(ball, at(side * 0.55f)).empty()) << side;
            const auto nearest = world.closest(ball, at(side * 3.0f), 100.0f);
            ASSERT_TRUE(nearest);
            EXPECT_NEAR(nearest->nearest.distance, 2.5f, 1e-4f) << side;
            EXPECT_FALSE(world.closest(ball, at(side * 3.0f), 2.4f));
            const auto cast = world.shape_cast(ball, at(side * 3.0f), Vec3(0, 0, -side * 6.0f));
            ASSERT_EQ(cast.has_value(), side > 0.0f || two_sided);
            if (cast) {
                EXPECT_NEAR(cast->cast.travelled, 2.5f, 1e-4f);
            }
        }
        EXPECT_FALSE(world.shape_cast(ball, at(3.0f), Vec3(0, 0, 6)));
        const auto beside = world.closest_point(Vec3(13, 0, 4), 100.0f);
        ASSERT_TRUE(beside);
        EXPECT_NEAR(beside->nearest.distance, 5.0f, 1e-4f);
    }
}
