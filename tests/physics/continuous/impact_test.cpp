// The impulses of one impact: conservation, Newton's ratio, Coulomb's cone, and no energy out of nothing.
#include "physics/continuous/impact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace cairn::physics::testing {
namespace {

SymmetricMat3 ball_tensor(float inverse) {
    return {inverse, inverse, inverse, 0.0f, 0.0f, 0.0f};
}

glm::dvec3 times(const Mat3& m, const Vec3& v) {
    return glm::dmat3(m) * glm::dvec3(v);
}

Mat3 full(const SymmetricMat3& m) {
    return Mat3(m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz);
}

double energy_of(const ImpactBody& body) {
    const glm::dvec3 v(body.velocity);
    const glm::dvec3 w(body.spin);
    return 0.5 * glm::dot(v, v) / static_cast<double>(body.inverse_mass) +
           0.5 * glm::dot(w, times(glm::inverse(full(body.inverse_inertia)), body.spin));
}

glm::dvec3 momentum_of(const ImpactBody& body) {
    return glm::cross(glm::dvec3(body.centre), glm::dvec3(body.velocity)) / static_cast<double>(body.inverse_mass) +
           times(glm::inverse(full(body.inverse_inertia)), body.spin);
}

class Impacts {
  public:
    float uniform(float low, float high) {
        return low + (high - low) * static_cast<float>(generator_() % 1000000u) * 1e-6f;
    }
    Vec3 vector(float reach) {
        const float x = uniform(-reach, reach);
        const float y = uniform(-reach, reach);
        return {x, y, uniform(-reach, reach)};
    }
    ImpactBody body(const Vec3& centre) {
        ImpactBody body;
        body.centre = centre;
        body.velocity = vector(100.0f);
        body.spin = vector(50.0f);
        body.inverse_mass = uniform(0.1f, 10.0f);
        const SymmetricMat3 moments{uniform(1.0f, 40.0f), uniform(1.0f, 40.0f), uniform(1.0f, 40.0f), 0, 0, 0};
        // One after the other: compilers evaluate arguments in different orders.
        const Vec3 axis = vector(1.0f);
        const float real = uniform(0.1f, 1.0f);
        body.inverse_inertia = rotated(moments, glm::normalize(Quat(real, axis)));
        return body;
    }
    ImpactContact contact() {
        ImpactContact contact;
        contact.normal = normalized_or(vector(1.0f), Vec3(0, 0, 1));
        contact.count = 1 + static_cast<int>(generator_() % 4u);
        const Vec3 side = any_perpendicular(contact.normal);
        const Vec3 other = glm::cross(contact.normal, side);
        for (Vec3& point : contact.points) {
            const float across = uniform(-0.5f, 0.5f);
            const float along = uniform(-0.5f, 0.5f);
            point = along * side + across * other;
        }
        contact.friction = uniform(0.0f, 1.5f);
        contact.restitution = uniform(0.0f, 1.0f);
        contact.restitution_threshold = 1.0f;
        return contact;
    }

