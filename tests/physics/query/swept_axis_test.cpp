// What a direction proves of a whole sweep, against the distance sampled densely along it.
#include "physics/query/impact/swept_axis.h"
#include "tests/physics/query/sweep_generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cairn::physics {
namespace {

using oracle::Random;
using oracle::SweepKind;
using oracle::SweepPair;

Vec3 between_centres(const SweepPair& pair) {
    return compose(pair.sweep_b.start, pair.sweep_b.shape_pose).position -
           compose(pair.sweep_a.start, pair.sweep_a.shape_pose).position;
}

// The best direction that is at hand: of the closest points at the start, else between the centres.
Vec3 good_direction(const SweepPair& pair) {
    const DistanceResult nearest = signed_distance(pair.a, compose(pair.sweep_a.start, pair.sweep_a.shape_pose), pair.b,
                                                   compose(pair.sweep_b.start, pair.sweep_b.shape_pose));
    return nearest.normal;
}

bool proved(const SweepPair& pair, const Vec3& direction, float target) {
    return axis_keeps_apart(pair.a, pair.sweep_a, pair.b, pair.sweep_b, pair.duration, direction, target);
}

TEST(SweptAxis, NeverProvesWhatIsNotSo) {
    Random random(71);
    int proofs = 0;
    for (int i = 0; i < 1200; ++i) {
        SweepPair pair = oracle::make_sweep(static_cast<SweepKind>(i % oracle::sweep_kinds), random);
        // Long sweeps turn too far for a fixed direction.
        pair.duration *= i % 3 == 0 ? 1.0f : 0.05f;
        const Vec3 direction = i % 2 == 0 ? good_direction(pair) : between_centres(pair);
        // Targets about what the pair really comes to, so that the proof is asked for what is nearly false.
        double least = oracle::distance_at(pair, 0.0);
        for (int k = 1; k <= 40; ++k) {
            least = std::min(least, oracle::distance_at(pair, double(pair.duration) * k / 40.0));
        }
        const double size = double(pair.a.bounding_radius + pair.b.bounding_radius);
        for (const double share : {-0.3, -0.03, -0.003, 1e-4, 0.01}) {
            const auto target = static_cast<float>(least + share * size);
            if (proved(pair, direction, target)) {
                ++proofs;
                EXPECT_GT(least, double(target) - oracle::distance_slack(pair)) << i << " " << share;
            }
        }
    }
    EXPECT_GT(proofs, 500);
}

TEST(SweptAxis, ProvesBallsThatPassEachOther) {
    SweepPair pair;
    pair.a = oracle::make(Sphere{0.5f});
    pair.b = oracle::make(Sphere{0.25f});
    pair.sweep_b.start.position = Vec3(1.0f, 0, 0);
    pair.sweep_b.linear_velocity = Vec3(-0.2f, 3, 0);
    pair.sweep_b.angular_velocity = Vec3(20, 0, 30); // a ball does not care
    pair.duration = 1.0f;
    // Along x they come as near as 1 - 0.2 - 0.75 m.
    EXPECT_TRUE(proved(pair, Vec3(1, 0, 0), 0.0499f));
    EXPECT_TRUE(proved(pair, Vec3(7, 0, 0), 0.0499f));
    EXPECT_FALSE(proved(pair, Vec3(1, 0, 0), 0.0501f));
    EXPECT_FALSE(proved(pair, Vec3(-1, 0, 0), -0.5f));
    EXPECT_FALSE(proved(pair, Vec3(0), -0.5f));
}

TEST(SweptAxis, KnowsHowFarATurnReaches) {
    SweepPair pair;
    pair.a = oracle::make(Box{Vec3(0.5f)});
    pair.b = oracle::make(Box{Vec3(1.0f, 0.1f, 0.1f)});
    pair.sweep_b.start.position = Vec3(1.0f, 0, 0.65f); // lies a twentieth of a metre above
    pair.sweep_b.start.position.z = 0.65f;
    pair.duration = 1.0f;
    EXPECT_TRUE(proved(pair, Vec3(0, 0, 1), 0.0499f));
    // The end of the beam comes down by sin(0.04), and the bound adds no more than half of the square of the angle.
    pair.sweep_b.angular_velocity = Vec3(0, 0.04f, 0);
    EXPECT_TRUE(proved(pair, Vec3(0, 0, 1), 0.05f - 0.0416f));
    EXPECT_FALSE(proved(pair, Vec3(0, 0, 1), 0.05f - 0.0398f));
}

// Against the support of the shape at moments along its path: never above it, and close to it where little is turned.
TEST(SweptAxis, TheLowestPointOfAPathIsNeverBelowItsBound) {
    Random random(73);
    for (int i = 0; i < 1200; ++i) {
        SweepPair pair = oracle::make_sweep(static_cast<SweepKind>(i % oracle::sweep_kinds), random);
        pair.duration *= i % 3 == 0 ? 1.0f : 0.02f;
        const oracle::DVec3 direction = random.direction();
        const double bound = least_along(pair.b, pair.sweep_b, pair.duration, direction);
        double least = 1e30;
        for (int k = 0; k <= 40; ++k) {
            const float time = pair.duration * static_cast<float>(k) / 40.0f;
            const Transform at = compose(body_pose_at(pair.sweep_b, time), pair.sweep_b.shape_pose);
            const Vec3 lowest = support(pair.b, inverse_rotate(at.orientation, Vec3(-direction)));
            const double height =
                glm::dot(direction, oracle::DVec3(at.position) + oracle::DVec3(rotate(at.orientation, lowest)));
            least = std::min(least, height);
        }
        const double reach = double(glm::length(pair.sweep_b.shape_pose.position) + pair.b.bounding_radius);
        const double travel = reach * double(glm::length(pair.sweep_b.angular_velocity) * pair.duration);
        EXPECT_LE(bound, least + 1e-5 * (1.0 + reach + std::abs(least))) << i;
        if (travel < 0.1 * reach) {
            EXPECT_GT(bound, least - 1.1 * travel * travel / reach - 1e-5 * (1.0 + reach + std::abs(least))) << i;
        }
    }
}

TEST(SweptAxis, LiftsProveNothingOfSweepsUnderWayThatIsNotSo) {
    Random random(72);
    int proofs = 0;
    for (int i = 0; i < 600; ++i) {
        SweepPair pair = oracle::make_sweep(static_cast<SweepKind>(i % oracle::sweep_kinds), random);
        pair.duration *= 0.02f;
        const Vec3 direction = i % 2 == 0 ? good_direction(pair) : between_centres(pair);
        const float age = 0.4f * pair.duration;
        double least = oracle::distance_at(pair, double(age));
        for (int k = 1; k <= 30; ++k) {
            least = std::min(least, oracle::distance_at(pair, double(age) + 0.6 * double(pair.duration) * k / 30.0));
        }
        // One path as it began, the other from where it is now.
        Sweep now_b = pair.sweep_b;
        now_b.start = body_pose_at(pair.sweep_b, age);
        const double size = double(pair.a.bounding_radius + pair.b.bounding_radius);
        for (const double share : {-0.3, -0.03, -0.003, 1e-4, 0.01}) {
            const auto target = static_cast<float>(least + share * size);
            if (lift_keeps_apart(pair.a, pair.sweep_a, age, pair.b, now_b, 0.0f, 0.6f * pair.duration, direction,
                                 target)) {
                ++proofs;
                EXPECT_GT(least, double(target) - oracle::distance_slack(pair)) << i << " " << share;
            }
        }
    }
    EXPECT_GT(proofs, 150);
}

} // namespace
} // namespace cairn::physics
