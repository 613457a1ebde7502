// The kinds of joint beside the plain ones, against the closed forms of their machines.
#include "tests/physics/joints/joint_builder.h"

#include <cmath>

namespace cairn::physics::testing {
namespace {

constexpr float fall_rate = 9.81f;

// Turns the frame's Z axis to X and to Y.
Quat z_to_x() {
    return normalized(Quat(1, 0, 1, 0));
}

BodyDef wheel_at(const Vec3& place, float radius, float mass) {
    BodyDef def = make_body(Cylinder{radius, 0.05f}, place);
    def.mass = mass;
    return def;
}

JointDef train(const World& world, JointKind kind, BodyId a, BodyId b, float ratio) {
    JointDef def;
    def.kind = kind;
    def.body_a = a;
    def.body_b = b;
    def.frame_a.orientation = glm::conjugate(state_of(world, a).pose.orientation);
    def.frame_b.orientation = glm::conjugate(state_of(world, b).pose.orientation);
    def.ratio = ratio;
    return def;
}

// A body that spins about the axis of a ball joint stops at the limits of the twist, whichever way the joint is bent.
TEST(TwistLimits, HoldTheTwistAndNothingElse) {
    for (const float bent : {0.0f, 0.6f, 1.2f}) {
        World world(weightless());
        const BodyId rod = add(world, make_body(Capsule{0.1f, 0.4f}, Vec3(0, 0, -0.5f)));
        JointDef def = joint_at(world, JointKind::ball, {}, rod, Vec3(0.0f));
        def.limits = JointLimits{-0.5f, 0.8f};
        join(world, def);
        SetBody pose; // about the anchor, which is the origin
        pose.body = rod;
        const Quat turn(std::cos(0.5f * bent), std::sin(0.5f * bent), 0, 0);
        pose.position = rotate(turn, Vec3(0, 0, -0.5f));
        pose.orientation = turn;
        pose.angular_velocity = rotate(turn, Vec3(0, 0, 3.0f));
        ASSERT_TRUE(world.apply(pose).ok());
        const auto twist = [&] {
            const Quat q = state_of(world, rod).pose.orientation;
            return 2.0f * std::atan2(q.z, q.w);
        };
        float most = 0.0f;
        for (int i = 0; i < 120; ++i) {
            world.step();
            most = std::max(most, twist());
        }
        EXPECT_GT(most, 0.78f) << bent;
        EXPECT_LT(most, 0.81f) << bent;
        // It swings as freely as before.
        ASSERT_TRUE(world.apply(ApplyImpulse{rod, rotate(turn, Vec3(0.2f, 0, 0)), {}}).ok());
        const Vec3 before = state_of(world, rod).pose.position;
        run(world, 60);
        EXPECT_GT(glm::length(state_of(world, rod).pose.position - before), 0.005f) << bent;
    }
}

// Two shafts at an angle: the second turns at cos b / (1 - sin^2 b cos^2 t) times the speed of the first, by the angle
// of the first from where its fork lies in the plane of both.
TEST(UniversalJoint, HandsOnTheTurnOfACardanShaft) {
    const float bend = 0.6f;
    World world(weightless());
    const Vec3 second(std::cos(bend), std::sin(bend), 0.0f);
    const Quat half(std::cos(0.5f * bend), 0, 0, std::sin(0.5f * bend));
    BodyDef a = make_body(Box{Vec3(0.5f, 0.1f, 0.1f)}, Vec3(-0.5f, 0, 0));
    BodyDef b = make_body(Box{Vec3(0.5f, 0.1f, 0.1f)}, 0.5f * second);
    b.pose.orientation = half;
    const BodyId shaft_a = add(world, a), shaft_b = add(world, b);
    JointDef drive = joint_at(world, JointKind::hinge, {}, shaft_a, Vec3(-1, 0, 0), z_to_x());
    const float speed = 2.0f;
    drive.motor = JointMotor{speed, 1e4f};
    const JointId input = join(world, drive);
    join(world, joint_at(world, JointKind::hinge, {}, shaft_b, second, half * z_to_x()));
    JointDef cross = joint_at(world, JointKind::universal, shaft_a, shaft_b, Vec3(0.0f), z_to_x());
    cross.frame_b.orientation = z_to_x(); // along its own shaft
    join(world, cross);
    run(world, 30);
    // The fork of A is its frame's X axis, which points down at the start: a quarter turn from the plane of the shafts.
    float least = 1e9f, most = 0.0f;
    for (int i = 0; i < 600; ++i) {
        world.step();
        const float angle = joint_state(world, input).position;
        const float along = std::sin(angle);
        const float expected = speed * std::cos(bend) / (1.0f - std::sin(bend) * std::sin(bend) * along * along);
        const float found = glm::dot(state_of(world, shaft_b).angular_velocity, second);
        EXPECT_NEAR(found, expected, 0.02f * speed) << angle;
        least = std::min(least, found);
        most = std::max(most, found);
    }
    EXPECT_NEAR(least, speed * std::cos(bend), 0.02f * speed);
    EXPECT_NEAR(most, speed / std::cos(bend), 0.02f * speed);
}

// A torque on the first wheel speeds up both: I_a + I_b / ratio^2. They turn against each other, and do not slip in
// hundreds of turns.
TEST(Gear, TurnsWheelsTogether) {
    for (const float ratio : {2.5f, -0.5f}) {
        World world(weightless());
        const BodyId a = add(world, wheel_at(Vec3(0, 0, 0), 0.2f, 1.0f));
        const BodyId b = add(world, wheel_at(Vec3(0.7f, 0, 0), 0.5f, 6.0f));
        JointDef hinge_a = joint_at(world, JointKind::hinge, {}, a, Vec3(0, 0, 0));
        const float torque = 8.0f, speed = 60.0f;
        hinge_a.motor = JointMotor{speed, torque};
        const JointId on_a = join(world, hinge_a);
        const JointId on_b = join(world, joint_at(world, JointKind::hinge, {}, b, Vec3(0.7f, 0, 0)));
        join(world, train(world, JointKind::gear, a, b, ratio));
        const float inertia = world.model(a)->inertia[2][2] + world.model(b)->inertia[2][2] / (ratio * ratio);
        run(world, 30);
        EXPECT_NEAR(state_of(world, a).angular_velocity.z, std::min(0.5f * torque / inertia, speed),
                    0.01f * torque / inertia);
        run(world, 3000);
        EXPECT_NEAR(state_of(world, a).angular_velocity.z, speed, 0.01f * speed);
        const float turns_a = joint_state(world, on_a).position, turns_b = joint_state(world, on_b).position;
        EXPECT_GT(turns_a, 2.0f * 3.14159265f * 200.0f);
        EXPECT_NEAR(turns_a + ratio * turns_b, 0.0f, 2e-3f) << ratio;
    }
}

// A weight on a rack that drives a wheel falls with m g / (m + I / r^2).
TEST(Rack, FallsAsFastAsItsWheelLetsIt) {
    World world(without_sleep());
    BodyDef bar = make_body(Box{Vec3(0.05f, 0.05f, 1.0f)}, Vec3(0.25f, 0, 0));
    bar.mass = 3.0f;
    BodyDef pinion = wheel_at(Vec3(0.0f), 0.2f, 8.0f);
    pinion.pose.orientation = normalized(Quat(1, 1, 0, 0)); // its axis, Z of the body, along -Y
    const BodyId wheel = add(world, pinion), rack = add(world, bar);
    const Vec3 axis = rotate(pinion.pose.orientation, Vec3(0, 0, 1));
    join(world, joint_at(world, JointKind::hinge, {}, wheel, Vec3(0.0f), pinion.pose.orientation));
    const JointId rail = join(world, joint_at(world, JointKind::slider, {}, rack, Vec3(0.25f, 0, 0)));
    JointDef def = train(world, JointKind::rack, wheel, rack, 0.2f);
    def.frame_a.orientation = identity_orientation; // the axis in the wheel's own frame
    join(world, def);
    const float inertia = world.model(wheel)->inertia[2][2];
    const float falls = 3.0f * fall_rate / (3.0f + inertia / (0.2f * 0.2f));
    run(world, 30);
    EXPECT_NEAR(state_of(world, rack).linear_velocity.z, -0.5f * falls, 0.005f * falls);
    EXPECT_NEAR(glm::dot(state_of(world, wheel).angular_velocity, axis), -0.5f * falls / 0.2f, 0.03f * falls);
    const float way = joint_state(world, rail).position;
    EXPECT_NEAR(way, -0.5f * falls * 0.25f, 0.02f);
}

struct Weights {
    float a, b, ratio;
};

// Atwood's machine, and a tackle: l_a + ratio l_b stays, so A falls with (m_a - m_b / ratio) g / (m_a + m_b / ratio^2).
TEST(Pulley, IsAtwoodsMachineAndATackle) {
    for (const Weights& w : {Weights{3, 2, 1}, Weights{1, 1.5f, 2}, Weights{2, 1, 0.5f}}) {
        World world(without_sleep());
        BodyDef a = make_body(Sphere{0.1f}, Vec3(-1, 0, 0)), b = make_body(Sphere{0.1f}, Vec3(1, 0, 0));
        a.mass = w.a;
        b.mass = w.b;
        JointDef def;
        def.kind = JointKind::pulley;
        def.body_a = add(world, a);
        def.body_b = add(world, b);
        def.ground_a = Vec3(-1, 0, 5);
        def.ground_b = Vec3(1, 0, 5);
        def.ratio = w.ratio;
        def.length = 5.0f + w.ratio * 5.0f;
        const JointId rope = join(world, def);
        const float falls = (w.a - w.b / w.ratio) * fall_rate / (w.a + w.b / (w.ratio * w.ratio));
        run(world, 30);
        EXPECT_NEAR(state_of(world, def.body_a).linear_velocity.z, -0.5f * falls, 0.01f * fall_rate);
        EXPECT_NEAR(state_of(world, def.body_b).linear_velocity.z, 0.5f * falls / w.ratio, 0.01f * fall_rate);
        EXPECT_NEAR(joint_state(world, rope).position, def.length, 2e-3f);
        const float pull = w.a * (fall_rate - falls); // of A's part; B feels `ratio` times that
        EXPECT_NEAR(joint_state(world, rope).force.z, w.ratio * pull, 0.03f * w.ratio * pull);
    }
}

// A rope pulls and does not push: what is thrown up is free until it comes down again.
TEST(Pulley, HangsSlackWhereNothingPulls) {
    World world(without_sleep());
    BodyDef weight = make_body(Sphere{0.1f}, Vec3(-1, 0, 0));
    weight.mass = 1.0f;
    JointDef def;
    def.kind = JointKind::pulley;
    def.body_a = add(world, weight);
    weight.pose.position.x = 1;
    def.body_b = add(world, weight);
    def.ground_a = Vec3(-1, 0, 5);
    def.ground_b = Vec3(1, 0, 5);
    def.length = 10.0f;
    const JointId rope = join(world, def);
    ASSERT_TRUE(world.apply(ApplyImpulse{def.body_b, Vec3(0, 0, 4), {}}).ok());
    run(world, 12);
    EXPECT_NEAR(joint_state(world, rope).position, 10.0f - 0.2f * 4.0f + 0.2f * 0.2f * fall_rate, 0.02f);
    EXPECT_NEAR(state_of(world, def.body_a).linear_velocity.z, -0.2f * fall_rate, 0.05f);
    EXPECT_EQ(glm::length(joint_state(world, rope).force), 0.0f);
}

// A spring with a greatest force is a motor that goes to an angle, holds it, and gives way to what is stronger.
TEST(PositionMotor, GoesToItsAngleWithNoMoreThanItsTorque) {
    for (const bool strong : {true, false}) {
        World world(without_sleep());
        BodyDef ball = make_body(Sphere{0.2f}, Vec3(1, 0, 0));
        ball.mass = 2.0f;
        const BodyId weight = add(world, ball);
        JointDef def = joint_at(world, JointKind::hinge, {}, weight, Vec3(0.0f), normalized(Quat(1, 1, 0, 0)));
        const float holding = 2.0f * fall_rate * std::cos(0.5f);
        def.spring = JointSpring{4.0f, 1.0f, 0.5f, strong ? 3.0f * holding : 0.8f * holding};
        const JointId motor = join(world, def);
        run(world, 300);
        if (strong) {
            EXPECT_NEAR(std::abs(joint_state(world, motor).position), 0.5f, 0.05f);
            EXPECT_NEAR(glm::length(joint_state(world, motor).torque), holding, 0.05f * holding);
        } else {
            EXPECT_GT(std::abs(joint_state(world, motor).position - 0.5f), 0.5f);
        }
    }
}

} // namespace
} // namespace cairn::physics::testing
