#include "physics/query/ray_cast.h"

#include "tests/physics/geometry/shape_samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>

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
            if (static_cast<bool>(hit) != expected.has_value()) {
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

TEST(RayCast, WithoutDirectionOrPlaceHitsNothing) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(ray_cast(shape_of(Sphere{1.0f}), {}, {Vec3(nan, 0, 5), Vec3(0, 0, -1)}));
    EXPECT_FALSE(ray_cast(shape_of(Box{}), {}, {Vec3(0, 0, 5), Vec3(0, nan, -1)}));
    EXPECT_FALSE(ray_cast(shape_of(Sphere{1.0f}), {}, {Vec3(0, 0, 5), Vec3(0.0f)}));
}

// All seven kinds at one scale, local extents about 1 in every direction.
std::vector<NamedShape> seven_kinds(float scale) {
    const auto points = std::make_shared<std::vector<Vec3>>();
    Random random(5);
    for (int i = 0; i < 200; ++i) {
        points->push_back(scale * random.direction());
    }
    return {{"sphere", shape_of(Sphere{scale})},
            {"box", shape_of(Box{Vec3(1.0f, 0.7f, 0.4f) * scale})},
            {"capsule", shape_of(Capsule{0.4f * scale, 0.6f * scale})},
            {"cylinder", shape_of(Cylinder{0.6f * scale, 0.8f * scale})},
            {"cone", shape_of(Cone{0.7f * scale, 1.5f * scale})},
            {"diamond", shape_of(Diamond{scale})},
            {"hull", shape_of(PointSet{points})}};
}

TEST(RayCast, FromAMillimetreToAHundredMetres) {
    for (const float scale : {1e-3f, 1.0f, 100.0f}) {
        for (const NamedShape& sample : seven_kinds(scale)) {
            SCOPED_TRACE(sample.name + " x " + std::to_string(scale));
            Random random(61);
            const double size = static_cast<double>(scale);
            int hits = 0;
            int misses = 0;
            for (int i = 0; i < 300; ++i) {
                const Ray ray{3.0f * scale * random.direction(), random.direction(), 100.0f * scale};
                Ray aimed = ray;
                if (i % 2 == 0) {
                    aimed.direction = glm::normalize(0.8f * scale * random.in_ball() - ray.origin);
                }
                const RayCast hit = ray_cast(sample.shape, {}, aimed);
                const LocalRay local{DVec3(aimed.origin), glm::normalize(DVec3(aimed.direction))};
                const auto expected = march(sample.shape, local, 10.0 * size, 1e-9 * size);
                if (static_cast<bool>(hit) != expected.has_value()) {
                    EXPECT_TRUE(march(sample.shape, local, 10.0 * size, 1e-6 * size)) << i << ": no graze";
                    continue;
                }
                if (!hit) {
                    ++misses;
                    EXPECT_EQ(hit->distance, aimed.max_distance);
                    continue;
                }
                ++hits;
                EXPECT_EQ(hit.status, RayStatus::hit);
                EXPECT_NEAR(static_cast<double>(hit->distance), *expected, 2e-6 * size);
                EXPECT_NEAR(outside(sample.shape, DVec3(hit->point)), 0.0, 2e-6 * size);
                EXPECT_GE(hit.iterations, 1);
                EXPECT_LE(hit.iterations, sample.shape.hull ? static_cast<int>(sample.shape.hull->planes.size()) : 6);
            }
            EXPECT_GE(hits, 60);
            EXPECT_GE(misses, 60);
        }
    }
}

// Starting inside, on the surface, and leaving: by every kind, in every direction.
TEST(RayCast, FromInsideAndFromTheSurface) {
    Random random(67);
    for (const float scale : {1e-3f, 1.0f, 100.0f}) {
        for (const NamedShape& sample : seven_kinds(scale)) {
            SCOPED_TRACE(sample.name + " x " + std::to_string(scale));
            for (int i = 0; i < 100; ++i) {
                const Vec3 d = random.direction();
                const RayCast from_inside = ray_cast(sample.shape, {}, {0.99f * sample.shape.inner_radius * d, d});
                EXPECT_EQ(from_inside.status, RayStatus::inside);
                EXPECT_EQ(from_inside->distance, 0.0f);
                EXPECT_EQ(from_inside->point, 0.99f * sample.shape.inner_radius * d);
                EXPECT_LE(glm::length(from_inside->normal + d), 1e-6f);
                // A hair outside the farthest point along d: away is a miss, back is a hit at once.
                const Vec3 start = support(sample.shape, d) + 1e-4f * scale * d;
                EXPECT_EQ(ray_cast(sample.shape, {}, {start, d}).status, RayStatus::miss);
                const RayCast back = ray_cast(sample.shape, {}, {start, glm::normalize(-start)});
                EXPECT_EQ(back.status, RayStatus::hit);
                // Obliquely, since the centre need not lie against the surface's normal.
                EXPECT_LE(back->distance, 0.02f * scale);
            }
        }
    }
}