  private:
    std::mt19937 generator_{17};
};

TEST(Impact, KeepsMomentumPartsThePointsAndFeedsNoEnergy) {
    Impacts impacts;
    int closing = 0;
    int lossy = 0;
    for (int i = 0; i < 5000; ++i) {
        const ImpactContact contact = impacts.contact();
        ImpactBody a = impacts.body(-0.4f * contact.normal);
        ImpactBody b = impacts.body(0.5f * contact.normal);
        const double mass_a = 1.0 / static_cast<double>(a.inverse_mass);
        const double mass_b = 1.0 / static_cast<double>(b.inverse_mass);
        const glm::dvec3 momentum = mass_a * glm::dvec3(a.velocity) + mass_b * glm::dvec3(b.velocity);
        const glm::dvec3 turning = momentum_of(a) + momentum_of(b);
        const double before = energy_of(a) + energy_of(b);
        const bool met = solve_impact(contact, a, b);
        closing += met ? 1 : 0;
        const double after = energy_of(a) + energy_of(b);
        EXPECT_LE(after, before * (1.0 + 1e-5)) << i;
        lossy += after < 0.5 * before ? 1 : 0;
        const glm::dvec3 momentum_after = mass_a * glm::dvec3(a.velocity) + mass_b * glm::dvec3(b.velocity);
        EXPECT_LT(glm::length(momentum_after - momentum), 1e-5 * (mass_a + mass_b) * 170.0) << i;
        EXPECT_LT(glm::length(momentum_of(a) + momentum_of(b) - turning), 1e-3 * (1.0 + glm::length(turning))) << i;
        for (int k = 0; k < contact.count; ++k) {
            const Vec3& point = contact.points[static_cast<std::size_t>(k)];
            const Vec3 relative = (b.velocity + glm::cross(b.spin, point - b.centre)) -
                                  (a.velocity + glm::cross(a.spin, point - a.centre));
            EXPECT_GT(glm::dot(relative, contact.normal), -1.0f) << i; // of more than 100 m/s
        }
    }
    EXPECT_GT(closing, 2500);
    EXPECT_LT(closing, 5000);
    EXPECT_GT(lossy, 100);
}

TEST(Impact, BallBouncesByTheRatioAndIsTurnedByFriction) {
    // A ball of radius r and mass m, tensor 2/5 m r^2, that hits a floor at speeds u (along) and v (down): while it
    // slips the impulse along is mu times the upright one, m (1 + e) v, and turns it by 5/2 mu (1 + e) v / r.
    constexpr float r = 0.5f;
    constexpr float mu = 0.1f;
    constexpr float e = 0.7f;
    ImpactBody floor;
    floor.centre = Vec3(0, 0, -1);
    ImpactBody ball;
    ball.centre = Vec3(0, 0, r);
    ball.velocity = Vec3(100, 0, -30);
    ball.inverse_mass = 0.5f;
    ball.inverse_inertia = ball_tensor(0.5f / (0.4f * r * r));
    ImpactContact contact;
    contact.count = 1;
    contact.friction = mu;
    contact.restitution = e;
    contact.restitution_threshold = 1.0f;
    ASSERT_TRUE(solve_impact(contact, floor, ball));
    EXPECT_NEAR(ball.velocity.z, e * 30.0f, 1e-3f);
    EXPECT_NEAR(ball.velocity.x, 100.0f - mu * (1 + e) * 30.0f, 1e-3f);
    EXPECT_NEAR(ball.spin.y, 2.5f * mu * (1 + e) * 30.0f / r, 1e-2f);
    EXPECT_NEAR(ball.velocity.y, 0.0f, 1e-5f);
    EXPECT_EQ(floor.velocity, Vec3(0.0f));
    // It parts now, and a second call has nothing to do.
    EXPECT_FALSE(solve_impact(contact, floor, ball));
}

TEST(Impact, FlatLandingDoesNotTip) {
    ImpactBody floor;
    ImpactBody box;
    box.centre = Vec3(0, 0, 1);
    box.velocity = Vec3(0, 0, -40);
    box.inverse_mass = 1.0f;
    box.inverse_inertia = ball_tensor(1.5f);
    ImpactContact contact;
    contact.count = 4;
    contact.points = {Vec3(1, 1, 0), Vec3(-1, 1, 0), Vec3(-1, -1, 0), Vec3(1, -1, 0)};
    contact.restitution = 0.5f;
    contact.friction = 0.5f;
    ASSERT_TRUE(solve_impact(contact, floor, box));
    EXPECT_NEAR(box.velocity.z, 20.0f, 1e-3f);
    EXPECT_LT(glm::length(box.spin), 1e-3f);
    EXPECT_LT(std::abs(box.velocity.x) + std::abs(box.velocity.y), 1e-3f);
}

TEST(Impact, SlowPointsDoNotBounce) {
    ImpactBody floor;
    ImpactBody ball;
    ball.centre = Vec3(0, 0, 1);
    ball.velocity = Vec3(0, 0, -0.9f);
    ball.inverse_mass = 1.0f;
    ball.inverse_inertia = ball_tensor(2.5f);
    ImpactContact contact;
    contact.count = 1;
    contact.restitution = 1.0f;
    contact.restitution_threshold = 1.0f;
    ASSERT_TRUE(solve_impact(contact, floor, ball));
    EXPECT_NEAR(ball.velocity.z, 0.0f, 1e-6f);
}

} // namespace
} // namespace cairn::physics::testing
