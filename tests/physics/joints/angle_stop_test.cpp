// Angles of joints that have no meaning everywhere: the joint stops before it comes there.
#include "tests/physics/joints/joint_builder.h"

#include <random>

namespace cairn::physics::testing {
namespace {

struct Swing {
    double gained = 0.0;    // of the first kinetic energy: the most that it was, less one
    float least_cos = 1.0f; // between the Z axes of both frames
    float most_sine = 0.0f; // of the second Cardan angle
};

// A plate that hangs from the joint and is swung about for ten seconds without gravity.
Swing swung(const JointDef& with, std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto number = [&random](float most) {
        return most * (2.0f * static_cast<float>(random() % 100001) / 100000.0f - 1.0f);
    };
    World world(weightless());
    const Vec3 arm(0, 0, -0.6f);
    BodyDef plate = make_body(Box{Vec3(0.1f, 0.15f, 0.4f)}, arm);
    plate.mass = 10.0f;
    plate.angular_velocity = Vec3{number(8), number(8), number(3)}; // in this order with every compiler
    plate.linear_velocity = glm::cross(plate.angular_velocity, arm);
    const BodyId body = add(world, plate);
    JointDef def = joint_at(world, with.kind, {}, body, Vec3(0.0f));
    def.limits = with.limits;
    def.axes = with.axes;
    join(world, def);
    run(world, 2);
    const double first = published(world).stats.kinetic_energy;
    Swing swing;
    for (int i = 0; i < 600; ++i) {
        world.step();
        const BodyState state = state_of(world, body);
        const Vec3 z_b = rotate(state.pose.orientation, Vec3(0, 0, 1));
        swing.least_cos = std::min(swing.least_cos, z_b.z);
        swing.most_sine = std::max(swing.most_sine, std::abs(z_b.x));
        swing.gained = std::max(swing.gained, published(world).stats.kinetic_energy / first - 1.0);
    }
    return swing;
}

// The twist jumps where the swing comes to a half turn.
TEST(AngleStops, KeepTheTwistOfABallJointFromJumping) {
    JointDef def;
    def.kind = JointKind::ball;
    def.limits = JointLimits{-0.5f, 0.5f};
    float least = 1.0f;
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        const Swing swing = swung(def, seed);
        EXPECT_LT(swing.gained, 0.01) << seed;
        least = std::min(least, swing.least_cos);
    }
    EXPECT_LT(least, -0.9f) << "none came near";
    EXPECT_GT(least, std::cos(2.95f));
}

// The first and the third angle jump where the second one comes to a quarter turn.
TEST(AngleStops, KeepTheSecondTurnOfSixDofFromAQuarterTurn) {
    using Mode = JointAxis::Mode;
    for (const Mode second : {Mode::free, Mode::limited, Mode::motor, Mode::spring}) {
        JointDef def;
        def.kind = JointKind::six_dof;
        def.axes.resize(joint_axes);
        for (const std::size_t axis : {std::size_t{3}, std::size_t{5}}) {
            def.axes[axis].mode = Mode::limited;
            def.axes[axis].limits = {-0.5f, 0.5f};
        }
        def.axes[4].mode = second;
        def.axes[4].limits = {-3.0f, 3.0f};
        def.axes[4].motor = {0.0f, 1.0f};
        def.axes[4].spring = {0.2f, 0.0f, 0.0f, std::nullopt};
        float most = 0.0f;
        for (std::uint32_t seed = 0; seed < 20; ++seed) {
            const Swing swing = swung(def, seed);
            EXPECT_LT(swing.gained, 0.02) << static_cast<int>(second) << ", " << seed;
            most = std::max(most, swing.most_sine);
        }
        EXPECT_GT(most, 0.9f) << "none came near";
        EXPECT_LT(most, std::sin(1.4f)) << static_cast<int>(second);
    }
}

// Where nothing holds the other two it turns all the way.
TEST(AngleStops, LeaveASecondTurnThatNothingNeeds) {
    JointDef def;
    def.kind = JointKind::six_dof;
    def.axes.resize(joint_axes);
    for (std::size_t axis = 3; axis < joint_axes; ++axis) {
        def.axes[axis].mode = JointAxis::Mode::free;
    }
    float most = 0.0f;
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        most = std::max(most, swung(def, seed).most_sine);
    }
    EXPECT_GT(most, 0.99f);
}

} // namespace
} // namespace cairn::physics::testing
