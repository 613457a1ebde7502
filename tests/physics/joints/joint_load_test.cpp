// Joints that carry: limits, cantilevers, chains with a weight, ropes, nets with loops.
#include "tests/physics/joints/joint_builder.h"

#include <gtest/gtest.h>

namespace cairn::physics::testing {
namespace {

constexpr float degree = 0.0174532925f;

TEST(HingeLimit, HoldsAnArmAndLetsGo) {
    World world(without_sleep());
    const BodyId arm = add(world, make_body(Box{Vec3(0.5f, 0.1f, 0.1f)}, Vec3(0.5f, 0, 0)));
    JointDef def = joint_at(world, JointKind::hinge, {}, arm, Vec3(0.0f), z_to_y());
    def.limits = JointLimits{-0.3f, 0.5f}; // about +Y positive is down
    const JointId hinge = join(world, def);
    float most = 0.0f;
    for (int i = 0; i < 300; ++i) {
        world.step();
        most = std::max(most, joint_state(world, hinge).position);
    }
    EXPECT_LT(most, 0.5f + 0.1f * degree);
    EXPECT_NEAR(joint_state(world, hinge).position, 0.5f, 0.1f * degree);
    EXPECT_LT(glm::length(state_of(world, arm).angular_velocity), 1e-3f);
    // It does not stick: under the kick it leaves with the speed of a free arm.
    const float mass = world.model(arm)->mass;
    world.apply(ApplyImpulse{arm, Vec3(0, 0, 1.0f * mass), {}});
    world.step();
    EXPECT_LT(joint_state(world, hinge).position, 0.49f);
    // Without limits the arm hangs down at last: the assertions above can fail.
    def.limits.reset();
    ASSERT_TRUE(world.apply(SetJoint{hinge, def}).ok());
    run(world, 60);
    EXPECT_GT(joint_state(world, hinge).position, 1.0f);
}

TEST(SliderLimit, HoldsAWeightAndLetsGo) {
    World world(without_sleep());
    BodyDef heavy = make_body(Box{Vec3(0.5f)}, Vec3(0.0f));
    heavy.mass = 5000.0f;
    const BodyId lift = add(world, heavy);
    JointDef def = joint_at(world, JointKind::slider, {}, lift, Vec3(0.2f, 0, 0));
    def.limits = JointLimits{-1.0f, 1.0f};
    const JointId slider = join(world, def);
    float least = 0.0f;
    for (int i = 0; i < 180; ++i) {
        world.step();
        least = std::min(least, joint_state(world, slider).position);
    }
    EXPECT_GT(least, -1.001f);
    EXPECT_NEAR(joint_state(world, slider).position, -1.0f, 1e-3f);
    EXPECT_NEAR(joint_state(world, slider).force.z, 5000.0f * 9.81f, 50.0f);
    def.motor = JointMotor{2.0f, 2.0f * 5000.0f * 9.81f};
    ASSERT_TRUE(world.apply(SetJoint{slider, def}).ok());
    run(world, 40);
    EXPECT_GT(joint_state(world, slider).position, -0.3f);
    run(world, 120);
    EXPECT_NEAR(joint_state(world, slider).position, 1.0f, 1e-3f);
}

TEST(BallCone, HoldsAPendulumInside) {
    World world(without_sleep());
    const BodyId rod = add(world, make_body(Capsule{0.1f, 0.4f}, Vec3(0, 0, 0.5f))); // upside down
    JointDef def = joint_at(world, JointKind::ball, {}, rod, Vec3(0.0f));
    def.cone = 0.4f;
    const JointId ball = join(world, def);
    world.apply(ApplyImpulse{rod, Vec3(30.0f, 20.0f, 0.0f), {}});
    float most = 0.0f;
    for (int i = 0; i < 300; ++i) {
        world.step();
        most = std::max(most, joint_state(world, ball).position);
    }
    EXPECT_GT(most, 0.39f);
    EXPECT_LT(most, 0.4f + 0.1f * degree);
}

// Ten welded unit boxes stand out from a wall.
TEST(Weld, CantileverHardlySags) {
    World world(without_sleep());
    BodyId last;
    JointId root;
    float mass = 0.0f;
    for (int i = 0; i < 10; ++i) {
        const auto x = static_cast<float>(i);
        const BodyId box = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0.5f + x, 0, 0)));
        const JointId weld = join(world, joint_at(world, JointKind::weld, last, box, Vec3(x, 0, 0)));
        root = i == 0 ? weld : root;
        last = box;
        mass += world.model(box)->mass;
    }
    float sag = 0.0f;
    for (int i = 0; i < 300; ++i) {
        world.step();
        sag = std::max(sag, -state_of(world, last).pose.position.z);
    }
    EXPECT_LT(sag, 0.003f);
    // The wall holds the weight and its moment about the root.
    EXPECT_NEAR(joint_state(world, root).force.z, mass * 9.81f, 0.01f * mass * 9.81f);
    EXPECT_NEAR(joint_state(world, root).torque.y, -mass * 9.81f * 5.0f, 0.01f * mass * 9.81f * 5.0f);
}

