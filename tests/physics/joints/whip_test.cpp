// Chains on hubs that are moved by force. Whips of links of half a kilogram, up to 200 m/s at the tip, strike
// themselves and the hub, where joints hold what the blows want apart.
#include "tests/physics/joints/random_mechanism.h"
#include "tests/physics/world/two_threads.h"
#include "tests/sanitized.h"

namespace cairn::physics::testing {
namespace {

struct Whip {
    float radius, spin; // m, rad/s
    int steps;
};

constexpr int links = 24;
constexpr float mass = 0.5f; // kg

float place_of(int i) { // m, from the axis
    return 1.1f + 0.2f * static_cast<float>(i);
}

// Outstretched along x. Returns the last link.
BodyId add_whip(World& world, const Whip& whip) {
    BodyDef hub = make_body(Box{Vec3(1.0f, 0.1f, 0.1f)}, Vec3(0, 0, 6));
    hub.type = BodyType::kinematic;
    hub.angular_velocity = Vec3(0, 0, whip.spin);
    BodyId last = add(world, hub);
    for (int i = 0; i < links; ++i) {
        BodyDef def = make_body(Capsule{whip.radius, 0.07f}, Vec3(place_of(i), 0, 6));
        def.pose.orientation = normalized(Quat(1, 0, 1, 0));
        def.mass = mass;
        const BodyId id = add(world, def);
        join(world, joint_at(world, JointKind::ball, last, id, def.pose.position - Vec3(0.1f, 0, 0)));
        last = id;
    }
    return last;
}

class WhipOnATurningHub : public ::testing::TestWithParam<Whip> {};

// Seen from the hub, links start at the speed that the hub has where they are, and go no faster there as long as
// nothing adds energy: twice that at most, seen from the ground. While friction looked at links before their joints had
// answered a blow, and while rounds of blows that gained energy were kept, some of these ended at no number.
TEST_P(WhipOnATurningHub, StaysInTheWorldAndGainsNothing) {
    const Whip& whip = GetParam();
    World world(without_sleep());
    const BodyId last = add_whip(world, whip);
    double most = 0.0; // J
    for (int i = 0; i < links; ++i) {
        const double speed = 2.0 * static_cast<double>(whip.spin * place_of(i));
        most += 0.5 * static_cast<double>(mass) * speed * speed;
    }
    FrameState frame;
    for (int i = 0; i < minutes_or_seconds(whip.steps); ++i) {
        world.step();
        ASSERT_TRUE(world.stopped().empty()) << "step " << i;
        world.publish(frame);
        ASSERT_LT(frame.stats.kinetic_energy, most) << "step " << i;
    }
    EXPECT_LT(glm::length(state_of(world, last).pose.position), 20.0f);
}

INSTANTIATE_TEST_SUITE_P(Joints, WhipOnATurningHub,
                         ::testing::Values(Whip{0.03f, 25.0f, 300}, Whip{0.02f, 24.0f, 300}, Whip{0.02f, 28.0f, 300},
                                           Whip{0.02f, 36.0f, 300}, Whip{0.03f, 36.0f, 300}));

// Chains on hubs that are moved by force, stand still or fly, among boxes and balls that are thrown about.
void add_chains(World& world, Dice& dice) {
    constexpr std::array<BodyType, 4> types{BodyType::kinematic, BodyType::kinematic, BodyType::fixed,
                                            BodyType::dynamic};
    constexpr std::array<JointKind, 4> kinds{JointKind::ball, JointKind::hinge, JointKind::weld, JointKind::distance};
    for (unsigned chains = 3 + dice.below(5); chains > 0; --chains) {
        const float x = dice.between(-5, 5), y = dice.between(-5, 5);
        BodyDef hub = make_body(Box{Vec3(0.2f)}, Vec3(x, y, dice.between(1, 5)));
        hub.type = types[dice.below(4)];
        if (hub.type == BodyType::kinematic) {
            hub.angular_velocity = dice.between(1, 9) * dice.direction();
        }
        BodyId last = add(world, hub);
        for (unsigned i = 0, links_of_it = 2 + dice.below(10); i < links_of_it; ++i) {
            const Vec3 anchor = hub.pose.position + Vec3(0.2f + 0.3f * static_cast<float>(i), 0, 0);
            BodyDef def = make_body(Capsule{dice.between(0.03f, 0.1f), 0.08f}, anchor + Vec3(0.15f, 0, 0));
            def.pose.orientation = normalized(Quat(1, 0, 1, 0));
            def.mass = dice.between(0.1f, 5.0f);
            const BodyId id = add(world, def);
            JointDef joint = joint_at(world, kinds[dice.below(i == 0 ? 2 : 4)], last, id, anchor);
            if (joint.kind == JointKind::distance) {
                joint.limits = JointLimits{0.0f, 0.35f};
            }
            join(world, joint);
            last = id;
        }
    }
    for (unsigned others = 5 + dice.below(20); others > 0; --others) {
        const float x = dice.between(-5, 5), y = dice.between(-5, 5), z = dice.between(1, 8);
        const bool ball = dice.below(2) == 0;
        BodyDef def = make_body(ball ? Geometry(Sphere{0.3f}) : Geometry(Box{Vec3(0.3f, 0.2f, 0.3f)}), Vec3(x, y, z));
        def.linear_velocity = dice.between(0, 9) * dice.direction();
        add(world, def);
    }
}

// Bodies change their numbers in the solver as they wake and as work is divided. What a pivot that is moved by force
// had against its joints was once that of the body that had its number before: 14 of 16 such worlds differed.
TEST(Whip, SameBitsOnTwoThreads) {
    for (unsigned seed = 0; seed < (sanitized ? 2u : 8u); ++seed) {
        TwoThreads executor;
        Settings settings; // with sleep
        World one(settings), two(settings, &executor);
        for (World* world : {&one, &two}) {
            Dice dice(seed);
            add(*world, make_static(Box{Vec3(30, 30, 0.5f)}, Vec3(0, 0, -0.5f)));
            add_chains(*world, dice);
        }
        for (int i = 0; i < 150; ++i) {
            one.step();
            two.step();
            ASSERT_EQ(two.hash(), one.hash()) << "step " << i << " of world " << seed;
        }
    }
}

} // namespace
} // namespace cairn::physics::testing
