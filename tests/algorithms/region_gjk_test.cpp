// Boolean GJK in the arrangements that its simplex cases must get right.
#include "app/algorithms/region_gjk.h"
#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>

#include <vector>

namespace cairn::algorithms {

using namespace physics;

namespace {

using oracle::make;
using oracle::Random;
using DVec3 = glm::dvec3;

Transform pose_at(float x, float y, float z, const Quat& orientation = identity_orientation) {
    Transform pose;
    pose.position = Vec3(x, y, z);
    pose.orientation = orientation;
    return pose;
}

bool hit(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b) {
    const RegionGjkResult r = region_gjk(a, pose_a, b, pose_b);
    EXPECT_NE(r.status, QueryStatus::failed);
    return r.status == QueryStatus::overlapping;
}

std::vector<Shape> one_of_each() {
    std::vector<Vec3> corners;
    for (int i = 0; i < 6; ++i) {
        Vec3 p(0.0f);
        p[i / 2] = i % 2 == 0 ? 1.0f : -1.0f;
        corners.push_back(p);
    }
    return {make(Sphere{0.8f}),
            make(Box{Vec3(1.0f, 0.5f, 0.7f)}),
            make(Capsule{0.3f, 0.8f}),
            make(Cylinder{0.6f, 0.5f}),
            make(Cone{0.7f, 1.5f}),
            make(Diamond{1.0f}),
            make(PointSet{std::make_shared<const std::vector<Vec3>>(corners)})};
}

// Every pair of shapes, pulled apart and pushed together along random directions. The separation of the shapes along
// the direction proves the first; the second is proven by two points of the shapes that have passed each other.
TEST(RegionGjk, EveryPairOfShapes) {
    const std::vector<Shape> shapes = one_of_each();
    Random random(11);
    int hits = 0;
    int misses = 0;
    for (const Shape& a : shapes) {
        for (const Shape& b : shapes) {
            for (int i = 0; i < oracle::count(20); ++i) {
                const DVec3 u = random.direction();
                const Transform pose_a = pose_at(1.0f, 2.0f, 3.0f, random.orientation());
                Transform pose_b = pose_at(1.0f, 2.0f, 3.0f, random.orientation());
                ASSERT_TRUE(hit(a, pose_a, b, pose_b)) << "the centre of one lies in the other";
                const double touching = -oracle::separation_along(a, pose_a, b, pose_b, u);
                const double size = double(a.bounding_radius) + double(b.bounding_radius);
                pose_b.position = Vec3(DVec3(pose_a.position) + u * (touching + 1e-4 * size));
                ASSERT_FALSE(hit(a, pose_a, b, pose_b));
                ASSERT_FALSE(hit(b, pose_b, a, pose_a));
                ++misses;
                // Each holds a ball about its centre: with the balls overlapping, so do the shapes.
                const double near = 0.999 * (double(a.inner_radius) + double(b.inner_radius));
                pose_b.position = Vec3(DVec3(pose_a.position) + u * near);
                ASSERT_TRUE(hit(a, pose_a, b, pose_b));
                ASSERT_TRUE(hit(b, pose_b, a, pose_a));
                ++hits;
            }
        }
    }
    EXPECT_EQ(hits, misses);
    EXPECT_GE(hits, 900);
}

// The origin then lies on a vertex, an edge or a face of the Minkowski difference: a support point that only just
// passes it, or a cross product that is zero.
TEST(RegionGjk, TouchingCounts) {
    const Shape box = make(Box{Vec3(1.0f)});
    EXPECT_TRUE(hit(box, Transform{}, box, pose_at(2, 0, 0))) << "face on face";
    EXPECT_TRUE(hit(box, Transform{}, box, pose_at(2, 2, 0))) << "edge on edge";
    EXPECT_TRUE(hit(box, Transform{}, box, pose_at(2, 2, 2))) << "corner on corner";
    EXPECT_TRUE(hit(box, Transform{}, box, pose_at(2, 0.5f, -0.25f)));
    EXPECT_FALSE(hit(box, Transform{}, box, pose_at(2.0001f, 0, 0)));
    EXPECT_FALSE(hit(box, Transform{}, box, pose_at(2.0001f, 2, 2)));
    EXPECT_TRUE(hit(box, Transform{}, box, pose_at(1.9999f, 1.9999f, 1.9999f)));
    const Shape ball = make(Sphere{1.0f});
    EXPECT_TRUE(hit(ball, Transform{}, box, pose_at(2, 0, 0)));
    EXPECT_FALSE(hit(ball, Transform{}, box, pose_at(2.0001f, 0, 0)));
    EXPECT_TRUE(hit(ball, pose_at(0, 3, 0), ball, pose_at(0, 5, 0)));
    EXPECT_FALSE(hit(ball, pose_at(0, 3, 0), ball, pose_at(0, 5.0001f, 0)));
    const Shape cone = make(Cone{1.0f, 4.0f});
    EXPECT_TRUE(hit(cone, Transform{}, box, pose_at(0, 0, 4))) << "the apex on a face";
    EXPECT_FALSE(hit(cone, Transform{}, box, pose_at(0, 0, 4.0001f)));
    EXPECT_TRUE(hit(cone, Transform{}, box, pose_at(0, 0, -2))) << "the base on a face";
}

// Centres that coincide, or differ along an axis of symmetry only, put the origin on the line through the first two
// support points: the triple product that should point at it is zero.
TEST(RegionGjk, OriginOnTheSimplex) {
    for (const Shape& a : one_of_each()) {
        for (const Shape& b : one_of_each()) {
            const RegionGjkResult same = region_gjk(a, Transform{}, b, Transform{});
            EXPECT_EQ(same.status, QueryStatus::overlapping);
            EXPECT_LE(same.iterations, 8);
            for (int axis = 0; axis < 3; ++axis) {
                Transform pose;
                pose.position[axis] = 0.25f;
                EXPECT_EQ(region_gjk(a, Transform{}, b, pose).status, QueryStatus::overlapping);
                pose.position[axis] = -40.0f;
                const RegionGjkResult far = region_gjk(a, Transform{}, b, pose);
                EXPECT_EQ(far.status, QueryStatus::separated);
                EXPECT_LE(far.iterations, 1) << "the first support point does not pass the origin";
            }
        }
    }
}

// A tetrahedron that the origin is beyond a face, an edge or a corner of does not hold it. Tetrahedra against a tiny
// one: their Minkowski difference is nearly the tetrahedron itself, so that all of its regions are met.
TEST(RegionGjk, NoFalseHitsFromTheTetrahedron) {
    Random random(12);
    int inside = 0;
    int outside = 0;
    const float e = 2e-4f;
    const std::vector<Vec3> tiny{{e, e, e}, {-e, -e, e}, {-e, e, -e}, {e, -e, -e}};
    const Shape probe = make(PointSet{std::make_shared<const std::vector<Vec3>>(tiny)});
    for (int i = 0; i < oracle::count(4000); ++i) {
        std::vector<Vec3> corners;
        for (int k = 0; k < 4; ++k) {
            corners.push_back(Vec3(random.direction() * random.between(0.5, 2.0)));
        }
        const auto built = build_shape(PointSet{std::make_shared<const std::vector<Vec3>>(corners)});
        const Shape* tetrahedron = std::get_if<Shape>(&built);
        if (tetrahedron == nullptr) { // too flat to be accepted
            continue;
        }
        const Transform pose = pose_at(0, 0, 0, random.orientation());
        const Vec3 p(random.direction() * random.between(0.0, 2.5));
        const double beyond = oracle::outside(*tetrahedron, pose, DVec3(p));
        if (std::abs(beyond) < 1e-3) {
            continue; // within the probe's own size
        }
        ASSERT_EQ(hit(*tetrahedron, pose, probe, pose_at(p.x, p.y, p.z)), beyond < 0.0) << beyond;
        (beyond < 0.0 ? inside : outside) += 1;
    }
    EXPECT_GT(inside, 100);
    EXPECT_GT(outside, 1000);
}

// Round shapes a hair apart or overlapping by a hair take the most rounds; the cap is far away.
TEST(RegionGjk, GrazingRoundShapes) {
    Random random(13);
    const std::vector<Shape> shapes{make(Cylinder{1.0f, 0.2f}), make(Cone{1.0f, 2.0f}), make(Sphere{1.0f}),
                                    make(Capsule{0.5f, 1.0f})};
    int most = 0;
    int apart = 0;
    int overlapping = 0;
    for (int i = 0; i < oracle::count(400); ++i) {
        const Shape& a = shapes[std::size_t(random.below(4))];
        const Shape& b = shapes[std::size_t(random.below(4))];
        const Transform pose_a = pose_at(0, 0, 0, random.orientation());
        Transform pose_b = pose_at(0, 0, 0, random.orientation());
        const DVec3 u = random.direction();
        pose_b.position = Vec3(u * 10.0);
        const DistanceResult start = signed_distance(a, pose_a, b, pose_b);
        const double size = double(a.bounding_radius) + double(b.bounding_radius);
        for (const double gap : {1e-5, 1e-4, -1e-5, -1e-4}) {
            Transform moved = pose_b;
            moved.position = Vec3(DVec3(pose_b.position) + DVec3(start.normal) * (gap * size - double(start.distance)));
            const RegionGjkResult r = region_gjk(a, pose_a, b, moved);
            // Points that pass each other by a hair need not lie in both shapes: rims and apices slip past.
            const double distance = gap > 0.0 ? gap : double(signed_distance(a, pose_a, b, moved).distance) / size;
            ASSERT_NE(r.status, QueryStatus::failed);
            if (std::abs(distance) > 3e-6) {
                ASSERT_EQ(r.status, distance > 0.0 ? QueryStatus::separated : QueryStatus::overlapping) << distance;
                (distance > 0.0 ? apart : overlapping) += 1;
            }
            most = std::max(most, r.iterations);
        }
    }
    EXPECT_GT(apart, 500);
    EXPECT_GT(overlapping, 500);
    EXPECT_LE(most, 60);
}

// Touching to a hundred-millionth of their size. On the way one support point on the rim brings the simplex nearer by
// less than rounding, which is not the end: four rounds later it is within the tolerance.
TEST(RegionGjk, StepsAsideOnARim) {
    const Shape diamond = make(Diamond{0.528783858f});
    const Transform pose_a = pose_at(11.3355141f, 2.62853384f, -3.28274131f,
                                     Quat(0.782820582f, -0.590287685f, -0.151869342f, -0.125252128f));
    const Shape cylinder = make(Cylinder{7.87950182f, 21.7121277f});
    const Transform pose_b = pose_at(-2.69667554f, -12.1840849f, -14.5565405f,
                                     Quat(0.154207096f, -0.409006178f, -0.475104958f, -0.76368165f));
    EXPECT_EQ(signed_distance(diamond, pose_a, cylinder, pose_b).status, QueryStatus::touching);
    EXPECT_TRUE(hit(diamond, pose_a, cylinder, pose_b));
    EXPECT_TRUE(hit(cylinder, pose_b, diamond, pose_a));
}

} // namespace
} // namespace cairn::algorithms
