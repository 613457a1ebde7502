// Joints as members of the world: commands, waking, snapshots, hashes.
#include "physics/world/state_image.h"
#include "tests/physics/joints/joint_builder.h"

#include <gtest/gtest.h>

#include <limits>
#include <thread>

namespace cairn::physics::testing {
namespace {

class StridedExecutor final : public Executor {
  public:
    explicit StridedExecutor(std::size_t threads) : threads_(threads) {}

    void parallel_for(std::size_t count, std::size_t grain, const Block& block) override {
        std::vector<std::thread> workers;
        for (std::size_t t = 0; t < threads_; ++t) {
            workers.emplace_back([&, t] {
                for (std::size_t begin = t * grain; begin < count; begin += threads_ * grain) {
                    block(begin, std::min(begin + grain, count));
                }
            });
        }
        for (std::thread& worker : workers) {
            worker.join();
        }
    }
    int thread_count() const override { return static_cast<int>(threads_); }

  private:
    std::size_t threads_;
};

class SomeJoints : public ::testing::Test {
  protected:
    // Every kind of joint, with limits, motors and springs, above a floor that parts of it reach.
    static void build(World& world) {
        add(world, make_floor());
        BodyId last;
        const JointKind kinds[] = {JointKind::ball, JointKind::hinge, JointKind::slider, JointKind::weld,
                                   JointKind::distance};
        for (int i = 0; i < 15; ++i) {
            const auto x = static_cast<float>(i);
            const BodyId body = add(world, make_body(Box{Vec3(0.4f, 0.2f, 0.3f)}, Vec3(x, 0.0f, 4.0f)));
            JointDef def = joint_at(world, kinds[i % 5], last, body, Vec3(x - 0.5f, 0, 4), z_to_y());
            if (def.kind == JointKind::hinge) {
                def.motor = JointMotor{1.0f, 300.0f};
                def.limits = JointLimits{-1.0f, 1.0f};
            } else if (def.kind == JointKind::slider) {
                def.spring = JointSpring{3.0f, 0.3f, 0.0f, {}};
            } else if (def.kind == JointKind::ball) {
                def.cone = 1.0f;
                def.motor = JointMotor{0.0f, 20.0f};
            }
            join(world, def);
            last = body;
        }
    }
};

TEST_F(SomeJoints, GiveTheSameBitsAtEveryThreadCount) {
    std::vector<std::uint64_t> expected;
    for (const std::size_t threads : {1u, 2u, 3u, 4u}) {
        StridedExecutor executor(threads);
        World world(Settings{}, &executor);
        build(world);
        for (int i = 0; i < 60; ++i) {
            world.step();
            if (threads == 1) {
                expected.push_back(world.hash());
            } else {
                ASSERT_EQ(world.hash(), expected[static_cast<std::size_t>(i)]) << threads << " threads, step " << i;
            }
        }
    }
}

TEST_F(SomeJoints, GoOnWithTheSameBitsFromASnapshot) {
    World world;
    build(world);
    run(world, 77);
    const auto snapshot = world.snapshot();
    std::vector<std::uint64_t> expected;
    for (int i = 0; i < 100; ++i) {
        world.step();
        expected.push_back(world.hash());
    }
    World other;
    other.restore(*snapshot);
    for (int i = 0; i < 100; ++i) {
        other.step();
        ASSERT_EQ(other.hash(), expected[static_cast<std::size_t>(i)]) << i;
    }
}

TEST_F(SomeJoints, AreAllInTheHash) {
    World world, other;
    build(world);
    build(other);
    ASSERT_EQ(world.hash(), other.hash());
    JointState joint = published(other).joints.at(6);
    JointDef def = *joint.def;
    ASSERT_TRUE(other.apply(SetJoint{joint.id, def}).ok());
    EXPECT_EQ(world.hash(), other.hash()); // nothing has changed
    def.limits->upper += 0.25f;
    ASSERT_TRUE(other.apply(SetJoint{joint.id, def}).ok());
    EXPECT_NE(world.hash(), other.hash());
}

TEST(JointLife, EndsWithItsBodies) {
    World world;
    const BodyId a = add(world, make_body(Sphere{0.5f}, Vec3(0, 0, 5)));
    const BodyId b = add(world, make_body(Sphere{0.5f}, Vec3(2, 0, 5)));
    const BodyId c = add(world, make_body(Sphere{0.5f}, Vec3(4, 0, 5)));
    const JointId ab = join(world, joint_at(world, JointKind::ball, a, b, Vec3(1, 0, 5)));
    const JointId bc = join(world, joint_at(world, JointKind::ball, b, c, Vec3(3, 0, 5)));
    const JointId c_world = join(world, joint_at(world, JointKind::ball, {}, c, Vec3(5, 0, 5)));
    ASSERT_TRUE(world.apply(DestroyBody{b}).ok());
    const FrameState frame = published(world);
    ASSERT_EQ(frame.joints.size(), 1u);
    EXPECT_EQ(frame.joints[0].id, c_world);
    EXPECT_FALSE(world.apply(DestroyJoint{ab}).ok());
    // The slot is used again by a newcomer, whom old names do not reach.
    const JointId next = join(world, joint_at(world, JointKind::weld, a, c, Vec3(2, 0, 5)));
    EXPECT_TRUE(next.index == ab.index || next.index == bc.index);
    EXPECT_FALSE(world.apply(DestroyJoint{ab}).ok());
    EXPECT_FALSE(world.apply(DestroyJoint{bc}).ok());
    EXPECT_TRUE(world.apply(DestroyJoint{next}).ok());
    run(world, 10);
}

TEST(JointLife, JoinedBodiesSleepAndWakeTogether) {
    World world;
    add(world, make_floor());
    // Two boxes far apart, tied by a rope that hangs loose between them.
    const BodyId a = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f)));
    const BodyId b = add(world, make_body(Box{Vec3(0.5f)}, Vec3(5, 0, 0.5f)));
    JointDef rope = joint_at(world, JointKind::distance, a, b, Vec3(0.0f));
    rope.frame_a.position = rope.frame_b.position = Vec3(0.0f);
    rope.limits = JointLimits{0.0f, 7.0f};
    const JointId id = join(world, rope);
    run(world, 60);
    ASSERT_TRUE(state_of(world, a).sleeping);
    ASSERT_TRUE(state_of(world, b).sleeping);
    ASSERT_TRUE(world.apply(ApplyImpulse{a, Vec3(0, 0, 1), {}}).ok());
    EXPECT_FALSE(state_of(world, b).sleeping);
    run(world, 90);
    ASSERT_TRUE(state_of(world, b).sleeping);
    ASSERT_TRUE(world.apply(DestroyJoint{id}).ok());
    EXPECT_FALSE(state_of(world, a).sleeping);
    run(world, 90);
    ASSERT_TRUE(state_of(world, a).sleeping);
    ASSERT_TRUE(world.apply(ApplyImpulse{a, Vec3(0, 0, 1), {}}).ok());
    EXPECT_TRUE(state_of(world, b).sleeping); // nothing ties them now
}

