// The free top: what Euler's equations conserve, and how often a body flips about its middle axis.
#include "tests/physics/world/world_builder.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace cairn::physics::testing {
namespace {

// Complete elliptic integral of the first kind of modulus k, by the arithmetic-geometric mean (Gauss).
double elliptic_k(double k) {
    double a = 1.0, b = std::sqrt(1.0 - k * k);
    for (int i = 0; i < 40 && a - b > 1e-15 * a; ++i) {
        const double mean = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = mean;
    }
    return std::numbers::pi / (2.0 * a);
}

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

} // namespace
} // namespace cairn::physics::testing
