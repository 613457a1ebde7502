// Limits and motors of light bodies that carry heavy ones by other joints: a lift, a gate, a crane's arm.
#include "tests/physics/joints/joint_builder.h"

#include <gtest/gtest.h>

#include <string>

namespace cairn::physics::testing {
namespace {

constexpr float gravity = 9.81f;

struct Carried {
    std::string name;
    float mass; // kg, welded to a carriage of 1 kg
};

class CarriedLoad : public ::testing::TestWithParam<Carried> {
  protected:
    CarriedLoad() {
        BodyDef light = make_body(Box{Vec3(0.2f, 0.2f, 0.1f)}, Vec3(0.0f));
        light.mass = 1.0f;
        carriage_ = add(world_, light);
        BodyDef heavy = make_body(Box{Vec3(0.4f)}, Vec3(0, 0, 0.5f));
        heavy.mass = GetParam().mass;
        join(world_, joint_at(world_, JointKind::weld, carriage_, add(world_, heavy), Vec3(0, 0, 0.1f)));
    }
    float weight() const { return (1.0f + GetParam().mass) * gravity; } // N

    World world_{without_sleep()};
    BodyId carriage_;
};

TEST_P(CarriedLoad, RestsOnALimit) {
    JointDef def = joint_at(world_, JointKind::slider, {}, carriage_, Vec3(0.0f));
    def.limits = JointLimits{0.0f, 1.0f};
    const JointId slider = join(world_, def);
    float least = 0.0f;
    for (int i = 0; i < 120; ++i) {
        world_.step();
        least = std::min(least, joint_state(world_, slider).position);
    }
    EXPECT_GT(least, -1e-3f); // it fell by 0.14 m while the limit knew of the carriage alone
    EXPECT_NEAR(joint_state(world_, slider).force.z, weight(), 0.01f * weight());
}

TEST_P(CarriedLoad, FallsOntoALimit) {
    JointDef def = joint_at(world_, JointKind::slider, {}, carriage_, Vec3(0.0f));
    def.limits = JointLimits{-0.5f, 1.0f};
    const JointId slider = join(world_, def);
    float least = 0.0f;
    for (int i = 0; i < 120; ++i) {
        world_.step();
        least = std::min(least, joint_state(world_, slider).position);
    }
    EXPECT_GT(least, -0.505f);
    EXPECT_NEAR(joint_state(world_, slider).position, -0.5f, 1e-3f);
}

TEST_P(CarriedLoad, IsLiftedAtTheSpeedOfTheMotor) {
    JointDef def = joint_at(world_, JointKind::slider, {}, carriage_, Vec3(0.0f));
    def.motor = JointMotor{0.5f, 1.5f * weight()};
    const JointId slider = join(world_, def);
    run(world_, 60);
    // From rest the motor has half of its weight to spare: g/2, for 0.1 s.
    const float lost = 0.5f * 0.5f * 0.5f / (0.5f * gravity);
    EXPECT_NEAR(joint_state(world_, slider).position, 0.5f - lost, 0.01f);
    EXPECT_NEAR(state_of(world_, carriage_).linear_velocity.z, 0.5f, 1e-3f);
}

TEST_P(CarriedLoad, StandsOnALimitedAxisOfSix) {
    JointDef def = joint_at(world_, JointKind::six_dof, {}, carriage_, Vec3(0.0f));
    def.axes.resize(joint_axes);
    def.axes[2].mode = JointAxis::Mode::limited;
    def.axes[2].limits = JointLimits{0.0f, 1.0f};
    const JointId six = join(world_, def);
    run(world_, 120);
    EXPECT_NEAR(state_of(world_, carriage_).pose.position.z, 0.0f, 1e-3f);
    EXPECT_NEAR(joint_state(world_, six).force.z, weight(), 0.01f * weight());
}

TEST_P(CarriedLoad, LeansOnTheLimitOfAHinge) {
    JointDef def = joint_at(world_, JointKind::hinge, {}, carriage_, Vec3(-1.0f, 0, 0), z_to_y());
    def.limits = JointLimits{-1.0f, 0.0f}; // about +Y positive is down
    const JointId hinge = join(world_, def);
    run(world_, 120);
    EXPECT_NEAR(joint_state(world_, hinge).position, 0.0f, 1e-3f);
    EXPECT_LT(glm::length(state_of(world_, carriage_).angular_velocity), 1e-3f);
}

TEST_P(CarriedLoad, LeansOnACone) {
    JointDef def = joint_at(world_, JointKind::ball, {}, carriage_, Vec3(-1.0f, 0, 0));
    def.cone = 0.2f;
    const JointId ball = join(world_, def);
    run(world_, 240);
    EXPECT_NEAR(joint_state(world_, ball).position, 0.2f, 2e-3f);
}

INSTANTIATE_TEST_SUITE_P(Masses, CarriedLoad,
                         ::testing::Values(Carried{"as_heavy", 1.0f}, Carried{"twenty_times", 20.0f},
                                           Carried{"a_tonne", 1000.0f}, Carried{"ten_tonnes", 10000.0f}),
                         [](const auto& test) { return test.param.name; });

// Two arms that meet like scissors push a load up while a motor draws their feet together: the motor acts on a foot of
// 10 kg, through links, on 200.
TEST(ScissorLift, RisesSteadily) {
    World world(without_sleep());
    const float angle = 0.35f, x = std::cos(angle), z = std::sin(angle);
    const auto arm = [&](float lean) {
        BodyDef def = make_body(Box{Vec3(1.0f, 0.04f, 0.05f)}, Vec3(0, 0, z));
        def.pose.orientation = glm::angleAxis(lean, Vec3(0, 1, 0));
        def.mass = 10.0f;
        def.filter.mask = 0;
        return add(world, def);
    };
    const auto block = [&](const Vec3& half, const Vec3& position, float mass) {
        BodyDef def = make_body(Box{half}, position);
        def.mass = mass;
        def.filter.mask = 0;
        return add(world, def);
    };
    const BodyId rising = arm(-angle), falling = arm(angle);
    const BodyId foot = block(Vec3(0.08f), Vec3(x, 0, 0), 10.0f),
                 top = block(Vec3(1.1f, 0.4f, 0.05f), Vec3(0, 0, 2.0f * z), 200.0f);
    const BodyId shoe = block(Vec3(0.08f), Vec3(x, 0, 2.0f * z), 5.0f);
    const auto hinge = [&](BodyId a, BodyId b, const Vec3& at) {
        join(world, joint_at(world, JointKind::hinge, a, b, at, z_to_y()));
    };
    const Quat along_x = normalized(Quat(1.0f, 0.0f, 1.0f, 0.0f));
    hinge(rising, falling, Vec3(0, 0, z));
    hinge({}, rising, Vec3(-x, 0, 0));
    hinge(foot, falling, Vec3(x, 0, 0));
    hinge(top, falling, Vec3(-x, 0, 2.0f * z));
    hinge(shoe, rising, Vec3(x, 0, 2.0f * z));
    join(world, joint_at(world, JointKind::slider, top, shoe, Vec3(x, 0, 2.0f * z), along_x));
    JointDef drawn = joint_at(world, JointKind::slider, {}, foot, Vec3(x, 0, 0), along_x);
    drawn.motor = JointMotor{-0.1f, 1e5f};
    const JointId slider = join(world, drawn);
    for (int i = 0; i < 300; ++i) {
        world.step();
        const float span = 2.0f * x + joint_state(world, slider).position; // m, of the feet
        const float height = std::sqrt(4.0f - span * span);
        ASSERT_NEAR(state_of(world, top).pose.position.z, height, 0.01f) << "step " << i;
        ASSERT_NEAR(joint_state(world, slider).position, -0.1f * static_cast<float>(i + 1) / 60.0f, 0.005f) << i;
    }
}

} // namespace
} // namespace cairn::physics::testing
