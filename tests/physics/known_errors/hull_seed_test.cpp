// Error 7: hulls that depend on where the origin is and how large the input is.
#include "tests/physics/geometry/hull_checks.h"
#include "tests/physics/known_errors/difference.h"

#include <gtest/gtest.h>

namespace cairn::physics {
namespace {

using geometry_testing::check_hull;
using geometry_testing::hull_of;

namespace as_in_the_source {

std::size_t farthest_along(const std::vector<Vec3>& points, const Vec3& direction) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (glm::dot(points[i], direction) > glm::dot(points[best], direction)) {
            best = i;
        }
    }
    return best;
}

// The first point of the seed is the farthest along x; the second is looked for along -p0, not away from p0.
std::pair<std::size_t, std::size_t> first_two_seeds(const std::vector<Vec3>& points) {
    const std::size_t first = farthest_along(points, Vec3(1, 0, 0));
    return {first, farthest_along(points, -points[first])};
}

// Takes the farthest point from a line and from a plane for the third and fourth, however near it is: six times the
// volume of the seed.
float seed_determinant(const std::vector<Vec3>& points) {
    const auto [i, j] = first_two_seeds(points);
    const Vec3 a = points[i], ab = points[j] - points[i];
    Vec3 c = a, d = a;
    for (const Vec3& p : points) {
        if (glm::length(glm::cross(ab, p - a)) > glm::length(glm::cross(ab, c - a))) {
            c = p;
        }
    }
    const Vec3 normal = glm::cross(ab, c - a);
    for (const Vec3& p : points) {
        if (std::abs(glm::dot(normal, p - a)) > std::abs(glm::dot(normal, d - a))) {
            d = p;
        }
    }
    return std::abs(glm::dot(normal, d - a));
}

// Points nearer to an earlier one than a centimetre are duplicates.
std::vector<Vec3> without_duplicates(const std::vector<Vec3>& points) {
    std::vector<Vec3> kept;
    for (const Vec3& p : points) {
        bool fresh = true;
        for (const Vec3& q : kept) {
            fresh = fresh && glm::length(p - q) > 0.01f;
        }
        if (fresh) {
            kept.push_back(p);
        }
    }
    return kept;
}

} // namespace as_in_the_source

// A pyramid that points at the origin from one side.
const std::vector<Vec3> pyramid{Vec3(-1, 0, 0), Vec3(-3, 1, 1), Vec3(-3, -1, 1), Vec3(-3, 1, -1), Vec3(-3, -1, -1)};

TEST(KnownErrors, HullsDoNotDependOnTheOrigin) {
    const auto [first, second] = as_in_the_source::first_two_seeds(pyramid);
    EXPECT_EQ(first, second) << "the tip is the farthest point both along x and along -p0";
    EXPECT_EQ(as_in_the_source::seed_determinant(pyramid), 0.0f);

    for (const Vec3& offset : {Vec3(0), Vec3(5, 0, 0), Vec3(-5, -5, -5), Vec3(100, -3, 0.5f)}) {
        std::vector<Vec3> points = pyramid;
        for (Vec3& p : points) {
            p += offset;
        }
        const ConvexHull hull = hull_of(points);
        check_hull(hull, points);
        EXPECT_EQ(hull.vertices.size(), 5u);
        EXPECT_EQ(hull.faces.size(), 5u);
        EXPECT_NEAR(hull.volume, 8.0f / 3.0f, 1e-5f);
    }
}

TEST(KnownErrors, FlatPointsAreRefusedNotSeeded) {
    const std::vector<Vec3> square{Vec3(1, 1, 2), Vec3(2, 1, 2), Vec3(1, 2, 2), Vec3(2, 2, 2), Vec3(1.5f, 1.5f, 2)};
    const std::vector<Vec3> line{Vec3(1, 1, 2), Vec3(2, 1, 2), Vec3(3, 1, 2), Vec3(2.5f, 1, 2)};
    const std::vector<Vec3> one(5, Vec3(1, 2, 3));
    for (const auto& points : {square, line, one}) {
        EXPECT_EQ(as_in_the_source::seed_determinant(points), 0.0f) << "a hull without volume, and without complaint";
        const auto built = build_convex_hull(points);
        ASSERT_TRUE(std::holds_alternative<HullError>(built));
        EXPECT_FALSE(std::get<HullError>(built).reason.empty());
    }
}

TEST(KnownErrors, SmallHullsKeepTheirPoints) {
    std::vector<Vec3> gem = diamond_points(); // of 8 mm
    for (Vec3& p : gem) {
        p *= 4e-3f;
    }
    EXPECT_LT(as_in_the_source::without_duplicates(gem).size(), 4u) << "nothing left to build from";
    const ConvexHull hull = hull_of(gem);
    check_hull(hull, gem);
    EXPECT_EQ(hull.vertices.size(), 56u);
    EXPECT_EQ(hull.faces.size(), hull_of(diamond_points()).faces.size());
}

} // namespace
} // namespace cairn::physics
