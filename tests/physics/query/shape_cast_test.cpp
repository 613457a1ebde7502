// Casts of shapes against closed forms, the time of impact and dense sampling.
#include "physics/query/shape_cast.h"

#include "tests/physics/query/sweep_generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

namespace cairn::physics {
namespace {

using oracle::DVec3;
using oracle::Random;

TEST(ShapeCast, BallAgainstBall) {
    const ShapeCast r = shape_cast(oracle::small_ball, {Vec3(-10, 0, 0)}, Vec3(20, 0, 0), oracle::small_ball, {});
    ASSERT_EQ(r.status, ShapeCastStatus::hit);
    EXPECT_NEAR(r.travelled, 9.0, 2e-5);
    EXPECT_LE(r.travelled, 9.0f);
    EXPECT_NEAR(r.fraction, 0.45, 1e-6);
    EXPECT_LT(glm::length(r.normal - Vec3(1, 0, 0)), 1e-6f);
    EXPECT_NEAR(r.point_b.x, -0.5, 1e-5);
    EXPECT_NEAR(r.point_a.x, -0.5, 3e-5);
    // Beside the axis by h: centres meet at distance 1.
    for (const float h : {0.1f, 0.5f, 0.9f, 0.999f}) {
        const ShapeCast s = shape_cast(oracle::small_ball, {Vec3(-10, h, 0)}, Vec3(20, 0, 0), oracle::small_ball, {});
        ASSERT_EQ(s.status, ShapeCastStatus::hit) << h;
        const double truth = 10.0 - std::sqrt(1.0 - double(h) * double(h));
        EXPECT_LE(double(s.travelled), truth) << h;
        EXPECT_GE(double(s.distance), 0.0) << h;
        EXPECT_LE(double(s.distance), 1e-5) << h;
    }
    EXPECT_EQ(shape_cast(oracle::small_ball, {Vec3(-10, 1.001f, 0)}, Vec3(20, 0, 0), oracle::small_ball, {}).status,
              ShapeCastStatus::miss);
}

TEST(ShapeCast, BoxAgainstBoxByEveryFeature) {
    // Face on face: exactly one step.
    const ShapeCast face = shape_cast(oracle::unit_box, {Vec3(0.3f, 0.2f, 8)}, Vec3(0, 0, -16), oracle::unit_box, {});
    ASSERT_EQ(face.status, ShapeCastStatus::hit);
    EXPECT_NEAR(face.travelled, 6.0, 2e-5);
    EXPECT_LT(glm::length(face.normal - Vec3(0, 0, -1)), 1e-6f);
    EXPECT_LE(face.iterations, 3);
    // Corner on corner along the diagonal, edge on edge across.
    const ShapeCast corner = shape_cast(oracle::unit_box, {Vec3(5, 5, 5)}, Vec3(-10, -10, -10), oracle::unit_box, {});
    ASSERT_EQ(corner.status, ShapeCastStatus::hit);
    EXPECT_NEAR(corner.fraction, 0.3, 1e-5);
    const float s = std::sqrt(0.5f);
    const Quat turned_x(s, s, 0, 0);
    const Quat eighth_y(std::cos(0.3926990817f), 0, std::sin(0.3926990817f), 0);
    const Quat eighth_x(std::cos(0.3926990817f), std::sin(0.3926990817f), 0, 0);
    // An edge along y above an edge along x, each box turned by 45 degrees: half diagonals sqrt 2.
    const ShapeCast edge =
        shape_cast(oracle::unit_box, {Vec3(0, 0, 9), eighth_y}, Vec3(0, 0, -9), oracle::unit_box, {Vec3(0), eighth_x});
    ASSERT_EQ(edge.status, ShapeCastStatus::hit);
    EXPECT_NEAR(edge.travelled, 9.0 - 2.0 * std::sqrt(2.0), 3e-5);
    EXPECT_LT(glm::length(edge.normal - Vec3(0, 0, -1)), 1e-5f);
    EXPECT_EQ(shape_cast(oracle::unit_box, {Vec3(2.1f, 0, 8), turned_x}, Vec3(0, 0, -16), oracle::unit_box, {}).status,
              ShapeCastStatus::miss);
}

TEST(ShapeCast, InitialOverlapTouchAndParting) {
    const ShapeCast deep = shape_cast(oracle::unit_box, {Vec3(0.5f, 0, 0)}, Vec3(5, 0, 0), oracle::unit_box, {});
    EXPECT_EQ(deep.status, ShapeCastStatus::initial);
    EXPECT_EQ(deep.fraction, 0.0f);
    EXPECT_EQ(deep.travelled, 0.0f);
    EXPECT_NEAR(deep.distance, -1.5f, 1e-5f);
    EXPECT_LT(glm::length(deep.normal - Vec3(-1, 0, 0)), 1e-5f);
    // A hair apart: away is free all the way, along is free, into each other is a hit at once.
    const Transform beside{Vec3(2.0f + 4e-6f, 0, 0)};
    EXPECT_EQ(shape_cast(oracle::unit_box, beside, Vec3(5, 0, 0), oracle::unit_box, {}).status, ShapeCastStatus::miss);
    EXPECT_EQ(shape_cast(oracle::unit_box, beside, Vec3(0, 5, 0), oracle::unit_box, {}).status, ShapeCastStatus::miss);
    const ShapeCast into = shape_cast(oracle::unit_box, beside, Vec3(-5, 0, 0), oracle::unit_box, {});
    EXPECT_EQ(into.status, ShapeCastStatus::hit);
    EXPECT_EQ(into.travelled, 0.0f);
    // Without a way there is no contact to come.
    EXPECT_EQ(shape_cast(oracle::unit_box, {Vec3(3, 0, 0)}, Vec3(0.0f), oracle::unit_box, {}).status,
              ShapeCastStatus::miss);
    EXPECT_EQ(shape_cast(oracle::unit_box, {Vec3(9, 0, 0)}, Vec3(0.0f), oracle::unit_box, {}).status,
              ShapeCastStatus::miss);
    EXPECT_EQ(shape_cast(oracle::unit_box, {Vec3(1, 0, 0)}, Vec3(0.0f), oracle::unit_box, {}).status,
              ShapeCastStatus::initial);
}

TEST(ShapeCast, StopsAtItsEnd) {
    const Transform above{Vec3(0, 0, 4)};
    const ShapeCast reaches = shape_cast(oracle::small_ball, above, Vec3(0, 0, -2.5001f), oracle::unit_box, {});
    EXPECT_EQ(reaches.status, ShapeCastStatus::hit);
    const ShapeCast falls_short = shape_cast(oracle::small_ball, above, Vec3(0, 0, -2.499f), oracle::unit_box, {});
    EXPECT_EQ(falls_short.status, ShapeCastStatus::miss);
    EXPECT_EQ(falls_short.fraction, 1.0f);
    EXPECT_EQ(falls_short.travelled, 2.499f);
}

TEST(ShapeCast, RunningOutReportsASafeWay) {
    const Shape cone = oracle::make(Cone{0.5f, 1.5f});
    const Transform from{Vec3(-6, 0.9f, 0.3f), Quat(0.8f, 0.0f, 0.6f, 0.0f)};
    const ShapeCast whole = shape_cast(cone, from, Vec3(12, 0, 0), oracle::small_ball, {});
    ASSERT_EQ(whole.status, ShapeCastStatus::hit);
    ASSERT_GT(whole.iterations, 2);
    float before = 0.0f;
    for (int n = 1; n < whole.iterations; ++n) {
        ShapeCastSettings settings;
        settings.max_iterations = n;
        const ShapeCast part = shape_cast(cone, from, Vec3(12, 0, 0), oracle::small_ball, {}, settings);
        ASSERT_EQ(part.status, ShapeCastStatus::out_of_iterations) << n;
        EXPECT_EQ(part.iterations, n);
        EXPECT_GE(part.fraction, before);
        EXPECT_LE(part.fraction, whole.fraction);
        EXPECT_GT(part.distance, 0.0f);
        before = part.fraction;
    }
}

// Any two shapes at sizes from 1 mm to 100 m. A hit, if its place is right, is within the tolerance; a miss, if nowhere
// on the way the distance falls to the target less what rounding does; between those a graze may go either way.
TEST(ShapeCast, AgreesWithTimeOfImpactAndSampling) {
    Random random(31);
    int hits = 0, misses = 0, initial = 0, grazes = 0, worst = 0;
    std::vector<int> iterations;
    const int n = oracle::count(1500);
    for (int i = 0; i < n; ++i) {
        const bool thin = i % 5 == 0;
        oracle::SweepPair pair = oracle::make_sweep(thin ? oracle::SweepKind::needles : oracle::SweepKind::any, random);
        pair.sweep_a.angular_velocity = Vec3(0.0f);
        pair.sweep_b.angular_velocity = Vec3(0.0f);
        pair.sweep_b.linear_velocity = Vec3(0.0f);
        pair.sweep_a.shape_pose = {};
        pair.sweep_b.shape_pose = {};
        pair.duration = 1.0f;
        const Vec3 between = pair.sweep_b.start.position - pair.sweep_a.start.position;
        const float reach = pair.a.bounding_radius + pair.b.bounding_radius;
        pair.sweep_a.linear_velocity = between * float(random.between(0.5, 3.0)) +
                                       Vec3(random.direction()) * reach * float(random.between(0.0, 1.0));
        pair.settings.target = i % 2 == 0 ? 0.0f : 1e-3f;
        pair.settings.tolerance = float(1e-5 * std::max(1.0, 0.1 * double(reach)));
        ShapeCastSettings settings;
        settings.target = pair.settings.target;
        settings.tolerance = pair.settings.tolerance;
        const double target = double(settings.target);
        const double tolerance = double(settings.tolerance);
        const double slack = oracle::distance_slack(pair);
        const ShapeCast cast =
            shape_cast(pair.a, pair.sweep_a.start, pair.sweep_a.linear_velocity, pair.b, pair.sweep_b.start, settings);
        const TimeOfImpact toi =
            time_of_impact(pair.a, pair.sweep_a, pair.b, pair.sweep_b, pair.duration, pair.settings);
        ASSERT_NE(cast.status, ShapeCastStatus::out_of_iterations) << i << " after " << cast.iterations;
        iterations.push_back(cast.iterations);
        worst = std::max(worst, cast.iterations);
        const bool cast_meets = cast.status != ShapeCastStatus::miss;
        const bool toi_meets = toi.status != ToiStatus::miss;
        if (cast_meets != toi_meets) {
            const auto near = oracle::first_contact(pair, target + tolerance + slack, 1.0, 0.02);
            const auto certain = oracle::first_contact(pair, target - slack, 1.0, 0.02);
            ASSERT_TRUE(near.found && !certain.found) << i << ": they disagree, and it is no graze";
            ++grazes;
            continue;
        }
        const auto first = oracle::first_contact(pair, target - slack, double(cast.fraction), 0.02);
        if (cast.status == ShapeCastStatus::miss) {
            ASSERT_FALSE(first.found) << i << ": missed a contact at " << first.time;
            ++misses;
            continue;
        }
        if (cast.status == ShapeCastStatus::initial) {
            ASSERT_EQ(toi.status, ToiStatus::initial) << i;
            ASSERT_NEAR(cast.distance, toi.distance, 2.0 * slack);
            ++initial;
            continue;
        }
        ++hits;
        ASSERT_TRUE(!first.found || first.time >= double(cast.fraction)) << i << ": late";
        const double rounded = oracle::greatest_speed(pair) * double(cast.fraction) * 0x1p-23;
        const double there = oracle::distance_at(pair, double(cast.fraction));
        ASSERT_GE(there, target - slack) << i;
        ASSERT_LE(there, target + tolerance + slack + rounded) << i;
        // Both stop within the same tolerance of the same target, so where one stops the other is not far.
        ASSERT_NEAR(double(cast.distance), double(toi.distance), tolerance + slack + rounded) << i;
        const double closing = double(glm::dot(cast.normal, pair.sweep_a.linear_velocity));
        if (closing > 0.1 * oracle::greatest_speed(pair)) {
            ASSERT_NEAR(double(cast.fraction), double(toi.time), 12.0 * (tolerance + slack + rounded) / closing) << i;
        }
    }
    std::sort(iterations.begin(), iterations.end());
    std::printf("casts: hits %d misses %d initial %d grazes %d; iterations median %d worst %d\n", hits, misses, initial,
                grazes, iterations[iterations.size() / 2], worst);
    EXPECT_GT(hits, n / 4);
    EXPECT_GT(misses, n / 10);
    EXPECT_GT(initial, n / 200);
    EXPECT_LE(grazes, n / 100);
}

} // namespace
} // namespace cairn::physics
