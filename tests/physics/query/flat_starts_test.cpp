// Where published implementations of the expanding polytope break: flat starts, coplanar facets. The mistakes that make
// them break can be run in the collision lab, and are tested there (tests/lab/known_bugs).
#include "physics/query/distance.h"
#include "physics/query/gjk/epa.h"
#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>

#include <array>

namespace cairn::physics {
namespace {

using oracle::DVec3;
using oracle::Random;

// Wherever the last simplex is a point, line or triangle through the origin, or the difference itself is
// nearly flat, the normal must be a number.
TEST(FlatStarts, GiveNormals) {
    const Shape capsule = oracle::make(Capsule{0.5f, 1.0f});
    const Shape plate = oracle::make(Box{Vec3(1.0f, 1.0f, 1e-4f)});
    const Shape needle = oracle::make(Box{Vec3(1e-4f, 1e-4f, 1.0f)});
    const Shape sphere = oracle::make(Sphere{0.5f});
    const std::vector<Shape> shapes{oracle::unit_box, capsule, plate, needle, sphere};
    const std::vector<Quat> turns{identity_orientation, Quat(0.70710678f, 0.70710678f, 0, 0),
                                  Quat(0.70710678f, 0, 0.70710678f, 0)};
    int overlapping = 0;
    for (const Shape& a : shapes) {
        for (const Shape& b : shapes) {
            for (const Quat& q : turns) {
                for (const Vec3& offset : {Vec3(0.0f), Vec3(0, 0, 0.25f), Vec3(0.25f, 0, 0), Vec3(0, 0, 1e-7f)}) {
                    const Transform pose{offset, q};
                    const DistanceResult r = signed_distance(a, {}, b, pose);
                    ASSERT_NE(r.status, QueryStatus::failed);
                    ASSERT_TRUE(is_finite(r.normal) && is_finite(r.distance));
                    ASSERT_NEAR(glm::length(r.normal), 1.0f, 1e-5f);
                    overlapping += r.distance < 0.0f;
                    // Moving by the depth along the normal separates.
                    const double slab = oracle::separation_along(a, {}, b, pose, DVec3(r.normal));
                    ASSERT_NEAR(slab, double(r.distance), 1e-6);
                }
            }
        }
    }
    EXPECT_GT(overlapping, 200);
}

// Boxes resting flush, with coplanar facets everywhere in their difference.
TEST(FlatStarts, FlushBoxesHaveTheirDepth) {
    for (const float depth : {1e-4f, 1e-3f, 0.1f, 0.5f}) {
        for (const float side : {0.0f, 0.1f, 0.9f}) {
            const DistanceResult r =
                signed_distance(oracle::unit_box, {}, oracle::unit_box, {Vec3(side, 0, 2.0f - depth)});
            ASSERT_NEAR(r.distance, -depth, 1e-6f);
            ASSERT_LT(glm::length(r.normal - Vec3(0, 0, 1)), 1e-6f);
            ASSERT_LE(r.epa_iterations, 20);
            ASSERT_LT(glm::length(r.point_b - r.point_a - r.normal * r.distance), 1e-5f);
        }
    }
}

// The polytope alone, from every dimension of the last simplex.
TEST(FlatStarts, PolytopeBoundsItsAnswer) {
    Random random(22);
    std::array<int, 5> from{};
    for (int i = 0; i < 2000; ++i) {
        const Vec3 offset = i % 4 == 0 ? Vec3(0.0f) : Vec3(random.direction() * random.between(0.0, 1.0));
        const Quat q = i % 3 == 0 ? identity_orientation : random.orientation();
        const CorePair pair =
            core_pair(oracle::unit_box, oracle::unit_box, relative_frame(frame_of({}), frame_of({offset, q})));
        const GjkResult g = gjk(pair, 1e300, -1.0, between_centres(pair));
        ASSERT_EQ(g.outcome, GjkResult::Outcome::touching);
        ++from[g.count];
        const EpaResult e = epa(pair, g);
        ASSERT_GE(e.depth, e.lower - 1e-9);
        ASSERT_LT(e.depth - e.lower, 1e-5);
        ASSERT_NEAR(glm::length(e.normal), 1.0, 1e-9);
    }
    EXPECT_GT(from[4], 0);
    EXPECT_GT(from[2] + from[3], 0);
}

} // namespace
} // namespace cairn::physics
