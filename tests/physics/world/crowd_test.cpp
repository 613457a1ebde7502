// Crowds: what a step does in them is bounded by their size.
#include "physics/query/time_of_impact.h"
#include "tests/physics/joints/joint_builder.h"
#include "tests/sanitized.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cairn::physics::testing {
namespace {

// Numbers that are spread evenly over -0.5..0.5.
float spread(int i, int k) {
    const double share = 0.754877666 * i + 0.569840291 * k + 0.1 * i * k;
    return static_cast<float>(share - std::floor(share)) - 0.5f;
}

struct Cost {
    std::uint32_t impacts = 0, held = 0, contacts = 0, points = 0; // the most in a step; held: in a short step
    float fastest = 0.0f;                                          // m/s
    FrameState last;
};

Cost run_and_count(World& world, int steps) {
    Cost cost;
    for (int step = 0; step < steps; ++step) {
        world.step();
        world.publish(cost.last);
        const StepStats& stats = cost.last.stats;
        cost.impacts = std::max(cost.impacts, stats.continuous_hits - stats.held);
        cost.held = std::max(cost.held, (stats.held + stats.short_steps - 1) / stats.short_steps);
        cost.contacts = std::max(cost.contacts, stats.contacts);
        cost.points = std::max(cost.points, stats.contact_points);
        for (const BodyState& body : cost.last.bodies) {
            cost.fastest = std::max(cost.fastest, glm::length(body.linear_velocity));
        }
    }
    return cost;
}

World heap_of_overlapping_cubes(int count) {
    Settings settings = without_sleep();
    World world(settings);
    add(world, make_floor());
    for (int i = 0; i < count; ++i) {
        add(world, make_body(Box{Vec3(0.3f)}, Vec3(1.2f * spread(i, 1), 1.2f * spread(i, 2), 2.0f + spread(i, 3))));
    }
    return world;
}

TEST(Crowd, CubesInsideEachOtherCostWhatAHeapCosts) {
    constexpr int count = 200;
    World world = heap_of_overlapping_cubes(count);
    const Cost first = run_and_count(world, 1);
    // Nearly all of the 19,900 pairs of them overlap.
    EXPECT_LT(first.contacts, 16u * count);
    EXPECT_LT(first.points, 2u * first.contacts);
    const Cost all = run_and_count(world, 600);
    EXPECT_LT(all.contacts, 16u * count);
    // Pushes add up along chains of bodies, and no further.
    EXPECT_LT(all.fastest, 12.0f * world.settings().max_push_speed);
    EXPECT_LT(all.last.stats.max_penetration, 0.02f) << "they have all come out of each other";
    for (const BodyState& body : all.last.bodies) {
        EXPECT_TRUE(body.type == BodyType::fixed || body.pose.position.z > 0.25f);
    }
}

// A few that lie in others come out as they did when there was no limit, and so does a large one that lies in hundreds.
TEST(Crowd, OneThatLiesInManyComesOutOfAll) {
    Settings settings = weightless();
    World world(settings);
    for (int i = 0; i < 60; ++i) {
        add(world, make_body(Box{Vec3(0.15f)}, Vec3(1.4f * spread(i, 1), 1.4f * spread(i, 2), 1.4f * spread(i, 3))));
    }
    add(world, make_body(Box{Vec3(1.0f)}, Vec3(0)));
    const Cost cost = run_and_count(world, 900);
    EXPECT_LT(cost.last.stats.max_penetration, 0.02f);
    EXPECT_LT(cost.fastest, 12.0f * settings.max_push_speed);
}

// Which bodies are on their way out of others goes with the state.
TEST(Crowd, GoesOnFromASnapshotWithTheSameBits) {
    World world = heap_of_overlapping_cubes(60);
    run(world, 20);
    World other(world.settings());
    other.restore(*world.snapshot());
    run(world, 100);
    run(other, 100);
    EXPECT_EQ(world.hash(), other.hash());
}

// A paddle wheel in a box full of cubes: whatever is driven into the crowd, a body is held once in a step at most, and
// answers a few impacts.
TEST(Crowd, IsStirredInBoundedWork) {
    Settings settings = without_sleep();
    World world(settings);
    add(world, make_floor());
    for (const float side : {-1.0f, 1.0f}) {
        add(world, make_static(Box{Vec3(0.5f, 4, 4)}, Vec3(3.5f * side, 0, 4)));
        add(world, make_static(Box{Vec3(4, 0.5f, 4)}, Vec3(0, 3.5f * side, 4)));
    }
    add(world, make_static(Box{Vec3(4, 4, 0.5f)}, Vec3(0, 0, 8.5f)));
    BodyDef wheel;
    wheel.type = BodyType::kinematic;
    wheel.pose.position = Vec3(0, 0, 2.0f);
    for (const float turn : {0.0f, 0.25f, 0.5f, 0.75f}) {
        const float angle = turn * 3.14159265f;
        wheel.shapes.push_back({Box{Vec3(1.9f, 2.9f, 0.1f)}, Transform{Vec3(0), glm::angleAxis(angle, Vec3(0, 1, 0))}});
    }
    wheel.angular_velocity = Vec3(0, 12.0f, 0);
    add(world, wheel);
    constexpr std::uint32_t count = 400;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto n = static_cast<int>(i);
        add(world, make_body(Box{Vec3(0.2f)}, Vec3(0.55f * static_cast<float>(n % 10 - 4) - 0.25f,
                                                   0.55f * static_cast<float>(n / 10 % 10 - 4) - 0.25f,
                                                   4.2f + 0.5f * static_cast<float>(n / 100))));
    }
    const Cost cost = run_and_count(world, sanitized ? 60 : 240);
    EXPECT_LE(cost.held, count);
    EXPECT_LT(cost.impacts, 4u * count);
    EXPECT_GT(cost.held + cost.impacts, 0u) << "nothing was driven fast";
    for (const BodyState& body : cost.last.bodies) {
        if (body.type == BodyType::dynamic) {
            const Vec3 p = body.pose.position;
            EXPECT_TRUE(std::abs(p.x) < 3.0f && std::abs(p.y) < 3.0f && p.z > 0.0f) << "one has left the box";
        }
    }
}

