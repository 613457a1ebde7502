// The free top: what Euler's equations conserve, and how often a body flips about its middle axis.
#include "tests/physics/behaviour/elliptic.h"
#include "tests/physics/world/world_builder.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace cairn::physics::testing {
namespace {

TEST(FreeTop, EllipticIntegralHasItsKnownValues) {
    EXPECT_NEAR(elliptic_k(0.0), std::numbers::pi / 2.0, 1e-15);
    EXPECT_NEAR(elliptic_k(std::sqrt(0.5)), 1.8540746773013719, 1e-14); // Gamma(1/4)^2 / (4 sqrt(pi))
}

// Seconds between two flips of the spin about the middle axis: half the period of the motion in body axes
// (L. D. Landau, E. M. Lifshitz, Mechanics, section 37). `inertia` about the principal axes in any order.
double flip_time(glm::dvec3 inertia, glm::dvec3 spin) {
    // Ascending moments of inertia; the rates go with them.
    for (const int i : {0, 1, 0}) {
        if (inertia[i] > inertia[i + 1]) {
            std::swap(inertia[i], inertia[i + 1]);
            std::swap(spin[i], spin[i + 1]);
        }
    }
    const double energy2 = glm::dot(inertia * spin, spin); // twice the energy
    const double momentum2 = glm::dot(inertia * spin, inertia * spin);
    if (momentum2 < energy2 * inertia[1]) { // circles about the smallest: the same formulas with the ends exchanged
        std::swap(inertia[0], inertia[2]);
    }
    const double rate2 = (inertia[2] - inertia[1]) * (momentum2 - energy2 * inertia[0]);
    const double k2 = (inertia[1] - inertia[0]) * (energy2 * inertia[2] - momentum2) / rate2;
    return 2.0 * elliptic_k(std::sqrt(k2)) / std::sqrt(rate2 / (inertia[0] * inertia[1] * inertia[2]));
}

struct Top {
    Vec3 half_extents, spin;
};

class FreeTopFlips : public ::testing::TestWithParam<Top> {};

TEST_P(FreeTopFlips, AsOftenAsTheEllipticIntegralSaysAndNothingIsLostInAMinute) {
    World world;
    const Top top = GetParam();
    BodyDef def = make_body(Box{top.half_extents}, Vec3(0));
    def.gravity_scale = 0.0f;
    def.angular_velocity = top.spin;
    const BodyId body = add(world, def);
    const Mat3 inertia = world.model(body)->inertia;
    const auto momentum_of = [&](const BodyState& state) {
        const Vec3 local = inverse_rotate(state.pose.orientation, state.angular_velocity);
        return rotate(state.pose.orientation, inertia * local);
    };
    const Vec3 momentum_before = momentum_of(state_of(world, body));
    const double energy_before = published(world).stats.kinetic_energy;

    int middle = 0; // the axis of the middle moment
    for (int i = 0; i < 3; ++i) {
        const float own = inertia[i][i], next = inertia[(i + 1) % 3][(i + 1) % 3],
                    last = inertia[(i + 2) % 3][(i + 2) % 3];
        middle = (own - next) * (own - last) < 0.0f ? i : middle;
    }
    std::vector<double> crossings;
    double worst_energy = 0.0, worst_momentum = 0.0;
    float before = top.spin[middle];
    for (int step = 1; step <= 3600; ++step) {
        world.step();
        const BodyState state = state_of(world, body);
        const float now = inverse_rotate(state.pose.orientation, state.angular_velocity)[middle];
        if ((now > 0.0f) != (before > 0.0f)) {
            const double share = static_cast<double>(before) / static_cast<double>(before - now);
            crossings.push_back((step - 1 + share) / 60.0);
        }
        before = now;
        const double energy = 0.5 * static_cast<double>(glm::dot(state.angular_velocity, momentum_of(state)));
        worst_energy = std::max(worst_energy, std::abs(energy / energy_before - 1.0));
        worst_momentum =
            std::max(worst_momentum, static_cast<double>(glm::length(momentum_of(state) - momentum_before) /
                                                         glm::length(momentum_before)));
    }
    EXPECT_LT(worst_energy, 0.005);
    EXPECT_LT(worst_momentum, 0.005);
    ASSERT_GT(crossings.size(), 4u) << "it did not flip";
    const double measured = (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
    const double expected = flip_time(glm::dvec3(inertia[0][0], inertia[1][1], inertia[2][2]), glm::dvec3(top.spin));
    EXPECT_NEAR(measured, expected, 0.02 * expected);
}

INSTANTIATE_TEST_SUITE_P(Bodies, FreeTopFlips,
                         ::testing::Values(Top{Vec3(1.0f, 0.6f, 0.2f), Vec3(0.5f, 5.0f, 0.2f)},
                                           Top{Vec3(1.0f, 0.6f, 0.2f), Vec3(0.5f, 12.0f, 0.2f)},
                                           Top{Vec3(0.3f, 0.5f, 0.8f), Vec3(1.0f, 4.0f, 2.0f)},
                                           Top{Vec3(3.0f, 0.25f, 0.5f), Vec3(0.3f, 1.0f, 8.0f)}));

// Spins about the least and the greatest moment are stable: a small wobble stays small.
TEST(FreeTop, SpinsAboutTheOuterAxesStayWhereTheyAre) {
    for (const int axis : {0, 2}) {
        World world;
        BodyDef def = make_body(Box{Vec3(1.0f, 0.6f, 0.2f)}, Vec3(0));
        def.gravity_scale = 0.0f;
        def.angular_velocity = Vec3(0.05f);
        def.angular_velocity[axis] = 6.0f;
        const BodyId body = add(world, def);
        for (int step = 0; step < 1800; ++step) {
            world.step();
            const BodyState state = state_of(world, body);
            ASSERT_GT(inverse_rotate(state.pose.orientation, state.angular_velocity)[axis], 5.9f) << "axis " << axis;
        }
    }
}

Vec3 moments_of(const World& world, BodyId body) {
    const Mat3& inertia = world.model(body)->inertia;
    return {inertia[0][0], inertia[1][1], inertia[2][2]};
}

// A stated inertia answers to a push beside the centre: w = R I^-1 R^T (r x J).
TEST(StatedInertia, DecidesHowAPushTurnsTheBody) {
    const Vec3 moments(2.0f, 3.0f, 4.0f);
    for (const bool compound : {false, true}) {
        World world;
        BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(1, 2, 3));
        if (compound) { // with products of inertia of its own, were it solid
            def.shapes.push_back({Box{Vec3(0.2f)}, {Vec3(0.6f, 0.7f, 0.1f), identity_orientation}});
        }
        def.gravity_scale = 0.0f;
        def.pose.orientation = normalized(Quat(1.0f, 0.4f, -0.3f, 0.7f));
        def.inertia = moments;
        const BodyId body = add(world, def);
        EXPECT_EQ(moments_of(world, body), moments);
        const Vec3 arm(0.3f, -0.2f, 0.5f), impulse(1.0f, 2.0f, -0.7f);
        ASSERT_TRUE(world.apply(ApplyImpulse{body, impulse, def.pose.position + arm}).ok());
        const Quat& q = def.pose.orientation;
        const Vec3 expected = rotate(q, inverse_rotate(q, glm::cross(arm, impulse)) / moments);
        EXPECT_LT(glm::length(state_of(world, body).angular_velocity - expected), 1e-6f);
    }
}

// A free body with two equal moments carries its spin about the third axis around it at w3 (I3 - I1) / I1, in its own
// frame. The shape, a cube, would not do that.
TEST(StatedInertia, MakesACubePrecessLikeADisc) {
    World world;
    BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(0));
    def.gravity_scale = 0.0f;
    def.inertia = Vec3(1.0f, 1.0f, 1.8f);
    def.angular_velocity = Vec3(0.5f, 0.0f, 3.0f);
    const BodyId body = add(world, def);
    const float rate = 3.0f * (1.8f - 1.0f) / 1.0f;
    for (int step = 1; step <= 120; ++step) {
        world.step();
        const BodyState state = state_of(world, body);
        const Vec3 local = inverse_rotate(state.pose.orientation, state.angular_velocity);
        const float angle = rate * static_cast<float>(step) / 60.0f;
        ASSERT_NEAR(local.x, 0.5f * std::cos(angle), 0.01f) << "step " << step;
        ASSERT_NEAR(local.y, 0.5f * std::sin(angle), 0.01f) << "step " << step;
    }
}

