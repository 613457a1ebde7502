// Joints that are moved and turned in the world.
#include "app/ui/panels/body/rows/joint_frames.h"

#include <gtest/gtest.h>

namespace cairn::ui {
namespace {

using physics::JointDef;
using physics::JointKind;
using physics::Quat;
using physics::Vec3;

// Bodies that stand askew, and a joint at (1, 2, 3) with its axis along Y, turned by 0.4 rad about it.
class JointFrames : public ::testing::Test {
  protected:
    JointFrames() {
        bodies_.a = {Vec3(0.5f, -1.0f, 2.0f), glm::angleAxis(0.7f, glm::normalize(Vec3(1, 2, 3)))};
        bodies_.b = {Vec3(-1.5f, 0.3f, 1.0f), glm::angleAxis(-1.1f, glm::normalize(Vec3(3, -1, 1)))};
        const Quat along_y = glm::angleAxis(-1.5707964f, Vec3(1, 0, 0));
        def_.kind = JointKind::hinge;
        def_.frame_a = physics::relative(bodies_.a, {Vec3(1, 2, 3), along_y});
        def_.frame_b = physics::relative(bodies_.b, {Vec3(1, 2, 3), along_y * glm::angleAxis(0.4f, Vec3(0, 0, 1))});
    }

    physics::Transform a() const { return physics::compose(bodies_.a, def_.frame_a); }
    physics::Transform b() const { return physics::compose(bodies_.b, def_.frame_b); }
    static void expect_near(const Vec3& is, const Vec3& wanted) {
        for (int i = 0; i < 3; ++i) {
            EXPECT_NEAR(is[i], wanted[i], 1e-5f) << i;
        }
    }

    JointBodies bodies_;
    JointDef def_;
};

TEST_F(JointFrames, OneAnchorMovesBothEnds) {
    const JointDef before = def_;
    move_anchor(def_, bodies_, JointEnd::a, {4, 0, -1});
    expect_near(a().position, {4, 0, -1});
    expect_near(b().position, {4, 0, -1});
    EXPECT_EQ(def_.frame_a.orientation, before.frame_a.orientation);
    EXPECT_EQ(def_.frame_b.orientation, before.frame_b.orientation);
}

TEST_F(JointFrames, ARodGrowsWithItsEndAndARopeDoesNot) {
    def_.kind = JointKind::distance;
    def_.length = 0.5f;
    move_anchor(def_, bodies_, JointEnd::b, {1, 2, 5});
    expect_near(a().position, {1, 2, 3});
    expect_near(b().position, {1, 2, 5});
    EXPECT_NEAR(def_.length, 2.5f, 1e-5f);
    def_.limits = {0.0f, 4.0f};
    move_anchor(def_, bodies_, JointEnd::a, {1, 2, 4});
    expect_near(a().position, {1, 2, 4});
    EXPECT_NEAR(def_.length, 2.5f, 1e-5f);
}

TEST_F(JointFrames, TheAxisTurnsAndThePositionStays) {
    for (const Vec3& to : {Vec3(0, 0, 1), Vec3(0, -1, 0), glm::normalize(Vec3(1, 1, 1)), Vec3(-1, 0, 0)}) {
        turn_axis(def_, bodies_, to);
        expect_near(physics::rotate(a().orientation, {0, 0, 1}), to);
        expect_near(physics::rotate(b().orientation, {0, 0, 1}), to);
        const Quat between = glm::conjugate(a().orientation) * b().orientation;
        EXPECT_NEAR(2.0f * std::atan2(between.z, between.w), 0.4f, 1e-5f);
        expect_near(a().position, {1, 2, 3});
    }
}

} // namespace
} // namespace cairn::ui