struct ChainCase {
    const char* name;
    JointKind kind;
    bool warm_starting;
};

class Chain : public ::testing::TestWithParam<ChainCase> {
  protected:
    // Thirty links of 1 kg below the origin, and a weight at the end. Returns the weight.
    BodyId hang(World& world, float weight) const {
        BodyId last;
        for (int i = 0; i < 30; ++i) {
            const float top = -0.5f * static_cast<float>(i);
            BodyDef link = make_body(Capsule{0.05f, 0.2f}, Vec3(0, 0, top - 0.25f));
            link.mass = 1.0f;
            const BodyId body = add(world, link);
            tie(world, last, body, top);
            last = body;
        }
        BodyDef def = make_body(Sphere{0.5f}, Vec3(0, 0, start_));
        def.mass = weight;
        const BodyId body = add(world, def);
        tie(world, last, body, -15.0f);
        return body;
    }
    void tie(World& world, BodyId a, BodyId b, float z) const {
        JointDef def = joint_at(world, GetParam().kind, a, b, Vec3(0, 0, z));
        if (def.kind == JointKind::distance) { // rods of 0.5 m from middle to middle
            def.frame_a.position = a ? Vec3(0.0f) : Vec3(0, 0, z);
            def.frame_b.position = Vec3(0.0f);
            def.length =
                glm::length(state_of(world, b).pose.position - (a ? state_of(world, a).pose.position : Vec3(0.0f)));
        }
        join(world, def);
    }
    static constexpr float start_ = -15.5f;
};

TEST_P(Chain, WithAWeightOfAHundredLinksHardlyStretches) {
    Settings settings = without_sleep();
    settings.warm_starting = GetParam().warm_starting;
    World world(settings);
    const BodyId weight = hang(world, 100.0f);
    float stretch = 0.0f;
    for (int i = 0; i < 240; ++i) {
        world.step();
        stretch = std::max(stretch, start_ - state_of(world, weight).pose.position.z);
    }
    EXPECT_LT(stretch, 1.5e-3f);
}

TEST_P(Chain, SwingsWithoutStretching) {
    World world(without_sleep());
    const BodyId weight = hang(world, 10.0f);
    world.apply(ApplyImpulse{weight, Vec3(50.0f, 0, 0), {}});
    float longest = 0.0f;
    for (int i = 0; i < 240; ++i) {
        world.step();
        longest = std::max(longest, glm::length(state_of(world, weight).pose.position));
    }
    EXPECT_LT(longest, 15.5f + 0.005f);
}

const auto chain_name = [](const ::testing::TestParamInfo<ChainCase>& info) { return std::string(info.param.name); };

INSTANTIATE_TEST_SUITE_P(Joints, Chain,
                         ::testing::Values(ChainCase{"balls", JointKind::ball, true},
                                           ChainCase{"cold_balls", JointKind::ball, false},
                                           ChainCase{"hinges", JointKind::hinge, true},
                                           ChainCase{"rods", JointKind::distance, true}),
                         chain_name);

// A kick that makes the last links pull with thousands of times their weight: nothing is stretched far or torn away.
TEST(ChainKick, DoesNotExplode) {
    World world(without_sleep());
    BodyId last;
    for (int i = 0; i <= 30; ++i) {
        const float top = -0.5f * static_cast<float>(i);
        BodyDef def = i < 30 ? make_body(Capsule{0.05f, 0.2f}, Vec3(0, 0, top - 0.25f))
                             : make_body(Sphere{0.5f}, Vec3(0, 0, top - 0.5f));
        def.mass = i < 30 ? 1.0f : 100.0f;
        const BodyId body = add(world, def);
        join(world, joint_at(world, JointKind::ball, last, body, Vec3(0, 0, top)));
        last = body;
    }
    const double start = energy(world);
    world.apply(ApplyImpulse{last, Vec3(800.0f, 0, 0), {}});
    const double kick = energy(world) - start;
    float longest = 0.0f;
    for (int i = 0; i < 300; ++i) {
        world.step();
        longest = std::max(longest, glm::length(state_of(world, last).pose.position));
        EXPECT_LT(energy(world) - start, 1.05 * kick);
    }
    EXPECT_LT(longest, 16.0f);
    EXPECT_GT(energy(world) - start, 0.8 * kick);
}