TEST(StatedInertia, ScalesWithTheMassAndCanBeSet) {
    for (const BodyType type : {BodyType::dynamic, BodyType::kinematic}) {
        World world;
        BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(0)); // of 1000 kg
        def.inertia = Vec3(100.0f, 200.0f, 250.0f);
        def.type = type;
        const BodyId body = add(world, def);
        SetBody change;
        change.body = body;
        change.mass = 500.0f;
        change.type = BodyType::dynamic;
        ASSERT_TRUE(world.apply(change).ok());
        EXPECT_EQ(world.model(body)->mass, 500.0f);
        EXPECT_EQ(moments_of(world, body), Vec3(50.0f, 100.0f, 125.0f));
        change.mass = 1000.0f;
        change.inertia = Vec3(7.0f, 8.0f, 9.0f);
        ASSERT_TRUE(world.apply(change).ok());
        EXPECT_EQ(moments_of(world, body), Vec3(7.0f, 8.0f, 9.0f));
        EXPECT_EQ(world.model(body)->def.inertia, Vec3(7.0f, 8.0f, 9.0f)) << "a saved scene must hold it";
    }
}

TEST(StatedInertia, IsRefusedIfNoBodyCanHaveIt) {
    World world;
    BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(0));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const Vec3& wrong : {Vec3(1, 1, 2.01f), Vec3(0, 1, 1), Vec3(-1, 1, 1), Vec3(1, nan, 1), Vec3(1, 1, HUGE_VALF),
                              Vec3(1, 1, 1e-7f), Vec3(1e22f)}) {
        def.inertia = wrong;
        const CommandResult result = world.apply(CreateBody{def});
        EXPECT_EQ(result.error.find("inertia"), 0u) << result.error;
    }
    def.inertia = Vec3(1, 1, 2); // a flat disc
    const BodyId body = add(world, def);
    SetBody change;
    change.body = body;
    change.inertia = Vec3(1, 1, 3);
    EXPECT_FALSE(world.apply(change).ok());
    change.inertia.reset();
    change.mass = 1e-9f; // 1000 kg before: still within the limits
    ASSERT_TRUE(world.apply(change).ok());
    def.inertia = Vec3(1e-17f); // and here not
    const BodyId tiny = add(world, def);
    change.body = tiny;
    const CommandResult refused = world.apply(change);
    EXPECT_NE(refused.error.find("with that mass the inertia is"), std::string::npos) << refused.error;
    EXPECT_EQ(moments_of(world, tiny), Vec3(1e-17f)) << "nothing has changed";
}

} // namespace
} // namespace cairn::physics::testing
