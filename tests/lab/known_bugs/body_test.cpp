// Errors 1, 7 and 8: single bodies, their hulls and their mass. Each article's version fails on its pinned input, the
// engine does not.
#include "app/lab/known_bugs/solids/box_inertia.h"
#include "app/lab/known_bugs/solids/grid_mass.h"
#include "app/lab/known_bugs/solids/hull_seeds.h"
#include "physics/geometry/mass_properties.h"
#include "tests/physics/geometry/hull_checks.h"
#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>

namespace cairn::core::lab::known_bugs {
namespace {

using namespace cairn::physics;
using geometry_testing::check_hull;
using geometry_testing::hull_of;
using glm::dmat3;

Shape hull_of_points(std::vector<Vec3> points) {
    return oracle::make(PointSet{std::make_shared<const std::vector<Vec3>>(std::move(points))});
}

// 1: a body turns about its centre of mass, so that the tensor has no offset term at all; where there is one (bodies of
// several shapes) its products are all negative.
TEST(KnownBugs, BoxInertiaIsSymmetricAndAboutTheCentre) {
    const DVec3 low(1, 2, 4), high(3, 5, 5);
    const dmat3 wrong = box_inertia(low, high);
    EXPECT_NE(wrong, glm::transpose(wrong));

    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) {
        corners.emplace_back(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    }
    const Shape box = hull_of_points(corners);
    const DVec3 d = high - low;
    const double mass = d.x * d.y * d.z;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double moment = mass * (d[j] * d[j] + d[k] * d[k]) / 12.0;
        EXPECT_NEAR(double(box.unit_inertia[i][i]), moment, 1e-6 * moment);
        EXPECT_GT(mass * wrong[i][i], 2.0 * moment) << "the offset counted in";
        EXPECT_NEAR(double(box.unit_inertia[i][j]), 0.0, 1e-6 * mass);
        EXPECT_EQ(box.unit_inertia[i][j], box.unit_inertia[j][i]);
    }

    // The same box made of two halves: the parallel-axis term is there, and cancels nothing it should not.
    const Shape half = oracle::make(Box{Vec3(d * DVec3(0.25, 0.5, 0.5))});
    const Vec3 middle(0.5 * (low + high));
    const PlacedShape halves[2] = {{&half, {middle - Vec3(0.5f, 0, 0)}}, {&half, {middle + Vec3(0.5f, 0, 0)}}};
    const MassProperties both = mass_properties(halves, 1.0f);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            EXPECT_NEAR(both.inertia[i][j], box.unit_inertia[i][j], 1e-5f * box.unit_inertia[0][0]);
        }
    }
    // Two balls off all axes, where every product is there and none is zero.
    const Shape ball = oracle::make(Sphere{0.1f});
    const PlacedShape pair[2] = {{&ball, {Vec3(1, 2, 3)}}, {&ball, {Vec3(-1, -2, -3)}}};
    const MassProperties dumbbell = mass_properties(pair, 1.0f);
    EXPECT_EQ(dumbbell.inertia, glm::transpose(dumbbell.inertia));
    EXPECT_NEAR(dumbbell.inertia[1][0], -2.0f * dumbbell.mass, 1e-5f * dumbbell.mass);
    EXPECT_NEAR(dumbbell.inertia[2][0], -3.0f * dumbbell.mass, 1e-5f * dumbbell.mass);
    EXPECT_NEAR(dumbbell.inertia[2][1], -6.0f * dumbbell.mass, 1e-5f * dumbbell.mass);
}

// 8: a million samples, and still off by half a step in every direction.
TEST(KnownBugs, MassIsExactNotSampled) {
    // A wedge: half of a box, cut along a diagonal. Its centre of mass is a third of the way from the right angle.
    const Shape wedge =
        hull_of_points({Vec3(0), Vec3(3, 0, 0), Vec3(0, 2, 0), Vec3(0, 0, 1), Vec3(3, 0, 1), Vec3(0, 2, 1)});
    EXPECT_NEAR(wedge.volume, 3.0f, 1e-6f);
    EXPECT_NEAR(wedge.author_offset.x, 1.0f, 1e-6f);
    EXPECT_NEAR(wedge.author_offset.y, 2.0f / 3.0f, 1e-6f);
    EXPECT_NEAR(wedge.author_offset.z, 0.5f, 1e-6f);

    const Sampled sampled = sample_on_a_grid(*wedge.hull);
    EXPECT_GT(sampled.inside, 100000);
    EXPECT_GT(std::abs(sampled.volume - 3.0), 1e-3 * 3.0);
    // In the frame of our shape, whose origin is the centre of mass.
    EXPECT_NEAR(sampled.centre.z, -0.5 * 0.01, 1e-3) << "half a step";
}

