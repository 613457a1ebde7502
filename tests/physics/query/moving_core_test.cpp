// The bounds that the time of impact rests on, against samples of the motion.
#include "physics/query/impact/moving_core.h"

#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace cairn::physics {
namespace {

using oracle::Random;

struct Named {
    std::string name;
    Shape shape;
};

// All kinds; the last hull has more vertices than are scanned for every direction.
std::vector<Named> all_kinds() {
    Random random(3);
    const auto points = [&](int n) {
        auto list = std::make_shared<std::vector<Vec3>>();
        for (int i = 0; i < n; ++i) {
            list->push_back(Vec3(random.direction() * random.between(0.9, 1.0)));
        }
        return list;
    };
    return {{"sphere", oracle::make(Sphere{0.4f})},         {"box", oracle::make(Box{Vec3(1.5f, 0.2f, 0.4f)})},
            {"capsule", oracle::make(Capsule{0.2f, 1.0f})}, {"cylinder", oracle::make(Cylinder{0.7f, 0.5f})},
            {"cone", oracle::make(Cone{0.6f, 1.4f})},       {"diamond", oracle::make(Diamond{1.0f})},
            {"hull", oracle::make(PointSet{points(300)})}};
}

Sweep random_sweep(Random& random, bool off_centre) {
    Sweep sweep;
    sweep.start.position = Vec3(random.direction());
    sweep.start.orientation = random.orientation();
    sweep.linear_velocity = Vec3(random.direction() * 3.0);
    sweep.angular_velocity = Vec3(random.direction() * random.log_between(0.1, 100.0));
    if (off_centre) {
        sweep.shape_pose = {Vec3(random.direction() * random.unit()), random.orientation()};
    }
    return sweep;
}

TEST(MovingCore, ExtentStaysBelowTheBoundBetweenSamples) {
    Random random(17);
    int broken_by_half = 0;
    for (const Named& named : all_kinds()) {
        SCOPED_TRACE(named.name);
        for (int i = 0; i < 60; ++i) {
            const Sweep sweep = random_sweep(random, i % 2 == 0);
            const MovingCore core(named.shape, sweep, DVec3(0.0), 10.0);
            const DVec3 n = random.direction();
            const double t0 = random.between(0.0, 1.0);
            const double step = random.log_between(0.01, 2.0) / core.spin_speed();
            const auto extent = [&](double t) { return core.extent(n, core.at(t)); };
            const double first = extent(t0);
            const double last = extent(t0 + step);
            const double curvature = core.extent_curvature(n);
            for (int k = 1; k < 16; ++k) {
                const double s = k / 16.0;
                const double chord = first + (last - first) * s;
                const double sag = 0.5 * curvature * step * step * s * (1.0 - s);
                const double there = extent(t0 + step * s);
                ASSERT_LE(there, chord + sag + 1e-12) << i;
                broken_by_half += there > chord + 0.5 * sag + 1e-9;
            }
        }
    }
    EXPECT_GT(broken_by_half, 100) << "half the bound would pass: it is not tight, or the test is blind";
}

TEST(MovingCore, RevolvedExtentHoldsEveryTurnAndIsTight) {
    Random random(19);
    for (const Named& named : all_kinds()) {
        SCOPED_TRACE(named.name);
        for (int i = 0; i < 40; ++i) {
            const bool off_centre = i % 2 == 0;
            const Sweep sweep = random_sweep(random, off_centre);
            const MovingCore core(named.shape, sweep, DVec3(0.0), 1000.0);
            const DVec3 n = random.direction();
            const double turn = 6.283185307179586 / core.spin_speed();
            double most = -1e300;
            for (int k = 0; k < 720; ++k) {
                most = std::max(most, core.extent(n, core.at(turn * k / 720.0)));
            }
            const double bound = core.revolved_extent(n);
            ASSERT_GE(bound, most - 1e-9) << i;
            // Rims off the centre are bounded by polygons and hulls by a profile of 17 directions, all others by what
            // they are; the samples miss the top by up to (pi / 720)^2 / 2 of the reach.
            ASSERT_LE(bound, most + 2e-2 * core.reach()) << i;
            if (!off_centre && named.name != "hull") {
                ASSERT_LE(bound, most + 2e-5 * core.reach()) << i;
            }
        }
    }
}

TEST(MovingCore, ExtentRateIsTheRateToCome) {
    Random random(23);
    for (const Named& named : all_kinds()) {
        SCOPED_TRACE(named.name);
        for (int i = 0; i < 60; ++i) {
            const Sweep sweep = random_sweep(random, i % 2 == 0);
            const MovingCore core(named.shape, sweep, DVec3(0.0), 1.0);
            const double t = random.between(0.0, 0.1);
            const MovingCore::Placed placed = core.at(t);
            // Random directions, and directions in which a whole face or rim is extreme.
            const DVec3 n = i % 3 == 0 ? placed.shape.rotation[2] : random.direction();
            const DVec3 carrier = i % 4 == 0 ? core.spin() : i % 4 == 1 ? random.direction() * 5.0 : DVec3(0.0);
            const double step = 1e-6 / core.spin_speed();
            const DVec3 later = turned(carrier, step, n);
            const double measured = (core.extent(later, core.at(t + step)) - core.extent(n, placed)) / step;
            const double speed = core.spin_speed() + glm::length(carrier);
            ASSERT_NEAR(core.extent_rate(n, placed, carrier), measured, 2e-4 * speed * core.reach() + 1e-9) << i;
        }
    }
}

TEST(MovingCore, ARoundShapeThatTurnsAboutItsAxisDoesNotReachFarther) {
    const Shape cylinder = oracle::make(Cylinder{0.5f, 1.0f});
    Sweep sweep;
    sweep.angular_velocity = Vec3(0, 0, 1000);
    const MovingCore core(cylinder, sweep, DVec3(0.0), 1.0);
    Random random(29);
    for (int i = 0; i < 50; ++i) {
        const DVec3 n = random.direction();
        EXPECT_EQ(core.extent_curvature(n), 0.0);
        EXPECT_NEAR(core.revolved_extent(n), core.extent(n, core.at(0.0)), 1e-6);
    }
}

} // namespace
} // namespace cairn::physics
