// The published list of impacts: what sounds and drawings hear of collisions that are over within a step.
#include "tests/physics/world/world_builder.h"

#include <vector>

namespace cairn::physics::testing {
namespace {

TEST(ImpactList, TellsWhereWhenAndHowHardABallHitsAWall) {
    World world(weightless());
    BodyDef wall = make_static(Box{Vec3(0.5f, 5, 5)}, Vec3(3.5f, 0, 0));
    wall.material = {0.0f, 0.5f, 0.0f};
    const BodyId wall_id = add(world, wall);
    BodyDef def = make_body(Sphere{0.25f}, Vec3(0, 1, 2));
    def.mass = 2.0f;
    def.linear_velocity = Vec3(90, 0, 0);
    def.material = {0.0f, 0.5f, 0.0f};
    const BodyId ball = add(world, def);
    FrameState frame;
    world.step();
    world.publish(frame);
    EXPECT_TRUE(frame.impacts.empty()) << "1.5 m on the way";
    world.step();
    world.publish(frame);
    ASSERT_EQ(frame.impacts.size(), 1u);
    const ImpactState& impact = frame.impacts[0];
    const float sign = impact.body_a == wall_id ? 1.0f : -1.0f;
    EXPECT_TRUE((impact.body_a == wall_id && impact.body_b == ball) ||
                (impact.body_a == ball && impact.body_b == wall_id));
    EXPECT_NEAR(sign * impact.normal.x, -1.0f, 1e-5f);
    EXPECT_NEAR(sign * impact.impulse.x, -2.0f * 1.5f * 90.0f, 0.05f);
    EXPECT_LT(glm::length(impact.point - Vec3(3, 1, 2)), 0.005f);
    EXPECT_NEAR(impact.time, 2.75f / 90.0f - 1.0f / 60.0f, 1e-4f); // half a slop early
    world.step();
    world.publish(frame);
    EXPECT_TRUE(frame.impacts.empty()) << "it tells of the last step only";
}

// Balls in a closed box, several impacts a step: in order of time, and each impulse is what its bodies' momenta took.
TEST(ImpactList, IsInOrderOfTimeAndAccountsForAllMomentum) {
    Settings settings = weightless();
    settings.max_short_steps = 1; // contacts tell of the last short step
    World world(settings);
    std::vector<BodyId> walls;
    for (int axis = 0; axis < 3; ++axis) {
        for (const float side : {-1.0f, 1.0f}) {
            Vec3 half(3);
            Vec3 at(0);
            half[axis] = 0.5f;
            at[axis] = side * 2.5f;
            BodyDef wall = make_static(Box{half}, at);
            wall.material.restitution = 1.0f;
            walls.push_back(add(world, wall));
        }
    }
    std::vector<BodyId> balls;
    for (int i = 0; i < 8; ++i) {
        const auto f = static_cast<float>(i);
        BodyDef def = make_body(
            Sphere{0.2f}, Vec3(i % 2 == 0 ? -1.0f : 1.0f, i / 2 % 2 == 0 ? -1.0f : 1.0f, i / 4 == 0 ? -1.0f : 1.0f));
        def.linear_velocity = 150.0f * Vec3(std::sin(1.0f + 2.0f * f), std::sin(3.1f * f), std::cos(1.7f * f));
        def.mass = 1.0f + f;
        def.material.restitution = 1.0f;
        balls.push_back(add(world, def));
    }
    std::size_t total = 0;
    std::size_t most = 0;
    FrameState frame;
    for (int step = 0; step < 60; ++step) {
        std::vector<Vec3> before;
        for (const BodyId ball : balls) {
            before.push_back(world.model(ball)->mass * state_of(world, ball).linear_velocity);
        }
        world.step();
        world.publish(frame);
        total += frame.impacts.size();
        most = std::max(most, frame.impacts.size());
        for (std::size_t i = 0; i < frame.impacts.size(); ++i) {
            EXPECT_GE(frame.impacts[i].time, i == 0 ? 0.0f : frame.impacts[i - 1].time);
            EXPECT_LE(frame.impacts[i].time, 1.0f / 60.0f);
        }
        for (std::size_t k = 0; k < balls.size(); ++k) {
            Vec3 expected = before[k];
            const float bound = 1e-4f * 150.0f * world.model(balls[k])->mass;
            for (const ImpactState& impact : frame.impacts) {
                expected += (impact.body_b == balls[k] ? 1.0f : 0.0f) * impact.impulse -
                            (impact.body_a == balls[k] ? 1.0f : 0.0f) * impact.impulse;
            }
            for (const ContactState& contact : frame.contacts) { // some balls are answered by the solver
                const Vec3 impulse = contact.normal_impulse * contact.normal + contact.friction_impulse;
                expected += (contact.body_b == balls[k] ? 1.0f : 0.0f) * impulse -
                            (contact.body_a == balls[k] ? 1.0f : 0.0f) * impulse;
            }
            const Vec3 after = world.model(balls[k])->mass * state_of(world, balls[k]).linear_velocity;
            EXPECT_LT(glm::length(after - expected), bound) << "ball " << k << ", step " << step;
        }
    }
    EXPECT_GT(total, 100u);
    EXPECT_GE(most, 10u);
}

} // namespace
} // namespace cairn::physics::testing
