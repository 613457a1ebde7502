#include "physics/query/ray_cast.h"

#include "tests/physics/geometry/shape_samples.h"

#include <gtest/gtest.h>

namespace cairn::physics {

namespace {

using namespace geometry_testing;
using DVec3 = glm::dvec3;

struct LocalRay {
    DVec3 origin, direction;
};

LocalRay to_local(const Transform& pose, const Ray& ray) {
    const glm::dquat back = glm::conjugate(glm::normalize(glm::dquat(pose.orientation)));
    return {back * (DVec3(ray.origin) - DVec3(pose.position)), back * glm::normalize(DVec3(ray.direction))};
}

// First point of the ray inside the shape, by sphere tracing: `outside` never exceeds the true distance to the shape.
std::optional<double> march(const Shape& shape, const LocalRay& ray, double reach, double precision) {
    double t = 0.0;
    for (int step = 0; step < 20000 && t <= reach; ++step) {
        const double gap = outside(shape, ray.origin + t * ray.direction);
        if (gap <= precision) {
            return t;
        }
        t += gap;
    }
    return std::nullopt;
}

TEST(RayCast, AgreesWithMarchingForEveryKind) {
    Random random(53);
    int hits = 0, misses = 0, inside = 0, grazing = 0;
    for (const NamedShape& sample : sample_shapes()) {
        SCOPED_TRACE(sample.name);
        const Shape& shape = sample.shape;
        const double size = static_cast<double>(shape.bounding_radius);
        for (int i = 0; i < 120; ++i) {
            const Transform pose{4.0f * shape.bounding_radius * random.in_cube(), random.rotation()};
            Ray ray;
            ray.origin = pose.position + (i % 4 == 0 ? 0.5f : 3.0f) * shape.bounding_radius * random.in_ball();
            const Vec3 aim = rotate(pose.orientation, i % 3 == 0 ? shape.bounding_radius * random.in_ball()
                                                                 : 0.9f * support(shape, random.direction()));
            ray.direction = normalized_or(pose.position + aim - ray.origin, Vec3(0, 0, 1));
            const auto hit = ray_cast(shape, pose, ray);
            const LocalRay local = to_local(pose, ray);
            const auto expected = march(shape, local, 10.0 * size, 1e-9 * size);

            // A ray that passes within rounding of the surface may go either way.
            if (hit.has_value() != expected.has_value()) {
                const auto generous = march(shape, local, 10.0 * size, 2e-5 * size);
                EXPECT_TRUE(generous.has_value()) << "hit far from the shape";
                ++grazing;
                continue;
            }
            if (!hit) {
                ++misses;
                continue;
            }
            ++hits;
            EXPECT_LE(glm::length(DVec3(hit->point) - DVec3(ray.origin) -
                                  static_cast<double>(hit->distance) * DVec3(ray.direction)),
                      1e-5 * size);
            EXPECT_NEAR(glm::length(hit->normal), 1.0f, 1e-5f);
            if (outside(shape, local.origin) <= 0.0) {
                ++inside;
                EXPECT_EQ(hit->distance, 0.0f);
                EXPECT_LE(glm::length(hit->normal + ray.direction), 1e-6f);
                continue;
            }
            EXPECT_NEAR(static_cast<double>(hit->distance), *expected, 1e-4 * size);
            EXPECT_LE(glm::dot(hit->normal, ray.direction), 1e-6f) << "the face that is entered looks at the ray";
            // A normal is right if the plane through the hit carries the whole shape on its inner side.
            const DVec3 p = local.origin + static_cast<double>(hit->distance) * local.direction;
            const DVec3 n = glm::conjugate(glm::normalize(glm::dquat(pose.orientation))) * DVec3(hit->normal);
            EXPECT_GE(glm::dot(n, p), glm::dot(n, DVec3(support(shape, Vec3(n)))) - 2e-5 * size);
        }
    }
    EXPECT_GE(hits, 3000);
    EXPECT_GE(misses, 500);
    EXPECT_GE(inside, 500);
    EXPECT_LE(grazing, 20);
}

TEST(RayCast, StopsAtItsGreatestDistance) {
    const Shape ball = shape_of(Sphere{1.0f});
    Ray ray{Vec3(0, 0, 5), Vec3(0, 0, -1), 4.0f};
    const auto hit = ray_cast(ball, {}, ray);
    ASSERT_TRUE(hit);
    EXPECT_FLOAT_EQ(hit->distance, 4.0f);
    EXPECT_EQ(hit->normal, Vec3(0, 0, 1));
    EXPECT_EQ(hit->point, Vec3(0, 0, 1));
    ray.max_distance = 3.999f;
    EXPECT_FALSE(ray_cast(ball, {}, ray));
}

TEST(RayCast, DoesNotLookBack) {
    for (const NamedShape& sample : sample_shapes()) {
        SCOPED_TRACE(sample.name);
        const float away = 2.0f * sample.shape.bounding_radius;
        for (int axis = 0; axis < 3; ++axis) {
            Vec3 direction(0.0f);
            direction[axis] = 1.0f;
            EXPECT_FALSE(ray_cast(sample.shape, {}, {away * direction, direction}));
            const auto hit = ray_cast(sample.shape, {}, {away * direction, -direction});
            ASSERT_TRUE(hit);
            EXPECT_GT(hit->distance, 0.0f);
            const auto start_inside = ray_cast(sample.shape, {}, {Vec3(0.0f), direction});
            ASSERT_TRUE(start_inside);
            EXPECT_EQ(start_inside->distance, 0.0f);
            EXPECT_EQ(start_inside->normal, -direction);
        }
    }
}

TEST(RayCast, IsExactFromFarAway) {
    // In single precision a start 10 km away would leave millimetres of error in the discriminant.
    const Shape ball = shape_of(Sphere{0.01f});
    const auto hit = ray_cast(ball, {}, {Vec3(10000, 0, 0), Vec3(-1, 0, 0)});
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->point.x, 0.01f, 1e-6f);
    EXPECT_FALSE(ray_cast(ball, {}, {Vec3(10000, 0.0101f, 0), Vec3(-1, 0, 0)}));
    EXPECT_TRUE(ray_cast(ball, {}, {Vec3(10000, 0.0099f, 0), Vec3(-1, 0, 0)}));
}

TEST(RayCast, HitsEveryPartOfRoundShapes) {
    const Shape capsule = shape_of(Capsule{0.5f, 1.0f});
    EXPECT_EQ(ray_cast(capsule, {}, {Vec3(5, 0, 0), Vec3(-1, 0, 0)})->normal, Vec3(1, 0, 0));
    EXPECT_FLOAT_EQ(ray_cast(capsule, {}, {Vec3(0, 0, 5), Vec3(0, 0, -1)})->distance, 3.5f);
    const Shape cylinder = shape_of(Cylinder{0.5f, 1.0f});
    EXPECT_EQ(ray_cast(cylinder, {}, {Vec3(0.2f, 0, 5), Vec3(0, 0, -1)})->normal, Vec3(0, 0, 1));
    EXPECT_EQ(ray_cast(cylinder, {}, {Vec3(0, -5, 0.3f), Vec3(0, 1, 0)})->normal, Vec3(0, -1, 0));
    EXPECT_FALSE(ray_cast(cylinder, {}, {Vec3(0.51f, 0, 5), Vec3(0, 0, -1)}));
    const Shape cone = shape_of(Cone{1.0f, 2.0f});
    EXPECT_FLOAT_EQ(ray_cast(cone, {}, {Vec3(0, 0, 5), Vec3(0, 0, -1)})->point.z, 1.5f);
    EXPECT_EQ(ray_cast(cone, {}, {Vec3(0.5f, 0, -5), Vec3(0, 0, 1)})->normal, Vec3(0, 0, -1));
    EXPECT_FALSE(ray_cast(cone, {}, {Vec3(0.5f, 0, 3), Vec3(1, 0, 0)})) << "the other nappe is not there";
    EXPECT_FALSE(ray_cast(cone, {}, {Vec3(5, 0, 2.5f), Vec3(-1, 0, 0)}));
}

TEST(RayCast, WithoutDirectionHitsNothing) {
    EXPECT_FALSE(ray_cast(shape_of(Sphere{1.0f}), {}, {Vec3(0, 0, 5), Vec3(0.0f)}));
}

} // namespace

} // namespace cairn::physics
