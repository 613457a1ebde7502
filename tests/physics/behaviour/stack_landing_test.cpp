// Stacks that are dropped as they stand, without any elasticity: they land and lie.
#include "tests/physics/world/two_threads.h"
#include "tests/physics/world/world_builder.h"

#include <algorithm>

namespace cairn::physics::testing {
namespace {

BodyDef falling_cube(const Vec3& place, float speed) {
    BodyDef def = make_body(Box{Vec3(0.5f)}, place);
    def.linear_velocity = Vec3(0, 0, -speed);
    return def;
}

void add_tower(World& world, int cubes, float gap, float speed) {
    for (int i = 0; i < cubes; ++i) {
        add(world, falling_cube(Vec3(0, 0, 0.5f + static_cast<float>(i) + gap), speed));
    }
}

void add_pyramid(World& world, int base, float gap, float speed) {
    for (int row = 0; row < base; ++row) {
        for (int i = 0; i < base - row; ++i) {
            add(world, falling_cube(Vec3(static_cast<float>(i) + 0.5f * static_cast<float>(row), 0,
                                         0.5f + static_cast<float>(row) + gap),
                                    speed));
        }
    }
}

// m/s, upward, of any body within 2 s
float rebound(World& world) {
    float fastest = 0.0f;
    for (int i = 0; i < 120; ++i) {
        world.step();
        for (const BodyState& body : published(world).bodies) {
            fastest = std::max(fastest, body.linear_velocity.z);
        }
    }
    return fastest;
}

// Impulses that had stopped them threw the tops of towers back at 1.5 to 2.9 m/s, and that of the pyramid at 2.3.
TEST(StackLanding, HasHardlyARebound) {
    for (const int cubes : {2, 5, 10, 20}) {
        World world(without_sleep());
        add(world, make_floor());
        add_tower(world, cubes, 0.1f, 3.0f);
        EXPECT_LT(rebound(world), 0.8f) << "a tower of " << cubes;
    }
    World world(without_sleep());
    add(world, make_floor());
    add_pyramid(world, 10, 0.1f, 3.0f);
    EXPECT_LT(rebound(world), 0.8f) << "a pyramid";
}

// As heavy as 8 of them, at 3 m/s onto a tower: 1.1 to 1.2 m/s before.
TEST(StackLanding, OfAHeavyBodyOnATowerThrowsNothingUp) {
    for (const int cubes : {5, 10}) {
        World world(without_sleep());
        add(world, make_floor());
        add_tower(world, cubes, 0.0f, 0.0f);
        run(world, 60);
        BodyDef heavy = falling_cube(Vec3(0, 0, 0.6f + static_cast<float>(cubes)), 3.0f);
        heavy.mass = 8000.0f;
        add(world, heavy);
        EXPECT_LT(rebound(world), 0.8f) << "a tower of " << cubes;
    }
}

// On a lift that starts at once, and in a world without weight against a wall.
TEST(StackLanding, IsAgainstGroundsThatMoveAndInAnyDirection) {
    World lift(without_sleep());
    BodyDef platform = make_static(Box{Vec3(5, 5, 0.5f)}, Vec3(0, 0, -0.5f));
    platform.type = BodyType::kinematic;
    const BodyId ground = add(lift, platform);
    add_tower(lift, 10, 0.0f, 0.0f);
    run(lift, 60);
    SetBody start;
    start.body = ground;
    start.linear_velocity = Vec3(0, 0, 3);
    ASSERT_TRUE(lift.apply(start).ok());
    EXPECT_LT(rebound(lift), 4.0f); // 4.4 before

    World wall(weightless());
    add(wall, make_static(Box{Vec3(1, 5, 5)}, Vec3(-1, 0, 0)));
    for (int i = 0; i < 10; ++i) {
        BodyDef cube = make_body(Box{Vec3(0.5f)}, Vec3(0.6f + static_cast<float>(i), 0, 0));
        cube.linear_velocity = Vec3(-3, 0, 0);
        add(wall, cube);
    }
    run(wall, 120);
    for (const BodyState& body : published(wall).bodies) {
        EXPECT_LT(body.linear_velocity.x, 0.6f);
    }
}

TEST(StackLanding, HasTheSameBitsOnThreads) {
    TwoThreads two;
    World alone(without_sleep()), together(without_sleep(), &two);
    for (World* world : {&alone, &together}) {
        add(*world, make_floor());
        add_pyramid(*world, 20, 0.1f, 5.0f);
        run(*world, 60);
    }
    EXPECT_EQ(alone.hash(), together.hash());
}

} // namespace
} // namespace cairn::physics::testing