TEST(JointLife, AMovingKinematicBodyKeepsWhatHangsOnItAwake) {
    World world;
    BodyDef carrier = make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 5));
    carrier.type = BodyType::kinematic;
    carrier.linear_velocity = Vec3(0.02f, 0, 0); // slower than the speed of sleep
    const BodyId a = add(world, carrier);
    const BodyId b = add(world, make_body(Box{Vec3(0.2f)}, Vec3(0, 0, 3)));
    join(world, joint_at(world, JointKind::weld, a, b, Vec3(0, 0, 4)));
    run(world, 300);
    EXPECT_FALSE(state_of(world, b).sleeping);
    EXPECT_NEAR(state_of(world, b).pose.position.x, 0.1f, 0.002f);
}

TEST(JointLife, JoinedBodiesCollideOnlyIfTheyAreToldTo) {
    for (const bool collide : {false, true}) {
        World world(weightless());
        const BodyId a = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0.0f)));
        const BodyId b = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0.9f, 0, 0))); // overlapping
        run(world, 1);
        ASSERT_GT(published(world).stats.contacts, 0u);
        JointDef def = joint_at(world, JointKind::slider, a, b, Vec3(0.0f), normalized(Quat(1, 0, 1, 0)));
        def.collide = collide;
        const JointId id = join(world, def);
        run(world, 5);
        EXPECT_EQ(published(world).stats.contacts > 0, collide);
        def.collide = !collide;
        ASSERT_TRUE(world.apply(SetJoint{id, def}).ok());
        run(world, 2);
        EXPECT_EQ(published(world).stats.pairs > 0, !collide);
        ASSERT_TRUE(world.apply(DestroyJoint{id}).ok());
        run(world, 2);
        EXPECT_GT(published(world).stats.pairs, 0u);
    }
}

