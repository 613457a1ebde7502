// The nearest point of a hull by its faces, against brute force over all of its features.
#include "physics/query/distance/hull_foot.h"

#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>

namespace cairn::physics {
namespace {

using oracle::Random;

std::vector<Shape> hulls() {
    Random random(20);
    std::vector<Shape> shapes{oracle::make(Diamond{1.0f}), oracle::make(Diamond{0.37f})};
    for (const DVec3& size : {DVec3(1.0), DVec3(4.0, 0.3, 0.3), DVec3(2.0, 2.0, 0.05)}) {
        for (const int count : {4, 9, 40, 300}) {
            auto points = std::make_shared<std::vector<Vec3>>();
            for (int i = 0; i < count; ++i) {
                points->push_back(Vec3(random.direction() * size));
            }
            shapes.push_back(oracle::make(PointSet{points}));
        }
    }
    return shapes;
}

// A point outside: over a face, over an edge or over a corner, from almost touching to far.
DVec3 point_outside(const ConvexHull& hull, double size, Random& random) {
    const std::size_t f = std::size_t(random.below(int(hull.faces.size())));
    const std::span<const std::uint32_t> corners = hull.face(f);
    const int what = random.below(3);
    DVec3 on(0.0);
    double sum = 0.0;
    for (std::size_t i = 0; i < (what == 0 ? corners.size() : std::size_t(what)); ++i) {
        const double weight = random.unit() + 1e-3;
        on += weight * DVec3(hull.vertices[corners[i]]);
        sum += weight;
    }
    const DVec3 direction = what == 0 ? DVec3(hull.planes[f].normal) : random.direction();
    return on * (1.0 / sum) + direction * (size * random.log_between(1e-5, 10.0));
}

double extent(const ConvexHull& hull, const DVec3& n) {
    double most = -1e300;
    for (const Vec3& v : hull.vertices) {
        most = std::max(most, glm::dot(n, DVec3(v)));
    }
    return most;
}

TEST(HullFoot, IsTheNearestPoint) {
    const int points = oracle::count(150);
    Random random(21);
    int asked = 0, answered = 0, on_faces = 0, elsewhere = 0;
    for (const Shape& shape : hulls()) {
        const oracle::Solid solid = oracle::solid(shape, {});
        const double size = double(shape.bounding_radius);
        for (int i = 0; i < points; ++i) {
            const DVec3 p = point_outside(*shape.hull, size, random);
            oracle::Solid point;
            point.vertices.push_back(p);
            const oracle::Answer truth = oracle::signed_distance(solid, point);
            Foot foot;
            const bool found = foot_on_hull(*shape.hull, size, p, 1e-9 * size, foot);
            if (truth.overlapping || truth.distance < 1e-6 * size) {
                // A point that looked away from its corner into the hull.
                EXPECT_TRUE(!found || foot.distance < 2e-6 * size);
                continue;
            }
            ++asked;
            if (!found) {
                continue;
            }
            ++answered;
            const double tolerance = 2e-7 * size + 1e-12 * truth.distance;
            ASSERT_NEAR(foot.distance, truth.distance, tolerance) << asked;
            ASSERT_NEAR(glm::length(foot.normal), 1.0, 1e-12);
            ASSERT_NEAR(glm::length(p - foot.point - foot.normal * foot.distance), 0.0,
                        1e-12 * (size + truth.distance));
            // Nothing of the hull lies beyond the plane through the foot.
            ASSERT_NEAR(glm::dot(foot.normal, foot.point), extent(*shape.hull, foot.normal), 1e-12 * size + tolerance);
            const DVec3 facing(shape.hull->planes[detail::facing_face(*shape.hull, foot.normal)].normal);
            ++(glm::dot(facing, foot.normal) > 1.0 - 1e-12 ? on_faces : elsewhere);
        }
    }
    EXPECT_GT(answered, asked * 9 / 10);
    EXPECT_GT(on_faces, asked / 10);
    EXPECT_GT(elsewhere, asked / 4);
}

TEST(HullFoot, SaysNothingFromInside) {
    Random random(22);
    for (const Shape& shape : hulls()) {
        for (int i = 0; i < 50; ++i) {
            const DVec3 p = random.direction() * (random.unit() * 0.999 * double(shape.inner_radius));
            Foot foot;
            EXPECT_FALSE(foot_on_hull(*shape.hull, double(shape.bounding_radius), p, 1e-9, foot));
        }
    }
}

} // namespace
} // namespace cairn::physics