float deepest_within(World& world, int steps) {
    FrameState frame;
    float deepest = 0.0f;
    for (int step = 0; step < steps; ++step) {
        world.step();
        world.publish(frame);
        deepest = std::max(deepest, frame.stats.max_penetration);
    }
    return deepest;
}

// A closed drum whose middle is 10 m up, of walls that are twice `half` thick.
BodyDef make_drum(float radius, float half) {
    BodyDef drum;
    drum.pose.position = Vec3(0, 0, 10);
    for (const float side : {-radius, radius}) {
        drum.shapes.push_back({Box{Vec3(half, radius, radius)}, Transform{Vec3(side, 0, 0)}});
        drum.shapes.push_back({Box{Vec3(radius, radius, half)}, Transform{Vec3(0, 0, side)}});
        drum.shapes.push_back({Box{Vec3(radius, half, radius)}, Transform{Vec3(0, side, 0)}});
    }
    return drum;
}

// In layers of 96.
void fill_drum(World& world, const Geometry& geometry, int count) {
    for (int i = 0; i < count; ++i) {
        add(world, make_body(geometry, Vec3(-5.0f + 0.8f * static_cast<float>(i % 12),
                                            -2.0f + 0.8f * static_cast<float>(i / 12 % 8),
                                            5.0f + 0.7f * static_cast<float>(i / 96))));
    }
}

// Of all bodies after the first, which is the drum.
int count_outside(const World& world, float radius) {
    const FrameState frame = published(world);
    const Transform& drum = frame.bodies.front().pose;
    return static_cast<int>(std::count_if(frame.bodies.begin() + 1, frame.bodies.end(), [&](const BodyState& body) {
        const Vec3 place = to_local(drum, body.pose.position);
        return std::max({std::abs(place.x), std::abs(place.y), std::abs(place.z)}) > radius;
    }));
}

// The drum's wall comes at 8 m/s to a crowd that falls at 11 m/s. What it takes along meets others, and is not left
// behind for that.
TEST(Crowd, DoesNotSinkIntoAWallThatComesToIt) {
    World world(without_sleep());
    BodyDef drum = make_drum(8.0f, 0.5f);
    drum.type = BodyType::kinematic;
    drum.angular_velocity = Vec3(0, 1, 0);
    add(world, drum);
    fill_drum(world, Box{Vec3(0.25f)}, 960);
    run(world, 45);
    EXPECT_LT(deepest_within(world, 45), 0.1f);
}

