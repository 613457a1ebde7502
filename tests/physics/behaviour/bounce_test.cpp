// Newton's law of restitution: a body that falls from h returns to e^2 h, every time it lands.
#include "tests/physics/behaviour/body_energy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace cairn::physics::testing {
namespace {

constexpr double g = 9.81;

// Heights of the apexes above resting height, the drop first, as many as are reached within `steps`.
std::vector<double> apexes(const Geometry& geometry, float resting_height, float drop, float restitution, int bounces) {
    World world;
    BodyDef floor = make_floor();
    floor.material.restitution = restitution;
    add(world, floor);
    const BodyId body = add(world, make_body(geometry, Vec3(0, 0, resting_height + drop)));
    std::vector<double> heights{static_cast<double>(drop)};
    float before = 0.0f;
    for (int step = 0; step < 3000 && static_cast<int>(heights.size()) <= bounces; ++step) {
        const BodyState rising = state_of(world, body);
        world.step();
        const float now = state_of(world, body).linear_velocity.z;
        if (before > 0.0f && now <= 0.0f) {
            const double v = static_cast<double>(rising.linear_velocity.z);
            heights.push_back(static_cast<double>(rising.pose.position.z) - static_cast<double>(resting_height) +
                              v * v / (2.0 * g));
        }
        before = now;
    }
    return heights;
}

struct Drop {
    float restitution, height;
    int bounces; // as many of five as land faster than the restitution threshold of 1 m/s
};

class BounceHeight : public ::testing::TestWithParam<Drop> {};

TEST_P(BounceHeight, IsRestitutionSquaredTimesTheLast) {
    const Drop drop = GetParam();
    const double e2 = static_cast<double>(drop.restitution * drop.restitution);
    // Phases of the step at which the floor is met differ with the height.
    for (const float more : {0.0f, 0.07f, 0.13f, 0.21f}) {
        const std::vector<double> heights =
            apexes(Sphere{0.5f}, 0.5f, drop.height + more, drop.restitution, drop.bounces);
        ASSERT_EQ(heights.size(), static_cast<std::size_t>(drop.bounces) + 1);
        double expected = static_cast<double>(drop.height + more);
        for (std::size_t i = 1; i < heights.size(); ++i) {
            expected *= e2;
            EXPECT_NEAR(heights[i], expected, 0.01 * expected)
                << "bounce " << i << " of a drop of " << drop.height + more << " m";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Elasticities, BounceHeight,
                         ::testing::Values(Drop{0.3f, 10.0f, 3}, Drop{0.5f, 20.0f, 5}, Drop{0.8f, 5.0f, 5},
                                           Drop{1.0f, 5.0f, 5}),
                         [](const auto& test) {
                             return "E" + std::to_string(static_cast<int>(std::lround(test.param.restitution * 100)));
                         });

TEST(Bounce, WithoutElasticityNothingComesBack) {
    World world;
    add(world, make_floor());
    const BodyId ball = add(world, make_body(Sphere{0.5f}, Vec3(0, 0, 5.5f)));
    float highest = 0.0f;
    bool landed = false;
    for (int step = 0; step < 300; ++step) {
        world.step();
        const float gap = state_of(world, ball).pose.position.z - 0.5f;
        landed = landed || gap < 0.0f;
        if (landed) {
            highest = std::max(highest, gap);
        }
    }
    EXPECT_TRUE(landed);
    EXPECT_LT(highest, 1e-3f);
}

// A box that lands flat bounces like a ball: its corners share the blow and it does not turn.
TEST(Bounce, ABoxThatLandsFlatBouncesStraight) {
    World world;
    BodyDef floor = make_floor();
    floor.material.restitution = 0.5f;
    add(world, floor);
    const BodyId box = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 4.5f)));
    double apex = 0.0;
    bool up = false;
    float spin = 0.0f;
    for (int step = 0; step < 110; ++step) { // the second fall ends later
        world.step();
        const BodyState state = state_of(world, box);
        up = up || state.linear_velocity.z > 0.0f;
        if (up) {
            apex = std::max(apex, static_cast<double>(state.pose.position.z) - 0.5);
        }
        spin = std::max(spin, glm::length(state.angular_velocity));
    }
    EXPECT_LT(spin, 1e-3f);
    EXPECT_NEAR(apex, 0.25 * 4.0, 0.01 * 4.0 * 0.25);
}

// Below the threshold nothing bounces: bodies come to rest instead of trembling.
TEST(Bounce, SlowLandingsDoNotBounceUnlessTheThresholdIsLowered) {
    for (const float threshold : {1.0f, 0.1f}) {
        Settings settings;
        settings.restitution_threshold = threshold;
        World world(settings);
        BodyDef floor = make_floor();
        floor.material.restitution = 0.8f;
        add(world, floor);
        BodyDef ball = make_body(Sphere{0.5f}, Vec3(0, 0, 0.53f)); // lands at 0.77 m/s
        const BodyId id = add(world, ball);
        float highest = 0.0f;
        for (int step = 0; step < 60; ++step) {
            world.step();
            if (step > 8) {
                highest = std::max(highest, state_of(world, id).pose.position.z - 0.5f);
            }
        }
        if (threshold < 0.5f) {
            EXPECT_GT(highest, 0.005f);
        } else {
            EXPECT_LT(highest, 1e-3f);
        }
    }
}

// What lands aslant rises by being turned, and friction turns it: by Newton's law alone a cone came back from one
// landing with half again as much energy as it had.
class RubbingBounce : public ::testing::TestWithParam<Geometry> {};

TEST_P(RubbingBounce, GainsNoEnergy) {
    World world(without_sleep());
    BodyDef floor = make_floor();
    floor.material.restitution = 1.0f;
    add(world, floor);
    BodyDef def = make_body(GetParam(), Vec3(0, 0, 3));
    def.pose.orientation = glm::angleAxis(0.5f, glm::normalize(Vec3(1.0f, 0.4f, 0.3f)));
    def.angular_velocity = Vec3(1.0f, 2.0f, 0.5f);
    const BodyId body = add(world, def);
    world.step();
    const double start = mechanical_energy(world, body);
    double last = start, gain = 0.0;
    for (int step = 0; step < 900; ++step) {
        world.step();
        const double now = mechanical_energy(world, body);
        gain = std::max(gain, now - last);
        last = now;
    }
    EXPECT_LT(gain, 0.01 * start);
    EXPECT_LT(last, 0.95 * start); // it has rubbed
}

INSTANTIATE_TEST_SUITE_P(Shapes, RubbingBounce,
                         ::testing::Values(Geometry(Box{Vec3(2.0f, 0.05f, 0.05f)}), Geometry(Cone{0.3f, 0.5f}),
                                           Geometry(Capsule{0.15f, 0.3f})),
                         [](const auto& test) {
                             return std::string(std::array{"Rod", "Cone", "Capsule"}[test.index]);
                         });

} // namespace
} // namespace cairn::physics::testing
