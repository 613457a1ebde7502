// Conservative advancement against closed forms and dense sampling.
#include "physics/query/impact/trigonometry.h"
#include "physics/query/time_of_impact.h"
#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace cairn::physics {
namespace {

using oracle::Random;
using DVec3 = glm::dvec3;

const Shape wide_floor = oracle::make(Box{Vec3(50.0f, 50.0f, 1.0f)}); // top at z = 1
const Shape beam = oracle::make(Box{Vec3(3.0f, 0.25f, 0.25f)});
const Shape diamond = oracle::make(Diamond{1.0f});

Sweep still(const Vec3& at = Vec3(0.0f)) {
    return {{at}, Vec3(0.0f), Vec3(0.0f), {}};
}

Sweep moving(const Vec3& at, const Vec3& v, const Vec3& w = Vec3(0.0f)) {
    return {{at}, v, w, {}};
}

// The pose at a time by the maths library, in double.
Transform sampled_pose(const Sweep& s, double t) {
    const DVec3 w(s.angular_velocity);
    const double speed = glm::length(w);
    glm::dquat q(double(s.start.orientation.w), double(s.start.orientation.x), double(s.start.orientation.y),
                 double(s.start.orientation.z));
    if (speed > 0.0) {
        q = glm::angleAxis(speed * t, w / speed) * q;
    }
    const DVec3 p = DVec3(s.start.position) + DVec3(s.linear_velocity) * t;
    Transform pose{Vec3(p), normalized(Quat(float(q.w), float(q.x), float(q.y), float(q.z)))};
    return compose(pose, s.shape_pose);
}

double sampled_distance(const Shape& a, const Sweep& sa, const Shape& b, const Sweep& sb, double t) {
    return double(signed_distance(a, sampled_pose(sa, t), b, sampled_pose(sb, t)).distance);
}

// First of `samples` times at which the distance is at most the target; negative if there is none.
double sampled_contact(const Shape& a, const Sweep& sa, const Shape& b, const Sweep& sb, double duration, double target,
                       int samples) {
    for (int i = 0; i <= samples; ++i) {
        const double t = duration * i / samples;
        if (sampled_distance(a, sa, b, sb, t) <= target) {
            return t;
        }
    }
    return -1.0;
}

TEST(Trigonometry, AgreesWithTheLibrary) {
    Random random(1);
    for (int i = 0; i < 20000; ++i) {
        const double x = random.between(-1, 1) * random.log_between(1e-6, 1e4);
        double s = 0.0, c = 0.0;
        sine_cosine(x, s, c);
        ASSERT_NEAR(s, std::sin(x), 1e-15 + 1e-16 * std::abs(x));
        ASSERT_NEAR(c, std::cos(x), 1e-15 + 1e-16 * std::abs(x));
        const double a = random.between(0, std::numbers::pi / 2);
        ASSERT_NEAR(first_quadrant_angle(std::sin(a), std::cos(a)), a, 1e-15);
    }
    EXPECT_EQ(first_quadrant_angle(0.0, 0.0), 0.0);
}

TEST(Sweep, PoseTurnsAtConstantRate) {
    Random random(2);
    for (int i = 0; i < 2000; ++i) {
        Sweep s = moving(Vec3(random.direction()), Vec3(random.direction() * 10.0),
                         Vec3(random.direction() * random.log_between(1e-3, 100.0)));
        s.start.orientation = random.orientation();
        const double t = random.between(0, 0.1);
        const Transform mine = body_pose_at(s, float(t));
        const Transform theirs = sampled_pose(s, double(float(t)));
        ASSERT_LT(glm::length(mine.position - theirs.position), 1e-5f);
        ASSERT_GT(std::abs(glm::dot(mine.orientation, theirs.orientation)), 0.999999f);
    }
}

TEST(Sweep, AngularVelocityBetweenIsTheInverse) {
    Random random(3);
    for (int i = 0; i < 5000; ++i) {
        const double angle = i % 3 == 0 ? random.log_between(1e-6, 1e-2) : random.between(0.0, 3.1);
        const double duration = random.log_between(1e-3, 10.0);
        Sweep s = moving(Vec3(0.0f), Vec3(0.0f), Vec3(random.direction() * (angle / duration)));
        s.start.orientation = random.orientation();
        const Transform end = body_pose_at(s, float(duration));
        const Quat sign = i % 2 == 0 ? end.orientation : -end.orientation;
        const Vec3 w = angular_velocity_between(s.start.orientation, sign, float(duration));
        ASSERT_LT(double(glm::length(w - s.angular_velocity)), 2e-6 * (1.0 + angle) / duration) << angle;
    }
    EXPECT_EQ(angular_velocity_between(identity_orientation, identity_orientation, 1.0f), Vec3(0.0f));
}

TEST(TimeOfImpact, SpheresHeadOn) {
    // 20 m apart, closing at 200 m/s, radii 0.5 each: surfaces 19 m apart.
    const ToiSettings settings;
    const TimeOfImpact r = time_of_impact(oracle::small_ball, moving(Vec3(10, 0, 3), Vec3(-100, 0, 0)),
                                          oracle::small_ball, moving(Vec3(-10, 0, 3), Vec3(100, 0, 0)), 1.0f, settings);
    ASSERT_EQ(r.status, ToiStatus::hit);
    EXPECT_LE(r.time, (19.0 - double(settings.target)) / 200.0 + 1e-7);
    EXPECT_GE(r.time, (19.0 - double(settings.target) - double(settings.tolerance)) / 200.0 - 1e-7);
    EXPECT_LT(glm::length(r.normal - Vec3(-1, 0, 0)), 1e-6f);
    EXPECT_NEAR(r.point_a.x, 10.0 - 100.0 * double(r.time) - 0.5, 1e-4);
    EXPECT_LE(r.iterations, 4);
}

TEST(TimeOfImpact, SphereAgainstWall) {
    const Shape wall = oracle::make(Box{Vec3(1, 25, 2.5f)});
    const TimeOfImpact r = time_of_impact(oracle::small_ball, moving(Vec3(10, 0, 3), Vec3(-100, 0, 0)), wall,
                                          still(Vec3(-50, 0, 2.5f)), 1.0f);
    ASSERT_EQ(r.status, ToiStatus::hit);
    EXPECT_NEAR(r.time, (10.0 + 49.0 - 0.5) / 100.0, 2e-5);
    EXPECT_LE(r.time, (10.0 + 49.0 - 0.5 - 1e-3) / 100.0 + 1e-7);
}

TEST(TimeOfImpact, MissesAreMisses) {
    // Past each other, away from each other, and too slow.
    EXPECT_EQ(time_of_impact(oracle::small_ball, still(), oracle::small_ball,
                             moving(Vec3(-10, 1.1f, 0), Vec3(100, 0, 0)), 1.0f)
                  .status,
              ToiStatus::miss);
    EXPECT_EQ(
        time_of_impact(oracle::small_ball, still(), oracle::small_ball, moving(Vec3(-10, 0, 0), Vec3(-100, 0, 0)), 1.0f)
            .status,
        ToiStatus::miss);
    const TimeOfImpact slow =
        time_of_impact(oracle::unit_box, still(), oracle::unit_box, moving(Vec3(0, 0, 3), Vec3(0, 0, -1)), 0.9f);
    EXPECT_EQ(slow.status, ToiStatus::miss);
    EXPECT_EQ(slow.time, 0.9f);
    EXPECT_EQ(time_of_impact(oracle::unit_box, still(), oracle::unit_box, still(Vec3(2.5f, 0, 0)), 1.0f).status,
              ToiStatus::miss);
}

TEST(TimeOfImpact, InitialContactAndParting) {
    EXPECT_EQ(time_of_impact(oracle::unit_box, still(), oracle::unit_box, moving(Vec3(0, 0, 1.9f), Vec3(0, 0, 5)), 1.0f)
                  .status,
              ToiStatus::initial);
    // Nearer than target + tolerance, but going away: no hit.
    EXPECT_EQ(
        time_of_impact(oracle::unit_box, still(), oracle::unit_box, moving(Vec3(0, 0, 2.0011f), Vec3(0, 0, 5)), 1.0f)
            .status,
        ToiStatus::miss);
    // Sliding on the face, turning on it, and rolling along it: no hit either.
    const Vec3 beside(0, 0, 2.0011f);
    EXPECT_EQ(
        time_of_impact(oracle::unit_box, still(), oracle::unit_box, moving(beside, Vec3(0.3f, 0, 0)), 1.0f).status,
        ToiStatus::miss);
    EXPECT_EQ(
        time_of_impact(oracle::unit_box, still(), oracle::unit_box, moving(beside, Vec3(0.0f), Vec3(0, 0, 9)), 1.0f)
            .status,
        ToiStatus::miss);
    EXPECT_EQ(time_of_impact(oracle::unit_box, still(), oracle::small_ball,
                             moving(Vec3(0, 0, 1.5011f), Vec3(0.5f, 0, 0), Vec3(0, 1, 0)), 1.0f)
                  .status,
              ToiStatus::miss);
    // Closing: a hit at once.
    const TimeOfImpact closing =
        time_of_impact(oracle::unit_box, still(), oracle::unit_box, moving(beside, Vec3(0, 0, -0.1f)), 1.0f);
    EXPECT_EQ(closing.status, ToiStatus::hit);
    EXPECT_EQ(closing.time, 0.0f);
    // Tipping over an edge: the far side comes down, however the near one rises.
    EXPECT_EQ(
        time_of_impact(oracle::unit_box, still(), oracle::unit_box, moving(beside, Vec3(0.0f), Vec3(0, 1, 0)), 1.0f)
            .status,
        ToiStatus::hit);
}

TEST(TimeOfImpact, SpinThatMovesNothingCostsNothing) {
    // A sphere spinning about its centre and a cylinder about its axis approach at their linear speed alone.
    const Vec3 fast(0, 0, 1000);
    const TimeOfImpact sphere =
        time_of_impact(wide_floor, still(), oracle::small_ball, moving(Vec3(0, 0, 5), Vec3(0, 0, -1), fast), 10.0f);
    ASSERT_EQ(sphere.status, ToiStatus::hit);
    EXPECT_LE(sphere.iterations, 4);
    EXPECT_NEAR(sphere.time, 3.5f, 2e-3f);
    const Shape cylinder = oracle::make(Cylinder{0.5f, 0.5f});
    for (const Vec3& axis : {Vec3(0, 0, 1), Vec3(1, 0, 0)}) {
        Sweep s = moving(Vec3(0, 0, 5), Vec3(0, 0, -1), axis * 1000.0f);
        s.start.orientation = axis.z > 0.5f ? identity_orientation : Quat(0.70710678f, 0, 0.70710678f, 0);
        const TimeOfImpact r = time_of_impact(wide_floor, still(), cylinder, s, 10.0f);
        ASSERT_EQ(r.status, ToiStatus::hit);
        EXPECT_LE(r.iterations, 8);
        EXPECT_NEAR(r.time, 3.5f, 2e-3f);
    }
}

TEST(TimeOfImpact, PureRotationIsSeen) {
    // A 6 m beam standing 2.9 m beside a post turns into it without moving.
    const Shape post = oracle::make(Box{Vec3(0.1f, 0.1f, 1.0f)});
    const Sweep spinning = moving(Vec3(0.0f), Vec3(0.0f), Vec3(0, 0, 20));
    const Sweep standing = still(Vec3(0, 2.9f, 0));
    const TimeOfImpact r = time_of_impact(beam, spinning, post, standing, 0.2f);
    ASSERT_EQ(r.status, ToiStatus::hit);
    const double truth = sampled_contact(beam, spinning, post, standing, 0.2, 1e-3, 20000);
    EXPECT_LE(double(r.time), truth);
    EXPECT_GT(double(r.time), truth - 1e-4);
}

// Spinning 6 m beams against a floor: never later than the first sampled contact, never a miss.
TEST(TimeOfImpact, SpinningBeamsAgainstDenseSampling) {
    Random random(4);
    int hits = 0, misses = 0;
    int most = 0;
    const ToiSettings settings;
    for (int i = 0; i < oracle::count(150); ++i) {
        Sweep s =
            moving(Vec3(0, 0, float(random.between(2.0, 5.0))), Vec3(random.direction() * random.between(0.0, 30.0)),
                   Vec3(random.direction() * random.between(0.0, 40.0)));
        s.start.orientation = random.orientation();
        const double duration = 0.1;
        const TimeOfImpact r = time_of_impact(wide_floor, still(), beam, s, float(duration), settings);
        most = std::max(most, r.iterations);
        ASSERT_NE(r.status, ToiStatus::out_of_iterations) << i << " after " << r.iterations;
        // 2e-6 m: what the sampled float poses and distances round.
        const double truth =
            sampled_contact(wide_floor, still(), beam, s, duration, double(settings.target) - 2e-6, 1500);
        if (r.status == ToiStatus::miss) {
            ASSERT_LT(truth, 0.0) << i << " missed a contact at " << truth;
            ++misses;
        } else {
            if (truth >= 0.0) {
                ASSERT_LE(double(r.time), truth + 1e-7) << i;
            }
            const double there = sampled_distance(wide_floor, still(), beam, s, double(r.time));
            if (r.status == ToiStatus::hit) {
                ASSERT_GE(there, double(settings.target) - 1e-5) << i;
                ASSERT_LE(there, double(settings.target + settings.tolerance) + 1e-5) << i;
            }
            ++hits;
        }
    }
    std::printf("beams: hits %d misses %d most iterations %d\n", hits, misses, most);
    EXPECT_GT(hits, 30);
    EXPECT_GT(misses, 30);
}

// Any two shapes, both moving and turning, shapes off their body's centre, and targets above and below zero.
TEST(TimeOfImpact, RandomSweepsAgainstDenseSampling) {
    Random random(5);
    const std::vector<Shape> shapes{oracle::small_ball,
                                    oracle::unit_box,
                                    beam,
                                    diamond,
                                    oracle::make(Capsule{0.2f, 1.0f}),
                                    oracle::make(Cylinder{0.5f, 0.6f}),
                                    oracle::make(Cone{0.5f, 1.2f})};
    int hits = 0, misses = 0, initial = 0, most = 0;
    for (int i = 0; i < oracle::count(400); ++i) {
        const Shape& a = shapes[random.below(int(shapes.size()))];
        const Shape& b = shapes[random.below(int(shapes.size()))];
        ToiSettings settings;
        settings.target = i % 3 == 0 ? -0.01f : 1e-3f;
        const double duration = 0.05;
        Sweep sa = moving(Vec3(random.direction() * 2.0), Vec3(random.direction() * random.between(0, 60)),
                          Vec3(random.direction() * random.between(0, 40)));
        const Vec3 from(random.direction() * 4.0);
        const Vec3 aim = (sa.start.position - from) * float(random.between(0.0, 1.5) / duration);
        Sweep sb = moving(from, aim + Vec3(random.direction() * random.between(0, 20)),
                          Vec3(random.direction() * random.between(0, 40)));
        sa.start.orientation = random.orientation();
        sb.start.orientation = random.orientation();
        if (i % 2 == 0) {
            sb.shape_pose = {Vec3(random.direction() * 0.7), random.orientation()};
        }
        const TimeOfImpact r = time_of_impact(a, sa, b, sb, float(duration), settings);
        most = std::max(most, r.iterations);
        const double truth = sampled_contact(a, sa, b, sb, duration, double(settings.target) - 5e-6, 500);
        if (r.status == ToiStatus::miss) {
            ASSERT_LT(truth, 0.0) << i << " missed a contact at " << truth;
            ++misses;
            continue;
        }
        if (truth >= 0.0) {
            ASSERT_LE(double(r.time), truth + 1e-7) << i;
        }
        ASSERT_NE(r.status, ToiStatus::out_of_iterations) << i;
        if (r.status == ToiStatus::initial) {
            ++initial;
            ASSERT_LE(double(r.distance), double(settings.target));
            continue;
        }
        ++hits;
        const double there = sampled_distance(a, sa, b, sb, double(r.time));
        ASSERT_GE(there, double(settings.target) - 3e-5) << i;
        ASSERT_LE(there, double(settings.target + settings.tolerance) + 3e-5) << i;
        ASSERT_NEAR(double(r.distance), there, 3e-5);
    }
    std::printf("sweeps: hits %d misses %d initial %d most iterations %d\n", hits, misses, initial, most);
    EXPECT_GT(hits, 60);
    EXPECT_GT(misses, 60);
    EXPECT_GE(initial, 3);
}

// Running out of iterations must report the safe time reached, never a miss.
TEST(TimeOfImpact, RunningOutReportsASafeTime) {
    const Sweep spinning = moving(Vec3(0, 0, 4.5f), Vec3(0, 0, -20), Vec3(0, 39, 3));
    ToiSettings settings;
    const TimeOfImpact whole = time_of_impact(wide_floor, still(), beam, spinning, 1.0f, settings);
    ASSERT_EQ(whole.status, ToiStatus::hit);
    // Six turns and a bit. The cap counts per turn of the duration that was asked about.
    const double turns = std::hypot(39.0, 3.0) / (2.0 * std::numbers::pi);
    float before = 0.0f;
    int parts = 0;
    for (int n = 1; double(n) * turns * 0.9 < double(whole.iterations); ++n) {
        settings.max_iterations = n;
        const TimeOfImpact part = time_of_impact(wide_floor, still(), beam, spinning, 1.0f, settings);
        if (part.status == ToiStatus::hit) {
            EXPECT_EQ(part.time, whole.time);
            continue;
        }
        ++parts;
        ASSERT_EQ(part.status, ToiStatus::out_of_iterations);
        EXPECT_LE(part.time, whole.time);
        EXPECT_GE(part.time, before);
        EXPECT_GT(part.distance, settings.target);
        before = part.time;
    }
}

// No input makes it loop for ever.
TEST(TimeOfImpact, EndsOnInputThatIsNotFinite) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinite = std::numeric_limits<float>::infinity();
    for (const float bad : {nan, infinite}) {
        const Vec3 at(0, 0, 2.5f);
        EXPECT_NE(time_of_impact(oracle::unit_box, still(), oracle::unit_box, moving(at, Vec3(bad, 0, 0)), 1.0f).status,
                  ToiStatus::hit);
        EXPECT_NE(
            time_of_impact(oracle::unit_box, still(), oracle::unit_box, moving(at, Vec3(0.0f), Vec3(0, bad, 0)), 1.0f)
                .status,
            ToiStatus::hit);
        EXPECT_NE(
            time_of_impact(oracle::unit_box, still(), oracle::unit_box, moving(Vec3(0, 0, bad), Vec3(0, 0, -1)), 1.0f)
                .status,
            ToiStatus::hit);
    }
    EXPECT_EQ(
        time_of_impact(oracle::unit_box, still(), oracle::unit_box, moving(Vec3(0, 0, 3), Vec3(0, 0, -9)), 0.0f).status,
        ToiStatus::miss);
}

