// What a fast body does after an impact: it goes on within the step, and pushes what it meets.
#include "tests/physics/world/world_builder.h"

#include <cmath>

namespace cairn::physics::testing {
namespace {

Settings weightless_with(bool continuous) {
    Settings settings;
    settings.gravity = Vec3(0);
    settings.continuous = continuous;
    return settings;
}

// The way, in metres, by which a body that bounces between two walls without loss lags behind the closed form after ten
// seconds.
double way_lost(const Geometry& geometry, float speed) {
    constexpr double half_gap = 9.5; // of the centre of mass, m
    World world(weightless());
    for (const float side : {-1.0f, 1.0f}) {
        BodyDef wall = make_static(Box{Vec3(0.5f, 5, 5)}, Vec3(side * 10.5f, 0, 0));
        wall.material.restitution = 1.0f;
        add(world, wall);
    }
    BodyDef body = make_body(geometry, Vec3(0));
    body.linear_velocity = Vec3(speed, 0, 0);
    body.material.restitution = 1.0f;
    const BodyId id = add(world, body);
    double way = 0.0; // unfolded: which mirror image of the room the body is in follows from its direction
    int walls = 0;
    for (int i = 0; i < 600; ++i) {
        world.step();
        const BodyState state = state_of(world, id);
        const double seen = static_cast<double>(state.pose.position.x);
        // The image nearest to where it should be; it lags by far less than half a room.
        const double wanted = static_cast<double>(speed) * (i + 1) / 60.0;
        walls = static_cast<int>(std::floor((wanted + half_gap) / (2.0 * half_gap)));
        double best = 1e9;
        for (int image = walls - 2; image <= walls + 2; ++image) {
            const double x = 2.0 * half_gap * image + (image % 2 == 0 ? seen : -seen);
            best = std::abs(x - wanted) < std::abs(best - wanted) ? x : best;
        }
        way = wanted - best;
        EXPECT_NEAR(std::abs(state.linear_velocity.x), speed, 1e-3f * speed);
    }
    EXPECT_GT(walls, 8);
    return way / walls;
}

TEST(Onward, NoWayIsLostInBouncesBetweenWalls) {
    for (const float speed : {60.0f, 100.0f, 300.0f}) {
        // The solver answers where they meet. What comes within half a slop of the wall at the end of a step turns back
        // there: less than 2 mm a bounce.
        EXPECT_NEAR(way_lost(Sphere{0.5f}, speed), 0.0, 0.0002) << speed;
        EXPECT_NEAR(way_lost(Box{Vec3(0.5f)}, speed), 0.0, 0.002) << speed;
    }
}

TEST(Onward, GrazingTheFloorHoldsNothingBack) {
    World world;
    BodyDef floor = make_static(Box{Vec3(2000, 100, 1)}, Vec3(0, 0, -1));
    floor.material.friction = 0.0f;
    add(world, floor);
    BodyDef ball = make_body(Sphere{0.1f}, Vec3(0, 0, 2));
    ball.material.friction = 0.0f;
    ball.linear_velocity = Vec3(300, 0, -3);
    const BodyId id = add(world, ball);
    float x = 0.0f;
    float least = 10.0f;
    float lowest = 10.0f;
    for (int i = 0; i < 240; ++i) {
        world.step();
        const Vec3 position = state_of(world, id).pose.position;
        least = std::min(least, position.x - x);
        lowest = std::min(lowest, position.z);
        x = position.x;
    }
    EXPECT_NEAR(least, 5.0f, 0.005f);
    EXPECT_GT(lowest, 0.09f);
    EXPECT_LT(lowest, 0.12f);
}

TEST(Onward, FallingBallKeepsItsEnergyThroughManyBounces) {
    World world;
    BodyDef floor = make_floor();
    floor.material.restitution = 1.0f;
    add(world, floor);
    const BodyId id = add(world, make_body(Sphere{0.05f}, Vec3(0, 0, 20.05f)));
    int bounces = 0;
    float last = 0.0f;
    for (int i = 0; i < 3000; ++i) {
        world.step();
        const BodyState state = state_of(world, id);
        if (last < 0.0f && state.linear_velocity.z > 0.0f) {
            ++bounces;
            const float speed2 = glm::dot(state.linear_velocity, state.linear_velocity);
            const float energy = 9.81f * (state.pose.position.z - 0.05f) + 0.5f * speed2;
            EXPECT_NEAR(energy, 9.81f * 20.0f, 0.005f * 9.81f * 20.0f) << "bounce " << bounces;
        }
        last = state.linear_velocity.z;
    }
    EXPECT_GE(bounces, 11);
}

// How many of ten resting bodies a thin kinematic paddle at 100 m/s leaves behind.
int left_behind(bool continuous) {
    World world(weightless_with(continuous));
    BodyDef paddle = make_body(Box{Vec3(0.05f, 3, 3)}, Vec3(-10, 0, 0));
    paddle.type = BodyType::kinematic;
    paddle.linear_velocity = Vec3(100, 0, 0);
    const BodyId pushing = add(world, paddle);
    std::vector<BodyId> ids;
    for (int i = 0; i < 10; ++i) {
        const auto k = static_cast<float>(i);
        const Geometry geometry = i % 2 == 0 ? Geometry(Sphere{0.2f}) : Geometry(Box{Vec3(0.2f)});
        BodyDef body = make_body(geometry, Vec3(0.37f * k, -2.25f + 0.5f * k, 0));
        body.material.restitution = 0.5f;
        ids.push_back(add(world, body));
    }
    run(world, 40);
    int behind = 0;
    for (const BodyId id : ids) {
        behind += state_of(world, id).pose.position.x < state_of(world, pushing).pose.position.x ? 1 : 0;
    }
    EXPECT_EQ(state_of(world, pushing).linear_velocity, Vec3(100, 0, 0));
    return behind;
}

TEST(Onward, KinematicPaddlePushesSlowBodiesAndWithoutItPassesThrough) {
    EXPECT_EQ(left_behind(true), 0);
    EXPECT_GE(left_behind(false), 5);
}

// Two weightless beams beside each other, nearer than their length, that spin at 100 rad/s in one plane.
struct Beams {
    bool passed = false; // they never met
    double momentum_error = 0.0;
    double angular_error = 0.0;
    double energy_ratio = 0.0;
};

Beams spin_into_each_other(float phase, bool continuous) {
    Settings settings = weightless_with(continuous);
    World world(settings);
    const Vec3 half(3, 0.1f, 0.1f);
    std::vector<BodyId> ids;
    for (const float side : {-1.0f, 1.0f}) {
        BodyDef beam = make_body(Box{half}, Vec3(side * 2.6f, 0, 0));
        beam.pose.orientation = Quat(0.70710678f, 0, 0, 0.70710678f); // both along y: apart
        beam.angular_velocity = Vec3(0, 0, -100.0f - side * phase);
        beam.material.friction = 0.0f;
        beam.material.restitution = 1.0f;
        ids.push_back(add(world, beam));
    }
    const auto totals = [&](glm::dvec3& angular) {
        angular = glm::dvec3(0.0);
        double energy = 0.0;
        for (const BodyId id : ids) {
            const BodyState state = state_of(world, id);
            const double mass = static_cast<double>(world.model(id)->mass);
            const Mat3 turn = rotation_matrix(state.pose.orientation);
            const Mat3 inertia = turn * world.model(id)->inertia * glm::transpose(turn);
            const glm::dvec3 spin = glm::dmat3(inertia) * glm::dvec3(state.angular_velocity);
            const glm::dvec3 v(state.linear_velocity);
            angular += spin + mass * glm::cross(glm::dvec3(state.pose.position), v);
            energy += 0.5 * (glm::dot(spin, glm::dvec3(state.angular_velocity)) + mass * glm::dot(v, v));
        }
        return energy;
    };
    glm::dvec3 angular_before(0.0);
    const double energy_before = totals(angular_before);
    run(world, 6);
    glm::dvec3 angular_after(0.0);
    Beams beams;
    beams.energy_ratio = totals(angular_after) / energy_before;
    beams.momentum_error = glm::length(momentum(world));
    beams.angular_error = glm::length(angular_after - angular_before) / glm::length(angular_before);
    // Untouched beams still spin at full speed where they began.
    beams.passed = glm::length(state_of(world, ids[0]).linear_velocity) < 0.1f;
    return beams;
}

TEST(Onward, BeamsSpinningIntoEachOtherCollideInEveryPhaseAndKeepTheirMomentum) {
    int passed = 0;
    int passed_without = 0;
    for (int i = 0; i < 20; ++i) {
        const auto phase = static_cast<float>(i);
        const Beams beams = spin_into_each_other(phase, true);
        passed += beams.passed ? 1 : 0;
        EXPECT_LT(beams.momentum_error, 0.1) << i; // of 120 kg at tens of m/s
        EXPECT_LT(beams.angular_error, 1e-3) << i;
        EXPECT_LT(beams.energy_ratio, 1.01) << i;
        passed_without += spin_into_each_other(phase, false).passed ? 1 : 0;
    }
    EXPECT_EQ(passed, 0);
    EXPECT_GT(passed_without, 15);
}

TEST(Onward, SleeperHitByAFastBallWakesAndFlies) {
    World world;
    add(world, make_floor());
    BodyDef crate = make_body(Box{Vec3(0.25f)}, Vec3(0, 0, 0.25f));
    const BodyId hit = add(world, crate);
    for (int i = 0; i < 300 && !state_of(world, hit).sleeping; ++i) {
        world.step();
    }
    ASSERT_TRUE(state_of(world, hit).sleeping);
    BodyDef ball = make_body(Sphere{0.2f}, Vec3(-20, 0, 0.3f));
    ball.linear_velocity = Vec3(200, 0, 0);
    add(world, ball);
    bool flew = false;
    for (int i = 0; i < 12; ++i) {
        world.step();
        flew = flew || state_of(world, hit).linear_velocity.x > 20.0f;
    }
    EXPECT_TRUE(flew);
    EXPECT_FALSE(state_of(world, hit).sleeping);
    EXPECT_GT(state_of(world, hit).pose.position.x, 0.5f);
}

} // namespace
} // namespace cairn::physics::testing