// Along a face: a hundredth of a millimetre per metre inside hits the next face at right angles, outside misses.
TEST(RayCast, ParallelToFaces) {
    for (const float scale : {1e-3f, 1.0f, 100.0f}) {
        const float hair = 1e-5f * scale;
        const Shape box = shape_of(Box{Vec3(1.0f, 0.7f, 0.4f) * scale});
        for (int face = 0; face < 3; ++face) {
            for (const float side : {-1.0f, 1.0f}) {
                Ray ray;
                ray.origin = Vec3(0.0f);
                ray.origin[face] = side * (box.half_extents[face] - hair);
                const int along = (face + 1) % 3;
                ray.origin[along] = -5.0f * scale;
                ray.direction = Vec3(0.0f);
                ray.direction[along] = 1.0f;
                const RayCast inner = ray_cast(box, {}, ray);
                ASSERT_EQ(inner.status, RayStatus::hit);
                EXPECT_EQ(inner->normal, -ray.direction);
                ray.origin[face] = side * (box.half_extents[face] + hair);
                EXPECT_EQ(ray_cast(box, {}, ray).status, RayStatus::miss);
            }
        }
        const Shape cylinder = shape_of(Cylinder{0.6f * scale, 0.8f * scale});
        const Vec3 down(0, 0, -1);
        EXPECT_EQ(ray_cast(cylinder, {}, {Vec3(0.6f * scale - hair, 0, 5 * scale), down}).status, RayStatus::hit);
        EXPECT_EQ(ray_cast(cylinder, {}, {Vec3(0.6f * scale + hair, 0, 5 * scale), down}).status, RayStatus::miss);
        const Shape capsule = shape_of(Capsule{0.4f * scale, 0.6f * scale});
        EXPECT_EQ(ray_cast(capsule, {}, {Vec3(0.4f * scale - hair, 0, 5 * scale), down}).status, RayStatus::hit);
        EXPECT_EQ(ray_cast(capsule, {}, {Vec3(0.4f * scale + hair, 0, 5 * scale), down}).status, RayStatus::miss);
        // Along the side of a cone, where the quadratic is linear: down outside it, and down inside it through the tip.
        const Shape cone = shape_of(Cone{0.7f * scale, 1.5f * scale});
        const Vec3 side = glm::normalize(Vec3(0.7f, 0, -1.5f));
        const Vec3 out = glm::normalize(Vec3(1.5f, 0, 0.7f));
        const Vec3 tip(0, 0, 0.75f * 1.5f * scale);
        EXPECT_EQ(ray_cast(cone, {}, {tip - 2.0f * scale * side + hair * out, side}).status, RayStatus::miss);
        const RayCast under = ray_cast(cone, {}, {tip - 2.0f * scale * side - hair * out, side});
        ASSERT_EQ(under.status, RayStatus::hit);
        EXPECT_NEAR(under->distance, 2.0f * scale, 5e-3f * scale);
    }
}

// Rays at the rim and the edges, where two surfaces meet: rounding may turn a hit into a miss, but a hit is at the edge
// and never on the far side.
TEST(RayCast, ThroughRimsAndEdgesNeverHitsTheFarSide) {
    Random random(71);
    int hits = 0;
    for (const NamedShape& sample :
         {NamedShape{"cone", shape_of(Cone{0.7f, 1.5f})}, NamedShape{"cylinder", shape_of(Cylinder{0.7f, 0.375f})}}) {
        SCOPED_TRACE(sample.name);
        for (int i = 0; i < 4000; ++i) {
            const float angle = random.uniform(0.0f, 2.0f * std::numbers::pi_v<float>);
            const Vec3 rim(0.7f * std::cos(angle), 0.7f * std::sin(angle), -0.375f);
            Vec3 d = random.direction();
            if (glm::dot(d, rim) > 0.0f) {
                d = -d; // inwards, roughly
            }
            const Ray ray{rim - 4.0f * d, d};
            const RayCast hit = ray_cast(sample.shape, {}, ray);
            if (!hit) {
                continue;
            }
            // Rays that pass under the rim first enter elsewhere, but always before the rim's point or at it.
            // The start is rounded, which shifts a flat hit by the inverse of its slope.
            const float slope = -glm::dot(hit->normal, d);
            EXPECT_GE(slope, -1e-6f) << i;
            EXPECT_LE(hit->distance, 4.0f + 2e-6f / std::max(slope, 1e-4f)) << i;
            ++hits;
        }
    }
    EXPECT_GE(hits, 2000);
}

TEST(RayCast, CountsTheFacesThatItClipsBy) {
    const std::vector<NamedShape> shapes = seven_kinds(1.0f);
    const Shape& hull = shapes.back().shape;
    const RayCast through = ray_cast(hull, {}, {Vec3(0, 0, 5), Vec3(0, 0, -1)});
    EXPECT_EQ(through.iterations, static_cast<int>(hull.hull->planes.size()));
    const RayCast beside = ray_cast(hull, {}, {Vec3(3, 0, 5), Vec3(0, 0, -1)});
    EXPECT_EQ(beside.status, RayStatus::miss);
    EXPECT_EQ(beside.iterations, 0);
    EXPECT_EQ(beside->distance, 1e6f);
}

} // namespace

} // namespace cairn::physics
