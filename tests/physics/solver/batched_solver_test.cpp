// Small islands in batches: the same bits as one by one, on any number of threads.
#include "physics/solver/batched_solver.h"

#include "tests/physics/world/two_threads.h"
#include "tests/physics/world/world_builder.h"

#include <gtest/gtest.h>

namespace cairn::physics::testing {
namespace {

// Piles of four bodies of all kinds on a floor, thrown together, so that some slide, bounce and roll; one long row of
// boxes that is too large for a batch; a bridge of joints; a kinematic plate that carries three piles about.
World many_islands(int piles, Executor* executor) {
    Settings settings;
    settings.sleeping = false;
    World world(settings, executor);
    BodyDef floor = make_static(Box{Vec3(200, 200, 1)}, Vec3(0, 0, -1));
    add(world, floor);
    for (int i = 0; i < piles; ++i) {
        const Vec3 at(float(i % 40) * 3.0f - 60.0f, float(i / 40) * 3.0f - 60.0f, 0.0f);
        add(world, make_body(Box{Vec3(0.5f)}, at + Vec3(0, 0, 0.5f)));
        add(world, make_body(i % 3 == 0 ? Geometry(Box{Vec3(0.4f)}) : Geometry(Cylinder{0.4f, 0.3f}),
                             at + Vec3(0.05f, 0, 1.45f)));
        add(world, make_body(Sphere{0.3f}, at + Vec3(0.02f, 0.03f, 2.3f + 0.1f * float(i % 5))));
        BodyDef gem = make_body(Diamond{0.3f}, at + Vec3(0, 0.1f, 3.2f));
        gem.linear_velocity = Vec3(0.3f * float(i % 7), 0, -2);
        add(world, gem);
    }
    for (int i = 0; i < 60; ++i) {
        add(world, make_body(Box{Vec3(0.5f)}, Vec3(-30.0f + 1.0f * float(i), 150, 0.5f)));
    }
    BodyDef plate = make_body(Box{Vec3(8, 2, 0.2f)}, Vec3(0, 170, 0.5f));
    plate.type = BodyType::kinematic;
    plate.linear_velocity = Vec3(0.5f, 0, 0);
    add(world, plate);
    for (int i = 0; i < 3; ++i) {
        add(world, make_body(Box{Vec3(0.5f)}, Vec3(-5.0f + 4.0f * float(i), 170, 1.2f)));
    }
    BodyId last;
    for (int i = 0; i < 5; ++i) {
        const BodyId plank = add(world, make_body(Box{Vec3(0.4f, 0.4f, 0.1f)}, Vec3(float(i), 180, 0.1f)));
        if (last) {
            JointDef joint;
            joint.body_a = last;
            joint.body_b = plank;
            joint.frame_a.position = Vec3(0.5f, 0, 0);
            joint.frame_b.position = Vec3(-0.5f, 0, 0);
            EXPECT_TRUE(world.apply(CreateJoint{joint}).ok());
        }
        last = plank;
    }
    return world;
}

TEST(BatchedSolver, TakesManySmallIslands) {
    World few = many_islands(100, nullptr);
    run(few, 40);
    EXPECT_EQ(published(few).stats.batches, 0u);
    World many = many_islands(700, nullptr);
    run(many, 40);
    EXPECT_GT(published(many).stats.batches, 1u);
    EXPECT_LT(published(many).stats.max_penetration, 0.02f);
}

// An island does what it does, whoever else is there: the first piles of many behave as the same piles of few.
TEST(BatchedSolver, BatchesDoWhatTheWholeDoes) {
    World few = many_islands(100, nullptr);
    World many = many_islands(700, nullptr);
    for (int step = 0; step < 60; ++step) {
        few.step();
        many.step();
        const FrameState a = published(few);
        const FrameState b = published(many);
        for (std::size_t i = 0; i < 401; ++i) { // the floor and a hundred piles
            ASSERT_EQ(a.bodies[i].pose, b.bodies[i].pose) << "body " << i << ", step " << step;
            ASSERT_EQ(a.bodies[i].linear_velocity, b.bodies[i].linear_velocity) << "body " << i << ", step " << step;
        }
    }
}

TEST(BatchedSolver, HasTheSameBitsOnTwoThreads) {
    TwoThreads two;
    World alone = many_islands(650, nullptr);
    World together = many_islands(650, &two);
    for (int step = 0; step < 40; ++step) {
        alone.step();
        together.step();
        ASSERT_EQ(alone.hash(), together.hash()) << "step " << step;
    }
    EXPECT_GT(published(together).stats.batches, 1u);
}

} // namespace
} // namespace cairn::physics::testing
