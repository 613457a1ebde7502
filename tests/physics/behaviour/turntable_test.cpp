// Static friction on what turns: bodies ride along on their circles and creep nowhere.
#include "tests/physics/world/world_builder.h"

#include <cmath>

namespace cairn::physics::testing {
namespace {

// m, where a body is in the frame of the one that it rides on.
Vec3 place_on(const World& world, BodyId table, BodyId rider) {
    const Transform under = state_of(world, table).pose;
    return inverse_rotate(under.orientation, state_of(world, rider).pose.position - under.position);
}

BodyDef disc(float radius, float friction) {
    BodyDef def = make_body(Cylinder{radius, 0.1f}, Vec3(0, 0, -0.1f));
    def.material.friction = friction;
    return def;
}

BodyDef rider_at(const Geometry& geometry, const Vec3& at, float friction, const Vec3& spin) {
    BodyDef def = make_body(geometry, at);
    def.material.friction = friction;
    def.linear_velocity = glm::cross(spin, at);
    def.angular_velocity = spin;
    return def;
}

TEST(Turntable, WhatFrictionHoldsRidesOnItsCircle) {
    for (const float rate : {0.5f, 1.0f, 1.5f}) {
        for (const float friction : {0.5f, 1.0f}) {
            World world(without_sleep());
            const Vec3 spin(0, 0, rate);
            BodyDef table_def = disc(3.0f, friction);
            table_def.type = BodyType::kinematic;
            table_def.angular_velocity = spin;
            const BodyId table = add(world, table_def);
            const BodyId riders[] = {
                add(world, rider_at(Box{Vec3(0.25f)}, Vec3(1.5f, 0, 0.25f), friction, spin)),
                add(world, rider_at(Box{Vec3(0.25f)}, Vec3(1.5f, 0, 0.75f), friction, spin)), // on the other one
                add(world, rider_at(Cylinder{0.3f, 0.2f}, Vec3(-1.0f, 0.5f, 0.2f), friction, spin)),
                add(world, rider_at(Box{Vec3(0.25f)}, Vec3(-0.9f, -1.2f, 0.25f), friction, spin))};
            constexpr float creep[] = {1e-3f, 1e-3f, 1e-4f, 1e-4f}; // m in 20 s
            Vec3 settled[4];
            run(world, 60);
            for (int i = 0; i < 4; ++i) {
                settled[i] = place_on(world, table, riders[i]);
            }
            run(world, 20 * 60);
            for (int i = 0; i < 4; ++i) {
                EXPECT_LT(glm::distance(place_on(world, table, riders[i]), settled[i]), creep[i])
                    << "rider " << i << ", " << rate << " rad/s, friction " << friction;
            }
        }
    }
}

// A disc that nothing drives keeps its spin with what stands on it.
TEST(Turntable, AFreeDiscKeepsItsSpinAndItsRider) {
    World world(without_sleep());
    BodyDef post = make_static(Box{Vec3(0.1f)}, Vec3(0, 0, -1));
    const BodyId fixed = add(world, post);
    const Vec3 spin(0, 0, 1.2f);
    BodyDef table_def = disc(3.0f, 0.8f);
    table_def.angular_velocity = spin;
    const BodyId table = add(world, table_def);
    JointDef hinge;
    hinge.kind = JointKind::hinge;
    hinge.body_a = fixed;
    hinge.body_b = table;
    hinge.frame_a.position = Vec3(0, 0, 0.9f);
    const CommandResult made = world.apply(CreateJoint{hinge});
    ASSERT_TRUE(made.ok()) << made.error;
    const BodyId rider = add(world, rider_at(Box{Vec3(0.3f)}, Vec3(1.5f, 0, 0.3f), 0.8f, spin));
    run(world, 60);
    const Vec3 settled = place_on(world, table, rider);
    run(world, 20 * 60);
    EXPECT_LT(glm::distance(place_on(world, table, rider), settled), 1e-4f);
    EXPECT_NEAR(state_of(world, table).angular_velocity.z, spin.z, 2e-3f * spin.z);
}

// Held against the wall of a drum by its own turning, and by nothing but friction against falling.
TEST(Turntable, ADrumHoldsARiderAgainstItsWall) {
    World world(without_sleep());
    const Vec3 spin(0, 0, 4);
    BodyDef drum;
    drum.type = BodyType::kinematic;
    drum.angular_velocity = spin;
    drum.material.friction = 0.5f;
    for (int i = 0; i < 12; ++i) {
        Transform at;
        at.orientation = glm::angleAxis(0.5235988f * static_cast<float>(i), Vec3(0, 0, 1));
        at.position = rotate(at.orientation, Vec3(3.1f, 0, 0));
        drum.shapes.push_back({Box{Vec3(0.1f, 0.83f, 2.0f)}, at});
    }
    const BodyId wall = add(world, drum);
    const BodyId rider = add(world, rider_at(Box{Vec3(0.2f)}, Vec3(2.8f, 0, 0), 0.5f, spin));
    run(world, 60);
    const Vec3 settled = place_on(world, wall, rider);
    run(world, 20 * 60);
    EXPECT_LT(glm::distance(place_on(world, wall, rider), settled), 2e-3f);
}

// A coin that spins on its rim changes the points that touch: chords of their circles do no work on it. Its energy is
// read half a substep apart from its height, and sways by that.
TEST(Turntable, ACoinThatSpinsOnItsRimGainsNothing) {
    for (const float rate : {10.0f, 30.0f, 85.0f}) {
        World world(without_sleep());
        BodyDef floor = make_floor();
        floor.material.friction = 0.9f;
        add(world, floor);
        BodyDef def = make_body(Cylinder{0.5f, 0.05f}, Vec3(0, 0, 0.5f));
        def.pose.orientation = glm::angleAxis(1.5f, Vec3(1, 0, 0));
        def.material.friction = 0.9f;
        def.angular_velocity = Vec3(0, 0, rate);
        add(world, def);
        const auto energy = [&] {
            const FrameState frame = published(world);
            return frame.stats.kinetic_energy + frame.stats.potential_energy;
        };
        const double start = energy();
        double most = 0.0;
        for (int i = 0; i < 1200; ++i) {
            world.step();
            most = std::max(most, energy());
        }
        EXPECT_LT(most, 1.005 * start) << rate << " rad/s";
        EXPECT_LT(energy(), 0.95 * start) << rate << " rad/s";
    }
}

// The control: where friction cannot hold it, it leaves.
TEST(Turntable, WhatFrictionCannotHoldSlidesOff) {
    World world(without_sleep());
    const Vec3 spin(0, 0, 1.5f);
    BodyDef table = disc(3.0f, 0.2f);
    table.type = BodyType::kinematic;
    table.angular_velocity = spin;
    add(world, table);
    const BodyId rider = add(world, rider_at(Box{Vec3(0.25f)}, Vec3(1.5f, 0, 0.25f), 0.2f, spin));
    run(world, 180);
    EXPECT_LT(state_of(world, rider).pose.position.z, 0.0f);
}

} // namespace
} // namespace cairn::physics::testing