// The headline scene: without continuous tests they would pass through each other between two steps.
TEST(TimeOfImpact, DuelMeetsInMidAir) {
    const Sweep sphere = moving(Vec3(10, 0, 3), Vec3(-100, 0, 0));
    const Sweep gem = moving(Vec3(-10, 0, 3), Vec3(100, 0, 0), Vec3(0, 10, 0));
    const TimeOfImpact r = time_of_impact(oracle::small_ball, sphere, diamond, gem, 1.0f);
    ASSERT_EQ(r.status, ToiStatus::hit);
    const double truth = sampled_contact(oracle::small_ball, sphere, diamond, gem, 0.2, 1e-3, 20000);
    EXPECT_LE(double(r.time), truth);
    EXPECT_GT(double(r.time), truth - 3e-5);
}

TEST(TimeOfImpact, FarFromTheOrigin) {
    const Vec3 far(100000.0f, -50000.0f, 2000.0f);
    const TimeOfImpact r = time_of_impact(oracle::unit_box, still(far), oracle::small_ball,
                                          moving(far + Vec3(0, 0, 8), Vec3(0, 0, -64)), 1.0f);
    ASSERT_EQ(r.status, ToiStatus::hit);
    EXPECT_NEAR(double(r.time), (6.5 - 1e-3) / 64.0, 1e-5);
    EXPECT_NEAR(double(r.distance), 1.125e-3, 1.5e-4);
}

} // namespace
} // namespace cairn::physics
