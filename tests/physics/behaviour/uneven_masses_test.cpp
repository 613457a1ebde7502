// Heavy bodies on light ones, in motion: what they do to each other does not depend on how light the lower one is.
#include "tests/physics/joints/joint_builder.h"
#include "tests/physics/world/world_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace cairn::physics::testing {
namespace {

constexpr float earth_gravity = 9.81f;

BodyDef weighing(float mass, Geometry geometry, const Vec3& position) {
    BodyDef def = make_body(std::move(geometry), position);
    def.mass = mass;
    return def;
}

BodyDef cube(float mass, const Vec3& position) { // with edges of a metre
    return weighing(mass, Box{Vec3(0.5f)}, position);
}

double whole_energy(const World& world) {
    double sum = 0.0;
    for (const BodyId id : world.body_ids()) {
        const float mass = world.model(id)->mass;
        if (mass > 0.0f) {
            const BodyState body = state_of(world, id);
            const Vec3& v = body.linear_velocity;
            sum += static_cast<double>(mass * (0.5f * glm::dot(v, v) + earth_gravity * body.pose.position.z));
        }
    }
    return sum;
}

struct Landing {
    double greatest_energy = 0.0; // of that at the start
    float penetration = 0.0f;     // m, deepest at any time
    float rise = 0.0f;            // m/s, of the last body, upward
    float speed = 0.0f;           // m/s, fastest body at the end
};

Landing watch(World& world, int steps) {
    Landing course;
    const double start = whole_energy(world);
    FrameState frame;
    for (int i = 0; i < steps; ++i) {
        world.step();
        world.publish(frame);
        course.greatest_energy = std::max(course.greatest_energy, whole_energy(world) / start);
        course.penetration = std::max(course.penetration, frame.stats.max_penetration);
        course.rise = std::max(course.rise, frame.bodies.back().linear_velocity.z);
    }
    for (const BodyState& body : frame.bodies) {
        course.speed = std::max(course.speed, glm::length(body.linear_velocity));
    }
    EXPECT_TRUE(frame.stopped.empty());
    return course;
}

// A cube of 400 times the weight sank 28 cm into the one below, whatever its height, and was thrown back at 6 m/s.
TEST(UnevenMasses, WhatLandsOnLightBoxesNeitherSinksInNorIsThrownBack) {
    for (const float ratio : {30.0f, 1000.0f}) {
        for (const float height : {0.05f, 3.0f}) {
            for (const int lights : {1, 3}) {
                World world(without_sleep());
                add(world, make_floor());
                for (int i = 0; i < lights; ++i) {
                    add(world, cube(100.0f, Vec3(0, 0, 0.5f + static_cast<float>(i))));
                }
                const float top = static_cast<float>(lights) + 0.5f;
                const BodyId heavy = add(world, cube(100.0f * ratio, Vec3(0, 0, top + height)));
                const Landing course = watch(world, 400);
                const float speed = std::sqrt(2.0f * earth_gravity * height);
                EXPECT_LT(course.penetration, speed * 0.008f) << ratio << ' ' << height << ' ' << lights;
                EXPECT_LT(course.rise, 0.4f * speed) << ratio << ' ' << height << ' ' << lights;
                EXPECT_LT(course.greatest_energy, 1.0 + 1e-4) << ratio << ' ' << height << ' ' << lights;
                EXPECT_LT(glm::distance(state_of(world, heavy).pose.position, Vec3(0, 0, top)), 0.015f);
                EXPECT_LT(course.speed, 0.01f);
            }
        }
    }
}

TEST(UnevenMasses, ASlabThatFallsOnNineCubesRests) { // it gained nine times its energy
    World world(without_sleep());
    add(world, make_floor());
    for (int i = 0; i < 9; ++i) {
        const int row = i / 3;
        add(world, cube(1.0f, Vec3(1.5f * static_cast<float>(i % 3 - 1), 1.5f * static_cast<float>(row - 1), 0.5f)));
    }
    const BodyId slab = add(world, weighing(5000.0f, Box{Vec3(3, 3, 0.2f)}, Vec3(0, 0, 4)));
    const Landing course = watch(world, 600);
    EXPECT_LT(course.greatest_energy, 1.0 + 1e-4);
    EXPECT_LT(course.penetration, 0.05f);
    EXPECT_NEAR(state_of(world, slab).pose.position.z, 1.2f, 0.005f);
    EXPECT_LT(course.speed, 0.01f);
}

TEST(UnevenMasses, CubesOfOneAndOfAThousandKilogramsStackInTurns) {
    World world(without_sleep());
    add(world, make_floor());
    BodyId top;
    for (int i = 0; i < 6; ++i) {
        top = add(world, cube(i % 2 == 0 ? 1.0f : 1000.0f, Vec3(0, 0, 0.5f + 1.02f * static_cast<float>(i))));
    }
    const Landing course = watch(world, 600);
    EXPECT_LT(course.greatest_energy, 1.0 + 1e-4);
    EXPECT_LT(course.penetration, 0.025f);
    EXPECT_LT(glm::distance(state_of(world, top).pose.position, Vec3(0, 0, 5.5f)), 0.03f);
}

// Inertia that plates do not have must not throw the ball back: it came to 6.5 m/s where all of the pile counted as
// held.
TEST(UnevenMasses, APileOfPlatesDoesNotThrowAHeavyBallBack) {
    World world(without_sleep());
    add(world, make_floor());
    for (int i = 0; i < 20; ++i) {
        add(world, weighing(0.5f, Box{Vec3(0.5f, 0.5f, 0.02f)}, Vec3(0, 0, 0.02f + 0.04f * static_cast<float>(i))));
    }
    constexpr float height = 2.3f; // m, of its fall
    add(world, weighing(500.0f, Sphere{0.5f}, Vec3(0.1f, 0, 1.3f + height)));
    const Landing course = watch(world, 300);
    EXPECT_LT(course.greatest_energy, 1.0 + 1e-4);
    EXPECT_LT(course.rise, 0.5f * std::sqrt(2.0f * earth_gravity * height));
}

// The light body's own inertia must not show, neither more nor less of it.
TEST(UnevenMasses, ASledgeSlidesAsFarAsItsLoadWould) {
    constexpr float friction = 0.4f, speed = 4.0f;
    for (const float mass : {1.0f, 10.0f, 100.0f}) {
        World world(without_sleep());
        BodyDef floor = make_floor();
        floor.material.friction = friction;
        add(world, floor);
        BodyDef sledge = weighing(mass, Box{Vec3(0.5f, 0.5f, 0.05f)}, Vec3(0, 0, 0.05f));
        BodyDef load = weighing(1000.0f, Box{Vec3(0.4f)}, Vec3(0, 0, 0.5f));
        sledge.material.friction = friction;
        load.material.friction = 0.9f;
        sledge.linear_velocity = load.linear_velocity = Vec3(speed, 0, 0);
        const BodyId lower = add(world, sledge), upper = add(world, load);
        run(world, 150);
        const float way = speed * speed / (2.0f * friction * earth_gravity);
        EXPECT_NEAR(state_of(world, lower).pose.position.x, way, 0.005f * way) << mass;
        EXPECT_NEAR(state_of(world, upper).pose.position.x, way, 0.005f * way) << mass;
    }
}

// Rollers move at half the speed of what they carry and turn at v / 2r: by energies, a slab of mass M on n of mass m
// gains earth_gravity sin(slope) (M + n m / 2) / (M + 3 n m / 8) m/s^2.
TEST(UnevenMasses, ASlabOnRollersSpeedsUpAsItShould) {
    constexpr float slope = 5.0f * std::numbers::pi_v<float> / 180.0f, radius = 0.1f, slab_mass = 400.0f;
    for (const float mass : {2.0f, 8.0f}) {
        for (const int rollers : {2, 4}) {
            Settings settings = without_sleep();
            settings.gravity = earth_gravity * Vec3(std::sin(slope), 0, -std::cos(slope));
            World world(settings);
            BodyDef floor = make_floor();
            floor.material.friction = 0.8f;
            add(world, floor);
            for (int i = 0; i < rollers; ++i) {
                const float x = -1.0f + 2.0f * static_cast<float>(i) / static_cast<float>(rollers - 1);
                BodyDef roller = weighing(mass, Cylinder{radius, 0.5f}, Vec3(x, 0, radius));
                roller.pose.orientation = glm::angleAxis(std::numbers::pi_v<float> / 2.0f, Vec3(1, 0, 0));
                roller.material.friction = 0.8f;
                add(world, roller);
            }
            BodyDef slab = weighing(slab_mass, Box{Vec3(3, 0.5f, 0.1f)}, Vec3(0, 0, 2 * radius + 0.1f));
            slab.material.friction = 0.8f;
            const BodyId carried = add(world, slab);
            run(world, 90);
            const float all = static_cast<float>(rollers) * mass;
            const float rate = earth_gravity * std::sin(slope) * (slab_mass + all / 2.0f) / (slab_mass + all * 0.375f);
            EXPECT_NEAR(state_of(world, carried).linear_velocity.x / (1.5f * rate), 1.0f, 0.02f) << mass << rollers;
        }
    }
}

// A plank of 50 kg over a roller, 900 kg on one arm, and on the other 400 kg on a cube of 2 kg: lifted, it rises as it
// does on one of 100 kg, which needs no help, less what that weighs more.
TEST(UnevenMasses, ASeesawLiftsWhatStandsOnALightCube) {
    const auto height_after_half_a_second = [](float mass) {
        World world(without_sleep());
        add(world, make_floor());
        BodyDef wedge = make_static(Cylinder{0.5f, 1.0f}, Vec3(0, 0, 0.5f));
        wedge.pose.orientation = glm::angleAxis(std::numbers::pi_v<float> / 2.0f, Vec3(1, 0, 0));
        add(world, wedge);
        BodyDef plank = weighing(50.0f, Box{Vec3(3, 0.5f, 0.05f)}, Vec3(0, 0, 1.05f));
        BodyDef light = weighing(mass, Box{Vec3(0.3f)}, Vec3(-2.5f, 0, 1.4f));
        BodyDef load = weighing(400.0f, Box{Vec3(0.3f)}, Vec3(-2.5f, 0, 2.0f));
        BodyDef other = weighing(900.0f, Box{Vec3(0.4f)}, Vec3(2.5f, 0, 1.5f));
        for (BodyDef* def : {&plank, &light, &load, &other}) {
            def->material.friction = 0.8f;
        }
        add(world, plank);
        add(world, light);
        const BodyId lifted = add(world, load);
        add(world, other);
        run(world, 30);
        return state_of(world, lifted).pose.position.z - 2.0f;
    };
    // Torque by inertia of what is out on the arms, the plank's own left out.
    const auto rate = [](float mass) { return (900.0f - 400.0f - mass) / (900.0f + 400.0f + mass + 50.0f / 3.0f); };
    EXPECT_NEAR(height_after_half_a_second(2.0f) / height_after_half_a_second(100.0f), rate(2.0f) / rate(100.0f),
                0.05f);
}

// What a cube bore while it had the inertia of its load would throw it about at 1000 m/s when it has lost that.
TEST(UnevenMasses, ABallOnACubeOfLightCubesThrowsNoneAbout) {
    for (const float ratio : {1000.0f, 3000.0f, 10000.0f, 100000.0f}) {
        World world(without_sleep());
        add(world, make_floor());
        for (int i = 0; i < 27; ++i) {
            const int row = i / 3 % 3, layer = i / 9;
            add(world, weighing(1.0f, Box{Vec3(0.15f)},
                                Vec3(0.5f * static_cast<float>(i % 3 - 1), 0.5f * static_cast<float>(row - 1),
                                     0.15f + 0.31f * static_cast<float>(layer))));
        }
        add(world, weighing(ratio, Sphere{0.8f}, Vec3(0, 0, 4.7f)));
        float fastest = 0.0f;
        for (int step = 0; step < 150; ++step) {
            world.step();
            const FrameState frame = published(world);
            ASSERT_TRUE(frame.stopped.empty()) << ratio;
            for (const BodyState& body : frame.bodies) {
                fastest = std::max(fastest, glm::length(body.linear_velocity));
            }
        }
        EXPECT_LT(fastest, 10.0f) << ratio; // the ball lands at 7.6 m/s
    }
}

// A crowded pen: the ball came back up as fast as it had come down, and faster when substeps became finer.
TEST(UnevenMasses, ABallThatSinksIntoAPenOfLightCubesStaysThere) {
    World world(without_sleep());
    add(world, make_floor());
    for (const float side : {-1.0f, 1.0f}) {
        add(world, make_static(Box{Vec3(0.5f, 2, 5)}, Vec3(1.3f * side, 0, 5)));
        add(world, make_static(Box{Vec3(0.8f, 0.5f, 5)}, Vec3(0, 1.3f * side, 5)));
    }
    for (int i = 0; i < 100; ++i) {
        const int row = i / 5 % 5, layer = i / 25;
        add(world, weighing(1.0f, Box{Vec3(0.14f)},
                            Vec3(0.3f * static_cast<float>(i % 5 - 2), 0.3f * static_cast<float>(row - 2),
                                 0.15f + 0.3f * static_cast<float>(layer))));
    }
    const BodyId ball = add(world, weighing(10000.0f, Sphere{0.7f}, Vec3(0, 0, 5)));
    float rise = 0.0f;
    for (int step = 0; step < 400; ++step) {
        world.step();
        rise = std::max(rise, state_of(world, ball).linear_velocity.z);
    }
    EXPECT_LT(rise, 2.0f); // it lands at 7.6 m/s
}

// A body that is joined to another has no more inertia than its own: impulses that a hundred thousand times as much had
// borne threw it away at hundreds of m/s.
TEST(UnevenMasses, WhatIsJoinedUnderAHugeLoadIsNotThrownAway) {
    for (const float mass : {1e5f, 1e6f}) {
        World world(without_sleep());
        add(world, make_floor());
        const BodyId light = add(world, cube(1.0f, Vec3(0, 0, 0.5f)));
        add(world, cube(mass, Vec3(0, 0, 1.5f)));
        const BodyId beside = add(world, weighing(1.0f, Box{Vec3(0.2f)}, Vec3(1.5f, 0, 0.2f)));
        run(world, 120);
        join(world, joint_at(world, JointKind::ball, light, beside, Vec3(1, 0, 0.3f)));
        float fastest = 0.0f;
        for (int step = 0; step < 30; ++step) {
            world.step();
            fastest = std::max(fastest, glm::length(state_of(world, light).linear_velocity));
        }
        EXPECT_LT(fastest, 20.0f) << mass;
    }
}

TEST(UnevenMasses, NothingIsLostInFreeFlight) {
    World world(weightless());
    BodyDef first = cube(400.0f, Vec3(-2, 0, 0));
    first.linear_velocity = Vec3(3, 0, 0);
    add(world, first);
    add(world, cube(1.0f, Vec3(0, 0, 0)));
    add(world, cube(400.0f, Vec3(1, 0, 0)));
    run(world, 120);
    EXPECT_NEAR(momentum(world).x, 1200.0, 0.01);
}

TEST(UnevenMasses, TheFloorCarriesTheWeightOfBoth) {
    World world(without_sleep());
    add(world, make_floor());
    add(world, cube(1.0f, Vec3(0, 0, 0.5f)));
    add(world, cube(900.0f, Vec3(0, 0, 1.52f)));
    run(world, 240);
    float lowest = 0.0f, upper = 0.0f; // N s
    for (const ContactState& contact : published(world).contacts) {
        (contact.point.z < 0.5f ? lowest : upper) += contact.normal_impulse;
    }
    EXPECT_NEAR(lowest, 901.0f * earth_gravity / 60.0f, 0.1f);
    EXPECT_NEAR(upper, 900.0f * earth_gravity / 60.0f, 0.1f);
}

} // namespace
} // namespace cairn::physics::testing
