// Errors 3, 10 and 12: whether shapes overlap at all. Each article's version fails on its pinned input, the engine does
// not.
#include "app/lab/articles/stale_direction.h"
#include "app/lab/articles/unused_slots.h"
#include "app/lab/articles/zero_direction.h"
#include "physics/query/distance.h"
#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>

namespace cairn::core::lab::articles {
namespace {

using namespace cairn::physics;
using oracle::Random;

Answer by_slots(const Transform& pose_b, bool unused_slots_too) {
    Telling telling;
    Difference difference(oracle::unit_box, {}, oracle::unit_box, pose_b);
    return overlap_by_signed_volumes(difference, unused_slots_too, telling).answer;
}

Answer by_regions(const Shape& a, const Transform& pose_a, const Transform& pose_b, const DVec3& start) {
    Telling telling;
    Difference difference(a, pose_a, oracle::unit_box, pose_b);
    return overlap_by_regions(difference, start, telling);
}

Answer by_stale_direction(const Shape& a, const Transform& pose_a, const Transform& pose_b) {
    Telling telling;
    Difference difference(a, pose_a, oracle::unit_box, pose_b);
    return overlap_with_stale_direction(difference, telling);
}

// 3: corner on corner the second support is the origin itself, which is no duplicate of an unused slot.
TEST(Articles, SupportAtTheOriginIsNoDuplicate) {
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

// 10: boxes one in the other with a common centre: the first two supports are opposite, their line goes through the
// origin and gives no direction to search along.
TEST(Articles, OriginOnTheLineOfTheSimplex) {
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

// 10: where shapes touch to within a few micrometres, supports can reach past the origin for ever without a simplex
// round it.
TEST(Articles, LoopsEnd) {
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

// 12: one box three metres beside another. The second support already lies short of the origin.
TEST(Articles, NoFalseHitsBesideAShape) {
    const Transform beside{Vec3(-3, 0.25f, 0.5f)};
    EXPECT_EQ(by_stale_direction(oracle::unit_box, {}, beside), Answer::hit);
    EXPECT_FALSE(overlap(oracle::unit_box, {}, oracle::unit_box, beside));

    Random random(21);
    const Shape diamond = oracle::make(Diamond{1.0f});
    int apart = 0, overlapping = 0, false_hits = 0;
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
            if (i < 1000) {
                false_hits += by_stale_direction(a, pose_a, pose_b) == Answer::hit;
            }
        } else {
            overlapping += hit;
        }
    }
    EXPECT_GT(apart, 5000);
    EXPECT_GT(overlapping, 1000);
    EXPECT_GT(false_hits, 100) << "of five hundred or so";
}

} // namespace
} // namespace cairn::core::lab::articles
