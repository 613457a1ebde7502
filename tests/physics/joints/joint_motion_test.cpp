// Joints against closed forms, at 60 Hz and 4 substeps.
#include "tests/physics/joints/joint_builder.h"

#include <gtest/gtest.h>
#include <numbers>

namespace cairn::physics::testing {
namespace {

constexpr double standard_gravity = 9.81;

struct PendulumCase {
    const char* name;
    JointKind kind;
};

class Pendulum : public ::testing::TestWithParam<PendulumCase> {};

// T = 2 pi sqrt(I / (m g L)) (1 + a^2 / 16 ...), I about the pivot.
TEST_P(Pendulum, SwingsWithThePeriodOfItsLength) {
    World world(without_sleep());
    const float amplitude = 0.1f, length = 1.0f;
    const Vec3 start(length * std::sin(amplitude), 0.0f, -length * std::cos(amplitude));
    const BodyId ball = add(world, make_body(Sphere{0.1f}, start));
    join(world, joint_at(world, GetParam().kind, {}, ball, Vec3(0.0f), z_to_y()));
    const double period = measured_period(world, 900, [&] { return state_of(world, ball).pose.position.x; });
    // The ball turns with the rod that it stands for.
    const double inertia = 1.0 + 0.4 * 0.01;
    const double exact = 2.0 * std::numbers::pi * std::sqrt(inertia / standard_gravity) * (1.0 + 0.01 / 16.0);
    EXPECT_NEAR(period, exact, 0.001 * exact);
    EXPECT_LT(greatest_gap(world), 1e-5f);
}

// The energy neither grows nor falls noticeably: within 2 % of the swing's after ten seconds.
TEST_P(Pendulum, KeepsItsEnergy) {
    World world(without_sleep());
    const BodyId ball = add(world, make_body(Sphere{0.1f}, Vec3(1.0f, 0.0f, 0.0f)));
    join(world, joint_at(world, GetParam().kind, {}, ball, Vec3(0.0f), z_to_y()));
    const double start = energy(world);
    const double swing = static_cast<double>(world.model(ball)->mass) * standard_gravity;
    run(world, 600);
    EXPECT_NEAR(energy(world), start, 0.02 * swing);
}

const auto case_name = [](const ::testing::TestParamInfo<PendulumCase>& info) { return std::string(info.param.name); };

INSTANTIATE_TEST_SUITE_P(Joints, Pendulum,
                         ::testing::Values(PendulumCase{"ball", JointKind::ball},
                                           PendulumCase{"hinge", JointKind::hinge}),
                         case_name);

// A ball that goes round at the angle a: w^2 = m g L / (I' cos a) with the rod's moment less the spin's. Its height and
// its speed must stay for twenty seconds.
TEST(ConicalPendulum, StaysAtItsHeight) {
    World world(without_sleep());
    const float length = 2.0f, angle = 0.6f, radius = 0.05f;
    BodyDef def = make_body(Sphere{radius}, Vec3(length * std::sin(angle), 0.0f, -length * std::cos(angle)));
    // About the pivot I1 = m L^2 + i across and i along the rod. Going round with w, the rate of the angular momentum
    // is w^2 sin a cos a (I1 - i) = m g L sin a, and I1 - i = m L^2.
    const float rate = std::sqrt(9.81f / (length * std::cos(angle)));
    def.linear_velocity = Vec3(0.0f, rate * length * std::sin(angle), 0.0f);
    def.angular_velocity = Vec3(0.0f, 0.0f, rate);
    const BodyId ball = add(world, def);
    join(world, joint_at(world, JointKind::ball, {}, ball, Vec3(0.0f)));
    const double start = energy(world);
    const double period = measured_period(world, 1200, [&] {
        EXPECT_NEAR(state_of(world, ball).pose.position.z, -length * std::cos(angle), 0.005f);
        return state_of(world, ball).pose.position.y;
    });
    EXPECT_NEAR(period, 2.0 * std::numbers::pi / static_cast<double>(rate), 0.002 * period);
    EXPECT_NEAR(energy(world), start, 0.001 * std::abs(start));
    EXPECT_LT(greatest_gap(world), 1e-3f);
}

TEST(DoublePendulum, KeepsItsEnergyThroughChaos) {
    World world(without_sleep());
    const BodyId upper = add(world, make_body(Box{Vec3(0.5f, 0.05f, 0.05f)}, Vec3(0.5f, 0, 0)));
    const BodyId lower = add(world, make_body(Box{Vec3(0.5f, 0.05f, 0.05f)}, Vec3(1.5f, 0, 0)));
    join(world, joint_at(world, JointKind::hinge, {}, upper, Vec3(0.0f), z_to_y()));
    const JointId elbow = join(world, joint_at(world, JointKind::hinge, upper, lower, Vec3(1, 0, 0), z_to_y()));
    const double start = energy(world);
    const double scale =
        4.0 * static_cast<double>(world.model(upper)->mass) * standard_gravity; // from lying out to hanging down
    double most = 0.0;
    float gap = 0.0f, sideways = 0.0f;
    for (int i = 0; i < 1200; ++i) {
        world.step();
        most = std::max(most, std::abs(energy(world) - start));
        gap = std::max(gap, greatest_gap(world));
        sideways = std::max(sideways, std::abs(state_of(world, lower).pose.position.y));
    }
    EXPECT_LT(most, 0.02 * scale);
    EXPECT_LT(gap, 1e-3f);
    EXPECT_LT(sideways, 1e-3f);
    // Without the joint the ends part at once.
    ASSERT_TRUE(world.apply(DestroyJoint{elbow}).ok());
    run(world, 30);
    EXPECT_GT(glm::length(to_world(state_of(world, upper).pose, Vec3(0.5f, 0, 0)) -
                          to_world(state_of(world, lower).pose, Vec3(-0.5f, 0, 0))),
              0.1f);
}

// tau = I dw/dt until the speed is reached, and then no further.
TEST(HingeMotor, ReachesItsSpeedInTheTimeOfItsTorque) {
    World world(weightless());
    const BodyId wheel = add(world, make_body(Cylinder{0.5f, 0.1f}, Vec3(0.0f)));
    JointDef def = joint_at(world, JointKind::hinge, {}, wheel, Vec3(0.0f));
    const float speed = 10.0f, torque = 20.0f;
    def.motor = JointMotor{speed, torque};
    const JointId hinge = join(world, def);
    const float inertia = world.model(wheel)->inertia[2][2];
    const float time = inertia * speed / torque; // about half a second
    const int steps = static_cast<int>(time * 60.0f);
    ASSERT_GT(steps, 20);
    run(world, steps / 2);
    EXPECT_NEAR(state_of(world, wheel).angular_velocity.z, torque / inertia * static_cast<float>(steps / 2) / 60.0f,
                1e-3f * speed);
    EXPECT_NEAR(joint_state(world, hinge).torque.z, torque, 1e-3f * torque);
    run(world, steps - steps / 2 + 2);
    EXPECT_NEAR(state_of(world, wheel).angular_velocity.z, speed, 1e-4f * speed);
    run(world, 600);
    EXPECT_NEAR(state_of(world, wheel).angular_velocity.z, speed, 1e-4f * speed);
    EXPECT_NEAR(joint_state(world, hinge).torque.z, 0.0f, 1e-2f);
    EXPECT_GT(joint_state(world, hinge).position, 90.0f); // the angle keeps its turns
}

// Too weak for the weight on its arm, it lets it down; strong enough, it lifts it.
TEST(HingeMotor, LiftsNoMoreThanItsTorque) {
    for (const bool strong : {false, true}) {
        World world(without_sleep());
        BodyDef weight = make_body(Sphere{0.2f}, Vec3(1, 0, 0));
        weight.mass = 2.0f;
        const BodyId ball = add(world, weight);
        JointDef def = joint_at(world, JointKind::hinge, {}, ball, Vec3(0.0f), z_to_y());
        const float holding = 2.0f * 9.81f;
        def.motor = JointMotor{-1.0f, (strong ? 1.05f : 0.95f) * holding}; // about +Y positive turns down
        join(world, def);
        run(world, 30);
        EXPECT_EQ(state_of(world, ball).pose.position.z > 0.0f, strong);
    }
}

struct SpringCase {
    float hertz, damping_ratio;
};

class Spring : public ::testing::TestWithParam<SpringCase> {};

// x'' + 2 z w x' + w^2 x = 0: the damped frequency, and the decay over one period.
TEST_P(Spring, SwingsAsStated) {
    const auto [hertz, damping_ratio] = GetParam();
    World world(weightless());
    const BodyId body = add(world, make_body(Sphere{0.1f}, Vec3(0.0f)));
    JointDef def = joint_at(world, JointKind::slider, {}, body, Vec3(0.0f));
    def.spring = JointSpring{hertz, damping_ratio, 0.1f, {}};
    join(world, def);
    const double damped = static_cast<double>(hertz) *
                          std::sqrt(1.0 - static_cast<double>(damping_ratio) * static_cast<double>(damping_ratio));
    const int steps = static_cast<int>(3.5 * 60.0 / damped);
    const double period = measured_period(world, steps, [&] { return state_of(world, body).pose.position.z - 0.1f; });
    EXPECT_NEAR(period, 1.0 / damped, 0.01 / damped);
    float most = 0.0f; // of the last half period
    for (int i = 0; i < static_cast<int>(30.0 / damped) + 1; ++i) {
        world.step();
        most = std::max(most, std::abs(state_of(world, body).pose.position.z - 0.1f));
    }
    const double decay = std::exp(-2.0 * std::numbers::pi * static_cast<double>(hertz) *
                                  static_cast<double>(damping_ratio) * 3.5 / damped);
    EXPECT_NEAR(static_cast<double>(most), 0.1 * decay, 0.1 * 0.12);
}

INSTANTIATE_TEST_SUITE_P(Joints, Spring,
                         ::testing::Values(SpringCase{0.5f, 0.0f}, SpringCase{1.0f, 0.0f}, SpringCase{3.0f, 0.0f},
                                           SpringCase{1.0f, 0.1f}));

// Whatever its stiffness, a spring neither explodes nor pulls more than it may.
TEST(SpringStiffness, IsStableWhateverItIs) {
    for (const float hertz : {10.0f, 30.0f, 60.0f, 120.0f, 1000.0f}) {
        World world(without_sleep());
        const BodyId body = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0.0f)));
        JointDef def = joint_at(world, JointKind::ball, {}, body, Vec3(0.3f, 0.2f, 0.5f));
        def.spring = JointSpring{hertz, 0.0f, 0.0f, {}};
        join(world, def);
        world.apply(ApplyImpulse{body, Vec3(300.0f, 100.0f, 0.0f), {}});
        float most = 0.0f;
        for (int i = 0; i < 300; ++i) {
            world.step();
            most = std::max(most, greatest_gap(world));
        }
        EXPECT_LT(most, 0.6f / hertz + 0.02f) << hertz;
    }
}

