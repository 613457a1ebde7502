// What flies: position and velocity are those of one instant of the parabola, between bounces as well.
#include "tests/physics/world/world_builder.h"

#include <cmath>

namespace cairn::physics::testing {
namespace {

constexpr double gravity = 9.81;

struct Course {
    double position = 0.0, velocity = 0.0;
    double landing = 0.0; // m/s, the next one
};

// A point let fall from the height `drop`, which is left at `restitution` times the speed of each landing.
Course bouncing(double drop, double restitution, double time) {
    double speed = std::sqrt(2.0 * gravity * drop);
    double since = time - speed / gravity; // the first landing
    if (since < 0.0) {
        return {drop - 0.5 * gravity * time * time, -gravity * time, speed};
    }
    speed *= restitution;
    while (since > 2.0 * speed / gravity) {
        since -= 2.0 * speed / gravity;
        speed *= restitution;
    }
    return {speed * since - 0.5 * gravity * since * since, speed - gravity * since, speed};
}

TEST(Flight, APublishedBodyIsOnItsParabolaWithTheVelocityThatItHasThere) {
    for (const float hz : {30.0f, 60.0f, 240.0f}) {
        for (const int substeps : {1, 4, 16}) {
            Settings settings = without_sleep();
            settings.hz = hz;
            settings.substeps = substeps;
            World world(settings);
            BodyDef def = make_body(Box{Vec3(0.5f, 0.3f, 0.2f)}, Vec3(0));
            def.linear_velocity = Vec3(3, -2, 10);
            def.angular_velocity = Vec3(1, 2, 3);
            const BodyId body = add(world, def);
            for (int step = 1; step <= static_cast<int>(2.0f * hz); ++step) {
                world.step();
                const double t = step / static_cast<double>(hz);
                const BodyState state = state_of(world, body);
                ASSERT_NEAR(state.pose.position.z, 10.0 * t - 0.5 * gravity * t * t, 2e-3) << hz << " Hz, " << substeps;
                ASSERT_NEAR(state.pose.position.x, 3.0 * t, 2e-3);
                ASSERT_NEAR(state.linear_velocity.z, 10.0 - gravity * t, 2e-3);
            }
        }
    }
}

// By contacts made ahead, and from 30 m up at speeds at which bodies are swept.
TEST(Flight, ABouncingBallIsWhereItsBouncesSayAndKeepsItsEnergy) {
    for (const float restitution : {1.0f, 0.8f}) {
        for (const float drop : {1.0f, 30.0f}) {
            World world(without_sleep());
            BodyDef floor = make_floor();
            floor.material.restitution = restitution;
            add(world, floor);
            const BodyId ball = add(world, make_body(Sphere{0.5f}, Vec3(0, 0, 0.5f + drop)));
            const double e = static_cast<double>(restitution), height = static_cast<double>(drop);
            for (int step = 1; step <= 300; ++step) {
                world.step();
                const Course expected = bouncing(height, e, step / 60.0);
                if (expected.landing < 1.1) { // slower ones do not bounce
                    break;
                }
                const BodyState state = state_of(world, ball);
                ASSERT_NEAR(state.pose.position.z - 0.5f, expected.position, 2e-3 * height) << "step " << step;
                const double energy = 0.5 * static_cast<double>(state.linear_velocity.z * state.linear_velocity.z) +
                                      gravity * static_cast<double>(state.pose.position.z - 0.5f);
                const double wanted = 0.5 * expected.velocity * expected.velocity + gravity * expected.position;
                ASSERT_NEAR(energy, wanted, 1e-3 * gravity * height) << "step " << step << ", from " << drop << " m";
            }
        }
    }
}

// Friction acts from the first substep on as an impulse at its beginning: a box that slides stops by v h / 2 early.
TEST(Flight, ASlidingBoxStopsShortByHalfASubstepOfItsSpeedAtMost) {
    for (const int substeps : {2, 4, 8, 16}) {
        Settings settings = without_sleep();
        settings.substeps = substeps;
        World world(settings);
        add(world, make_floor());
        BodyDef def = make_body(Box{Vec3(0.5f, 0.5f, 0.02f)}, Vec3(0, 0, 0.02f));
        def.linear_velocity = Vec3(4, 0, 0);
        const BodyId box = add(world, def);
        run(world, 120);
        const double h = 1.0 / (60.0 * substeps);
        const double theory = 16.0 / (2.0 * 0.5 * gravity);
        EXPECT_GT(state_of(world, box).pose.position.x, theory - 0.5 * 4.0 * h - 1.5e-3) << substeps << " substeps";
        EXPECT_LT(state_of(world, box).pose.position.x, theory + 1.5e-3) << substeps << " substeps";
    }
}

} // namespace
} // namespace cairn::physics::testing