// Fast joined bodies are not swept against each other either.
TEST(JointLife, FastJoinedBodiesPassThroughEachOther) {
    World world(weightless());
    const BodyId a = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0.0f)));
    const BodyId b = add(world, make_body(Box{Vec3(0.1f)}, Vec3(-3, 0, 0)));
    JointDef def = joint_at(world, JointKind::slider, a, b, Vec3(0.0f), normalized(Quat(1, 0, 1, 0)));
    join(world, def);
    SetBody fast;
    fast.body = b;
    fast.linear_velocity = Vec3(200, 0, 0);
    ASSERT_TRUE(world.apply(fast).ok());
    run(world, 6);
    EXPECT_GT(state_of(world, b).pose.position.x - state_of(world, a).pose.position.x, 3.0f);
    EXPECT_EQ(published(world).stats.continuous_hits, 0u);
}

TEST(JointLife, BadJointsAreRefusedInOneSentence) {
    World world;
    const BodyId floor = add(world, make_floor());
    const BodyId a = add(world, make_body(Sphere{0.5f}, Vec3(0, 0, 5)));
    const BodyId b = add(world, make_body(Sphere{0.5f}, Vec3(2, 0, 5)));
    const JointDef good = joint_at(world, JointKind::hinge, a, b, Vec3(1, 0, 5));
    const std::uint64_t before = world.hash();
    const auto refused = [&](auto&& change) {
        JointDef def = good;
        change(def);
        const CommandResult result = world.apply(CreateJoint{def});
        EXPECT_FALSE(result.ok());
        EXPECT_EQ(world.hash(), before);
        return result.error;
    };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(refused([&](JointDef& d) { d.body_b = d.body_a; }), "a joint needs two bodies, not the same one twice");
    EXPECT_EQ(refused([&](JointDef& d) { d.body_b = {}; }),
              "a joint needs its second body; only the first may be the world");
    EXPECT_EQ(refused([&](JointDef& d) { d.body_a = {}, d.body_b = floor; }),
              "a joint needs at least one dynamic body");
    EXPECT_EQ(refused([&](JointDef& d) { d.body_a = {77, 0}; }), "there is no body 77:0 to be joined");
    EXPECT_NE(refused([&](JointDef& d) { d.frame_a.position.x = nan; }), "");
    EXPECT_NE(refused([&](JointDef& d) { d.frame_b.orientation = Quat(2, 0, 0, 0); }), "");
    EXPECT_EQ(refused([&](JointDef& d) {
                  d.limits = JointLimits{1.0f, 0.5f};
              }),
              "upper limit is 0.5, must lie within 1 to 10000 rad");
    EXPECT_NE(refused([&](JointDef& d) { d.motor = JointMotor{nan, 1.0f}; }), "");
    EXPECT_NE(refused([&](JointDef& d) { d.motor = JointMotor{1.0f, -1.0f}; }), "");
    EXPECT_NE(refused([&](JointDef& d) { d.spring = JointSpring{0.0f, 1.0f, 0.0f, {}}; }), "");
    EXPECT_EQ(refused([&](JointDef& d) { d.cone = 1.0f; }), "only ball and universal joints have a cone");
    EXPECT_EQ(refused([&](JointDef& d) {
                  d.kind = JointKind::weld, d.limits = JointLimits{0, 1};
              }),
              "only ball, hinge, slider, distance and pulley joints have limits");
    EXPECT_EQ(refused([&](JointDef& d) {
                  d.kind = JointKind::weld, d.motor = JointMotor{1, 1};
              }),
              "only ball, hinge, slider, distance and pulley joints have a motor");
    const JointId id = join(world, good);
    JointDef other = good;
    other.kind = JointKind::ball;
    EXPECT_FALSE(world.apply(SetJoint{id, other}).ok());
    EXPECT_FALSE(world.apply(SetJoint{{9, 9}, good}).ok());
}

// A body may have any number of joints. A hub with thirty is solved exactly; with a hundred and twenty it is swept
// over, and the statistics say so.
class Hub : public ::testing::TestWithParam<int> {};