// What is held in a moving crowd moves on with it. If it stood still, the wall would come a little deeper into it in
// every step: of these 288, 136 and more got out of the drum within seven seconds.
TEST(Crowd, StaysInADrumOfThinWalls) {
    const std::vector<Geometry> geometries{Box{Vec3(0.3f, 0.3f, 0.03f)}, Sphere{0.06f}, Capsule{0.05f, 0.3f}};
    for (const float hz : {60.0f, 240.0f}) {
        for (std::size_t i = 0; i < geometries.size(); ++i) {
            Settings settings = without_sleep();
            settings.hz = hz;
            World world(settings);
            BodyDef drum = make_drum(8.0f, i == 0 ? 0.05f : 0.02f);
            drum.type = BodyType::kinematic;
            drum.angular_velocity = Vec3(0, i == 0 ? 3 : 2, 0);
            add(world, drum);
            fill_drum(world, geometries[i], 288);
            run(world, sanitized ? 60 : 400);
            EXPECT_EQ(count_outside(world, 8.05f), 0) << i << " at " << hz << " Hz";
        }
    }
}

// The same in a drum that a motor turns. It weighs far more than what is in it, and turns as fast as its velocity says.
// At 240 Hz plates that were stopped for the sake of others came a little deeper into it in every step, and got out.
void expect_all_stay_in_a_drum_that_a_motor_turns(float hz, int steps) {
    Settings settings = without_sleep();
    settings.hz = hz;
    World world(settings);
    const BodyId id = add(world, make_drum(8.0f, 0.05f));
    JointDef hinge = joint_at(world, JointKind::hinge, {}, id, Vec3(0, 0, 10), z_to_y());
    hinge.motor = JointMotor{2.0f, 1e9f};
    join(world, hinge);
    fill_drum(world, Box{Vec3(0.3f, 0.3f, 0.03f)}, 480);
    float turned = 0.0f, expected = 0.0f; // rad
    Quat last = state_of(world, id).pose.orientation;
    for (int i = 0; i < (sanitized ? 60 : steps); ++i) {
        world.step();
        const BodyState now = state_of(world, id);
        turned += glm::length(angular_velocity_between(last, now.pose.orientation, 1.0f));
        expected += world.settings().dt() * glm::length(now.angular_velocity);
        last = now.pose.orientation;
    }
    EXPECT_EQ(count_outside(world, 8.05f), 0);
    EXPECT_GT(turned, 0.97f * expected);
}

TEST(Crowd, StaysInADrumThatAMotorTurns) {
    expect_all_stay_in_a_drum_that_a_motor_turns(60.0f, 300);
}

TEST(Crowd, StaysInADrumThatAMotorTurnsInMoreSteps) {
    expect_all_stay_in_a_drum_that_a_motor_turns(240.0f, 450);
}

// A slab of 16,000 t falls on two layers of cubes: each moves slowly, but between slab and floor no solver turns that
// momentum round in a step.
TEST(Crowd, IsNotPressedThroughAThinFloor) {
    World world(without_sleep());
    add(world, make_static(Box{Vec3(10, 10, 0.05f)}, Vec3(0, 0, -0.05f)));
    for (const float side : {-1.0f, 1.0f}) {
        add(world, make_static(Box{Vec3(0.5f, 6, 10)}, Vec3(5.5f * side, 0, 10)));
        add(world, make_static(Box{Vec3(6, 0.5f, 10)}, Vec3(0, 5.5f * side, 10)));
    }
    for (int i = 0; i < 512; ++i) {
        add(world, make_body(Box{Vec3(0.25f)}, Vec3(-4.4f + 0.55f * static_cast<float>(i % 16),
                                                    -4.4f + 0.55f * static_cast<float>(i / 16 % 16),
                                                    0.3f + 0.55f * static_cast<float>(i / 256))));
    }
    BodyDef slab = make_body(Box{Vec3(4.5f, 4.5f, 0.5f)}, Vec3(0, 0, 2.4f));
    slab.density = 200000.0f;
    slab.linear_velocity = Vec3(0, 0, -12);
    add(world, slab);
    EXPECT_LT(deepest_within(world, 60), 0.2f) << "never as far as the middle of a cube";
    for (const BodyId id : world.body_ids()) {
        const BodyState body = state_of(world, id);
        EXPECT_TRUE(body.type == BodyType::fixed || body.pose.position.z > 0.0f);
    }
}

} // namespace
} // namespace cairn::physics::testing
