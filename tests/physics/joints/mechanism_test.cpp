// Random mechanisms: none gains energy, no pivot opens. A quarter of them in the ordinary run, all with CAIRN_LONG=1.
#include "tests/long_run.h"
#include "tests/physics/joints/random_mechanism.h"
#include "tests/sanitized.h"

#include <algorithm>

namespace cairn::physics::testing {
namespace {

constexpr unsigned at_once = 25; // mechanisms of one test

class RandomMechanisms : public ::testing::TestWithParam<unsigned> {};

// Whips: light links at the end of a long chain turn by radians within a substep. They gain nothing either, but open.
constexpr float whip_turn = 0.5f; // rad, of a substep
constexpr float whip_gap = 0.15f; // of a link

float substep_turn(const World& world, const FrameState& frame) {
    float most = 0.0f;
    for (const BodyState& body : frame.bodies) {
        most = std::max(most, glm::length(body.angular_velocity));
    }
    return most * world.settings().dt() / static_cast<float>(world.settings().substeps);
}

TEST_P(RandomMechanisms, GainNothingAndHold) {
    int followed = 0;
    FrameState frame;
    for (unsigned seed = at_once * GetParam(); seed < at_once * (GetParam() + 1); ++seed) {
        RandomMechanism mechanism(seed + 1);
        const double start = energy(mechanism.world);
        double gain = 0.0;
        float gap = 0.0f, turn = 0.0f;
        for (int step = 0; step < 1200; ++step) {
            mechanism.world.step();
            mechanism.world.publish(frame);
            gain = std::max(gain, frame.stats.kinetic_energy + frame.stats.potential_energy - start);
            gap = std::max(gap, greatest_gap(frame));
            turn = std::max(turn, substep_turn(mechanism.world, frame));
        }
        followed += turn <= whip_turn ? 1 : 0;
        EXPECT_LT(gain, 0.01 * mechanism.swing) << "seed " << seed << ": " << mechanism.what;
        EXPECT_LT(gap, (turn <= whip_turn ? 0.01f : whip_gap) * mechanism.shortest)
            << "seed " << seed << ": " << mechanism.what << ", turn " << turn;
    }
    EXPECT_GT(followed, 5);
}

INSTANTIATE_TEST_SUITE_P(Joints, RandomMechanisms, ::testing::Range(0u, sanitized ? 1u : long_run() ? 40u : 10u));

// The same mechanisms where a substep is too long for them, which shows that what is measured would be seen.
TEST(RandomMechanismsControl, FailInStepsThatAreTooLong) {
    int gained = 0, opened = 0;
    for (unsigned seed = 0; seed < 120; ++seed) {
        RandomMechanism mechanism(seed + 1);
        Settings settings = mechanism.world.settings();
        settings.hz = 10.0f;
        settings.substeps = settings.max_substeps = 1;
        settings.gravity *= 9.0f; // three times as fast
        ASSERT_TRUE(mechanism.world.apply(SetSettings{settings}).ok());
        const Course course = watched(mechanism.world, 200);
        gained += course.gain > 0.09 * mechanism.swing ? 1 : 0;
        opened += course.gap > 0.01f * mechanism.shortest ? 1 : 0;
    }
    EXPECT_GT(gained, 5);
    EXPECT_GT(opened, 20);
}

} // namespace
} // namespace cairn::physics::testing