TEST_P(Hub, HoldsAllItsJoints) {
    const int arms = GetParam();
    World world(weightless());
    const float radius = 0.04f * static_cast<float>(arms);
    const BodyId hub = add(world, make_body(Sphere{radius - 0.2f}, Vec3(0)));
    for (int i = 0; i < arms; ++i) {
        const float angle = 6.2832f * static_cast<float>(i) / static_cast<float>(arms);
        const Vec3 out(std::cos(angle), std::sin(angle), 0.0f);
        BodyDef arm = make_body(Sphere{0.08f}, (radius + 0.3f) * out);
        arm.linear_velocity = Vec3(0, 0, 0.2f * static_cast<float>(i % 3));
        const BodyId id = add(world, arm);
        join(world, joint_at(world, JointKind::ball, hub, id, radius * out));
    }
    world.step();
    EXPECT_EQ(published(world).stats.joints_swept, arms > 30 ? static_cast<std::uint32_t>(arms) : 0u);
    run(world, 300);
    EXPECT_LT(greatest_gap(world), 0.005f);
}

INSTANTIATE_TEST_SUITE_P(JointLife, Hub, ::testing::Values(30, 120));

// The drag is a joint, too: it follows the target, and its force has a bound.
TEST(GrabJoint, FollowsItsTargetAndIsBounded) {
    World world(without_sleep());
    const BodyId box = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 5)));
    ASSERT_TRUE(world.apply(Grab{box, Vec3(0.5f), Vec3(3, 1, 7), 5.0f, 1.0f, 250.0f}).ok());
    run(world, 240);
    EXPECT_LT(glm::length(published(world).grab.point - Vec3(3, 1, 7)), 0.05f);
    World other(without_sleep());
    const BodyId falls = add(other, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 5)));
    ASSERT_TRUE(other.apply(Grab{falls, Vec3(0.0f), Vec3(0, 0, 5), 5.0f, 1.0f, 0.5f * 9.81f}).ok());
    run(other, 60);
    EXPECT_NEAR(state_of(other, falls).linear_velocity.z, -0.5f * 9.81f, 0.3f);
}

// A state in which something drags what does not move could not be loaded.
TEST(GrabJoint, EndsWhenItsBodyIsNoLongerDynamic) {
    for (const BodyType type : {BodyType::fixed, BodyType::kinematic}) {
        World world;
        const BodyId box = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 3)));
        ASSERT_TRUE(world.apply(Grab{box, Vec3(0.0f), Vec3(0, 0, 4)}).ok());
        world.step();
        SetBody other;
        other.body = box;
        other.type = type;
        ASSERT_TRUE(world.apply(other).ok());
        world.step();
        EXPECT_FALSE(published(world).grab.active);
        World again;
        EXPECT_EQ(again.load(world.image()), "");
    }
}

// What a joint has held looks for contacts anew when the joint ends, and the hash of a body that rests must follow.
TEST(JointLife, EndsWithTheHashOfTheStateThatIsLeft) {
    for (const bool breaks : {true, false}) {
        World world;
        const BodyId anchor = add(world, make_body(Box{Vec3(0.2f)}, Vec3(3.3f, 0.7f, 5)));
        SetBody change;
        change.body = anchor;
        change.linear_velocity = Vec3(0.31f, 0.17f, 0);
        ASSERT_TRUE(world.apply(change).ok());
        run(world, 10);
        change.type = BodyType::fixed;
        change.linear_velocity = Vec3(0.0f);
        ASSERT_TRUE(world.apply(change).ok());
        const Vec3 place = state_of(world, anchor).pose.position;
        const BodyId weight = add(world, make_body(Box{Vec3(0.2f)}, place - Vec3(0, 0, 1)));
        JointDef def = joint_at(world, JointKind::ball, anchor, weight, place);
        const JointId joint = join(world, def);
        run(world, 10);
        if (breaks) {
            def.break_force = 10.0f;
            ASSERT_TRUE(world.apply(SetJoint{joint, def}).ok());
        } else {
            ASSERT_TRUE(world.apply(DestroyJoint{joint}).ok());
        }
        world.step();
        ASSERT_TRUE(published(world).joints.empty());
        World again;
        ASSERT_EQ(again.load(world.image()), "");
        EXPECT_EQ(again.hash(), world.hash()) << (breaks ? "broken" : "destroyed");
    }
}

} // namespace
} // namespace cairn::physics::testing
