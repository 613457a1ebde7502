// Piles that stand still have the inertia of what they carry: it must show in nothing else.
#include "physics/world/state_image.h"
#include "tests/physics/behaviour/structures.h"
#include "tests/physics/world/world_builder.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cairn::physics::testing {
namespace {

constexpr float standard_gravity = 9.81f; // m/s^2, of Settings

std::vector<BodyId> add_all(World& world, const std::vector<BodyDef>& bodies) {
    std::vector<BodyId> ids;
    for (const BodyDef& def : bodies) {
        ids.push_back(add(world, def));
    }
    return ids;
}

} // namespace

// With inertia of thirty cubes, and the weight of one, the lowest would hang in the air.
TEST(Piles, ATowerFallsAsOneWhenItsFootIsTakenAway) {
    for (const int settled : {60, 300}) { // steps; after four seconds nothing recovers any more
        World world(without_sleep());
        add(world, make_floor());
        const std::vector<BodyId> ids = add_all(world, tower(30));
        run(world, settled);
        const float lowest = state_of(world, ids[1]).pose.position.z,
                    highest = state_of(world, ids[29]).pose.position.z;
        ASSERT_EQ(published(world).stats.finest_substeps, 4u);
        ASSERT_TRUE(world.apply(DestroyBody{ids[0]}).ok());
        run(world, 20);
        const float wanted = 0.5f * standard_gravity / 9.0f; // m, in a third of a second
        EXPECT_NEAR(lowest - state_of(world, ids[1]).pose.position.z, wanted, 0.05f * wanted) << settled;
        EXPECT_NEAR(highest - state_of(world, ids[29]).pose.position.z, wanted, 0.05f * wanted) << settled;
    }
}

// What a slender pile takes while it stands goes on from an image with the same bits; damaged, it is refused.
TEST(Piles, TheLevelOfOneThatStandsIsPartOfAnImage) {
    World world(without_sleep()), loaded(without_sleep());
    add(world, make_floor());
    add_all(world, tower(20, 0.02f));
    run(world, 60);
    StateImage image = world.image();
    const auto standing = [](std::uint8_t levels) { return levels >= 16; };
    ASSERT_TRUE(std::any_of(image.column_levels.begin(), image.column_levels.end(), standing));
    ASSERT_EQ(loaded.load(image), "");
    EXPECT_EQ(loaded.hash(), world.hash());
    for (World* each : {&world, &loaded}) {
        run(*each, 10);
        EXPECT_GT(published(*each).stats.finest_substeps, 4u);
    }
    EXPECT_EQ(loaded.hash(), world.hash());
    image.column_levels[0] = 12 * 16;
    EXPECT_NE(loaded.load(image), "");
}

// The foot of twenty cubes would need the friction of ten times their mass.
TEST(Piles, APlatformTakesTheFootOfATowerAlong) {
    World world(without_sleep());
    BodyDef platform = make_floor();
    platform.type = BodyType::kinematic;
    SetBody pull;
    pull.body = add(world, platform);
    const std::vector<BodyId> ids = add_all(world, tower(20));
    run(world, 60);
    for (int step = 1; step <= 30; ++step) { // 1 m/s^2
        pull.linear_velocity = Vec3(static_cast<float>(step) / 60.0f, 0, 0);
        ASSERT_TRUE(world.apply(pull).ok());
        world.step();
    }
    EXPECT_NEAR(state_of(world, ids[0]).linear_velocity.x, 0.5f, 0.05f);
}

TEST(Piles, AStackSlidesDownASlopeAsASingleBodyDoes) {
    constexpr float angle = 0.62f, friction = 0.6f;
    World world(without_sleep());
    BodyDef slope = make_body(Box{Vec3(50, 50, 1)}, Vec3(0, 0, -1));
    slope.type = BodyType::fixed;
    slope.pose.orientation = Quat(std::cos(0.5f * angle), 0, std::sin(0.5f * angle), 0);
    slope.material.friction = friction;
    add(world, slope);
    const Vec3 up(std::sin(angle), 0, std::cos(angle));
    std::vector<BodyId> ids;
    for (int i = 0; i < 12; ++i) {
        BodyDef slab =
            make_body(Box{Vec3(0.8f, 0.8f, 0.1f)}, Vec3(0, 0, -1) + (1.1f + 0.2f * static_cast<float>(i)) * up);
        slab.pose.orientation = slope.pose.orientation;
        slab.material.friction = friction;
        ids.push_back(add(world, slab));
    }
    const Vec3 start = state_of(world, ids[5]).pose.position;
    run(world, 60);
    const float wanted = 0.5f * standard_gravity * (std::sin(angle) - friction * std::cos(angle)); // m, in a second
    EXPECT_NEAR(glm::length(state_of(world, ids[5]).pose.position - start), wanted, 0.05f * wanted);
}

