// Bodies whose principal moments differ by thousands: free rotation, and what pulls on their arms do.
#include "physics/solver/motion/geometric_stiffness.h"
#include "physics/solver/motion/integrate.h"
#include "physics/solver/turns/turn_bodies.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn::physics {
namespace {

// A thin rod along z that turns about x and spins about itself: its axis goes round the angular momentum at the rate
// L / I (H. Goldstein, "Classical Mechanics", on the force-free symmetric top), whatever the ratio of its moments.
TEST(ThinBody, ARodTurnsAboutItsMomentum) {
    constexpr float across = 1.0f, along = 1e-4f, h = 1.0f / 240.0f;
    BodyMotion motion;
    motion.inverse_mass = 1.0f;
    motion.angular_velocity = Vec3(6.0f, 0.0f, 30.0f);
    BodyDynamics dynamics;
    dynamics.inertia_local = {across, across, along, 0, 0, 0};
    dynamics.inverse_inertia_local = {1.0f / across, 1.0f / across, 1.0f / along, 0, 0, 0};
    dynamics.inverse_inertia = dynamics.inverse_inertia_local;
    const PrincipalInertia principal = principal_inertia(dynamics.inertia_local);
    dynamics.principal = &principal;
    const glm::dvec3 momentum(Vec3(6.0f * across, 0.0f, 30.0f * along));
    const double rate = glm::length(momentum) / static_cast<double>(across);
    for (int substep = 1; substep <= 2400; ++substep) {
        integrate_position(motion, dynamics, h);
        const Vec3 axis = rotate(motion.delta_rotation, Vec3(0, 0, 1));
        // The axis starts at z and goes round the momentum from there.
        const glm::dvec3 n = glm::normalize(momentum), z(0, 0, 1);
        const double angle = rate * static_cast<double>(h) * substep;
        const glm::dvec3 expected =
            std::cos(angle) * z + std::sin(angle) * glm::cross(n, z) + (1.0 - std::cos(angle)) * glm::dot(n, z) * n;
        ASSERT_LT(glm::length(glm::dvec3(axis) - expected), 2e-3) << "substep " << substep;
        ASSERT_NEAR(glm::dot(axis, motion.angular_velocity), 30.0f, 0.05f);
    }
}

// A pull F on an arm r of a body of inertia I is a spring of F r: nothing is added below one, and the part beyond one
// above it, across the pull alone.
TEST(ThinBody, APullStiffensAcrossItself) {
    const glm::dmat3 inverse(2.0); // 1/(kg m^2)
    constexpr float h = 0.005f;
    for (const float stiffness : {0.5f, 4.0f, 100.0f}) { // (h omega)^2 = h p r / I
        GeometricStiffness pull;
        const float impulse = stiffness / (h * 0.25f * 2.0f);
        pull.add(Vec3(0.25f, 0, 0), Vec3(impulse, 0, 0), h);
        const GeometricStiffness::Stiffened result = pull.stiffened(inverse);
        const double left = 1.0 / (1.0 + std::max(static_cast<double>(stiffness) - 1.0, 0.0));
        EXPECT_NEAR(result.inverse_inertia[0][0], 2.0, 1e-6);
        EXPECT_NEAR(result.inverse_inertia[1][1], 2.0 * left, 1e-6);
        EXPECT_NEAR(result.inverse_inertia[2][2], 2.0 * left, 1e-6);
        EXPECT_NEAR(result.keep[1][1], left, 1e-6);
        EXPECT_NEAR(result.greatest, static_cast<double>(stiffness), 1e-4 * static_cast<double>(stiffness));
    }
    GeometricStiffness push; // a push turns the body away, and needs no inertia
    push.add(Vec3(0.25f, 0, 0), Vec3(-1000.0f, 0, 0), h);
    EXPECT_NEAR(push.stiffened(inverse).inverse_inertia[1][1], 2.0, 1e-9);
}

} // namespace
} // namespace cairn::physics