// A spring that may pull with half the weight lets the body fall with half of gravity.
TEST(SpringStiffness, PullsNoMoreThanItMay) {
    World world(without_sleep());
    BodyDef def = make_body(Sphere{0.1f}, Vec3(0.0f));
    def.mass = 2.0f;
    const BodyId body = add(world, def);
    JointDef spring = joint_at(world, JointKind::ball, {}, body, Vec3(0.0f));
    spring.spring = JointSpring{20.0f, 1.0f, 0.0f, 0.5f * 2.0f * 9.81f};
    join(world, spring);
    run(world, 60);
    EXPECT_NEAR(state_of(world, body).linear_velocity.z, -0.5f * 9.81f, 0.1f);
}

// What hangs together and flies freely keeps its momenta, whatever moves inside.
TEST(JoinedBodies, KeepTheirMomenta) {
    World world(weightless());
    const Vec3 sizes[] = {{0.5f, 0.1f, 0.2f}, {0.3f, 0.2f, 0.1f}, {0.4f, 0.3f, 0.2f}, {0.2f, 0.2f, 0.5f}};
    std::vector<BodyId> bodies;
    for (std::size_t i = 0; i < 4; ++i) {
        BodyDef def = make_body(Box{sizes[i]}, Vec3(1.2f * static_cast<float>(i), 0.1f * static_cast<float>(i), 0.0f));
        def.linear_velocity = Vec3(0.3f, static_cast<float>(i) - 1.5f, 0.2f);
        def.angular_velocity = Vec3(0.5f, -0.4f * static_cast<float>(i), 1.0f);
        bodies.push_back(add(world, def));
    }
    const JointKind kinds[] = {JointKind::hinge, JointKind::ball, JointKind::slider};
    for (std::size_t i = 0; i < 3; ++i) {
        JointDef def = joint_at(world, kinds[i], bodies[i], bodies[i + 1],
                                Vec3(0.6f + 1.2f * static_cast<float>(i), 0, 0), z_to_y());
        if (kinds[i] == JointKind::hinge) {
            def.motor = JointMotor{2.0f, 100.0f};
        } else if (kinds[i] == JointKind::slider) {
            def.limits = JointLimits{-0.3f, 0.3f};
            def.spring = JointSpring{2.0f, 0.1f, 0.0f, {}};
        }
        join(world, def);
    }
    const auto angular_momentum = [&] {
        glm::dvec3 sum(0.0);
        for (const BodyId id : bodies) {
            const BodyState state = state_of(world, id);
            const auto model = world.model(id);
            const Vec3 local = model->inertia * inverse_rotate(state.pose.orientation, state.angular_velocity);
            sum += glm::dvec3(rotate(state.pose.orientation, local)) +
                   static_cast<double>(model->mass) *
                       glm::cross(glm::dvec3(state.pose.position), glm::dvec3(state.linear_velocity));
        }
        return sum;
    };
    const glm::dvec3 linear = momentum(world), angular = angular_momentum();
    run(world, 300);
    EXPECT_LT(glm::length(momentum(world) - linear), 1e-3 * glm::length(linear));
    EXPECT_LT(glm::length(angular_momentum() - angular), 1e-2 * glm::length(angular));
    EXPECT_LT(greatest_gap(world), 2e-3f);
}

// Beside a box that lies within reach of its contacts: joints follow any spin about their axis.
TEST(JointMotion, AFlywheelTurnsAsFastAsItsMotorWants) {
    World world(without_sleep());
    add(world, make_floor());
    const BodyId stand = add(world, make_static(Box{Vec3(0.1f)}, Vec3(0, 1, 0.6f)));
    BodyDef def = make_body(Cylinder{0.5f, 0.1f}, Vec3(0, 0, 0.6f));
    def.pose.orientation = normalized(Quat(1, 1, 0, 0)); // along y
    def.angular_velocity = Vec3(0, 600, 0);
    const BodyId wheel = add(world, def);
    JointDef hinge = joint_at(world, JointKind::hinge, stand, wheel, def.pose.position, z_to_y());
    hinge.motor = JointMotor{def.angular_velocity.y, 2000.0f};
    join(world, hinge);
    BodyDef box = make_body(Box{Vec3(0.2f)}, Vec3(0.8f, 0, 0.2f));
    box.linear_velocity = Vec3(-2, 0, 0);
    add(world, box);
    run(world, 120);
    EXPECT_NEAR(std::abs(state_of(world, wheel).angular_velocity.y), 600.0f, 6.0f);
}

} // namespace
} // namespace cairn::physics::testing
