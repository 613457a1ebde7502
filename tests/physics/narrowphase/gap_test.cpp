// The distance that a pair is known to have left, against the distance that it has.
#include "physics/narrowphase/carry/body_trace.h"
#include "physics/query/distance.h"
#include "tests/physics/query/pair_generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cairn::physics {
namespace {

using oracle::Random;

struct Moved {
    Transform pose;
    BodyTrace trace;
};

// A step of the body: by up to `reach` m, turned by up to `turn` rad.
Moved move(const Shape& shape, const Transform& from, double reach, double turn, std::uint32_t epoch, Random& random) {
    Moved to;
    const double length = random.between(0.0, reach);
    to.pose.position = from.position + Vec3(length * random.direction());
    const double half = 0.5 * random.between(0.0, turn);
    const Vec3 axis(std::sin(half) * random.direction());
    to.pose.orientation =
        normalized(Quat(static_cast<float>(std::cos(half)), axis.x, axis.y, axis.z) * from.orientation);
    to.trace.epoch = epoch;
    to.trace.way = to.pose.position - from.position;
    const float outer = shape.bounding_radius, inner = shape.inner_radius;
    const float angle = glm::length(turn_bound(from.orientation, to.pose.orientation));
    const float lever = std::sqrt(std::max(outer * outer - inner * inner, 0.0f));
    to.trace.lift = std::min(lever * angle, outer - inner) + turn_rounding * outer;
    return to;
}

struct GapTally {
    int pairs = 0, wrong = 0, half_wrong = 0, kept = 0;
};

// Ten steps of many pairs apart. Half of the motion taken off is the control: it must be caught.
GapTally follow_pairs(double turn) {
    Random random(20);
    GapTally tally;
    for (const oracle::Kind a : oracle::all_kinds) {
        for (const oracle::Kind b : oracle::all_kinds) {
            for (int i = 0; i < 40; ++i) {
                const oracle::Pair pair = oracle::random_pair(a, b, random);
                Transform pose_a = pair.pose_a, pose_b = pair.pose_b;
                const float start = signed_distance(pair.a, pose_a, pair.b, pose_b).distance;
                if (!(start > 1e-3f * static_cast<float>(pair.small))) {
                    continue;
                }
                ++tally.pairs;
                float gap = start, half_gap = start;
                for (std::uint32_t step = 1; step <= 10 && gap > 0.0f; ++step) {
                    const Moved next_a = move(pair.a, pose_a, 0.2 * double(start), turn, step, random);
                    const Moved next_b = move(pair.b, pose_b, 0.2 * double(start), turn, step, random);
                    const float before = gap;
                    gap = gap_after(gap, next_a.trace, next_b.trace, step);
                    half_gap -= 0.5f * (before - gap);
                    pose_a = next_a.pose;
                    pose_b = next_b.pose;
                    const float now = signed_distance(pair.a, pose_a, pair.b, pose_b).distance;
                    const float rounding = 1e-6f * static_cast<float>(pair.size);
                    tally.wrong += gap > now + rounding ? 1 : 0;
                    tally.half_wrong += half_gap > now + rounding ? 1 : 0;
                    tally.kept += gap > 0.0f ? 1 : 0;
                }
            }
        }
    }
    return tally;
}

TEST(Gap, IsNeverMoreThanTheDistance) {
    for (const double turn : {0.01, 1.0, 3.1}) {
        const GapTally tally = follow_pairs(turn);
        EXPECT_EQ(tally.wrong, 0) << turn;
        EXPECT_GT(tally.half_wrong, 20) << turn;
        EXPECT_GT(tally.pairs, 300);
        EXPECT_GT(tally.kept, 200) << turn;
    }
}

TEST(Gap, IsNotUsedUpByWhatBothDo) {
    BodyTrace a, b;
    a.way = b.way = Vec3(3.0f, -1.0f, -20.0f);
    a.epoch = b.epoch = 7;
    EXPECT_EQ(gap_after(0.25f, a, b, 7), 0.25f);
    b.epoch = 6; // moved before, and stands still now
    EXPECT_LT(gap_after(0.25f, a, b, 7), -19.0f);
    a.epoch = 6;
    EXPECT_EQ(gap_after(0.25f, a, b, 7), 0.25f);
}

TEST(Gap, DoesNotOutliveABodyPutElsewhere) {
    BodyTrace a, b;
    a.epoch = b.epoch = 3;
    a.lift = b.lift = any_lift;
    EXPECT_LT(gap_after(1e9f, a, b, 3), 0.0f);
}

} // namespace
} // namespace cairn::physics