TEST(Piles, ATowerOfEverHeavierCubesStands) {
    World world(without_sleep());
    add(world, make_floor());
    std::vector<BodyDef> cubes = tower(12);
    float mass = 1.0f;
    for (BodyDef& cube : cubes) {
        cube.mass = mass;
        mass *= 2.5f; // no pair is uneven, but 40 tonnes rest on a kilogram
    }
    const std::vector<BodyId> ids = add_all(world, cubes);
    run(world, 300);
    const Stand stand = stand_of(world, ids, cubes);
    EXPECT_LT(stand.drift, 0.002f);
    EXPECT_LT(stand.sag, 0.01f);
    EXPECT_LT(stand.speed, 0.005f);
}

// A load that is taken away in the same step in which its carrier is pushed: the spring that held it up is soft at
// once.
TEST(Piles, WhatIsUnloadedAndPushedIsNotThrown) {
    World world(without_sleep());
    add(world, make_floor());
    const std::vector<BodyId> ids = add_all(world, loaded_tower(1, 400.0f));
    run(world, 600);
    ASSERT_TRUE(world.apply(DestroyBody{ids[1]}).ok());
    SetBody turned;
    turned.body = ids[0];
    turned.angular_velocity = Vec3(0, 0, 0.5f);
    ASSERT_TRUE(world.apply(turned).ok());
    float highest = 0.0f;
    for (int step = 0; step < 60; ++step) {
        world.step();
        highest = std::max(highest, state_of(world, ids[0]).pose.position.z);
    }
    EXPECT_LT(highest, 0.5025f);
}

// Whoever rides on a lift, or a lorry, cannot tell: ten boxes sank by 22 mm there, and by a tenth of a millimetre on
// the floor.
TEST(Piles, StandOnWhatMovesSteadilyAsOnTheFloor) {
    for (const Vec3& velocity : {Vec3(0.0f), Vec3(0, 0, 0.1f), Vec3(0, 0, 5), Vec3(1, 0, 0)}) {
        World world(without_sleep());
        BodyDef plate = make_body(Box{Vec3(2, 2, 0.1f)}, Vec3(0, 0, -0.1f));
        plate.type = BodyType::kinematic;
        plate.linear_velocity = velocity;
        const BodyId lift = add(world, plate);
        BodyId top;
        for (int i = 0; i < 10; ++i) {
            BodyDef box = make_body(Box{Vec3(0.4f, 0.4f, 0.2f)}, Vec3(0, 0, 0.2f + 0.4f * static_cast<float>(i)));
            box.linear_velocity = velocity;
            top = add(world, box);
        }
        run(world, 600);
        const Vec3 at = state_of(world, top).pose.position - state_of(world, lift).pose.position;
        EXPECT_NEAR(at.z, 3.9f, 5e-4f) << velocity.x << ' ' << velocity.z;
        EXPECT_LT(std::hypot(at.x, at.y), 5e-4f) << velocity.x << ' ' << velocity.z;
    }
}

// A lift that starts takes its load along with the inertia that it has: ten boxes do not slip at half of what friction
// holds.
TEST(Piles, OnWhatSpeedsUpAreAsHeavyAsTheyAre) {
    World world(without_sleep());
    BodyDef plate = make_body(Box{Vec3(2, 2, 0.1f)}, Vec3(0, 0, -0.1f));
    plate.type = BodyType::kinematic;
    const BodyId lorry = add(world, plate);
    BodyId top;
    for (int i = 0; i < 10; ++i) {
        top = add(world, make_body(Box{Vec3(0.4f, 0.4f, 0.1f)}, Vec3(0, 0, 0.1f + 0.2f * static_cast<float>(i))));
    }
    run(world, 120);
    float speed = 0.0f;
    for (int step = 0; step < 120; ++step) {
        SetBody faster;
        faster.body = lorry;
        speed += 2.0f / 60.0f; // 2 m/s^2, friction holds 5
        faster.linear_velocity = Vec3(speed, 0, 0);
        ASSERT_TRUE(world.apply(faster).ok());
        world.step();
    }
    const Vec3 at = state_of(world, top).pose.position - state_of(world, lorry).pose.position;
    EXPECT_LT(std::abs(at.x), 0.05f);
}

// They stayed half of their thickness in each other.
TEST(Piles, OfThinPlatesComeOutOfEachOther) {
    World world(without_sleep());
    add(world, make_floor());
    BodyId lowest, top;
    for (int i = 0; i < 20; ++i) {
        BodyDef plate = make_body(Box{Vec3(0.4f, 0.3f, 0.004f)}, Vec3(0, 0, 0.1f + 0.1f * static_cast<float>(i)));
        top = add(world, plate);
        lowest = i == 0 ? top : lowest;
    }
    run(world, 900);
    EXPECT_NEAR(state_of(world, lowest).pose.position.z, 0.004f, 4e-4f);
    EXPECT_NEAR(state_of(world, top).pose.position.z, 0.156f, 2e-3f);
}

} // namespace cairn::physics::testing
