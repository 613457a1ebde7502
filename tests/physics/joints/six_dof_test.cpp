// Joints of six degrees of freedom: each axis locked, free, limited or driven, against the kinds that hold the same.
#include "tests/physics/joints/random_mechanism.h"

#include <cmath>
#include <ostream>
#include <string>
#include <vector>

namespace cairn::physics::testing {
namespace {

using Mode = JointAxis::Mode;

JointDef six(const World& world, BodyId a, BodyId b, const Vec3& anchor, const std::string& free_axes,
             const Quat& frame = identity_orientation) {
    JointDef def = joint_at(world, JointKind::six_dof, a, b, anchor, frame);
    def.axes.resize(joint_axes);
    for (std::size_t i = 0; i < def.axes.size(); ++i) { // "xyzXYZ": lengths, then turns
        if (free_axes.find("xyzXYZ"[i]) != std::string::npos) {
            def.axes[i].mode = Mode::free;
        }
    }
    return def;
}

struct Same {
    const char* name;
    JointKind kind;
    const char* free_axes;
};

std::ostream& operator<<(std::ostream& out, const Same& same) {
    return out << same.name;
}

class SameAsKind : public ::testing::TestWithParam<Same> {};

// Two thick bars, the second on the joint, let go with a twist: the same course as with the kind that leaves the same
// axes free.
TEST_P(SameAsKind, MovesAlike) {
    const auto course = [](bool general) {
        World world(without_sleep());
        const BodyId first = add(world, make_body(Box{Vec3(0.5f, 0.2f, 0.1f)}, Vec3(0.5f, 0, 0)));
        BodyDef def = make_body(Box{Vec3(0.4f, 0.1f, 0.15f)}, Vec3(1.4f, 0, 0));
        def.angular_velocity = Vec3(0, 0, 0);
        const BodyId second = add(world, def);
        join(world, joint_at(world, JointKind::ball, {}, first, Vec3(0.0f)));
        const Quat frame = normalized(Quat(3, 1, -2, 0.5f));
        const Vec3 anchor(1, 0, 0);
        join(world, general ? six(world, first, second, anchor, GetParam().free_axes, frame)
                            : joint_at(world, GetParam().kind, first, second, anchor, frame));
        EXPECT_TRUE(world.apply(ApplyImpulse{second, Vec3(5, 20, 10), Vec3(1.6f, 0.05f, 0.1f)}).ok());
        std::vector<Vec3> places;
        for (int i = 0; i < 45; ++i) {
            world.step();
            places.push_back(state_of(world, second).pose.position);
            places.push_back(rotate(state_of(world, second).pose.orientation, Vec3(1, 0, 0)));
        }
        return places;
    };
    const std::vector<Vec3> expected = course(false), found = course(true);
    float most = 0.0f;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        most = std::max(most, glm::length(found[i] - expected[i]));
    }
    EXPECT_LT(most, 2e-3f);
    EXPECT_GT(glm::length(expected.back() - expected[1]), 0.1f); // it has moved
}

INSTANTIATE_TEST_SUITE_P(SixDof, SameAsKind,
                         ::testing::Values(Same{"ball", JointKind::ball, "XYZ"}, Same{"hinge", JointKind::hinge, "Z"},
                                           Same{"slider", JointKind::slider, "z"}, Same{"weld", JointKind::weld, ""},
                                           Same{"universal", JointKind::universal, "XY"}),
                         [](const auto& of) { return of.param.name; });

// How far B has moved along an axis of A's frame, or turned about it, where all others are locked.
float moved(const World& world, BodyId body, int axis) {
    const Transform pose = state_of(world, body).pose;
    if (axis < 3) {
        return pose.position[axis];
    }
    const Quat& q = pose.orientation;
    return 2.0f * std::atan2(axis == 3 ? q.x : axis == 4 ? q.y : q.z, q.w);
}

class EachAxis : public ::testing::TestWithParam<int> {
  protected:
    // A cube of 2 kg at the origin that moves along, or turns about, one axis alone.
    BodyId cube_on(World& world, const JointAxis& axis) {
        BodyDef def = make_body(Box{Vec3(0.3f)}, Vec3(0.0f));
        def.mass = 2.0f;
        const BodyId id = add(world, def);
        JointDef joint = six(world, {}, id, Vec3(0.0f), "");
        joint.axes[static_cast<std::size_t>(GetParam())] = axis;
        id_ = join(world, joint);
        return id;
    }
    // N or N m for a step, along or about the axis, and half as much about and along the others.
    void push(World& world, BodyId id, float force) const {
        const float impulse = force / world.settings().hz;
        for (int axis = 0; axis < 6; ++axis) {
            const float part = axis == GetParam() ? impulse : 0.5f * impulse;
            Vec3 along(0.0f);
            along[axis % 3] = part;
            if (axis < 3) {
                ASSERT_TRUE(world.apply(ApplyImpulse{id, along, {}}).ok());
                continue;
            }
            Vec3 arm(0.0f), across(0.0f); // two impulses without a sum
            arm[(axis + 1) % 3] = 0.5f;
            across[(axis + 2) % 3] = part;
            const Vec3 centre = state_of(world, id).pose.position;
            ASSERT_TRUE(world.apply(ApplyImpulse{id, across, centre + arm}).ok());
            ASSERT_TRUE(world.apply(ApplyImpulse{id, -across, centre - arm}).ok());
        }
    }
    void expect_others_hold(const World& world, BodyId id) const {
        for (int axis = 0; axis < 6; ++axis) {
            EXPECT_TRUE(axis == GetParam() || std::abs(moved(world, id, axis)) < 2e-3f) << axis;
        }
    }
    float inertia(const World& world, BodyId id) const {
        return GetParam() < 3 ? 2.0f : world.model(id)->inertia[0][0];
    }
    JointId id_;
};

TEST_P(EachAxis, IsHeldWithinItsLimits) {
    for (const JointLimits limits : {JointLimits{-0.4f, 0.7f}, JointLimits{-2.0f, 2.5f}}) {
        for (const float way : {1.0f, -1.0f}) {
            World world(weightless());
            JointAxis axis;
            axis.mode = Mode::limited;
            axis.limits = limits;
            const BodyId id = cube_on(world, axis);
            const float bound = way > 0 ? limits.upper : -limits.lower;
            float furthest = 0.0f;
            for (int i = 0; i < 240; ++i) {
                push(world, id, way * 4.0f);
                world.step();
                furthest = std::max(furthest, way * moved(world, id, GetParam()));
            }
            EXPECT_NEAR(furthest, bound, 0.01f);
            EXPECT_NEAR(way * moved(world, id, GetParam()), bound, 0.01f);
            expect_others_hold(world, id);
        }
    }
}

TEST_P(EachAxis, IsDrivenAtASpeedByNoMoreThanItsForce) {
    World world(weightless());
    JointAxis axis;
    axis.mode = Mode::motor;
    axis.motor = {1.5f, 0.6f};
    const BodyId id = cube_on(world, axis);
    const auto rate = [&] {
        const BodyState state = state_of(world, id);
        return GetParam() < 3 ? state.linear_velocity[GetParam()] : state.angular_velocity[GetParam() - 3];
    };
    world.step();
    EXPECT_NEAR(rate(), std::min(0.6f / inertia(world, id) / 60.0f, 1.5f), 1e-4f);
    run(world, 30 + static_cast<int>(60.0f * 1.5f * inertia(world, id) / 0.6f));
    EXPECT_NEAR(rate(), 1.5f, 1e-3f);
    expect_others_hold(world, id);
}

TEST_P(EachAxis, GoesToItsPositionAndGivesWayToMore) {
    for (const bool strong : {true, false}) {
        World world(weightless());
        JointAxis axis;
        axis.mode = Mode::spring;
        axis.spring = {2.0f, 1.0f, 0.5f, strong ? std::optional<float>() : 1.0f};
        const BodyId id = cube_on(world, axis);
        run(world, 1200);
        EXPECT_NEAR(moved(world, id, GetParam()), 0.5f, 0.005f);
        for (int i = 0; i < (strong || GetParam() < 3 ? 120 : 20); ++i) {
            push(world, id, -2.0f);
            world.step();
        }
        const float stiffness = std::pow(2.0f * 3.14159265f * 2.0f, 2.0f) * inertia(world, id);
        if (strong) {
            EXPECT_NEAR(moved(world, id, GetParam()), 0.5f - 2.0f / stiffness, 0.02f);
        } else {
            EXPECT_LT(moved(world, id, GetParam()), 0.2f);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(SixDof, EachAxis, ::testing::Range(0, 6));

// A mechanism whose joints leave any axes free gains no energy.
TEST(SixDofMechanism, GainsNothing) {
    Dice dice(7);
    for (int run_number = 0; run_number < 12; ++run_number) {
        World world(without_sleep());
        BodyId last;
        double swing = 0.0;
        for (int i = 0; i < 5; ++i) {
            const float x = 0.5f + static_cast<float>(i);
            BodyDef bar = make_body(Box{Vec3(0.5f, 0.05f, 0.1f)}, Vec3(x, 0, 0));
            bar.mass = dice.between(0.5f, 20.0f);
            bar.filter.mask = 0;
            const BodyId id = add(world, bar);
            std::string free_axes; // turns alone: what slides off its joint falls for ever
            for (const char axis : {'X', 'Y', 'Z'}) {
                free_axes += dice.below(2) == 0 ? std::string(1, axis) : std::string();
            }
            join(world, six(world, last, id, Vec3(x - 0.5f, 0, 0), free_axes, from_z_to(dice.direction())));
            swing += 2.0 * 9.81 * static_cast<double>(*bar.mass * x);
            last = id;
        }
        const Course course = watched(world, 600);
        EXPECT_LT(course.gain, 0.01 * swing) << run_number;
    }
}

TEST(SixDof, IsRefusedWithoutSixAxes) {
    World world(weightless());
    const BodyId id = add(world, make_body(Box{Vec3(0.3f)}, Vec3(0.0f)));
    JointDef def = joint_at(world, JointKind::six_dof, {}, id, Vec3(0.0f));
    EXPECT_FALSE(world.apply(CreateJoint{def}).ok());
    def.axes.resize(joint_axes);
    def.axes[4].limits = {1.0f, 0.5f};
    EXPECT_FALSE(world.apply(CreateJoint{def}).ok());
    def.axes[4].limits = {};
    def.limits = JointLimits{-1, 1};
    EXPECT_FALSE(world.apply(CreateJoint{def}).ok());
    def.limits.reset();
    EXPECT_TRUE(world.apply(CreateJoint{def}).ok());
    def.kind = JointKind::hinge;
    EXPECT_FALSE(world.apply(CreateJoint{def}).ok());
}

} // namespace
} // namespace cairn::physics::testing
