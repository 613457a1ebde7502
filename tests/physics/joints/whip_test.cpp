// Whips of links of half a kilogram on a hub that is turned by force, up to 200 m/s at the tip: they strike themselves
// and the hub, where joints hold what the blows want apart.
#include "tests/physics/joints/joint_builder.h"
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

// Bodies change their numbers in the solver as they wake and as work is divided. What a pivot that is moved by force
// had against its joints was once that of the body that had its number before.
TEST(Whip, SameBitsOnTwoThreads) {
    TwoThreads executor;
    World one(without_sleep()), two(without_sleep(), &executor);
    const Whip whip{0.02f, 24.0f, 60};
    add_whip(one, whip);
    add_whip(two, whip);
    for (int i = 0; i < whip.steps; ++i) {
        one.step();
        two.step();
        ASSERT_EQ(two.hash(), one.hash()) << "step " << i;
    }
}

} // namespace
} // namespace cairn::physics::testing
