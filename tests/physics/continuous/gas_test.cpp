// Balls that bounce without loss in a closed box, many of their sizes in a step.
#include "tests/physics/world/two_threads.h"
#include "tests/physics/world/world_builder.h"
#include "tests/sanitized.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace cairn::physics::testing {
namespace {

constexpr float half = 3.0f; // inner half width of the box, m

// Balls of three sizes, apart, at `speed` m/s in all directions.
void fill(World& world, int balls, float speed, float friction) {
    for (int axis = 0; axis < 3; ++axis) {
        for (const float side : {-1.0f, 1.0f}) {
            Vec3 extents(half + 0.2f), at(0.0f);
            extents[axis] = 0.2f;
            at[axis] = side * (half + 0.2f);
            BodyDef wall = make_static(Box{extents}, at);
            wall.material.restitution = 1.0f;
            wall.material.friction = friction;
            add(world, wall);
        }
    }
    std::mt19937 generator(5);
    const auto uniform = [&](float most) { return most * (static_cast<float>(generator() % 2000001u) * 1e-6f - 1.0f); };
    std::vector<std::pair<Vec3, float>> placed;
    while (placed.size() < static_cast<std::size_t>(balls)) {
        const float radius = std::array{0.03f, 0.06f, 0.12f}[generator() % 3];
        const Vec3 at(uniform(half - radius), uniform(half - radius), uniform(half - radius));
        if (std::any_of(placed.begin(), placed.end(),
                        [&](const auto& other) { return glm::length(other.first - at) < other.second + radius; })) {
            continue;
        }
        placed.push_back({at, radius});
        BodyDef ball = make_body(Sphere{radius}, at);
        ball.linear_velocity = speed * glm::normalize(Vec3(uniform(1), uniform(1), uniform(1)) + Vec3(1e-3f));
        ball.material.restitution = 1.0f;
        ball.material.friction = friction;
        add(world, ball);
    }
}

struct GasOutcome {
    double least = 1.0, most = 1.0; // energy, of that at the start
    double spin = 0.0;              // rad/s, the greatest at the end
    int outside = 0;
    std::size_t stopped = 0;
    std::uint64_t hash = 0;
};

GasOutcome let_fly(float speed, float friction, int steps, Executor* executor = nullptr) {
    World world(weightless(), executor);
    fill(world, 300, speed, friction);
    const double start = published(world).stats.kinetic_energy;
    GasOutcome out;
    FrameState frame;
    for (int i = 0; i < steps; ++i) {
        world.step();
        world.publish(frame);
        const double share = static_cast<double>(frame.stats.kinetic_energy) / start;
        out.least = std::min(out.least, share);
        out.most = std::max(out.most, share);
        out.stopped += frame.stopped.size();
    }
    for (const BodyState& body : frame.bodies) {
        out.spin = std::max(out.spin, static_cast<double>(glm::length(body.angular_velocity)));
        const Vec3 at = glm::abs(body.pose.position);
        out.outside += body.type == BodyType::dynamic && std::max({at.x, at.y, at.z}) > half ? 1 : 0;
    }
    out.hash = frame.hash;
    return out;
}

// Balls that blows have put out of the way of others must not be pushed by the planes in which those were foreseen, nor
// may fast spins be taken for speeds: either makes motions that are not finite within three steps.
TEST(Gas, KeepsItsEnergyAt200MetresPerSecond) {
    const GasOutcome out = let_fly(200.0f, 0.0f, sanitized ? 20 : 120);
    EXPECT_GT(out.least, 0.99);
    EXPECT_LT(out.most, 1.005) << "a small ball between two large ones is not quite solved";
    EXPECT_LT(out.spin, 16.0) << "without friction only rounding turns them: by a hundredth of what rolls at 200 m/s";
    EXPECT_EQ(out.outside, 0);
    EXPECT_EQ(out.stopped, 0u);
}

TEST(Gas, GainsNoneFromFriction) {
    const GasOutcome out = let_fly(200.0f, 0.5f, sanitized ? 20 : 120);
    EXPECT_LT(out.most, 1.0 + 1e-6);
    EXPECT_GT(out.spin, 100.0);
    EXPECT_EQ(out.outside, 0);
    EXPECT_EQ(out.stopped, 0u);
}

TEST(Gas, HasTheSameBitsOnTwoThreads) {
    TwoThreads threads;
    EXPECT_EQ(let_fly(200.0f, 0.5f, 10).hash, let_fly(200.0f, 0.5f, 10, &threads).hash);
}

// One ball is to meet another late in the step, and is hit by a third before.
TEST(Gas, ABallKnockedOutOfItsWayDoesNotHitWhatItWouldHaveMet) {
    Settings settings = weightless();
    settings.max_short_steps = 1;
    World world(settings);
    const auto add_ball = [&](const Vec3& at, const Vec3& velocity) {
        BodyDef ball = make_body(Sphere{0.1f}, at);
        ball.linear_velocity = velocity;
        ball.material.restitution = 1.0f;
        ball.material.friction = 0.0f;
        return add(world, ball);
    };
    add_ball(Vec3(-2, 0, 0), Vec3(120, 0, 0));                        // 2 m a step
    add_ball(Vec3(0.5f, -2.5f, 0), Vec3(0, 120, 0));                  // both are at x = 0.5, y = 0 in the second step
    const BodyId target = add_ball(Vec3(1.5f, 0.15f, 0), Vec3(0.0f)); // in the way of the first after that
    run(world, 2);
    const FrameState frame = published(world);
    ASSERT_EQ(frame.impacts.size(), 1u);
    for (const BodyState& body : frame.bodies) {
        EXPECT_LT(glm::length(body.angular_velocity), 1e-3f);
        if (body.id == target) {
            EXPECT_EQ(body.linear_velocity, Vec3(0.0f));
        }
    }
    EXPECT_NEAR(frame.stats.kinetic_energy, 120.0 * 120.0 * 4.18879, 1.0);
}

// The same of what is not round all over, without restitution: the row of such a contact is a plane.
TEST(Gas, WhatIsKnockedOutOfItsWayGoesPastWhatItWouldHaveMet) {
    for (const Geometry& geometry : {Geometry(Capsule{0.08f, 0.1f}), Geometry(Cylinder{0.1f, 0.1f})}) {
        Settings settings = weightless();
        settings.max_short_steps = 1;
        World world(settings);
        const auto add_body = [&](const Vec3& at, const Vec3& velocity) {
            BodyDef body = make_body(geometry, at);
            body.linear_velocity = velocity;
            body.material.friction = 0.0f;
            return add(world, body);
        };
        const BodyId first = add_body(Vec3(-2, 0, 0), Vec3(120, 0, 0));
        const BodyId second = add_body(Vec3(0.5f, -1.3f, 0), Vec3(0, 60, 0));
        const BodyId target = add_body(Vec3(1.5f, 0, 0), Vec3(0.0f));
        run(world, 2);
        EXPECT_GT(state_of(world, first).linear_velocity.y, 20.0f) << "it was not knocked out of its way";
        for (const BodyId id : {first, second, target}) {
            EXPECT_LT(glm::length(state_of(world, id).angular_velocity), 10.0f);
        }
        EXPECT_EQ(state_of(world, target).linear_velocity, Vec3(0.0f));
    }
}

// Two balls side by side, each turning as a gear that the other does not feel.
TEST(Gas, BallsThatSpinFastSideBySideStayWhereTheyAre) {
    World world(weightless());
    for (const float side : {-1.0f, 1.0f}) {
        BodyDef ball = make_body(Sphere{0.1f}, Vec3(0.1f * side, 0, 0));
        ball.angular_velocity = Vec3(0, 0, 4000);
        ball.material.friction = 0.0f;
        add(world, ball);
    }
    run(world, 60);
    for (const BodyState& body : published(world).bodies) {
        EXPECT_LT(glm::length(body.linear_velocity), 1e-3f);
        EXPECT_NEAR(glm::length(body.angular_velocity), 4000.0f, 1.0f);
    }
}

} // namespace
} // namespace cairn::physics::testing