// A pyramid that points at the origin from one side.
const std::vector<Vec3> pyramid{Vec3(-1, 0, 0), Vec3(-3, 1, 1), Vec3(-3, -1, 1), Vec3(-3, 1, -1), Vec3(-3, -1, -1)};

TEST(KnownBugs, HullsDoNotDependOnTheOrigin) {
    const auto [first, second] = first_two_seeds(pyramid);
    EXPECT_EQ(first, second) << "the tip is the farthest point both along x and along -p0";
    EXPECT_EQ(seed_determinant(pyramid), 0.0f);

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

TEST(KnownBugs, FlatPointsAreRejectedNotSeeded) {
    const std::vector<Vec3> square{Vec3(1, 1, 2), Vec3(2, 1, 2), Vec3(1, 2, 2), Vec3(2, 2, 2), Vec3(1.5f, 1.5f, 2)};
    const std::vector<Vec3> line{Vec3(1, 1, 2), Vec3(2, 1, 2), Vec3(3, 1, 2), Vec3(2.5f, 1, 2)};
    const std::vector<Vec3> one(5, Vec3(1, 2, 3));
    for (const auto& points : {square, line, one}) {
        EXPECT_EQ(seed_determinant(points), 0.0f) << "a hull without volume, and without complaint";
        const auto built = build_convex_hull(points);
        ASSERT_TRUE(std::holds_alternative<HullError>(built));
        EXPECT_FALSE(std::get<HullError>(built).reason.empty());
    }
}

TEST(KnownBugs, SmallHullsKeepTheirPoints) {
    std::vector<Vec3> gem = diamond_points(); // of 8 mm
    for (Vec3& p : gem) {
        p *= 4e-3f;
    }
    EXPECT_LT(without_duplicates(gem).size(), 4u) << "nothing left to build from";
    const ConvexHull hull = hull_of(gem);
    check_hull(hull, gem);
    EXPECT_EQ(hull.vertices.size(), 56u);
    EXPECT_EQ(hull.faces.size(), hull_of(diamond_points()).faces.size());
}

// What lies within a centimetre of each other makes the whole run fail too, and flat points, of which nobody complains.
TEST(KnownBugs, HullRunsFailByMergingAndByFlatness) {
    Points gem = diamond_points();
    EXPECT_FALSE(run_hull_seeds(gem).bug.failed) << "of ordinary size, about the origin";
    for (Vec3& p : gem) {
        p *= 4e-3f;
    }
    EXPECT_TRUE(run_hull_seeds(gem).bug.failed);
    const KnownBugRuns flat = run_hull_seeds({Vec3(1, 1, 2), Vec3(2, 1, 2), Vec3(1, 2, 2), Vec3(2, 2, 2)});
    EXPECT_TRUE(flat.bug.failed);
    EXPECT_NE(flat.verdict.find("refuses"), std::string::npos) << flat.verdict;
}

// Where nothing is wrong nothing is claimed to be.
TEST(KnownBugs, MassRunsAreJudgedByTheEngine) {
    const Points corners{Vec3(-1, -1, -1), Vec3(1, -1, -1), Vec3(-1, 1, -1), Vec3(1, 1, -1),
                         Vec3(-1, -1, 1),  Vec3(1, -1, 1),  Vec3(-1, 1, 1),  Vec3(1, 1, 1)};
    EXPECT_FALSE(run_box_inertia(corners).bug.failed) << "about the origin the offset is zero";
    EXPECT_FALSE(run_grid_mass(corners).bug.failed) << "thick, and along the grid";
    EXPECT_THROW(run_grid_mass({Vec3(0.0f)}), std::invalid_argument);
    EXPECT_THROW(run_box_inertia({Vec3(0.0f)}), std::invalid_argument);
}

TEST(KnownBugs, PrincipalAxesRestoreTheTensor) {
    oracle::Random random(25);
    for (int i = 0; i < 200; ++i) {
        dmat3 root(0.0);
        for (int j = 0; j < 3; ++j) {
            root[j] = random.vector(-1, 1);
        }
        const dmat3 tensor = i == 0 ? dmat3(2.0) : root * glm::transpose(root);
        const PrincipalAxes found = principal_axes(tensor);
        dmat3 diagonal(0.0);
        for (int j = 0; j < 3; ++j) {
            diagonal[j][j] = found.moments[j];
        }
        ASSERT_LT(tensor_error(found.axes * diagonal * glm::transpose(found.axes), tensor), 1e-12) << i;
        ASSERT_LT(tensor_error(found.axes * glm::transpose(found.axes), dmat3(1.0)), 1e-12) << i;
    }
}

} // namespace
} // namespace cairn::core::lab::known_bugs