// Two balls held together at a point far outside both: arms of hardly any inertia, which whip round where they are
// stretched out or folded. What hangs on them is torn about, but nothing leaves the world, and speeds stay those that
// some metres of fall and a taut spring can give.
TEST(StretchedArms, DoNotExplode) {
    for (const float far : {2.0f, 3.0f, 4.0f, 5.5f, 8.0f}) {
        for (const bool sprung : {false, true}) {
            World world(without_sleep());
            const BodyId a = add(world, make_body(Sphere{0.2f}, Vec3(0, 0, 2)));
            const BodyId b = add(world, make_body(Sphere{0.2f}, Vec3(1, 0, 2)));
            join(world, joint_at(world, JointKind::ball, a, b, Vec3(far, 0, 2)));
            JointDef rod;
            rod.kind = JointKind::distance;
            rod.body_b = a;
            rod.frame_a.position = Vec3(5, 0, 0);
            rod.length = 2.0f;
            if (sprung) {
                rod.spring = JointSpring{2.0f, 0.5f, 0.0f, {}};
            }
            join(world, rod);
            float fastest = 0.0f;
            for (int i = 0; i < 600; ++i) {
                world.step();
                const FrameState frame = published(world);
                ASSERT_TRUE(frame.stopped.empty()) << far << ", step " << i << ": body " << frame.stopped.front().index;
                fastest = std::max(fastest, glm::length(frame.bodies[1].linear_velocity));
            }
            EXPECT_LT(fastest, 100.0f) << far << (sprung ? ", spring" : ", rod");
        }
    }
}

// Free up to its length, then it holds; a rod of that length holds from both sides.
TEST(Rope, IsFreeWithinItsLengthAndHoldsAtIt) {
    World world(without_sleep());
    const BodyId ball = add(world, make_body(Sphere{0.2f}, Vec3(0.3f, 0, 0)));
    JointDef rope;
    rope.kind = JointKind::distance;
    rope.body_b = ball;
    rope.limits = JointLimits{0.0f, 2.0f};
    const JointId id = join(world, rope);
    run(world, 30); // half a second of free fall: 1.23 m
    EXPECT_NEAR(state_of(world, ball).pose.position.z, -0.5f * 9.81f * 0.25f, 0.03f);
    EXPECT_EQ(joint_state(world, id).force, Vec3(0.0f));
    float longest = 0.0f;
    for (int i = 0; i < 300; ++i) {
        world.step();
        longest = std::max(longest, joint_state(world, id).position);
    }
    EXPECT_GT(longest, 1.99f);
    EXPECT_LT(longest, 2.0f + 0.005f);
}

TEST(Rod, HoldsFromBothSides) {
    World world(without_sleep());
    const BodyId ball = add(world, make_body(Sphere{0.2f}, Vec3(0.2f, 0, 1.99f)));
    JointDef rod;
    rod.kind = JointKind::distance;
    rod.body_b = ball;
    rod.length = glm::length(Vec3(0.2f, 0, 1.99f));
    const JointId id = join(world, rod);
    for (int i = 0; i < 300; ++i) {
        world.step();
        EXPECT_NEAR(joint_state(world, id).position, rod.length, 1e-3f);
    }
}

// Sixteen planks in an arc between two posts, edge to edge by two ball joints each: more rows than needed, in loops.
TEST(HangingBridge, CarriesAWeightInSpiteOfItsLoops) {
    World world(without_sleep());
    const auto sag = [](float x) { return (x / 8.0f - 1.0f) * (x / 8.0f - 1.0f) - 1.0f; };
    BodyId last;
    for (int i = 0; i <= 16; ++i) {
        const auto x = static_cast<float>(i);
        const bool end = i == 16;
        const BodyId plank =
            end ? last : add(world, make_body(Box{Vec3(0.48f, 1.0f, 0.1f)}, Vec3(x + 0.5f, 0, sag(x + 0.5f))));
        for (const float y : {-0.9f, 0.9f}) {
            join(world, joint_at(world, JointKind::ball, end ? BodyId{} : last, plank, Vec3(x, y, sag(x))));
        }
        last = plank;
    }
    BodyDef heavy = make_body(Box{Vec3(0.6f)}, Vec3(8, 0, 0.0f));
    heavy.mass = 5000.0f; // a plank has 384 kg
    const BodyId weight = add(world, heavy);
    float gap = 0.0f;
    for (int i = 0; i < 240; ++i) {
        world.step();
        gap = std::max(gap, greatest_gap(world));
    }
    EXPECT_LT(gap, 0.006f);
    EXPECT_NEAR(state_of(world, weight).pose.position.z, -0.39f, 0.05f);
}

// A hub with more joints than are solved together: what is left out is softer, and holds.
TEST(Hub, WithVeryManyJointsHolds) {
    World world(without_sleep());
    const BodyId hub = add(world, make_body(Sphere{0.5f}, Vec3(0.0f)));
    join(world, joint_at(world, JointKind::weld, {}, hub, Vec3(0.0f)));
    for (int i = 0; i < 40; ++i) {
        const float angle = 0.157f * static_cast<float>(i);
        const Vec3 out(std::cos(angle), std::sin(angle), 0.0f);
        const BodyId leaf = add(world, make_body(Sphere{0.05f}, 1.5f * out));
        join(world, joint_at(world, JointKind::weld, hub, leaf, 0.5f * out));
    }
    run(world, 60);
    EXPECT_LT(greatest_gap(world), 1e-3f);
    EXPECT_LT(glm::length(state_of(world, hub).pose.position), 1e-3f);
}

} // namespace
} // namespace cairn::physics::testing
