// Springs that share bodies: in chains, nets and bundles, soft and stiff. None may gain energy.
#include "tests/physics/joints/joint_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace cairn::physics::testing {
namespace {

JointDef spring_between(BodyId a, const Vec3& at_a, BodyId b, const Vec3& at_b, float length, float hertz,
                        float damping_ratio) {
    JointDef def;
    def.kind = JointKind::distance;
    def.body_a = a;
    def.body_b = b;
    def.frame_a.position = at_a;
    def.frame_b.position = at_b;
    def.length = length;
    def.spring = JointSpring{hertz, damping_ratio, 0.0f, {}};
    return def;
}

double kinetic_energy(const World& world) {
    return published(world).stats.kinetic_energy;
}

// J, the greatest within so many steps.
double most_kinetic_energy(World& world, int steps) {
    double most = 0.0;
    for (int i = 0; i < steps; ++i) {
        world.step();
        most = std::max(most, kinetic_energy(world));
    }
    return most;
}

struct StiffnessCase {
    float hertz, damping_ratio;
};

class SpringsInARow : public ::testing::TestWithParam<StiffnessCase> {};

// Ten planks between two walls, end to end on short springs. Of a push of a quarter of a joule they made 100 J at
// 200 Hz and 10 kJ at 1000 Hz when each spring was solved for itself.
TEST_P(SpringsInARow, GainNothingOfAPush) {
    const auto [hertz, damping_ratio] = GetParam();
    constexpr int planks = 10;
    constexpr float gap = 0.05f, half = 0.2f, pitch = 2.0f * half + gap;
    World world(weightless());
    BodyId last;
    for (int i = 0; i < planks; ++i) {
        BodyDef def = make_body(Box{Vec3(half, 0.1f, 0.02f)}, Vec3(pitch * static_cast<float>(i), 0.0f, 0.0f));
        def.mass = 0.5f;
        const BodyId plank = add(world, def);
        const Vec3 before = i > 0 ? Vec3(half, 0, 0) : Vec3(-half - gap, 0, 0);
        join(world, spring_between(last, before, plank, Vec3(-half, 0, 0), gap, hertz, damping_ratio));
        if (i == planks / 2) {
            world.apply(ApplyImpulse{plank, Vec3(0.3f, 0.0f, 0.5f), {}});
        }
        last = plank;
    }
    join(world,
         spring_between({}, Vec3(pitch * planks - half, 0, 0), last, Vec3(half, 0, 0), gap, hertz, damping_ratio));
    const double start = kinetic_energy(world);
    EXPECT_LT(most_kinetic_energy(world, 600), 1.02 * start);
}

INSTANTIATE_TEST_SUITE_P(Joints, SpringsInARow,
                         ::testing::Values(StiffnessCase{2.0f, 0.0f}, StiffnessCase{20.0f, 0.0f},
                                           StiffnessCase{60.0f, 0.3f}, StiffnessCase{100.0f, 0.0f},
                                           StiffnessCase{200.0f, 0.3f}, StiffnessCase{400.0f, 0.0f},
                                           StiffnessCase{1000.0f, 0.0f}, StiffnessCase{1000.0f, 0.3f}));

class SpringStar : public ::testing::TestWithParam<StiffnessCase> {};

// A box that hangs on 64 springs all around: together eight times as fast as each. It was thrown out of sight.
TEST_P(SpringStar, SwingsNoFasterThanItWasPushed) {
    const auto [hertz, damping_ratio] = GetParam();
    constexpr int springs = 64;
    World world(weightless());
    BodyDef def = make_body(Box{Vec3(0.3f)}, Vec3(0.0f));
    def.mass = 1.0f;
    const BodyId box = add(world, def);
    for (int i = 0; i < springs; ++i) {
        const float angle = 6.2831853f * static_cast<float>(i) / springs;
        const Vec3 out(std::cos(angle), std::sin(angle), 0.3f * static_cast<float>(i % 3 - 1));
        join(world, spring_between({}, 2.0f * out, box, 0.3f * out, glm::length(1.7f * out), hertz, damping_ratio));
    }
    world.apply(ApplyImpulse{box, Vec3(1.0f, 2.0f, 3.0f), Vec3(0.3f, 0.2f, 0.0f)});
    const double start = kinetic_energy(world);
    EXPECT_LT(most_kinetic_energy(world, 600), 1.02 * start);
}

INSTANTIATE_TEST_SUITE_P(Joints, SpringStar,
                         ::testing::Values(StiffnessCase{5.0f, 0.0f}, StiffnessCase{20.0f, 0.0f},
                                           StiffnessCase{20.0f, 0.2f}, StiffnessCase{100.0f, 0.0f},
                                           StiffnessCase{100.0f, 0.2f}));

// A net of stiff springs at rest, without anything on it, boiled with 6 kJ.
TEST(SpringNet, KeepsStillUnderItsOwnWeight) {
    constexpr int side = 12;
    constexpr float pitch = 0.2f;
    World world(without_sleep());
    const auto place = [](int i, int k) { return pitch * Vec3(static_cast<float>(i), static_cast<float>(k), 0.0f); };
    std::vector<BodyId> knots;
    for (int i = 0; i < side; ++i) {
        for (int k = 0; k < side; ++k) {
            BodyDef def = make_body(Sphere{0.05f}, place(i, k));
            def.mass = 0.2f;
            knots.push_back(add(world, def));
        }
    }
    const auto knot = [&](int i, int k) { return knots[static_cast<std::size_t>(i * side + k)]; };
    for (int i = 0; i < side; ++i) {
        for (int k = 0; k < side; ++k) {
            for (const auto& [di, dk] : {std::pair(1, 0), std::pair(0, 1), std::pair(-1, 0), std::pair(0, -1)}) {
                const int to_i = i + di, to_k = k + dk;
                if (to_i < 0 || to_k < 0 || to_i == side || to_k == side) {
                    join(world, spring_between({}, place(to_i, to_k), knot(i, k), Vec3(0.0f), 0.18f, 100.0f, 0.0f));
                } else if (di + dk > 0) {
                    join(world,
                         spring_between(knot(i, k), Vec3(0.0f), knot(to_i, to_k), Vec3(0.0f), pitch, 100.0f, 0.0f));
                }
            }
        }
    }
    run(world, 300);
    EXPECT_LT(most_kinetic_energy(world, 300), 5.0); // it swings up and down
}

class SpringyArm : public ::testing::TestWithParam<JointKind> {};

// Ten plates out from a wall on joints that stiff springs hold straight: a fishing rod. Those at 200 Hz threw it about
// with 14 kJ and tore its joints open by 0.5 m.
TEST_P(SpringyArm, StandsOutFromTheWall) {
    World world(without_sleep());
    BodyId last;
    for (int i = 0; i < 10; ++i) {
        const float root = 0.5f * static_cast<float>(i);
        BodyDef def = make_body(Box{Vec3(0.25f, 0.1f, 0.03f)}, Vec3(root + 0.25f, 0.0f, 0.0f));
        def.mass = 1.0f;
        const BodyId plate = add(world, def);
        JointDef joint = joint_at(world, GetParam(), last, plate, Vec3(root, 0, 0), z_to_y());
        joint.spring = JointSpring{200.0f, 0.0f, 0.0f, {}};
        join(world, joint);
        last = plate;
    }
    float gap = 0.0f;
    double most = 0.0;
    for (int i = 0; i < 600; ++i) {
        world.step();
        gap = std::max(gap, greatest_gap(world));
        most = std::max(most, kinetic_energy(world));
    }
    EXPECT_LT(most, 10.0);
    EXPECT_LT(gap, 0.001f);
    EXPECT_LT(kinetic_energy(world), 1e-3);
    EXPECT_GT(state_of(world, last).pose.position.z, -0.6f);
}

INSTANTIATE_TEST_SUITE_P(Joints, SpringyArm, ::testing::Values(JointKind::weld, JointKind::hinge));

// Ten rods on soft ball joints, let go level. A joint that was now stiffer and now softer, as its rods turned, drove
// them: 4 kJ of the 200 J that they fall by.
TEST(SoftChain, GainsNothingAsItTurns) {
    World world(without_sleep());
    BodyId last;
    for (int i = 0; i < 10; ++i) {
        const float root = 0.4f * static_cast<float>(i);
        BodyDef def = make_body(Box{Vec3(0.2f, 0.03f, 0.03f)}, Vec3(root + 0.2f, 0.0f, 0.0f));
        def.mass = 1.0f;
        const BodyId rod = add(world, def);
        JointDef joint = joint_at(world, JointKind::ball, last, rod, Vec3(root, 0, 0));
        joint.spring = JointSpring{5.0f, 0.0f, 0.0f, {}};
        join(world, joint);
        last = rod;
    }
    const double start = energy(world);
    double most = 0.0; // kinetic
    for (int i = 0; i < 1200; ++i) {
        world.step();
        most = std::max(most, kinetic_energy(world));
        ASSERT_LT(energy(world), start + 1.0) << i;
    }
    EXPECT_LT(most, 250.0);
}

// The frequency of a spring between two points is that of the masses: what hangs on it swings so, wherever it is held.
TEST(SoftChain, BouncesAsItsMassesSay) {
    for (const float lever : {0.0f, 0.3f}) {
        World world(weightless());
        BodyDef def = make_body(Box{Vec3(0.05f, 0.05f, 0.4f)}, Vec3(0, 0, -1.0f - lever));
        def.mass = 3.0f;
        const BodyId body = add(world, def);
        join(world, spring_between({}, Vec3(0.0f), body, Vec3(0, 0, lever), 1.0f, 2.0f, 0.0f));
        world.apply(ApplyImpulse{body, Vec3(0, 0, -3.0f), {}});
        const double period =
            measured_period(world, 120, [&] { return state_of(world, body).pose.position.z + 1.0f + lever; });
        EXPECT_NEAR(period, 0.5, 0.005) << lever;
    }
}

// A catapult gives what it stores, however stiff it is: half k x^2, with k = (2 pi hertz)^2 m.
TEST(SpringEnergy, IsGivenInFull) {
    for (const float hertz : {2.0f, 8.0f}) {
        World world(weightless());
        BodyDef ball = make_body(Sphere{0.1f}, Vec3(0, 0, -0.5f));
        ball.mass = 4.0f;
        const BodyId shot = add(world, ball);
        JointDef def = joint_at(world, JointKind::slider, {}, shot, Vec3(0, 0, -0.5f));
        def.spring = JointSpring{hertz, 0.0f, 0.5f, {}};
        join(world, def);
        const double rate = 6.2831853 * static_cast<double>(hertz), stored = 0.5 * 4.0 * rate * rate * 0.25;
        EXPECT_NEAR(most_kinetic_energy(world, 120), stored, 0.03 * stored);
    }
}

// With no more force to give, a stiff spring is a force like any other: 300 N lift 8 kg at 27.7 m/s^2. Held as if it
// had room, it braked what it lifted to a fifth of that.
TEST(SpringEnergy, AGreatestForceLiftsAsItSays) {
    for (const float hertz : {20.0f, 30.0f, 60.0f, 300.0f}) {
        World world(without_sleep());
        BodyDef def = make_body(Box{Vec3(0.1f)}, Vec3(0.0f));
        def.mass = 8.0f;
        const BodyId body = add(world, def);
        JointDef joint = joint_at(world, JointKind::slider, {}, body, Vec3(0.0f));
        joint.spring = JointSpring{hertz, 1.0f, 40.0f, 300.0f};
        join(world, joint);
        run(world, 60);
        EXPECT_NEAR(state_of(world, body).pose.position.z, 0.5f * (300.0f / 8.0f - 9.81f), 0.3f) << hertz;
    }
}

// A stiff tyre leaves a soft undamped suspension its swing: it is no part of it.
TEST(SpringEnergy, AStiffNeighbourTakesNothingOffASoftSpring) {
    World world(weightless());
    BodyDef def = make_body(Sphere{0.1f}, Vec3(0.0f));
    def.mass = 1.0f;
    const BodyId wheel = add(world, def);
    def = make_body(Sphere{0.2f}, Vec3(0, 0, 1));
    def.mass = 10.0f;
    const BodyId chassis = add(world, def);
    JointDef tyre = joint_at(world, JointKind::slider, {}, wheel, Vec3(0.0f));
    tyre.spring = JointSpring{200.0f, 0.3f, 0.0f, {}};
    join(world, tyre);
    JointDef suspension = joint_at(world, JointKind::slider, wheel, chassis, Vec3(0, 0, 1));
    suspension.spring = JointSpring{5.0f, 0.0f, 0.0f, {}};
    join(world, suspension);
    world.apply(ApplyImpulse{chassis, Vec3(0, 0, 10.0f), {}});
    const double early = most_kinetic_energy(world, 60);
    run(world, 600);
    EXPECT_GT(most_kinetic_energy(world, 60), 0.95 * early);
}

// An undamped spring on the rim of a ball turns it back and forth by radians within a few substeps.
TEST(SpringEnergy, TurnsWhatItHoldsByItsRimWithoutGain) {
    for (const float hertz : {7.0f, 8.0f, 9.0f, 10.0f}) {
        for (const JointKind kind : {JointKind::ball, JointKind::distance}) {
            World world(weightless());
            BodyDef def = make_body(Sphere{0.1f}, Vec3(0.0f));
            def.mass = 1.0f;
            const BodyId ball = add(world, def);
            JointDef joint;
            joint.kind = kind;
            joint.body_b = ball;
            joint.length = kind == JointKind::distance ? 0.2f : 0.0f;
            joint.frame_a.position = Vec3(0.1f + joint.length, 0.07f, 0.07f);
            joint.frame_b.position = Vec3(0.1f, 0.0f, 0.0f);
            joint.spring = JointSpring{hertz, 0.0f, 0.0f, {}};
            join(world, joint);
            const double rate = 6.2831853 * static_cast<double>(hertz);
            EXPECT_LT(most_kinetic_energy(world, 1200), 1.1 * 0.5 * rate * rate * 0.0098) << hertz;
        }
    }
}

} // namespace
} // namespace cairn::physics::testing
