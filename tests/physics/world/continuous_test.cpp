// Fast bodies: nothing passes through anything, and without the safeguard it does.
#include "tests/physics/world/world_builder.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics::testing {
namespace {

int tunnelled_spheres(bool continuous, float angle) {
    Settings settings;
    settings.gravity = Vec3(0, 0, -10);
    settings.continuous = continuous;
    World world(settings);
    add(world, make_static(Box{Vec3(0.025f, 100, 100)}, Vec3(0)));
    std::vector<BodyId> ids;
    for (int i = 0; i < 200; ++i) {
        const double phase = std::fmod(i * 0.6180339887498949, 1.0);
        BodyDef ball =
            make_body(Sphere{0.05f}, Vec3(-(10.0f + 5.0f * static_cast<float>(phase)),
                                          (static_cast<float>(i % 20) - 9.5f) * 0.5f - (angle > 0 ? 20.0f : 0.0f),
                                          (static_cast<float>(i / 20) - 5.0f) * 0.5f));
        ball.linear_velocity = 300.0f * Vec3(std::cos(angle), std::sin(angle), 0);
        ids.push_back(add(world, ball));
    }
    run(world, 30);
    int through = 0;
    for (const BodyId id : ids) {
        through += state_of(world, id).pose.position.x > 0.0f ? 1 : 0;
    }
    return through;
}

TEST(Continuous, NoSphereAt300MetresPerSecondPassesAFiveCentimetrePlate) {
    EXPECT_EQ(tunnelled_spheres(true, 0.0f), 0);
    EXPECT_EQ(tunnelled_spheres(true, 1.0471976f), 0);
}

TEST(Continuous, WithoutItNearlyAllPass) {
    EXPECT_GT(tunnelled_spheres(false, 0.0f), 150);
    EXPECT_GT(tunnelled_spheres(false, 1.0471976f), 150);
}

struct Duel {
    bool met = false;
    double worst_momentum_error = 0.0;
};

// Sphere and diamond closing at 200 m/s; `phase` shifts where within a step they meet.
Duel duel(int phase, bool continuous) {
    Settings settings;
    settings.continuous = continuous;
    World world(settings);
    BodyDef ball = make_body(Sphere{0.5f}, Vec3(10.0f + static_cast<float>(phase) * (200.0f / 60.0f) / 20.0f, 0, 3));
    ball.mass = 1.0f;
    ball.material.restitution = 0.5f;
    ball.linear_velocity = Vec3(-100, 0, 0);
    const BodyId a = add(world, ball);
    BodyDef diamond = make_body(Diamond{1.0f}, Vec3(-10, 0, 3));
    diamond.mass = 1.0f;
    diamond.material.restitution = 0.5f;
    diamond.linear_velocity = Vec3(100, 0, 0);
    diamond.angular_velocity = Vec3(0, 10, 0);
    const BodyId b = add(world, diamond);
    Duel result;
    for (int i = 1; i <= 14; ++i) {
        world.step();
        const glm::dvec3 total = momentum(world);
        // The free fall of both is the only change of momentum: 2 kg times g t.
        const glm::dvec3 expected(0.0, 0.0, -9.81 * 2.0 * i / 60.0);
        result.worst_momentum_error = std::max(result.worst_momentum_error, glm::length(total - expected) / 200.0);
    }
    result.met = state_of(world, a).linear_velocity.x > -50.0f && state_of(world, b).linear_velocity.x < 50.0f;
    return result;
}

TEST(Continuous, SphereAndDiamondMeetInMidAirInEveryPhaseOfTheStep) {
    for (int phase = 0; phase < 20; ++phase) {
        const Duel result = duel(phase, true);
        EXPECT_TRUE(result.met) << "phase " << phase;
        EXPECT_LT(result.worst_momentum_error, 1e-4) << "phase " << phase;
    }
}

TEST(Continuous, WithoutItMostDuelsMiss) {
    int missed = 0;
    for (int phase = 0; phase < 20; ++phase) {
        missed += duel(phase, false).met ? 0 : 1;
    }
    EXPECT_GT(missed, 8);
}

TEST(Continuous, BallSlidingFastAlongTheFloorIsNotHeldBack) {
    World world;
    BodyDef floor = make_floor();
    floor.material.friction = 0.0f;
    add(world, floor);
    BodyDef box = make_body(Box{Vec3(0.25f)}, Vec3(-90, 0, 0.25f));
    box.material.friction = 0.0f;
    box.linear_velocity = Vec3(60, 0, 0);
    const BodyId id = add(world, box);
    run(world, 120);
    EXPECT_NEAR(state_of(world, id).pose.position.x, 30.0, 0.1);
}

// Lowest height of any corner of a 6 m beam that falls spinning onto a floor 10 cm thick.
float lowest_corner_of_spinning_beam(bool continuous) {
    Settings settings;
    settings.continuous = continuous;
    World world(settings);
    add(world, make_static(Box{Vec3(50, 50, 0.05f)}, Vec3(0, 0, -0.05f)));
    const Vec3 half(3, 0.25f, 0.25f);
    BodyDef beam = make_body(Box{half}, Vec3(0, 0, 3.2f));
    beam.angular_velocity = Vec3(0, 100, 0);
    const BodyId id = add(world, beam);
    float lowest = 10.0f;
    for (int i = 0; i < 120; ++i) {
        world.step();
        const Mat3 axes = rotation_matrix(state_of(world, id).pose.orientation);
        const float reach = std::abs(axes[0].z) * half.x + std::abs(axes[1].z) * half.y + std::abs(axes[2].z) * half.z;
        lowest = std::min(lowest, state_of(world, id).pose.position.z - reach);
    }
    return lowest;
}

TEST(Continuous, SpinningBeamDoesNotDipThroughTheFloorAndDoesWithoutIt) {
    const float with = lowest_corner_of_spinning_beam(true);
    const float without = lowest_corner_of_spinning_beam(false);
    EXPECT_GT(with, -0.01f);
    EXPECT_LT(without, -0.03f);
}

// Two boxes that fall one on the other onto a heap of two, the lower a little too fast for its contacts and the upper
// not: the lower is held where it meets the heap, for the heap is the solver's to answer for, and what lies on it must
// not go on into it.
TEST(Continuous, WhatFallsOnABodyThatIsHeldIsHeldToo) {
    Settings settings = without_sleep();
    settings.gravity = Vec3(0, 0, -10);
    World world(settings);
    add(world, make_floor());
    for (int pillar = 0; pillar < 8; ++pillar) { // in eight phases of the step
        const float x = 4.0f * static_cast<float>(pillar);
        const float gap = 1.0f + 0.03f * static_cast<float>(pillar);
        for (const float z : {0.5f, 1.5f, 2.5f + gap, 3.501f + gap}) {
            BodyDef box = make_body(Box{Vec3(0.5f)}, Vec3(x, 0, z));
            box.material.restitution = 0.0f;
            box.linear_velocity.z = z < 2.0f ? 0.0f : (z < 3.0f + gap ? -14.9f : -14.2f);
            add(world, box);
        }
    }
    float deepest = 0.0f;
    for (int step = 0; step < 30; ++step) {
        world.step();
        deepest = std::max(deepest, published(world).stats.max_penetration);
    }
    EXPECT_LT(deepest, 0.04f);
}

// A crowd of balls, boxes and diamonds that comes down into a pit at 25 m/s. The impulses of one impact after the other
// went through the pile in ever smaller portions, ten and more for each body in a step; now a body that leans on others
// waits for the solver, and is held once at most.
TEST(Continuous, ACrowdThatLandsIsAnsweredForByTheSolver) {
    Settings settings = without_sleep();
    settings.gravity = Vec3(0, 0, -10);
    World world(settings);
    add(world, make_floor());
    for (const float side : {-1.0f, 1.0f}) {
        add(world, make_static(Box{Vec3(0.5f, 5.0f, 20.0f)}, Vec3(5.5f * side, 0, 20)));
        add(world, make_static(Box{Vec3(5.0f, 0.5f, 20.0f)}, Vec3(0, 5.5f * side, 20)));
    }
    std::vector<BodyId> ids;
    for (int i = 0; i < 400; ++i) {
        const Vec3 position(static_cast<float>(i % 5 - 2) * 1.9f, static_cast<float>(i / 5 % 5 - 2) * 1.9f,
                            2.0f + 1.2f * static_cast<float>(i / 25));
        BodyDef body = i % 3 == 0   ? make_body(Sphere{0.5f}, position)
                       : i % 3 == 1 ? make_body(Box{Vec3(0.5f)}, position)
                                    : make_body(Diamond{1.0f}, position);
        body.linear_velocity.z = -25.0f;
        body.angular_velocity = Vec3(0.1f * static_cast<float>(i % 7), 0.1f * static_cast<float>(i % 5), 0);
        ids.push_back(add(world, body));
    }
    std::uint32_t most_hits = 0, most_held = 0;
    for (int step = 0; step < 90; ++step) {
        world.step();
        const StepStats stats = published(world).stats;
        most_hits = std::max(most_hits, stats.continuous_hits);
        most_held = std::max(most_held, stats.held);
    }
    EXPECT_GT(most_hits, 40u); // the crowd does land within steps
    EXPECT_LT(most_hits, 800u);
    EXPECT_LE(most_held, 400u); // each once
    for (const BodyId id : ids) {
        const Vec3 position = state_of(world, id).pose.position;
        EXPECT_TRUE(std::abs(position.x) < 5.0f && std::abs(position.y) < 5.0f && position.z > 0.0f);
    }
}

} // namespace
} // namespace cairn::physics::testing
