// Errors 3 and 9: whether shapes overlap at all. Each article's version fails on its pinned input, the engine does
// not.
#include "app/lab/known_bugs/queries/unused_slots.h"
#include "app/lab/known_bugs/queries/zero_direction.h"
#include "physics/query/distance.h"
#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>

namespace cairn::core::lab::known_bugs {
namespace {

using namespace cairn::physics;
using oracle::Random;

Answer by_slots(const Transform& pose_b, bool unused_slots_too) {
    StepReport report;
    Difference difference(oracle::unit_box, {}, oracle::unit_box, pose_b);
    return overlap_by_signed_volumes(difference, unused_slots_too, report).answer;
}

Answer by_regions(const Shape& a, const Transform& pose_a, const Transform& pose_b, const DVec3& start) {
    StepReport report;
    Difference difference(a, pose_a, oracle::unit_box, pose_b);
    return overlap_by_regions(difference, start, report);
}

// 3: corner on corner the second support is the origin itself, which is no duplicate of an unused slot.
TEST(KnownBugs, SupportAtTheOriginIsNoDuplicate) {
    const Transform touching{Vec3(-2, -2, -2)};
    EXPECT_EQ(by_slots(touching, true), Answer::miss);
    EXPECT_EQ(by_slots(touching, false), Answer::hit);
    for (const Vec3& d :
         {Vec3(-2, -2, -2), Vec3(2, 2, 2), Vec3(-2, 2, 2), Vec3(2, -2, -2), Vec3(2, 2, 0), Vec3(0, 0, -2)}) {
        EXPECT_TRUE(overlap(oracle::unit_box, {}, oracle::unit_box, {d}));
        const DistanceResult r = signed_distance(oracle::unit_box, {}, oracle::unit_box, {d});
        EXPECT_EQ(r.status, QueryStatus::touching);
        EXPECT_NEAR(r.distance, 0.0f, 1e-6f);
        EXPECT_NEAR(glm::length(r.normal), 1.0f, 1e-6f);
    }
}

// 9: boxes one in the other with a common centre: the first two supports are opposite, their line goes through the
// origin and gives no direction to search along.
TEST(KnownBugs, OriginOnTheLineOfTheSimplex) {
    EXPECT_EQ(by_regions(oracle::unit_box, {}, {}, DVec3(1, 1, 1)), Answer::miss);
    EXPECT_EQ(by_regions(oracle::unit_box, {}, {}, DVec3(1, 0, 0)), Answer::miss);
    // Touching counts as separated.
    EXPECT_EQ(by_regions(oracle::unit_box, {}, {Vec3(2, 0, 0)}, DVec3(-1, 0, 0)), Answer::miss);
    for (int x = -1; x <= 1; ++x) {
        for (int y = -1; y <= 1; ++y) {
            for (int z = -1; z <= 1; ++z) {
                for (const float k : {0.0f, 0.5f, 1.0f, 2.0f, 2.5f}) {
                    const Vec3 d = Vec3(float(x), float(y), float(z)) * k;
                    const bool expected = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) <= 2.0f;
                    ASSERT_EQ(overlap(oracle::unit_box, {}, oracle::unit_box, {d}), expected) << x << y << z << k;
                    const DistanceResult r = signed_distance(oracle::unit_box, {}, oracle::unit_box, {d});
                    ASSERT_NE(r.status, QueryStatus::failed);
                    ASSERT_LE(r.gjk_iterations, 12);
                    ASSERT_LE(r.epa_iterations, 30);
                }
            }
        }
    }
}

// 9: where shapes touch to within a few micrometres, supports can reach past the origin for ever without a simplex
// round it.
TEST(KnownBugs, LoopsEnd) {
    Random random(99);
    const Shape capsule = oracle::make(Capsule{0.5f, 1.0f});
    int endless = 0;
    for (int i = 0; i < 3000; ++i) {
        const Transform pose_a{Vec3(0), i % 3 == 0 ? identity_orientation : random.orientation()};
        Transform pose_b{Vec3(0), i % 3 < 2 ? identity_orientation : random.orientation()};
        const DVec3 n = i % 2 == 0 ? DVec3(0, 0, 1) : random.direction();
        const double gap = (i % 5 - 2) * random.log_between(1e-9, 1e-5);
        const DVec3 on_a = oracle::farthest(capsule, pose_a.orientation, n);
        pose_b.position = Vec3(on_a - oracle::farthest(oracle::unit_box, pose_b.orientation, -n) + gap * n);
        endless += by_regions(capsule, pose_a, pose_b, DVec3(1, 0, 0)) == Answer::runs_on;
        const DistanceResult r = signed_distance(capsule, pose_a, oracle::unit_box, pose_b);
        ASSERT_NE(r.status, QueryStatus::failed);
        ASSERT_LE(r.gjk_iterations, 128);
        ASSERT_NEAR(double(r.distance), 0.0, 3e-5);
    }
    EXPECT_GT(endless, 0);
}

// One box three metres beside another. The second support already lies short of the origin.
TEST(KnownBugs, NoFalseHitsBesideAShape) {
    const Transform beside{Vec3(-3, 0.25f, 0.5f)};
    EXPECT_FALSE(overlap(oracle::unit_box, {}, oracle::unit_box, beside));

    Random random(21);
    const Shape diamond = oracle::make(Diamond{1.0f});
    int apart = 0, overlapping = 0;
    for (int i = 0; i < oracle::count(20000); ++i) {
        const Shape& a = i % 2 == 0 ? oracle::unit_box : diamond;
        const Transform pose_a{Vec3(0), random.orientation()};
        Transform pose_b{Vec3(0), random.orientation()};
        const DVec3 n = random.direction();
        const double gap = random.between(-0.2, 0.2);
        pose_b.position = Vec3(n * (gap - oracle::separation_along(a, pose_a, oracle::unit_box, pose_b, n)));
        const bool hit = overlap(a, pose_a, oracle::unit_box, pose_b);
        if (gap > 1e-5) { // a slab between them proves it
            ASSERT_FALSE(hit) << i;
            ++apart;
        } else {
            overlapping += hit;
        }
    }
    EXPECT_GT(apart, 5000);
    EXPECT_GT(overlapping, 1000);
}

} // namespace
} // namespace cairn::core::lab::known_bugs
