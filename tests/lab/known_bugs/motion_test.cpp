// Errors 2 and 6: motion towards contact. Each article's version fails on its pinned input, the engine does not.
#include "app/lab/known_bugs/queries/advancement.h"
#include "physics/query/manifold.h"
#include "physics/query/time_of_impact.h"
#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>

namespace cairn::core::lab::known_bugs {
namespace {

using namespace cairn::physics;
using oracle::Random;

const Shape beam = oracle::make(Box{Vec3(3.0f, 0.25f, 0.25f)});

AdvancementRules giving_up() {
    AdvancementRules rules;
    rules.gives_up = true;
    return rules;
}

AdvancementRules mixing_frames() {
    AdvancementRules rules;
    rules.mixed_frames = true;
    return rules;
}

Advanced advanced(const LabPair& pair, const AdvancementRules& rules) {
    StepReport report;
    return advance(pair, rules, 1e-3f, report);
}

// 2: a beam along y (turned by a quarter about z) that spins about z. Its tips run at 60 m/s along x; the error sees
// the width of the beam only.
TEST(KnownBugs, GreatestPointSpeedIsABound) {
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) {
        corners.push_back(beam.half_extents * Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    }
    const Transform pose{Vec3(0), normalized(Quat(1, 0, 0, 1))};
    const Vec3 spin(0, 0, 20), direction(1, 0, 0);
    float truth = 0.0f;
    for (const Vec3& p : corners) {
        truth = std::max(truth, glm::dot(direction, glm::cross(spin, physics::rotate(pose.orientation, p))));
    }
    EXPECT_NEAR(truth, 60.0f, 1e-3f);
    EXPECT_LT(greatest_speed(corners, spin, direction), 6.0f) << "a tenth of it: bodies tunnel";
    const float ours = max_rotational_speed(beam, Vec3(0.0f), inverse_rotate(pose.orientation, spin),
                                            inverse_rotate(pose.orientation, direction));
    EXPECT_GE(ours, truth);
    EXPECT_LE(ours, truth * 1.0001f);

    // The first vertex is the only one far out.
    const std::vector<Vec3> spike{Vec3(10, 0, 0), Vec3(0, 0.1f, 0), Vec3(0, -0.1f, 0.1f), Vec3(0, -0.1f, -0.1f)};
    const Shape hull = oracle::make(PointSet{std::make_shared<const std::vector<Vec3>>(spike)});
    const float tip = 2.0f * hull.hull->vertices[0].x;
    ASSERT_GT(tip, 14.0f);
    EXPECT_LT(greatest_speed(hull.hull->vertices, Vec3(0, 0, 2), Vec3(0, 1, 0)), 0.0f + 1e-3f);
    EXPECT_GE(max_rotational_speed(hull, Vec3(0.0f), Vec3(0, 0, 2), Vec3(0, 1, 0)), tip);
}

// 6: a fast spin needs more than ten steps: the bound on the speed is that of the tips, and the post stands near the
// middle.
TEST(KnownBugs, RunningOutOfStepsIsNotAMiss) {
    LabPair pair;
    pair.a = beam;
    pair.b = oracle::make(Box{Vec3(0.1f, 0.1f, 1.0f)});
    pair.sweep_a.angular_velocity = Vec3(0, 0, 20);
    pair.sweep_b.start.position = Vec3(0, 0.8f, 0);
    pair.duration = 0.2f;
    double contact = -1.0; // the first moment that is seen to overlap, sampled densely
    for (int i = 0; i < 20000 && contact < 0.0; ++i) {
        const float time = pair.duration * float(i) / 20000.0f;
        if (overlap(beam, body_pose_at(pair.sweep_a, time), pair.b, pair.sweep_b.start)) {
            contact = double(time);
        }
    }
    ASSERT_GT(contact, 0.02);
    EXPECT_EQ(advanced(pair, giving_up()).outcome, Advanced::Outcome::miss);
    const Advanced patient = advanced(pair, {});
    EXPECT_EQ(patient.outcome, Advanced::Outcome::hit);
    EXPECT_NEAR(double(patient.time), contact, 1e-3);
    const TimeOfImpact ours = time_of_impact(pair.a, pair.sweep_a, pair.b, pair.sweep_b, pair.duration);
    EXPECT_EQ(ours.status, ToiStatus::hit);
    EXPECT_LE(double(ours.time), contact);
    EXPECT_GE(double(ours.time), contact - 1e-3);
    for (int n = 1; n < 10; ++n) { // cut short it says how far it is safe to go
        ToiSettings settings;
        settings.max_iterations = n;
        const TimeOfImpact r = time_of_impact(pair.a, pair.sweep_a, pair.b, pair.sweep_b, pair.duration, settings);
        ASSERT_NE(r.status, ToiStatus::miss) << n;
        ASSERT_LE(double(r.time), contact);
    }
}

// What both of them need: a normal, whether the shapes touch or not.
TEST(KnownBugs, SeparatedPairsHaveANormal) {
    const Shape sphere = oracle::make(Sphere{0.5f});
    const Vec3 closing(0, 3, 0); // of A towards B
    const Transform away{Vec3(0, 4, 0)};
    const DistanceResult r = signed_distance(oracle::unit_box, {}, sphere, away);
    EXPECT_EQ(r.status, QueryStatus::separated);
    EXPECT_EQ(r.normal, Vec3(0, 1, 0));
    EXPECT_EQ(glm::dot(closing, r.normal), 3.0f);
    const DistanceResult boxes = signed_distance(oracle::unit_box, {}, oracle::unit_box, {Vec3(0, 0, -4)});
    EXPECT_LT(glm::length(boxes.normal - Vec3(0, 0, -1)), 1e-6f);
    EXPECT_NEAR(boxes.distance, 2.0f, 1e-6f);
    // Manifolds of pairs that are near but apart have theirs as well.
    const Manifold near = collide(oracle::unit_box, {}, oracle::unit_box, {Vec3(0.1f, 0, 2.005f)}, 0.02f);
    EXPECT_EQ(near.count, 4);
    EXPECT_LT(glm::length(near.normal - Vec3(0, 0, 1)), 1e-6f);

    LabPair pair;
    pair.a = oracle::unit_box;
    pair.b = sphere;
    pair.sweep_a.linear_velocity = closing;
    pair.sweep_b.start = away;
    pair.duration = 2.0f;
    EXPECT_EQ(advanced(pair, {}).outcome, Advanced::Outcome::hit);
    EXPECT_EQ(time_of_impact(pair.a, pair.sweep_a, pair.b, pair.sweep_b, pair.duration).status, ToiStatus::hit);
}

// The loop itself is safe, so that what is missed is missed by the rules; and each of them misses.
TEST(KnownBugs, AdvancementWithoutMistakesMissesNothing) {
    Random random(24);
    const std::vector<Shape> shapes{beam, oracle::unit_box, oracle::make(Diamond{1.0f}),
                                    oracle::make(Capsule{0.3f, 0.8f})};
    int hits = 0, missed_mixed = 0, missed_ten = 0;
    for (int i = 0; i < 300; ++i) {
        LabPair pair;
        pair.a = shapes[std::size_t(random.below(4))];
        pair.b = shapes[std::size_t(random.below(4))];
        pair.sweep_a.start.orientation = random.orientation();
        pair.sweep_a.angular_velocity = Vec3(random.direction() * random.between(0.0, 30.0));
        pair.sweep_b.start = {Vec3(random.direction() * random.between(3.0, 5.0)), random.orientation()};
        pair.sweep_b.linear_velocity = -2.0f * pair.sweep_b.start.position;
        pair.duration = 1.0f;
        const TimeOfImpact truth = time_of_impact(pair.a, pair.sweep_a, pair.b, pair.sweep_b, pair.duration);
        if (truth.status != ToiStatus::hit) {
            continue;
        }
        ++hits;
        const Advanced patient = advanced(pair, {});
        ASSERT_EQ(patient.outcome, Advanced::Outcome::hit) << i;
        ASSERT_NEAR(patient.time, truth.time, 2e-3f) << i;
        const auto misses = [&](const AdvancementRules& rules) {
            const Advanced answer = advanced(pair, rules);
            return answer.outcome != Advanced::Outcome::hit || answer.time > truth.time + 0.01f;
        };
        missed_mixed += misses(mixing_frames());
        missed_ten += misses(giving_up());
    }
    EXPECT_GT(hits, 100);
    EXPECT_GT(missed_mixed, 0);
    EXPECT_GT(missed_ten, 20);
}

} // namespace
} // namespace cairn::core::lab::known_bugs
