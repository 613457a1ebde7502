// Chains of bars, let go level: nothing gains energy or leaves its plane, however thin the bars are.
#include "tests/physics/joints/joint_builder.h"

#include <cmath>
#include <ostream>
#include <string>
#include <vector>

namespace cairn::physics::testing {
namespace {

struct Bars {
    std::string name;
    JointKind kind;
    std::vector<float> masses; // kg, from the one that hangs on the world outwards
    float thickness;           // m, of bars of 1 m
    int substeps;
};

void PrintTo(const Bars& bars, std::ostream* out) {
    *out << bars.name;
}

class BarChain : public ::testing::TestWithParam<Bars> {};

TEST_P(BarChain, GainsNothingAndStaysInItsPlane) {
    const Bars& bars = GetParam();
    Settings settings = without_sleep();
    settings.substeps = bars.substeps;
    World world(settings);
    BodyId last;
    std::vector<BodyId> ids;
    double swing = 0.0; // J, from lying out to hanging down
    for (std::size_t i = 0; i < bars.masses.size(); ++i) {
        const float middle = static_cast<float>(i) + 0.5f;
        BodyDef bar = make_body(Box{Vec3(0.5f, 0.5f * bars.thickness, 0.5f * bars.thickness)}, Vec3(middle, 0, 0));
        bar.mass = bars.masses[i];
        ids.push_back(add(world, bar));
        join(world, joint_at(world, bars.kind, last, ids.back(), Vec3(static_cast<float>(i), 0, 0), z_to_y()));
        last = ids.back();
        swing += 9.81 * static_cast<double>(bars.masses[i] * middle);
    }
    const double start = energy(world);
    double most = start;
    float aside = 0.0f, gap = 0.0f;
    for (int step = 0; step < 1200; ++step) {
        world.step();
        most = std::max(most, energy(world));
        gap = std::max(gap, greatest_gap(world));
        for (const BodyId id : ids) {
            aside = std::max(aside, std::abs(state_of(world, id).pose.position.y));
        }
    }
    EXPECT_LT(most - start, 0.01 * swing);
    EXPECT_LT(aside, 0.001f);
    // From five on, bars strike each other, and some that are held or turned within a step leave their joints for it.
    EXPECT_LT(gap, bars.masses.size() < 5 ? 0.01f : 0.1f);
}

INSTANTIATE_TEST_SUITE_P(LetGoLevel, BarChain,
                         ::testing::Values(Bars{"two_hinges", JointKind::hinge, {1, 10}, 0.1f, 4},
                                           Bars{"two_balls", JointKind::ball, {1, 10}, 0.1f, 4},
                                           Bars{"two_thin_hinges", JointKind::hinge, {1, 2}, 0.06f, 4},
                                           Bars{"three_thin_hinges", JointKind::hinge, {1, 1, 1}, 0.06f, 4},
                                           Bars{"five_hinges", JointKind::hinge, {1, 1, 1, 1, 1}, 0.1f, 4},
                                           Bars{"ten_hinges", JointKind::hinge, std::vector<float>(10, 1.0f), 0.1f, 16},
                                           Bars{"rod_of_6_mm", JointKind::hinge, {1}, 0.006f, 4},
                                           Bars{"rod_of_6_mm_at_16_substeps", JointKind::hinge, {1}, 0.006f, 16}),
                         [](const auto& of) { return of.param.name; });

// A ball of 100 kg at the end of a rod of 1 kg.
TEST(ThinLinks, HeavyBallOnARodSwingsCalmly) {
    World world(without_sleep());
    BodyDef rod = make_body(Box{Vec3(0.25f, 0.025f, 0.025f)}, Vec3(0.25f, 0, 0));
    rod.mass = 1.0f;
    const BodyId first = add(world, rod);
    BodyDef ball = make_body(Sphere{0.2f}, Vec3(0.7f, 0, 0));
    ball.mass = 100.0f;
    const BodyId second = add(world, ball);
    join(world, joint_at(world, JointKind::ball, {}, first, Vec3(0)));
    join(world, joint_at(world, JointKind::ball, first, second, Vec3(0.5f, 0, 0)));
    const double swing = 9.81 * (100.0 * 0.7 + 0.25);
    const Course course = watched(world, 1200);
    EXPECT_LT(course.gain, 0.01 * swing);
    EXPECT_LT(course.gap, 0.01f);
}

// A bob of 2 cm on an arm of 1 m, let go level: its own inertia is a six-thousandth of what swings.
TEST(ThinLinks, SmallBobOnALongArmKeepsItsSwing) {
    for (const JointKind kind : {JointKind::ball, JointKind::hinge}) {
        World world(without_sleep());
        BodyDef bob = make_body(Sphere{0.02f}, Vec3(1, 0, 0));
        bob.mass = 1.0f;
        join(world, joint_at(world, kind, {}, add(world, bob), Vec3(0), z_to_y()));
        const Course course = watched(world, 600);
        EXPECT_LT(course.gain, 0.01 * 9.81);
        EXPECT_GT(course.end, -0.01 * 9.81);
        EXPECT_LT(course.gap, 0.001f);
    }
}

// A top held at the end of its axis, which lies level, goes round at m g r / (I w): at the fastest spins, too.
TEST(ThinLinks, LevelTopGoesRound) {
    for (const float spin : {60.0f, 135.0f, 175.0f}) {
        World world(without_sleep());
        BodyDef def = make_body(Cylinder{0.3f, 0.05f}, Vec3(0.4f, 0, 0));
        def.mass = 2.0f;
        def.pose.orientation = normalized(Quat(1, 0, 1, 0)); // its axis along x
        const BodyId top = add(world, def);
        const float turns = 2.0f * 9.81f * 0.4f / (world.model(top)->inertia[2][2] * spin);
        SetBody start;
        start.body = top;
        start.angular_velocity = Vec3(spin, 0, turns);
        start.linear_velocity = Vec3(0, 0.4f * turns, 0);
        ASSERT_TRUE(world.apply(start).ok());
        join(world, joint_at(world, JointKind::ball, {}, top, Vec3(0)));
        float round = 0.0f;
        Vec3 last = state_of(world, top).pose.position;
        const double energy_then = energy(world);
        for (int i = 0; i < 600; ++i) {
            world.step();
            const Vec3 now = state_of(world, top).pose.position;
            round += std::atan2(last.x * now.y - last.y * now.x, last.x * now.x + last.y * now.y);
            last = now;
            ASSERT_LT(std::abs(now.z), 0.05f) << spin;
            ASSERT_LT(greatest_gap(world), 0.001f) << spin;
        }
        EXPECT_NEAR(round, 10.0f * turns, 0.05f * 10.0f * turns) << spin;
        EXPECT_NEAR(energy(world), energy_then, 0.01 * 2.0 * 9.81 * 0.4) << spin;
    }
}

} // namespace
} // namespace cairn::physics::testing
