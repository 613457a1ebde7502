// What rolls and spins without slip does no work: what it loses all the same goes down with the step.
#include "tests/physics/behaviour/body_energy.h"
#include "tests/physics/world/mesh_builder.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics::testing {
namespace {

World floor_at(float hz, float friction) {
    Settings settings = without_sleep();
    settings.hz = hz;
    World world(settings);
    BodyDef floor = make_floor();
    floor.material.friction = friction;
    add(world, floor);
    return world;
}

// Euler's disk of half a metre in steady precession: tilted by the angle a, it rolls about the diameter through its
// lowest point, at the rate of precession 2 (g / (R sin a))^1/2 (H. K. Moffatt, "Euler's disk and its finite-time
// singularity", 2000).
BodyDef eulers_disk(float tilt = 0.5f) {
    constexpr float radius = 0.5f, half_height = 0.02f;
    const float s = std::sin(tilt), c = std::cos(tilt);
    BodyDef def = make_body(Cylinder{radius, half_height}, Vec3(0, 0, radius * s + half_height * c));
    def.pose.orientation = glm::angleAxis(tilt, Vec3(1, 0, 0));
    def.material.friction = 0.8f;
    def.angular_velocity = (2.0f * std::sqrt(9.81f / (radius * s)) * s) * Vec3(0, c, s);
    return def;
}

// Share of its energy that it loses in half a second.
double lost_by_disk(float hz) {
    World world = floor_at(hz, 0.8f);
    const BodyId disk = add(world, eulers_disk());
    const double before = mechanical_energy(world, disk);
    run(world, static_cast<int>(0.5f * hz));
    return 1.0 - mechanical_energy(world, disk) / before;
}

TEST(RollingEnergy, EulersDiskLosesLessTheShorterTheStep) {
    double last = lost_by_disk(60.0f);
    EXPECT_LT(last, 0.12);
    for (const float hz : {120.0f, 240.0f, 480.0f}) {
        const double now = lost_by_disk(hz);
        EXPECT_GT(now, 0.0);
        EXPECT_LT(now, last / 1.6) << hz << " Hz";
        last = now;
    }
}

// At 60 Hz, 4 substeps; it stopped after 1.1 s while it stumbled over the corners of a polygon.
TEST(RollingEnergy, EulersDiskRings) {
    World world = floor_at(60.0f, 0.8f);
    const BodyId disk = add(world, eulers_disk());
    const auto up = [&] { return rotate(state_of(world, disk).pose.orientation, Vec3(0, 0, 1)).z; };
    run(world, 180);
    EXPECT_LT(up(), std::cos(0.2f));
    run(world, 420);
    EXPECT_GT(up(), std::cos(0.02f)) << "it lies down in the end";
}

// Disks that lean, spin and slide in every way: none gains what a reading of its speed half a substep off does not
// explain.
TEST(RollingEnergy, NoRimGainsEnergy) {
    for (const float tilt : {0.15f, 0.3f, 0.5f, 0.8f}) {
        for (const float spin : {0.3f, 0.6f, 1.5f, 3.0f}) {
            World world = floor_at(60.0f, 0.8f);
            BodyDef def = eulers_disk(tilt);
            def.angular_velocity *= spin;
            const BodyId disk = add(world, def);
            world.step();
            const double before = mechanical_energy(world, disk);
            double most = before;
            for (int step = 0; step < 480; ++step) {
                world.step();
                most = std::max(most, mechanical_energy(world, disk));
            }
            EXPECT_LT(most, 1.01 * before) << tilt << ", " << spin;
        }
    }
}

TEST(RollingEnergy, ACoinAndABallRollOn) {
    for (const float hz : {60.0f, 240.0f}) {
        for (const bool coin : {true, false}) {
            World world = floor_at(hz, 0.8f);
            BodyDef def =
                coin ? make_body(Cylinder{0.5f, 0.02f}, Vec3(0, 0, 0.5f)) : make_body(Sphere{0.5f}, Vec3(0, 0, 0.5f));
            def.pose.orientation = glm::angleAxis(1.57079633f, Vec3(1, 0, 0));
            def.material.friction = 0.8f;
            def.linear_velocity = Vec3(4, 0, 0);
            def.angular_velocity = Vec3(0, 8, 0);
            const BodyId body = add(world, def);
            const double before = mechanical_energy(world, body);
            run(world, static_cast<int>(10.0f * hz));
            EXPECT_NEAR(mechanical_energy(world, body), before, 3e-4 * before) << hz << " Hz, coin " << coin;
            EXPECT_NEAR(state_of(world, body).pose.position.y, 0.0f, 0.01f);
        }
    }
}

// A ball whose weight sits low, spun about the vertical: at this friction and spin it sleeps, and its tilt after twenty
// seconds approaches what it is as the step goes to zero with the first order of the step.
TEST(RollingEnergy, AHeavyBottomedTopStaysUpright) {
    const auto tilt_after = [](float hz) {
        World world = floor_at(hz, 0.3f);
        BodyDef def;
        def.shapes.push_back({Sphere{0.5f}, {}});
        Transform low;
        low.position = Vec3(0, 0, -0.15f);
        def.shapes.push_back({Sphere{0.3f}, low});
        def.material.friction = 0.3f;
        def.pose.position = Vec3(0, 0, 0.5f);
        def.pose.orientation = glm::angleAxis(0.02f, Vec3(1, 0, 0));
        def.angular_velocity = Vec3(0.2f, 0, 20);
        const BodyId top = add(world, def);
        run(world, static_cast<int>(20.0f * hz));
        const Vec3 up = rotate(state_of(world, top).pose.orientation, Vec3(0, 0, 1));
        return std::acos(std::clamp(up.z, -1.0f, 1.0f)) * 57.29578f;
    };
    const float finest = tilt_after(480.0f);
    EXPECT_LT(finest, 2.5f);
    const float coarse = tilt_after(60.0f) - finest, fine = tilt_after(120.0f) - finest;
    EXPECT_LT(coarse, 5.0f);
    EXPECT_LT(fine, coarse / 1.5f);
}

// What is 5 cm high, let go in a bowl or trough of half a metre, at this angle from its lowest point: the greatest and
// the last of its energies within ten seconds, as shares of the first. The corners of the ground take their part, 4 and
// 2.5 % of what it has in a second at 1 radian (sliding, rolling: a polygon whose inner path it follows).
struct SwingEnergy {
    double most = 0.0, last = 0.0;
};
SwingEnergy energy_in(const Mesh& ground, const Geometry& shape, float hz, float friction, float angle) {
    Settings settings = without_sleep();
    settings.hz = hz;
    World world(settings);
    BodyDef below = make_static(ground, Vec3(0.0f));
    below.material.friction = friction;
    add(world, below);
    constexpr float radius = 0.05f, path = 0.45f;
    BodyDef def = make_body(shape, Vec3(path * std::sin(angle), 0.003f, 0.5005f - path * std::cos(angle)));
    def.pose.orientation = glm::angleAxis(1.57079633f, Vec3(1, 0, 0)); // axes of barrels lie along the trough
    def.material.friction = friction;
    const BodyId body = add(world, def);
    const double lowest = static_cast<double>(world.model(body)->mass) * 9.81 * static_cast<double>(radius);
    const double before = mechanical_energy(world, body) - lowest;
    SwingEnergy energy;
    for (int step = 0; step < static_cast<int>(10.0f * hz); ++step) {
        world.step();
        energy.last = (mechanical_energy(world, body) - lowest) / before;
        energy.most = std::max(energy.most, energy.last);
    }
    return energy;
}

float round_ground(float squared) {
    return 0.5f - std::sqrt(0.25f - std::min(squared, 0.24f));
}

// Between two steps it rolls over several triangles; held by the first alone, it sank into those that followed and was
// lifted out of them, and climbed higher with each swing: to three times its height in ten seconds at 60 Hz.
TEST(RollingEnergy, ABallInABowlClimbsNoHigher) {
    const Mesh bowl = make_terrain(42, 0.02f, 0.0f, [](float x, float y) { return round_ground(x * x + y * y); });
    for (const float hz : {60.0f, 120.0f}) {
        for (const float friction : {0.0f, 0.6f}) {
            for (const float angle : {0.3f, 0.6f, 1.0f}) {
                const SwingEnergy energy = energy_in(bowl, Sphere{0.05f}, hz, friction, angle);
                EXPECT_LT(energy.most, 1.02) << hz << " Hz, friction " << friction << ", " << angle;
                EXPECT_GT(energy.last, 0.2) << hz << " Hz, friction " << friction << ", " << angle;
            }
        }
    }
}

// Points of a barrel move back under it while it rolls forward.
TEST(RollingEnergy, BarrelsAndRodsInATroughClimbNoHigher) {
    const Mesh trough = make_terrain(42, 0.02f, 0.0f, [](float x, float) { return round_ground(x * x); });
    for (const Geometry& shape : {Geometry(Cylinder{0.05f, 0.05f}), Geometry(Capsule{0.05f, 0.05f})}) {
        for (const float angle : {0.3f, 0.7f}) {
            const SwingEnergy energy = energy_in(trough, shape, 60.0f, 0.6f, angle);
            EXPECT_LT(energy.most, 1.02) << angle;
            EXPECT_GT(energy.last, 0.2) << angle;
        }
    }
}

} // namespace
} // namespace cairn::physics::testing
