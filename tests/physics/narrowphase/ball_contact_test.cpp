// Contacts of balls in floats against those in doubles.
#include "physics/narrowphase/update/ball_contact.h"

#include "physics/query/distance.h"
#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace cairn::physics {
namespace {

using oracle::DVec3;
using oracle::Random;

// A ball of any size and another ball or a box, from half of its radius deep to a radius apart, anywhere within a
// hundred metres.
struct BallPair {
    Shape a, b;
    Transform pose_a, pose_b;
};

BallPair random_ball_pair(bool box, bool swapped, Random& random) {
    BallPair pair;
    const double radius = random.log_between(0.05, 5.0);
    pair.a = oracle::make(Sphere{static_cast<float>(radius)});
    pair.pose_a.position = Vec3(random.vector(-100.0, 100.0));
    pair.pose_a.orientation = random.orientation();
    pair.pose_b.orientation = random.orientation();
    const DVec3 direction = random.direction();
    const double apart = random.between(-0.5, 1.0) * radius;
    if (box) {
        const DVec3 half = random.vector(0.2, 3.0);
        pair.b = oracle::make(Box{Vec3(half)});
        // A point of its surface towards the ball.
        const DVec3 corner = random.vector(-1.0, 1.0) * half;
        DVec3 on = corner;
        const int axis = random.below(3);
        on[axis] = on[axis] < 0.0 ? -half[axis] : half[axis];
        DVec3 away(0.0);
        away[axis] = on[axis] < 0.0 ? -1.0 : 1.0;
        const DVec3 local = on + (radius + apart) * away;
        pair.pose_b.position = pair.pose_a.position - rotate(pair.pose_b.orientation, Vec3(local));
    } else {
        const double other = random.log_between(0.05, 5.0);
        pair.b = oracle::make(Sphere{static_cast<float>(other)});
        pair.pose_b.position = pair.pose_a.position + Vec3((radius + other + apart) * direction);
    }
    if (swapped) {
        std::swap(pair.a, pair.b);
        std::swap(pair.pose_a, pair.pose_b);
    }
    return pair;
}

TEST(BallContact, AgreesWithTheQuery) {
    Random random(31);
    int settled = 0, touching = 0;
    for (int i = 0; i < 4000; ++i) {
        const BallPair pair = random_ball_pair(i % 2 == 0, i % 4 < 2, random);
        ASSERT_TRUE(is_ball_pair(pair.a, pair.b));
        const BallContact ball = ball_contact(pair.a, pair.pose_a, pair.b, pair.pose_b, 0.02f);
        if (!ball.settled) {
            continue;
        }
        ++settled;
        const DistanceResult exact = signed_distance(pair.a, pair.pose_a, pair.b, pair.pose_b);
        ASSERT_LE(std::abs(ball.separation - exact.distance), ball.rounding) << i;
        if (ball.separation > 0.02f) {
            continue;
        }
        ++touching;
        const Vec3 halfway = pair.pose_a.position + ball.halfway;
        ASSERT_LT(glm::length(ball.normal - exact.normal), 2e-3f) << i;
        ASSERT_NEAR(glm::length(ball.normal), 1.0f, 1e-5f) << i;
        ASSERT_LT(glm::length(halfway - 0.5f * (exact.point_a + exact.point_b)), 1e-4f) << i;
    }
    EXPECT_GT(settled, 3500);
    EXPECT_GT(touching, 1000);
}

TEST(BallContact, LeavesWhatIsDeepToTheQuery) {
    const Shape ball = oracle::make(Sphere{0.5f});
    const Shape box = oracle::make(Box{Vec3(1.0f)});
    EXPECT_FALSE(ball_contact(ball, {}, ball, {}, 0.02f).settled);
    EXPECT_FALSE(ball_contact(box, {}, ball, {Vec3(0.9f, 0.0f, 0.0f), identity_orientation}, 0.02f).settled);
    EXPECT_TRUE(ball_contact(box, {}, ball, {Vec3(1.2f, 0.0f, 0.0f), identity_orientation}, 0.02f).settled);
}

TEST(BallContact, KnowsItsPairs) {
    const Shape ball = oracle::make(Sphere{0.5f});
    const Shape box = oracle::make(Box{Vec3(1.0f)});
    const Shape capsule = oracle::make(Capsule{0.5f, 0.5f});
    EXPECT_TRUE(is_ball_pair(ball, ball));
    EXPECT_TRUE(is_ball_pair(ball, box));
    EXPECT_TRUE(is_ball_pair(box, ball));
    EXPECT_FALSE(is_ball_pair(box, box));
    EXPECT_FALSE(is_ball_pair(ball, capsule));
}

} // namespace
} // namespace cairn::physics
