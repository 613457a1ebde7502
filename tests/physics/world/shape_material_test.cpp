// Shapes with a material of their own.
#include "physics/world/state_image.h"
#include "tests/physics/world/world_builder.h"

#include <gtest/gtest.h>

using namespace cairn::physics;
using namespace cairn::physics::testing;

namespace {

// Two slabs side by side along X in one static body, tops at z = 0: the first is as the body, the second has `own`.
BodyDef make_slabs(const Material& body, const ShapeMaterial& own) {
    BodyDef def;
    def.type = BodyType::fixed;
    def.material = body;
    def.shapes = {{Box{Vec3(10, 50, 1)}, {Vec3(-10, 0, 0), identity_orientation}},
                  {Box{Vec3(10, 50, 1)}, {Vec3(10, 0, 0), identity_orientation}, false, own}};
    def.pose.position = Vec3(0, 0, -1);
    return def;
}

float z_speed(const World& world, BodyId id) {
    return state_of(world, id).linear_velocity.z;
}

} // namespace

TEST(ShapeMaterial, FrictionIsOfTheShapesThatTouch) {
    World world(without_sleep());
    add(world, make_slabs({0.6f, 0.0f, 0.0f}, {0.0f, {}, {}}));
    BodyDef box = make_body(Box{Vec3(0.5f)}, Vec3(-10, 0, 0.5f));
    box.linear_velocity = Vec3(0, 4, 0);
    const BodyId rough = add(world, box);
    box.pose.position.x = 10;
    const BodyId slips = add(world, box);
    run(world, 120);
    EXPECT_NEAR(state_of(world, rough).linear_velocity.y, 0.0f, 1e-3f);
    EXPECT_NEAR(state_of(world, slips).linear_velocity.y, 4.0f, 1e-3f);
    // A change of the body's reaches the shapes that state none.
    SetBody change;
    change.body = world.body_ids()[0];
    change.friction = 0.0f;
    ASSERT_TRUE(world.apply(change).ok());
    ASSERT_TRUE(world.apply(ApplyImpulse{rough, Vec3(0, world.model(rough)->mass, 0), {}}).ok());
    run(world, 60);
    EXPECT_NEAR(state_of(world, rough).linear_velocity.y, 1.0f, 1e-3f);
}

TEST(ShapeMaterial, RestitutionCountsAtAnySpeed) {
    for (const float speed : {3.0f, 20.0f, 400.0f}) { // contacts, foresight, continuous collision
        World world(weightless());
        add(world, make_slabs({0.0f, 0.0f, 0.0f}, {{}, 1.0f, {}}));
        BodyDef ball = make_body(Sphere{0.2f}, Vec3(-10, 0, 5.0f));
        ball.linear_velocity = Vec3(0, 0, -speed);
        const BodyId dead = add(world, ball);
        ball.pose.position.x = 10;
        const BodyId bounces = add(world, ball);
        for (int i = 0; i < 200 && z_speed(world, bounces) < 0.0f; ++i) {
            world.step();
        }
        run(world, 1);
        EXPECT_NEAR(z_speed(world, bounces), speed, 0.01f * speed) << speed;
        EXPECT_NEAR(z_speed(world, dead), 0.0f, 0.05f * speed) << speed;
    }
}

TEST(ShapeMaterial, BlowsOfFastBodiesHaveIt) {
    // Its path bends at a first wall, so that the second is met by continuous collision alone.
    for (const float restitution : {0.0f, 1.0f}) {
        World world(weightless());
        BodyDef walls;
        walls.type = BodyType::fixed;
        walls.material = {0.0f, 1.0f, 0.0f};
        walls.shapes = {{Box{Vec3(1, 50, 50)}, {Vec3(-2, 0, 0), identity_orientation}},
                        {Box{Vec3(1, 50, 50)}, {Vec3(2, 0, 0), identity_orientation}, false, {{}, restitution, {}}}};
        add(world, walls);
        BodyDef ball = make_body(Sphere{0.1f}, Vec3(0.0f));
        ball.material = {0.0f, 0.0f, 0.0f};
        ball.linear_velocity = Vec3(-240.0f, 0, 0); // 4 m a step
        const BodyId id = add(world, ball);
        world.step();
        const float x = state_of(world, id).linear_velocity.x;
        if (restitution == 0.0f) {
            EXPECT_NEAR(x, 0.0f, 1.0f);
        } else {
            EXPECT_NEAR(std::abs(x), 240.0f, 3.0f);
        }
    }
}

TEST(ShapeMaterial, RollingResistanceAndLoadedStates) {
    World world(without_sleep());
    add(world, make_slabs({0.5f, 0.0f, 0.0f}, {{}, {}, 0.2f}));
    BodyDef ball = make_body(Sphere{0.5f}, Vec3(-10, 0, 0.5f));
    ball.linear_velocity = Vec3(0, 2, 0);
    ball.angular_velocity = Vec3(-4, 0, 0);
    const BodyId rolls = add(world, ball);
    ball.pose.position.x = 10;
    const BodyId held = add(world, ball);
    run(world, 60);
    World loaded;
    ASSERT_EQ(loaded.load(world.image()), "");
    EXPECT_EQ(loaded.hash(), world.hash());
    run(world, 60);
    run(loaded, 60);
    EXPECT_EQ(loaded.hash(), world.hash());
    EXPECT_NEAR(state_of(world, rolls).linear_velocity.y, 2.0f, 0.05f);
    EXPECT_NEAR(state_of(world, held).linear_velocity.y, 0.0f, 0.05f);
    BodyDef bad = make_slabs({}, {-1.0f, {}, {}});
    EXPECT_NE(world.apply(CreateBody{bad}).error.find("friction"), std::string::npos);
}
