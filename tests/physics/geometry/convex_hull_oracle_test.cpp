#include "tests/physics/geometry/generators.h"
#include "tests/physics/geometry/hull_checks.h"
#include "tests/physics/geometry/qhull_oracle.h"

#include "physics/geometry/geometry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace cairn::physics {

namespace {

using namespace geometry_testing;
using DVec3 = glm::dvec3;

double greatest(const glm::dmat3& m) {
    double most = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            most = std::max(most, std::abs(m[i][j]));
        }
    }
    return most;
}

// Volume, centroid and inertia to `relative`, the surfaces within 1e-5 of the extent of each other.
void compare(const std::vector<Vec3>& points, double relative = 1e-5) {
    const ConvexHull hull = hull_of(points);
    const QhullAnswer qhull = ask_qhull(points);
    const double extent = static_cast<double>(extent_of(points));
    const double far = glm::length(DVec3(points.front())) + extent;
    EXPECT_NEAR(static_cast<double>(hull.volume), qhull.volume, relative * qhull.volume);
    EXPECT_LE(glm::length(DVec3(hull.centroid) - qhull.centroid), relative * extent + 1e-7 * far);
    EXPECT_LE(greatest(glm::dmat3(hull.unit_inertia) - qhull.inertia), relative * greatest(qhull.inertia));

    std::vector<DVec3> ours;
    for (const Vec3& v : hull.vertices) {
        ours.push_back(DVec3(v) + DVec3(hull.centroid));
    }
    const double tolerance = 1e-5 * extent + 2e-7 * far;
    EXPECT_LE(qhull.worst(ours), tolerance) << "one of our vertices lies outside Qhull's hull";
    for (const std::uint32_t i : qhull.vertices) {
        for (const Plane& plane : hull.planes) {
            EXPECT_LE(glm::dot(DVec3(plane.normal), DVec3(points[i]) - DVec3(hull.centroid)),
                      static_cast<double>(plane.offset) + tolerance)
                << "a vertex of Qhull's lies outside our hull";
        }
    }
}

TEST(ConvexHullOracle, AgreesWithQhullForEveryFamily) {
    Random random(41);
    int compared = 0;
    for (std::uint64_t seed = 100; seed < 104; ++seed) {
        for (const NamedPoints& set : point_families(seed)) {
            const float scale = seed == 100 ? 1e-3f : (seed == 101 ? 1e3f : 1.0f);
            const std::vector<Vec3> points = placed(set.points, scale, random.rotation(), scale * random.in_cube());
            SCOPED_TRACE(set.name + " scale " + std::to_string(scale));
            compare(points);
            ++compared;
        }
    }
    EXPECT_GE(compared, 80);
}

// A hull of a metre a kilometre off, where the points themselves are rounded to 6e-5 m: whatever solid they then span
// is the one to be measured.
TEST(ConvexHullOracle, AgreesWithQhullFarFromTheOrigin) {
    Random random(47);
    int compared = 0;
    for (const NamedPoints& set : point_families(110)) {
        const bool flat_after_rounding = set.name == "hair" || set.name == "foil";
        for (const float distance : {30.0f, 1e3f}) {
            if (flat_after_rounding && distance > 100.0f) {
                continue;
            }
            SCOPED_TRACE(set.name + " at " + std::to_string(distance) + " m");
            compare(placed(set.points, 1.0f, random.rotation(), distance * random.direction()));
            ++compared;
        }
    }
    EXPECT_GE(compared, 48);
}

// Sets of many points that make hull builders slow, or give up, or answer with folds.
TEST(ConvexHullOracle, AgreesWithQhullOnAdversarialSets) {
    int compared = 0;
    for (const NamedPoints& set : adversarial_sets(51)) {
        SCOPED_TRACE(set.name);
        check_hull(hull_of(set.points), set.points);
        compare(set.points);
        ++compared;
    }
    EXPECT_GE(compared, 12);
}

TEST(ConvexHullOracle, AgreesWithQhullOnTheDiamond) {
    compare(diamond_points(), 1e-6);
}

TEST(ConvexHullOracle, FindsQhullsVerticesInGeneralPosition) {
    Random random(43);
    int compared = 0;
    for (int round = 0; round < 200; ++round) {
        const int count = 5 + static_cast<int>(random.below(400));
        const Vec3 sides(random.uniform(0.2f, 1.0f), random.uniform(0.2f, 1.0f), random.uniform(0.2f, 1.0f));
        const bool round_solid = round % 2 == 0;
        std::vector<Vec3> points;
        for (int i = 0; i < count; ++i) {
            points.push_back(sides * (round_solid ? random.in_ball() : random.in_cube()));
        }
        const ConvexHull hull = hull_of(points);
        const QhullAnswer qhull = ask_qhull(points);
        std::vector<Vec3> expected;
        for (const std::uint32_t i : qhull.vertices) {
            expected.push_back(points[i]);
        }
        // A random point may lie within the tolerance of the hull of the others, and then is rightly no vertex.
        if (expected.size() != hull.vertices.size()) {
            continue;
        }
        ++compared;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_LE(glm::length(expected[i] - hull.centroid - hull.vertices[i]), 5e-7f);
        }
    }
    EXPECT_GE(compared, 195);
}

} // namespace

} // namespace cairn::physics
