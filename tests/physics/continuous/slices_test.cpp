// Clouds of small bodies that are so dense and so fast that continuous collision examines the step in slices of time.
#include "tests/physics/world/two_threads.h"
#include "tests/physics/world/world_builder.h"
#include "tests/sanitized.h"

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

namespace cairn::physics::testing {
namespace {

constexpr float marble = 0.02f; // m, radius

// Marbles at up to 90 m/s along each axis in a closed box. Returns its inner half width, m.
float add_cloud(World& world, const Vec3& centre, int side) {
    constexpr float spacing = 2.6f * marble, wall = 0.02f; // m
    const float half = 0.5f * static_cast<float>(side) * spacing + marble;
    for (int axis = 0; axis < 3; ++axis) {
        for (const float way : {-1.0f, 1.0f}) {
            Vec3 extents(half + 2.0f * wall), at(0.0f);
            extents[axis] = wall;
            at[axis] = way * (half + wall);
            BodyDef plate = make_static(Box{extents}, centre + at);
            plate.material.restitution = 1.0f;
            add(world, plate);
        }
    }
    std::mt19937 generator(5);
    const auto uniform = [&] { return static_cast<float>(generator() % 2000001u) * 1e-6f - 1.0f; };
    const float first = -0.5f * static_cast<float>(side - 1) * spacing;
    for (int i = 0; i < side * side * side; ++i) {
        const Vec3 cell(static_cast<float>(i % side), static_cast<float>(i / side % side),
                        static_cast<float>(i / (side * side)));
        BodyDef ball = make_body(Sphere{marble}, centre + Vec3(first) + spacing * cell);
        ball.material.restitution = 1.0f;
        ball.material.friction = 0.0f;
        const float x = uniform(), y = uniform(), z = uniform();
        ball.linear_velocity = 90.0f * Vec3(x, y, z);
        add(world, ball);
    }
    return half;
}

struct CloudOutcome {
    double energy = 0.0; // of that at the start
    int outside = 0;
    std::uint64_t hash = 0;
};

CloudOutcome let_fly(int steps, Executor* executor = nullptr, bool restored = false) {
    World world(weightless(), executor), other(weightless(), executor);
    const float half = add_cloud(world, Vec3(0.0f), 7);
    const double start = published(world).stats.kinetic_energy;
    run(world, steps / 2);
    if (restored) {
        other.restore(*world.snapshot());
    }
    World& rest = restored ? other : world;
    run(rest, steps - steps / 2);
    CloudOutcome out;
    const FrameState frame = published(rest);
    out.energy = frame.stats.kinetic_energy / start;
    for (const BodyState& body : frame.bodies) {
        const Vec3 at = glm::abs(body.pose.position);
        out.outside += body.type == BodyType::dynamic && std::max({at.x, at.y, at.z}) > half ? 1 : 0;
    }
    out.hash = frame.hash;
    return out;
}

TEST(Slices, NothingLeavesTheBoxAndNoEnergyComesIn) {
    const CloudOutcome out = let_fly(sanitized ? 2 : 8);
    EXPECT_EQ(out.outside, 0);
    EXPECT_LT(out.energy, 1.001);
}

TEST(Slices, HaveTheSameBitsOnTwoThreadsAndAfterASnapshot) {
    TwoThreads threads;
    const std::uint64_t hash = let_fly(2).hash;
    EXPECT_EQ(let_fly(2, &threads).hash, hash);
    EXPECT_EQ(let_fly(2, nullptr, true).hash, hash);
}

// What is pressed onto a mesh and counts as in touch with it may sink a little in each examination: if slices began
// anew, it would sink in each of them, and marbles went through within a few steps.
TEST(Slices, WhatIsPressedOntoAMeshDoesNotSinkBecauseOfACloudElsewhere) {
    Settings settings = without_sleep();
    settings.max_short_steps = 1;
    for (const bool cloud : {false, true}) {
        World world(settings);
        auto data = std::make_shared<MeshData>();
        data->vertices = {Vec3(-5, -5, 0), Vec3(5, -5, 0), Vec3(5, 5.1f, 0), Vec3(-5, 5, 0)};
        data->triangles = {{0, 1, 2}, {0, 2, 3}};
        add(world, make_static(Mesh{data}, Vec3(0.0f)));
        std::vector<BodyId> marbles;
        for (int i = 0; i < 16; ++i) {
            const auto x = static_cast<float>(i % 4 - 2), y = static_cast<float>(i / 4 - 2);
            marbles.push_back(
                add(world, make_body(Sphere{marble}, Vec3(3.0f * marble * x, 3.0f * marble * y + 0.1f, marble))));
        }
        run(world, 20);
        BodyDef press = make_body(Box{Vec3(0.5f)}, Vec3(0, 0.1f, 2.0f * marble + 0.51f));
        press.density = 8000.0f;
        press.linear_velocity = Vec3(0, 0, -50);
        add(world, press);
        if (cloud) {
            add_cloud(world, Vec3(0, 0, 50), 6);
        }
        for (int step = 0; step < (sanitized ? 4 : 8); ++step) {
            world.step();
            for (const BodyId id : marbles) {
                ASSERT_GT(state_of(world, id).pose.position.z, 0.25f * marble) << cloud << ' ' << step;
            }
        }
    }
}

} // namespace
} // namespace cairn::physics::testing
