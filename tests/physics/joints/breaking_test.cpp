// Joints that end beyond a force, and bodies that are told to ignore each other.
#include "tests/physics/joints/joint_builder.h"

namespace cairn::physics::testing {
namespace {

struct Load {
    float most;
    bool breaks;
};

class HangingWeight : public ::testing::TestWithParam<Load> {};

// 10 kg pull with 98.1 N.
TEST_P(HangingWeight, BreaksTheJointThatBearsLess) {
    World world(without_sleep());
    BodyDef def = make_body(Sphere{0.1f}, Vec3(0, 0, -1));
    def.mass = 10.0f;
    const BodyId weight = add(world, def);
    JointDef rod = joint_at(world, JointKind::ball, {}, weight, Vec3(0.0f));
    rod.name = "rod";
    rod.break_force = GetParam().most;
    const JointId joint = join(world, rod);
    int told = 0;
    for (int i = 0; i < 120; ++i) {
        world.step();
        FrameState frame;
        world.publish(frame);
        for (const BreakState& state : frame.breaks) {
            ++told;
            EXPECT_EQ(state.joint, joint);
            EXPECT_EQ(state.def->name, "rod");
            EXPECT_GT(state.force, GetParam().most);
            EXPECT_LT(glm::length(state.point), 0.01f);
        }
    }
    EXPECT_EQ(told, GetParam().breaks ? 1 : 0);
    EXPECT_EQ(world.joint(joint) == nullptr, GetParam().breaks);
    EXPECT_EQ(state_of(world, weight).pose.position.z < -2.0f, GetParam().breaks);
}

INSTANTIATE_TEST_SUITE_P(Joints, HangingWeight, ::testing::Values(Load{95.0f, true}, Load{101.0f, false}));

// A beam on a weld breaks by the torque of what stands on its end, and not by its force.
TEST(BreakTorque, EndsAWeldThatIsBent) {
    for (const bool weak : {true, false}) {
        World world(without_sleep());
        BodyDef def = make_body(Box{Vec3(0.5f, 0.05f, 0.05f)}, Vec3(0.5f, 0, 0));
        def.mass = 4.0f; // 19.6 N m at the wall
        const BodyId beam = add(world, def);
        JointDef weld = joint_at(world, JointKind::weld, {}, beam, Vec3(0.0f));
        weld.break_torque = weak ? 15.0f : 25.0f;
        const JointId joint = join(world, weld);
        run(world, 60);
        EXPECT_EQ(world.joint(joint) == nullptr, weak);
    }
}

// The weakest of a chain goes first, and what hangs below falls; all of it the same on any number of threads (and
// again, which shared_state_test checks of worlds with joints).
TEST(BreakingChain, PartsAtItsWeakestLink) {
    World world(without_sleep());
    std::vector<JointId> joints;
    std::vector<BodyId> links;
    for (int i = 0; i < 8; ++i) {
        BodyDef def = make_body(Capsule{0.05f, 0.2f}, Vec3(0, 0, -0.25f - 0.5f * static_cast<float>(i)));
        def.mass = 1.0f;
        links.push_back(add(world, def));
        JointDef ball = joint_at(world, JointKind::ball, i == 0 ? BodyId{} : links[links.size() - 2], links.back(),
                                 Vec3(0, 0, -0.5f * static_cast<float>(i)));
        ball.break_force = i == 3 ? 40.0f : 100.0f; // five hang on the fourth: 49 N
        joints.push_back(join(world, ball));
    }
    run(world, 60);
    for (std::size_t i = 0; i < joints.size(); ++i) {
        EXPECT_EQ(world.joint(joints[i]) == nullptr, i == 3) << i;
    }
    EXPECT_LT(state_of(world, links[3]).pose.position.z, -4.0f);
    EXPECT_NEAR(state_of(world, links[2]).pose.position.z, -1.25f, 0.01f);
}

// All links of a chain without slack carry the same, and so did they all end in the step in which one would have freed
// them. Ten links of 1 kg are pulled apart, or planks with a joint at either edge.
class TautChain : public ::testing::TestWithParam<int> {};

TEST_P(TautChain, PartsInOnePlace) {
    World world(without_sleep());
    BodyDef puller = make_body(Box{Vec3(0.2f)}, Vec3(0, 0, 5));
    puller.type = BodyType::kinematic;
    puller.linear_velocity = Vec3(0, 0, 0.2f);
    const BodyId top = add(world, puller);
    BodyId last = top;
    const auto hold = [&](BodyId above, BodyId below, const Vec3& at) {
        for (int side = 0; side < GetParam(); ++side) {
            const float edge = GetParam() == 1 ? 0.0f : 0.1f * static_cast<float>(2 * side - 1);
            JointDef joint = joint_at(world, JointKind::ball, above, below, at + Vec3(0, edge, 0));
            joint.break_force = 5000.0f;
            join(world, joint);
        }
    };
    for (int i = 0; i < 10; ++i) {
        const float z = 4.8f - 0.5f * static_cast<float>(i);
        BodyDef def = make_body(Box{Vec3(0.05f, 0.15f, 0.2f)}, Vec3(0, 0, z - 0.25f));
        def.mass = 1.0f;
        const BodyId link = add(world, def);
        hold(last, link, Vec3(0, 0, z));
        last = link;
    }
    hold(last, add(world, make_static(Box{Vec3(0.1f)}, Vec3(0, 0, -0.4f))), Vec3(0, 0, -0.2f));
    int ended = 0;
    FrameState frame;
    for (int step = 0; step < 300; ++step) {
        world.step();
        world.publish(frame);
        ended += static_cast<int>(frame.breaks.size());
    }
    EXPECT_EQ(ended, GetParam());
    EXPECT_LT(greatest_gap(world), 1e-3f);
}

INSTANTIATE_TEST_SUITE_P(Joints, TautChain, ::testing::Values(1, 2));

// A wall of bricks is no chain: what is hit breaks on all sides at once.
TEST(BreakingWall, IsNoLine) {
    World world(without_sleep());
    std::vector<BodyId> bricks;
    constexpr int n = 5;
    for (int i = 0; i < n * n; ++i) {
        const Vec3 place(0.5f * static_cast<float>(i % n), 0.0f, 0.5f * static_cast<float>(i / n));
        BodyDef def = i == n * n / 2 ? make_body(Box{Vec3(0.24f)}, place) : make_static(Box{Vec3(0.24f)}, place);
        def.mass = 10.0f;
        bricks.push_back(add(world, def));
    }
    const BodyId middle = bricks[n * n / 2];
    for (const int other : {-1, 1, -n, n}) {
        JointDef weld = joint_at(world, JointKind::weld, middle, bricks[static_cast<std::size_t>(n * n / 2 + other)],
                                 state_of(world, middle).pose.position);
        weld.break_force = 100.0f;
        join(world, weld);
    }
    ASSERT_TRUE(world.apply(ApplyImpulse{middle, Vec3(0, 100, 0), {}}).ok());
    world.step();
    EXPECT_EQ(published(world).breaks.size(), 4u);
}

std::size_t touching_pairs(const World& world) {
    FrameState frame;
    world.publish(frame);
    return frame.contacts.size();
}

// Three boxes in a row that lie in each other, joined one to the next.
TEST(IgnoreWithin, ReachesOverAsManyJointsAsItSays) {
    for (const int reach : {1, 2}) {
        World world(weightless());
        std::vector<BodyId> boxes;
        for (int i = 0; i < 3; ++i) {
            boxes.push_back(add(world, make_body(Box{Vec3(0.5f)}, Vec3(0.4f * static_cast<float>(i), 0, 0))));
        }
        std::vector<JointId> joints;
        for (std::size_t i = 0; i + 1 < boxes.size(); ++i) {
            JointDef def = joint_at(world, JointKind::weld, boxes[i], boxes[i + 1],
                                    Vec3(0.4f * static_cast<float>(i) + 0.2f, 0, 0));
            def.ignore_within = reach;
            joints.push_back(join(world, def));
        }
        run(world, 2);
        EXPECT_EQ(touching_pairs(world) > 0, reach == 1);
        // It can be changed while it runs, and ends with the joint between.
        JointDef def = *world.joint(joints[0]);
        def.ignore_within = 1;
        ASSERT_TRUE(world.apply(SetJoint{joints[0], def}).ok());
        run(world, 2);
        EXPECT_GT(touching_pairs(world), 0u);
        def.ignore_within = 2;
        JointDef other = *world.joint(joints[1]);
        other.ignore_within = 2;
        ASSERT_TRUE(world.apply(SetJoint{joints[0], def}).ok());
        ASSERT_TRUE(world.apply(SetJoint{joints[1], other}).ok());
        run(world, 2);
        EXPECT_EQ(touching_pairs(world), 0u);
        ASSERT_TRUE(world.apply(DestroyBody{boxes[1]}).ok());
        run(world, 2);
        EXPECT_GT(touching_pairs(world), 0u);
    }
}

// Two crates of groups that do not meet stand in one place on one floor; told otherwise, they part.
TEST(CollisionFilter, LetsGroupsPassThroughEachOther) {
    World world(without_sleep());
    BodyDef floor = make_body(Box{Vec3(5, 5, 0.5f)}, Vec3(0, 0, -0.5f));
    floor.type = BodyType::fixed;
    add(world, floor);
    BodyDef crate = make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f));
    crate.filter = {3, ~(1u << 4)};
    const BodyId one = add(world, crate);
    crate.filter = {4, 0xffffffffu}; // it is enough that the other will not
    crate.pose.position.x = 0.3f;
    const BodyId two = add(world, crate);
    run(world, 60);
    EXPECT_NEAR(state_of(world, one).pose.position.x, 0.0f, 1e-3f);
    EXPECT_NEAR(state_of(world, two).pose.position.x, 0.3f, 1e-3f);
    EXPECT_NEAR(state_of(world, two).pose.position.z, 0.5f, 0.01f);
    SetBody meets;
    meets.body = one;
    meets.filter = CollisionFilter{3, 0xffffffffu};
    ASSERT_TRUE(world.apply(meets).ok());
    run(world, 240);
    const Vec3 apart = state_of(world, two).pose.position - state_of(world, one).pose.position;
    EXPECT_GT(glm::length(apart), 0.95f);
    // And what lies on another falls through when it is told to.
    World tower(without_sleep());
    add(tower, floor);
    const BodyId lower = add(tower, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f)));
    const BodyId upper = add(tower, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 1.5f)));
    run(tower, 60);
    SetBody passes;
    passes.body = upper;
    passes.filter = CollisionFilter{1, 0xffffffffu};
    ASSERT_TRUE(tower.apply(passes).ok());
    passes.body = lower;
    passes.filter = CollisionFilter{0, ~2u};
    ASSERT_TRUE(tower.apply(passes).ok());
    run(tower, 120);
    EXPECT_NEAR(state_of(tower, upper).pose.position.z, 0.5f, 0.01f);
    EXPECT_NEAR(state_of(tower, lower).pose.position.z, 0.5f, 0.01f);
    passes.filter = CollisionFilter{32, 0};
    EXPECT_FALSE(tower.apply(passes).ok());
}

// A bullet passes through what it does not meet, and is stopped by what it does.
TEST(CollisionFilter, HoldsForFastBodies) {
    for (const bool meets : {true, false}) {
        World world(weightless());
        BodyDef wall = make_body(Box{Vec3(0.01f, 2, 2)}, Vec3(0.0f));
        wall.type = BodyType::fixed;
        wall.filter.group = 5;
        add(world, wall);
        BodyDef bullet = make_body(Sphere{0.05f}, Vec3(-2, 0, 0));
        bullet.linear_velocity = Vec3(300, 0, 0);
        bullet.filter.mask = meets ? 0xffffffffu : ~(1u << 5);
        const BodyId id = add(world, bullet);
        run(world, 10);
        EXPECT_EQ(state_of(world, id).pose.position.x < 0.0f, meets);
    }
}

} // namespace
} // namespace cairn::physics::testing
