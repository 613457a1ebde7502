// What motors and springs move more slowly than bodies fall asleep.
#include "tests/physics/joints/joint_builder.h"

namespace cairn::physics::testing {
namespace {

constexpr int seconds_20 = 1200; // steps

TEST(SlowMotor, TurnsTheHandOfAClock) {
    World world;
    BodyDef hand = make_body(Box{Vec3(0.5f, 0.02f, 0.02f)}, Vec3(0.5f, 0, 2));
    const BodyId body = add(world, hand);
    JointDef hinge = joint_at(world, JointKind::hinge, {}, body, Vec3(0, 0, 2), z_to_y());
    hinge.motor = JointMotor{0.04f, 500.0f};
    const JointId joint = join(world, hinge);
    run(world, seconds_20);
    EXPECT_NEAR(joint_state(world, joint).position, 0.8f, 0.01f);
}

TEST(SlowMotor, LiftsACrate) {
    World world;
    const BodyId lift = add(world, make_body(Box{Vec3(0.5f, 0.5f, 0.05f)}, Vec3(0, 0, 1)));
    BodyDef crate = make_body(Box{Vec3(0.2f)}, Vec3(0, 0, 1.25f));
    crate.mass = 10.0f;
    const BodyId load = add(world, crate);
    JointDef slider = joint_at(world, JointKind::slider, {}, lift, Vec3(0, 0, 1));
    slider.motor = JointMotor{0.04f, 10000.0f};
    join(world, slider);
    run(world, seconds_20);
    EXPECT_NEAR(state_of(world, load).pose.position.z, 2.05f, 0.01f);
}

TEST(SlowMotor, TurnsAnAxisOfSixDof) {
    World world;
    const BodyId body = add(world, make_body(Box{Vec3(0.5f, 0.02f, 0.02f)}, Vec3(0.5f, 0, 2)));
    JointDef joint = joint_at(world, JointKind::six_dof, {}, body, Vec3(0, 0, 2));
    joint.axes.assign(6, JointAxis{});
    joint.axes[5].mode = JointAxis::Mode::motor;
    joint.axes[5].motor = JointMotor{0.04f, 500.0f};
    join(world, joint);
    run(world, seconds_20);
    const Vec3 along = rotate(state_of(world, body).pose.orientation, Vec3(1, 0, 0));
    EXPECT_NEAR(std::atan2(along.y, along.x), 0.8f, 0.01f);
}

TEST(SlowMotor, SleepsWhereItIsStalled) {
    World world;
    add(world, make_floor());
    add(world, make_static(Box{Vec3(0.1f, 1, 1)}, Vec3(0.6f, 0, 1)));
    const BodyId pushed = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f)));
    JointDef slider =
        joint_at(world, JointKind::slider, {}, pushed, Vec3(0, 0, 0.5f), normalized(Quat(1.0f, 0.0f, 1.0f, 0.0f)));
    slider.motor = JointMotor{0.5f, 100.0f};
    join(world, slider);
    run(world, 240);
    EXPECT_TRUE(state_of(world, pushed).sleeping);
}

TEST(SlowMotor, SleepsAtItsLimit) {
    World world;
    const BodyId body = add(world, make_body(Box{Vec3(0.5f, 0.02f, 0.02f)}, Vec3(0.5f, 0, 2)));
    JointDef hinge = joint_at(world, JointKind::hinge, {}, body, Vec3(0, 0, 2), z_to_y());
    hinge.motor = JointMotor{0.5f, 500.0f};
    hinge.limits = JointLimits{-0.3f, 0.3f};
    join(world, hinge);
    run(world, 240);
    EXPECT_TRUE(state_of(world, body).sleeping);
}

// Doors without friction, whose closer comes home by exp(-t / 6.4 s).
TEST(SlowSpring, BringsADoorHome) {
    World world;
    const BodyId door = add(world, make_body(Box{Vec3(0.45f, 0.02f, 1)}, Vec3(0.45f, 0, 1)));
    JointDef hinge = joint_at(world, JointKind::hinge, {}, door, Vec3(0, 0, 1));
    hinge.spring = JointSpring{0.5f, 10.0f, 1.0f, {}};
    const JointId joint = join(world, hinge);
    run(world, 4 * seconds_20);
    EXPECT_NEAR(joint_state(world, joint).position, 1.0f, 0.01f);
    EXPECT_TRUE(state_of(world, door).sleeping);
}

TEST(SlowSpring, SleepsUnderItsLoad) {
    World world;
    const BodyId weight = add(world, make_body(Box{Vec3(0.2f)}, Vec3(0, 0, 2)));
    JointDef slider = joint_at(world, JointKind::slider, {}, weight, Vec3(0, 0, 2));
    slider.spring = JointSpring{2.0f, 1.0f, 0.0f, {}};
    join(world, slider);
    run(world, 300);
    EXPECT_TRUE(state_of(world, weight).sleeping);
}

} // namespace
} // namespace cairn::physics::testing
