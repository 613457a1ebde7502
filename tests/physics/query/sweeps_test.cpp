// The time of impact on many hard sweeps, each compared with dense sampling of the distance.
//
// How a grazing contact is judged. Let T be the target, e the tolerance of the settings, and s what rounding may do to
// a distance of the pair (distance_slack). A sweep has a contact for certain where the sampled distance falls to T - s
// or less; a hit is right for certain only if the sampled distance at the reported time lies within T - s .. T + e + s,
// to which is added what the rounding of that time to a float moves the shapes. In between, where the least distance
// lies above T - s and at most T + e, both a hit and a miss are right: neither is then late, since no time is the true
// one.
#include "tests/physics/query/sweep_generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace cairn::physics {
namespace {

using oracle::DVec3;
using oracle::FirstContact;
using oracle::Random;
using oracle::SweepKind;
using oracle::SweepPair;

// Radians, and shares of the smaller shape's inner radius, between samples that are not proved safe.
constexpr double resolution = 0.02;

enum class Verdict { right, late, missed, loose, gave_up };

// `gap`: distance less target at a hit, m.
Verdict judge(const SweepPair& pair, const TimeOfImpact& answer, double* gap = nullptr) {
    const double target = double(pair.settings.target);
    const double slack = oracle::distance_slack(pair);
    if (answer.status == ToiStatus::out_of_iterations) {
        return Verdict::gave_up;
    }
    if (answer.status == ToiStatus::initial) {
        return answer.time == 0.0f && oracle::distance_at(pair, 0.0) <= target + slack ? Verdict::right
                                                                                       : Verdict::loose;
    }
    const FirstContact contact = oracle::first_contact(pair, target - slack, double(answer.time), resolution);
    if (answer.status == ToiStatus::miss) {
        return contact.found || answer.time != pair.duration ? Verdict::missed : Verdict::right;
    }
    if (contact.found && contact.time < double(answer.time)) {
        return Verdict::late;
    }
    const double above = oracle::distance_at(pair, double(answer.time)) - target;
    if (gap != nullptr) {
        *gap = above;
    }
    const double rounded_time = oracle::greatest_speed(pair) * double(answer.time) * 0x1p-23;
    return above >= -slack && above <= double(pair.settings.tolerance) + slack + rounded_time ? Verdict::right
                                                                                              : Verdict::loose;
}

class Sweeps : public ::testing::TestWithParam<int> {};

TEST_P(Sweeps, AreNeverLateNeverMissedAndAlwaysFinished) {
    const auto kind = static_cast<SweepKind>(GetParam());
    Random random(1000 + static_cast<std::uint64_t>(GetParam()));
    std::array<int, 4> ends{};
    std::vector<int> iterations;
    double worst_gap = 0.0;
    const int n =
        oracle::count(kind == SweepKind::spinning_disc ? 40 : 100, kind == SweepKind::spinning_disc ? 250 : 100);
    for (int i = 0; i < n; ++i) {
        const SweepPair pair = oracle::make_sweep(kind, random);
        const TimeOfImpact answer =
            time_of_impact(pair.a, pair.sweep_a, pair.b, pair.sweep_b, pair.duration, pair.settings);
        double gap = 0.0;
        const Verdict verdict = judge(pair, answer, &gap);
        ASSERT_NE(verdict, Verdict::gave_up) << i << " after " << answer.iterations;
        ASSERT_NE(verdict, Verdict::missed) << i;
        ASSERT_NE(verdict, Verdict::late) << i << ": " << answer.time;
        ASSERT_NE(verdict, Verdict::loose) << i << ": gap " << gap;
        if (answer.status == ToiStatus::hit) {
            ASSERT_NEAR(glm::length(answer.normal), 1.0f, 1e-5f) << i;
            const double size =
                double(pair.a.bounding_radius) + double(pair.b.bounding_radius) + double(glm::length(answer.point_a));
            const Vec3 apart = answer.point_b - answer.point_a - answer.normal * answer.distance;
            ASSERT_LE(double(glm::length(apart)), 1e-5 * size) << i;
            worst_gap = std::max(worst_gap, gap);
        }
        ++ends[static_cast<std::size_t>(answer.status)];
        iterations.push_back(answer.iterations);
    }
    std::sort(iterations.begin(), iterations.end());
    std::printf("%-14s %6d sweeps: hit %d miss %d initial %d; worst gap %.3g mm; iterations median %d worst %d\n",
                oracle::name_of(kind).c_str(), n, ends[0], ends[1], ends[2], 1e3 * worst_gap,
                iterations[iterations.size() / 2], iterations.back());
    EXPECT_EQ(ends[3], 0);
    if (kind == SweepKind::overlapping) {
        EXPECT_EQ(ends[2], n);
    } else {
        EXPECT_GE(ends[0], n / 20) << "hits";
        EXPECT_GE(ends[1], n / 50) << "misses";
    }
}

// Whatever direction is said to be known, the answer is as right as without.
TEST_P(Sweeps, AreAsGoodFromAnyKnownAxis) {
    const auto kind = static_cast<SweepKind>(GetParam());
    Random random(1500 + static_cast<std::uint64_t>(GetParam()));
    const int n = kind == SweepKind::spinning_disc ? 8 : 24;
    for (int i = 0; i < n; ++i) {
        SweepPair pair = oracle::make_sweep(kind, random);
        const Transform start_a = compose(pair.sweep_a.start, pair.sweep_a.shape_pose);
        const Transform start_b = compose(pair.sweep_b.start, pair.sweep_b.shape_pose);
        if (i % 3 == 0) {
            pair.settings.known_axis = signed_distance(pair.a, start_a, pair.b, start_b).normal;
        } else if (i % 3 == 1) {
            pair.settings.known_axis = start_b.position - start_a.position;
        } else {
            pair.settings.known_axis = Vec3(random.direction());
        }
        const TimeOfImpact answer =
            time_of_impact(pair.a, pair.sweep_a, pair.b, pair.sweep_b, pair.duration, pair.settings);
        double gap = 0.0;
        ASSERT_EQ(judge(pair, answer, &gap), Verdict::right) << i << ", gap " << gap;
    }
}

TEST(KnownAxis, SparesClosestPoints) {
    SweepPair pair;
    pair.a = oracle::make(Box{Vec3(0.5f)});
    pair.b = oracle::make(Box{Vec3(1.0f, 0.1f, 0.1f)});
    pair.sweep_b.start.position = Vec3(1.0f, 0, 0.65f);
    pair.sweep_b.linear_velocity = Vec3(0, 0, -0.04f); // comes as near as a centimetre
    pair.sweep_b.angular_velocity = Vec3(0.05f, 0, 0);
    pair.duration = 1.0f;
    const auto ask = [&] {
        return time_of_impact(pair.a, pair.sweep_a, pair.b, pair.sweep_b, pair.duration, pair.settings);
    };
    EXPECT_EQ(ask().status, ToiStatus::miss);
    EXPECT_GT(ask().iterations, 0);
    pair.settings.known_axis = Vec3(0, 0, 3);
    EXPECT_EQ(ask().status, ToiStatus::miss);
    EXPECT_EQ(ask().iterations, 0);
    pair.sweep_b.linear_velocity.z = -0.06f;
    EXPECT_EQ(ask().status, ToiStatus::hit);
    EXPECT_EQ(ask().iterations, 1);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Sweeps, ::testing::Range(0, oracle::sweep_kinds),
                         [](const auto& kind) { return oracle::name_of(static_cast<SweepKind>(kind.param)); });

// The same for polytopes with a distance that shares nothing with the queries.
TEST(SweepsByBruteForce, AreNeverLateAndNeverMissed) {
    Random random(41);
    int hits = 0, misses = 0;
    const int n = oracle::count(60, 300);
    for (int i = 0; i < n; ++i) {
        constexpr std::array<SweepKind, 4> kinds{SweepKind::passing_beams, SweepKind::beam_and_floor,
                                                 SweepKind::meshing, SweepKind::any};
        SweepPair pair = oracle::make_sweep(kinds[static_cast<std::size_t>(i) % kinds.size()], random);
        const auto box_like = [](Shape& shape) {
            if (shape.kind != ShapeKind::box) { // of the same size
                shape = oracle::make(Box{Vec3(0.5f, 0.6f, 0.7f) * shape.bounding_radius});
            }
        };
        box_like(pair.a);
        box_like(pair.b);
        pair.duration *= 0.3f;
        const oracle::Solid a = oracle::solid(pair.a, {});
        const oracle::Solid b = oracle::solid(pair.b, {});
        const auto distance = [&](double t) { return oracle::brute_force_distance_at(pair, a, b, t); };
        const TimeOfImpact answer =
            time_of_impact(pair.a, pair.sweep_a, pair.b, pair.sweep_b, pair.duration, pair.settings);
        ASSERT_NE(answer.status, ToiStatus::out_of_iterations) << i;
        const double target = double(pair.settings.target);
        const double slack = oracle::distance_slack(pair);
        if (answer.status == ToiStatus::initial) {
            ASSERT_LE(distance(0.0), target + slack) << i;
            continue;
        }
        const FirstContact contact =
            oracle::first_contact(pair, target - slack, double(answer.time), resolution, distance);
        ASSERT_FALSE(contact.found && contact.time < double(answer.time)) << i << ": contact at " << contact.time;
        if (answer.status == ToiStatus::miss) {
            ++misses;
            continue;
        }
        ++hits;
        const double rounded_time = oracle::greatest_speed(pair) * double(answer.time) * 0x1p-23;
        ASSERT_LE(distance(double(answer.time)), target + double(pair.settings.tolerance) + slack + rounded_time) << i;
    }
    EXPECT_GE(hits, n / 10);
    EXPECT_GE(misses, n / 10);
}

// A spike of 3 m whose tip comes first in the list of its points.
const std::array<Vec3, 4> spike_points{Vec3(3.0f, 0.0f, 0.0f), Vec3(-1.0f, 0.3f, 0.0f), Vec3(-1.0f, -0.2f, 0.25f),
                                       Vec3(-1.0f, -0.2f, -0.25f)};

// Plain conservative advancement of two spikes, right and in the erroneous forms of the sources.
struct PlainForm {
    bool skips_first_corner = false;
    bool mixes_frames = false; // local corners with the world's spin and direction
    int steps_to_no_hit = 0;   // 0: goes on
};

double plain_speed(const Shape& shape, const oracle::ExactPose& pose, const DVec3& spin, const DVec3& n,
                   const PlainForm& form) {
    double most = 0.0;
    for (std::size_t i = form.skips_first_corner ? 1 : 0; i < spike_points.size(); ++i) {
        const DVec3 corner(spike_points[i] - shape.author_offset);
        const DVec3 p = form.mixes_frames ? corner : pose.orientation * corner;
        most = std::max(most, glm::dot(n, glm::cross(spin, p)));
    }
    return most;
}

// The speed is the greatest that holds at this moment along this direction, as in
// the sources: advancing by it is not a proof, hence steps are kept short by a share of the gap.
TimeOfImpact plain_advance(const SweepPair& pair, const PlainForm& form, double share) {
    TimeOfImpact out;
    double t = 0.0;
    for (;; ++out.iterations) {
        if (form.steps_to_no_hit > 0 && out.iterations == form.steps_to_no_hit) {
            out.status = ToiStatus::miss;
            out.time = pair.duration;
            return out;
        }
        const oracle::ExactPose a = oracle::exact_pose(pair.sweep_a, t);
        const oracle::ExactPose b = oracle::exact_pose(pair.sweep_b, t);
        const auto single = [](const oracle::ExactPose& p) {
            return Transform{Vec3(p.position), Quat(float(p.orientation.w), float(p.orientation.x),
                                                    float(p.orientation.y), float(p.orientation.z))};
        };
        const DVec3 n(signed_distance(pair.a, single(a), pair.b, single(b)).normal);
        const double gap = oracle::distance_at(pair, t) - double(pair.settings.target);
        out.time = float(t);
        if (gap <= 0.5 * double(pair.settings.tolerance)) {
            out.status = t > 0.0 ? ToiStatus::hit : gap <= 0.0 ? ToiStatus::initial : ToiStatus::hit;
            return out;
        }
        const DVec3 v = DVec3(pair.sweep_a.linear_velocity) - DVec3(pair.sweep_b.linear_velocity);
        const double speed = glm::dot(n, v) + plain_speed(pair.a, a, DVec3(pair.sweep_a.angular_velocity), n, form) +
                             plain_speed(pair.b, b, DVec3(pair.sweep_b.angular_velocity), -n, form);
        // At a standstill along n, a hundredth of a radian.
        const double spin =
            double(glm::length(pair.sweep_a.angular_velocity)) + double(glm::length(pair.sweep_b.angular_velocity));
        const double step = speed > 0.0 ? std::min(share * gap / speed, 0.01 / spin) : 0.01 / spin;
        t += step;
        if (t >= double(pair.duration)) {
            out.status = ToiStatus::miss;
            out.time = pair.duration;
            return out;
        }
    }
}

int wrong_answers(const PlainForm& form, int n) {
    Random random(99);
    int wrong = 0;
    const Shape spike =
        oracle::make(PointSet{std::make_shared<std::vector<Vec3>>(spike_points.begin(), spike_points.end())});
    for (int i = 0; i < n; ++i) {
        SweepPair pair = oracle::make_sweep(SweepKind::passing_beams, random);
        pair.a = spike;
        pair.b = spike;
        const Verdict verdict = judge(pair, plain_advance(pair, form, 0.5));
        wrong += verdict == Verdict::late || verdict == Verdict::missed || verdict == Verdict::loose;
    }
    return wrong;
}

// What the judge is worth: the right form passes, each erroneous form is caught.
TEST(SweepsControl, TheErroneousFormsOfTheSourcesAreCaught) {
    const int n = 60;
    EXPECT_EQ(wrong_answers({}, n), 0);
    EXPECT_GT(wrong_answers({.skips_first_corner = true}, n), 0);
    EXPECT_GT(wrong_answers({.mixes_frames = true}, n), 0);
    EXPECT_GT(wrong_answers({.steps_to_no_hit = 10}, n), 0);
}

// A hit reported a little late, early or not at all is caught too.
TEST(SweepsControl, TheJudgeSeesWrongTimes) {
    SweepPair pair;
    pair.a = oracle::make(Box{Vec3(1.0f)});
    pair.b = oracle::make(Sphere{0.5f});
    pair.sweep_b.start.position = Vec3(0, 0, 5);
    pair.sweep_b.linear_velocity = Vec3(0, 0, -10);
    pair.duration = 1.0f;
    TimeOfImpact answer = time_of_impact(pair.a, pair.sweep_a, pair.b, pair.sweep_b, pair.duration, pair.settings);
    ASSERT_EQ(answer.status, ToiStatus::hit);
    EXPECT_EQ(judge(pair, answer), Verdict::right);
    const float time = answer.time;
    answer.time = time + 2e-5f; // 0.2 mm
    EXPECT_EQ(judge(pair, answer), Verdict::late);
    answer.time = time - 2e-5f;
    EXPECT_EQ(judge(pair, answer), Verdict::loose);
    answer.time = pair.duration;
    answer.status = ToiStatus::miss;
    EXPECT_EQ(judge(pair, answer), Verdict::missed);
    answer.status = ToiStatus::initial;
    answer.time = 0.0f;
    EXPECT_EQ(judge(pair, answer), Verdict::loose);
}

} // namespace
} // namespace cairn::physics
