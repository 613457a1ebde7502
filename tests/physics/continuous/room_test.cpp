// Bodies of all shapes thrown about a closed room at 50 to 500 m/s. A sample in the ordinary run; ten thousand bodies
// for ten seconds with CAIRN_LONG=1.
#include "physics/query/distance.h"
#include "tests/long_run.h"
#include "tests/physics/world/two_threads.h"
#include "tests/physics/world/world_builder.h"
#include "tests/sanitized.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>

namespace cairn::physics::testing {
namespace {

constexpr float wall = 0.25f; // half the thickness of walls, floor and lid, m

struct ThrownBody {
    int bodies = 0;
    float size = 0.0f; // half the inner width of the room, m
    int steps = 0;     // in flight
    bool settles = false;
    bool continuous = true;
    Executor* executor = nullptr;
    float gravity = 0.0f; // m/s^2, down
    unsigned seed = 5;
};

struct Outcome {
    int outside = 0;           // bodies whose centre is beyond the inner side of a wall
    float deepest = 0.0f;      // m, into a wall, at the end
    float deepest_ever = 0.0f; // m, into a wall, after any step in flight
    int deep = 0;              // bodies that were ever deeper than 15 mm
    double energy_gain = 0.0;  // relative to the start
    std::uint32_t spin_limited = 0;
    // Of the steps that bodies faster than 20 m/s took: all, and those in which a body moved less than a tenth of its
    // way.
    long fast_steps = 0, held_steps = 0;
    std::uint64_t hash = 0;
};

Outcome throw_about(const ThrownBody& thrown) {
    Settings settings;
    settings.continuous = thrown.continuous;
    settings.gravity = Vec3(0, 0, -thrown.gravity);
    World world(settings, thrown.executor);
    std::vector<BodyId> walls;
    for (int axis = 0; axis < 3; ++axis) {
        for (const float side : {-1.0f, 1.0f}) {
            Vec3 half(thrown.size + 2.0f * wall);
            Vec3 at(0.0f);
            half[axis] = wall;
            at[axis] = side * (thrown.size + wall);
            BodyDef def = make_static(Box{half}, at);
            def.material.restitution = 0.8f;
            walls.push_back(add(world, def));
        }
    }
    std::mt19937 generator(thrown.seed);
    const auto uniform = [&](float low, float high) {
        return low + (high - low) * static_cast<float>(generator() % 1000000u) * 1e-6f;
    };
    const auto vector = [&](float reach) {
        const float x = uniform(-reach, reach);
        const float y = uniform(-reach, reach);
        return Vec3(x, y, uniform(-reach, reach));
    };
    const std::array<Geometry, 8> kinds{Box{Vec3(0.2f, 0.3f, 0.4f)},
                                        Sphere{0.25f},
                                        Diamond{0.4f},
                                        Capsule{0.15f, 0.3f},
                                        Cylinder{0.2f, 0.3f},
                                        Box{Vec3(0.8f, 0.08f, 0.08f)},
                                        Cone{0.3f, 0.6f},
                                        Box{Vec3(0.3f, 0.3f, 0.05f)}};
    const int side = static_cast<int>(std::ceil(std::cbrt(static_cast<double>(thrown.bodies))));
    const float spacing = 2.0f * (thrown.size - 0.9f) / static_cast<float>(side);
    std::vector<BodyId> ids;
    std::vector<Vec3> last;
    for (int i = 0; i < thrown.bodies; ++i) {
        const Vec3 cell(static_cast<float>(i % side), static_cast<float>(i / side % side),
                        static_cast<float>(i / (side * side)));
        const Vec3 at = Vec3(0.9f - thrown.size) + spacing * (cell + Vec3(0.5f));
        BodyDef def = make_body(kinds[static_cast<std::size_t>(i) % kinds.size()], at);
        const Vec3 direction = normalized_or(vector(1.0f), Vec3(1, 0, 0));
        def.linear_velocity = uniform(50.0f, 500.0f) * direction;
        def.angular_velocity = vector(50.0f);
        def.material.restitution = 0.8f;
        ids.push_back(add(world, def));
        last.push_back(at);
    }
    Outcome outcome;
    std::vector<float> deepest(ids.size(), 0.0f);
    FrameState frame = published(world);
    const double energy = frame.stats.kinetic_energy;
    for (int i = 0; i < thrown.steps; ++i) {
        world.step();
        world.publish(frame);
        outcome.energy_gain = std::max(outcome.energy_gain, frame.stats.kinetic_energy / energy - 1.0);
        outcome.spin_limited += frame.stats.spin_limited;
        for (std::size_t k = 0; k < ids.size(); ++k) {
            const BodyState& body = frame.bodies[walls.size() + k];
            const float way = glm::length(body.linear_velocity) / settings.hz;
            if (way * settings.hz > 20.0f) {
                ++outcome.fast_steps;
                outcome.held_steps += glm::length(body.pose.position - last[k]) < 0.1f * way ? 1 : 0;
            }
            last[k] = body.pose.position;
            const Aabb box = bounds(*frame.models[walls.size() + k]->parts[0].shape, body.pose);
            for (int axis = 0; axis < 3; ++axis) {
                deepest[k] = std::max({deepest[k], box.upper[axis] - thrown.size, -thrown.size - box.lower[axis]});
            }
        }
    }
    outcome.hash = world.hash();
    outcome.deepest_ever = *std::max_element(deepest.begin(), deepest.end());
    outcome.deep = static_cast<int>(std::count_if(deepest.begin(), deepest.end(), [](float d) { return d > 0.015f; }));
    if (thrown.settles) { // the air grows thick, and every body comes to rest where it is
        for (const BodyId id : ids) {
            SetBody slow;
            slow.body = id;
            slow.linear_damping = slow.angular_damping = 10.0f;
            EXPECT_TRUE(world.apply(slow).ok());
        }
        run(world, 120);
    }
    for (const BodyId id : ids) {
        const BodyState body = state_of(world, id);
        const Vec3 p = glm::abs(body.pose.position);
        outcome.outside += std::max({p.x, p.y, p.z}) > thrown.size ? 1 : 0;
        for (const BodyId other : walls) {
            const float distance = signed_distance(*world.model(other)->parts[0].shape, state_of(world, other).pose,
                                                   *world.model(id)->parts[0].shape, body.pose)
                                       .distance;
            outcome.deepest = std::max(outcome.deepest, -distance);
        }
    }
    return outcome;
}

// A thin plate or rod that spins beside a wall by three radians a step may creep into it by more than the centimetre
// and a half that all others keep to, one in a thousand of them; whether there is one among 400 is chance.
TEST(Room, NothingLeavesItNothingSticksInAWallAndNothingStandsStillInTheAir) {
    int bodies = 0, deep = 0;
    for (const unsigned seed : {5u, 6u, 7u, 8u, 9u, 10u, 11u, 12u}) {
        ThrownBody thrown{400, 10.0f, 120, true};
        if (long_run()) {
            thrown = {10000, 20.0f, 600, true};
        }
        thrown.seed = seed;
        const Outcome outcome = throw_about(thrown);
        std::printf(
            "deepest %.4f m, on the way %.4f m, %d deeper than 15 mm, spins limited %u, held in %ld of %ld fast "
            "steps, energy gain %.2g\n",
            static_cast<double>(outcome.deepest), static_cast<double>(outcome.deepest_ever), outcome.deep,
            outcome.spin_limited, outcome.held_steps, outcome.fast_steps, outcome.energy_gain);
        EXPECT_EQ(outcome.outside, 0);
        EXPECT_LT(outcome.deepest, 0.0075f) << "the slop and half as much again";
        EXPECT_LT(outcome.energy_gain, 0.01);
        EXPECT_GT(outcome.spin_limited, 0u) << "the limit is reached and reported";
        EXPECT_GT(outcome.fast_steps, 10L * thrown.bodies);
        EXPECT_LT(outcome.deepest_ever, 0.03f);
        // Bodies jammed among others; standing still after each impact they were one in six, answered pair by pair one
        // in a hundred.
        EXPECT_LT(outcome.held_steps, outcome.fast_steps / 150);
        bodies += thrown.bodies;
        deep += outcome.deep;
        if (sanitized || long_run()) {
            break;
        }
    }
    EXPECT_LE(deep, std::max(1, bodies / 400)) << "of " << bodies;
}

// Balls of steel that are shot into a wall of bricks. Rows that acted on bodies from many times their size away made
// them spin without bound: 331 times in the first second something was stopped, since its motion was not finite.
TEST(Room, ShotsIntoAWallGainNoEnergy) {
    for (const float speed : {200.0f, 300.0f}) {
        Settings settings = without_sleep();
        settings.max_short_steps = speed > 250.0f ? 1 : 8;
        World world(settings);
        add(world, make_static(Box{Vec3(20, 20, 0.5f)}, Vec3(0, 0, -0.5f)));
        for (int i = 0; i < 240; ++i) {
            const float x = 0.2f * static_cast<float>(i % 20 - 10) + (i / 20 % 2 == 0 ? 0.0f : 0.1f);
            add(world, make_body(Box{Vec3(0.1f, 0.05f, 0.05f)}, Vec3(x, 0, 0.05f + 0.1f * static_cast<float>(i / 20))));
        }
        std::mt19937 generator(7);
        const auto uniform = [&](float low, float high) {
            return low + (high - low) * static_cast<float>(generator() % 1000000u) * 1e-6f;
        };
        for (int i = 0; i < 40; ++i) {
            const float x = uniform(-1.5f, 1.5f);
            BodyDef ball = make_body(Sphere{0.02f}, Vec3(x, -5.0f - 1.5f * static_cast<float>(i), uniform(0.1f, 1.1f)));
            ball.density = 8000.0f;
            ball.linear_velocity = Vec3(0, speed, 0);
            add(world, ball);
        }
        FrameState frame = published(world);
        const double energy = frame.stats.kinetic_energy;
        for (int step = 0; step < 60; ++step) {
            world.step();
            world.publish(frame);
            ASSERT_TRUE(frame.stopped.empty()) << "at " << speed << " m/s in step " << step;
            ASSERT_LT(frame.stats.kinetic_energy, 1.02 * energy) << "at " << speed << " m/s in step " << step;
        }
        EXPECT_LT(frame.stats.kinetic_energy, 0.5 * energy) << "they have hit nothing";
    }
}

// Slower than what is swept, twisting by half a radian a step: the point of the rim that a contact made ahead keeps is
// lifted by the twist, and others come down in its place, 23 mm deep into the wall when nobody looked.
TEST(Room, RimsThatTurnDoNotSinkIntoItsWalls) {
    std::mt19937 generator(12);
    const auto uniform = [&](float low, float high) {
        return low + (high - low) * static_cast<float>(generator() % 1000000u) * 1e-6f;
    };
    float deepest = 0.0f;
    for (int n = 0; n < 200; ++n) {
        Settings settings;
        settings.gravity = Vec3(0.0f);
        World world(settings);
        add(world, make_static(Box{Vec3(5, 5, wall)}, Vec3(0, 0, -wall)));
        BodyDef def = n % 2 == 0 ? make_body(Cylinder{0.2f, 0.3f}, Vec3(0, 0, 0.6f))
                                 : make_body(Cone{0.3f, 0.6f}, Vec3(0, 0, 0.6f));
        const float tilt = uniform(0.3f, 1.2f);
        def.pose.orientation = Quat(std::cos(0.5f * tilt), std::sin(0.5f * tilt), 0.0f, 0.0f);
        def.pose.position.z += uniform(0.0f, 0.1f);
        const float spin = uniform(25.0f, 40.0f);
        def.angular_velocity = spin * (def.pose.orientation * Vec3(0, 0, 1));
        def.linear_velocity = Vec3(0, 0, -uniform(3.0f, 5.0f));
        const BodyId id = add(world, def);
        FrameState frame;
        for (int step = 0; step < 20; ++step) {
            world.step();
            world.publish(frame);
            const BodyState& body = frame.bodies[1];
            ASSERT_EQ(body.id, id);
            deepest = std::max(deepest, -bounds(*frame.models[1]->parts[0].shape, body.pose).lower.z);
            if (body.linear_velocity != def.linear_velocity) {
                break; // it has met the wall
            }
        }
    }
    std::printf("deepest rim %.4f m\n", static_cast<double>(deepest));
    EXPECT_LT(deepest, 0.008f);
}

// They come down in heaps, in which slow bodies are hit by fast ones. What is too fast for contacts made ahead must be
// swept: in the gap between the two a ball sank 9 cm into the wall within a step.
TEST(Room, BodiesThatComeToRestInItUnderGravityDoNotSinkIntoItsWalls) {
    ThrownBody thrown{250, 6.0f, 240};
    thrown.gravity = 9.81f;
    const Outcome outcome = throw_about(thrown);
    std::printf("deepest %.4f m, on the way %.4f m, held in %ld of %ld fast steps\n",
                static_cast<double>(outcome.deepest), static_cast<double>(outcome.deepest_ever), outcome.held_steps,
                outcome.fast_steps);
    EXPECT_EQ(outcome.outside, 0);
    EXPECT_LT(outcome.deepest_ever, 0.025f) << "plates that a heap shakes give way by more than in flight";
    EXPECT_LT(outcome.deepest, 0.025f);
    EXPECT_GT(outcome.fast_steps, 10L * thrown.bodies);
    thrown.continuous = false;
    EXPECT_GT(throw_about(thrown).outside, 200);
}

TEST(Room, WithoutContinuousCollisionMostLeaveIt) {
    const Outcome outcome = throw_about({200, 10.0f, 60, false, false});
    EXPECT_GT(outcome.outside, 150);
}

TEST(Room, HasTheSameBitsOnTwoThreads) {
    TwoThreads two;
    ThrownBody thrown{200, 8.0f, 40};
    const std::uint64_t alone = throw_about(thrown).hash;
    thrown.executor = &two;
    EXPECT_EQ(throw_about(thrown).hash, alone);
}

} // namespace
} // namespace cairn::physics::testing
