// Closed-form motion: what a textbook says about one body.
#include "tests/physics/world/world_builder.h"

#include <cmath>

namespace cairn::physics::testing {
namespace {

TEST(Motion, FreeFallFollowsTheParabola) {
    World world;
    const BodyId ball = add(world, make_body(Sphere{0.5f}, Vec3(0, 0, 100)));
    run(world, 60);
    EXPECT_NEAR(state_of(world, ball).pose.position.z, 100.0 - 0.5 * 9.81, 1e-3);
    EXPECT_NEAR(state_of(world, ball).linear_velocity.z, -9.81, 1e-3);
}

TEST(Motion, ProjectileKeepsItsHorizontalVelocity) {
    World world;
    BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 50));
    def.linear_velocity = Vec3(3, -4, 10);
    const BodyId body = add(world, def);
    run(world, 120);
    const BodyState state = state_of(world, body);
    EXPECT_NEAR(state.pose.position.x, 6.0, 1e-3);
    EXPECT_NEAR(state.pose.position.y, -8.0, 1e-3);
    EXPECT_FLOAT_EQ(state.linear_velocity.x, 3.0f);
}

TEST(Motion, GravityScaleAndDampingActAsStated) {
    World world;
    BodyDef floating = make_body(Sphere{0.5f}, Vec3(0, 0, 10));
    floating.gravity_scale = 0.0f;
    const BodyId still = add(world, floating);
    floating.pose.position.x = 10.0f;
    floating.linear_velocity = Vec3(8, 0, 0);
    floating.linear_damping = 2.0f;
    const BodyId damped = add(world, floating);
    run(world, 60);
    EXPECT_EQ(state_of(world, still).pose.position, Vec3(0, 0, 10));
    // Implicit Euler: v / (1 + h c)^n.
    EXPECT_NEAR(state_of(world, damped).linear_velocity.x, 8.0 / std::pow(1.0 + 2.0 / 240.0, 240.0), 1e-3);
}

TEST(Motion, SpinningBodyTurnsByTheRightAngle) {
    World world;
    BodyDef def = make_body(Sphere{0.5f}, Vec3(0));
    def.gravity_scale = 0.0f;
    def.angular_velocity = Vec3(0, 0, 3.0f);
    const BodyId body = add(world, def);
    run(world, 60);
    const Quat q = state_of(world, body).pose.orientation;
    EXPECT_NEAR(2.0f * std::atan2(q.z, q.w), 3.0, 1e-4);
}

// Euler's equations: without torque the angular momentum in world axes and the energy stay.
TEST(Motion, TorqueFreeTumblingKeepsMomentumAndEnergy) {
    World world;
    BodyDef def = make_body(Box{Vec3(1.0f, 0.6f, 0.2f)}, Vec3(0));
    def.gravity_scale = 0.0f;
    def.angular_velocity = Vec3(0.05f, 5.0f, 0.02f); // about the intermediate axis: it flips over and over
    const BodyId body = add(world, def);
    const auto momentum_of = [&] {
        const BodyState state = state_of(world, body);
        const Vec3 local = inverse_rotate(state.pose.orientation, state.angular_velocity);
        return rotate(state.pose.orientation, world.model(body)->inertia * local);
    };
    const Vec3 momentum_before = momentum_of();
    const double energy_before = published(world).stats.kinetic_energy;
    float least_w = 5.0f;
    for (int i = 0; i < 1200; ++i) {
        world.step();
        const BodyState state = state_of(world, body);
        least_w = std::min(least_w, inverse_rotate(state.pose.orientation, state.angular_velocity).y);
    }
    EXPECT_LT(least_w, -4.0f) << "the body did not flip";
    EXPECT_LT(glm::length(momentum_of() - momentum_before), 5e-3f * glm::length(momentum_before));
    EXPECT_NEAR(published(world).stats.kinetic_energy, energy_before, 5e-3 * energy_before);
}

TEST(Motion, KinematicBodyKeepsItsVelocityWhateverItHits) {
    World world;
    add(world, make_floor());
    BodyDef pusher = make_body(Box{Vec3(0.5f)}, Vec3(-3, 0, 0.6f));
    pusher.type = BodyType::kinematic;
    pusher.linear_velocity = Vec3(1, 0, 0);
    const BodyId kinematic = add(world, pusher);
    const BodyId pushed = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f)));
    run(world, 300);
    EXPECT_NEAR(state_of(world, kinematic).pose.position.x, 2.0, 1e-3);
    EXPECT_GT(state_of(world, pushed).pose.position.x, 2.95f);
}

} // namespace
} // namespace cairn::physics::testing
