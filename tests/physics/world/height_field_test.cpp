// Bodies on height fields: they lie, slide, roll, fall and fly as on solid ground.
#include "physics/world/state_image.h"
#include "tests/physics/world/ground_bodies.h"
#include "tests/physics/world/height_builder.h"
#include "tests/physics/world/two_threads.h"
#include "tests/physics/world/world_builder.h"
#include "tests/sanitized.h"

#include <gtest/gtest.h>

#include <string>

namespace cairn::physics::testing {
namespace {

std::vector<GroundBody> field_shapes() {
    return ground_bodies({std::make_shared<std::vector<Vec3>>(std::vector<Vec3>{
                             {0.4f, 0, -0.2f}, {-0.3f, 0.35f, -0.2f}, {-0.3f, -0.35f, -0.2f}, {0, 0, 0.5f}})},
                         0.175f);
}

TEST(HeightFieldBodies, MovingOnesAreRefused) {
    World world;
    const CommandResult result = world.apply(CreateBody{make_body(level_field(3, 1.0f), Vec3(0.0f))});
    EXPECT_NE(result.error.find("static bodies only"), std::string::npos) << result.error;
}

TEST(HeightFieldBodies, RestAndSleepAsOnABoxFloor) {
    for (const GroundBody& shape : field_shapes()) {
        std::array<Vec3, 2> ends{};
        for (std::size_t on_a_field = 0; on_a_field < 2; ++on_a_field) {
            World world;
            add(world, on_a_field != 0 ? make_static(level_field(31, 0.37f), Vec3(0.0f)) : make_floor());
            const BodyId body = add(world, on_ground(shape, Vec3(0.1f, 0.2f, 0.01f)));
            run(world, 300);
            ends[on_a_field] = state_of(world, body).pose.position;
            EXPECT_TRUE(state_of(world, body).sleeping) << shape.name << " " << on_a_field;
        }
        EXPECT_NEAR(ends[0].z, ends[1].z, 1e-3f) << shape.name;
    }
}

// Along a plane nothing pushes up, level or inclined, at any speed.
TEST(HeightFieldBodies, NothingKicksWhatSlidesOrRolls) {
    for (const GroundBody& shape : field_shapes()) {
        for (const float speed : {1.0f, 4.0f, 15.0f, 60.0f}) {
            World world(without_sleep());
            BodyDef floor = make_static(level_field(80, 1.3f), Vec3(0.0f));
            const bool rolls = shape.name == "ball";
            floor.material.friction = rolls ? 0.5f : 0.0f;
            add(world, floor);
            BodyDef def = on_ground(shape, Vec3(-40.0f, 0.2f, 0.0f));
            def.material.friction = floor.material.friction;
            def.linear_velocity = Vec3(speed, 0.1f * speed, 0);
            def.angular_velocity = rolls ? Vec3(-0.1f * speed, speed, 0) / 0.5f : Vec3(0.0f);
            const BodyId body = add(world, def);
            run(world, 2);
            float kick = 0.0f;
            for (int i = 0; i < 70; ++i) {
                world.step();
                kick = std::max(kick, std::abs(state_of(world, body).linear_velocity.z));
            }
            EXPECT_LT(kick, 0.01f) << shape.name << " at " << speed;
            EXPECT_NEAR(state_of(world, body).linear_velocity.x, speed, 2e-3f * speed) << shape.name << " at " << speed;
        }
    }
}

void shoot(const Settings& settings, int steps, int& inside, int& passed) {
    World world(settings);
    add(world, make_static(HeightField{height_data(61, 61, 1.0f, hills)}, Vec3(0.0f)));
    std::mt19937 random(5);
    const auto one = [&] { return static_cast<float>(random() % 2001) / 1000.0f - 1.0f; };
    std::vector<BodyId> bodies;
    std::vector<GroundBody> shapes = field_shapes();
    shapes.push_back({"needle", Capsule{0.005f, 0.3f}});
    shapes.push_back({"pea", Sphere{0.004f}});
    for (std::size_t i = 0; i < 180; ++i) {
        BodyDef body =
            make_body(shapes[i % shapes.size()].geometry, Vec3(8.0f * one(), 8.0f * one(), 8.0f + 4.0f * one()));
        body.linear_velocity = 500.0f * glm::normalize(Vec3(0.5f * one(), 0.5f * one(), -1.0f));
        body.angular_velocity = 20.0f * Vec3(one(), one(), one());
        body.filter = {1, 1u << 0}; // they collide with the ground, but not with each other
        bodies.push_back(add(world, body));
    }
    for (int i = 0; i < steps; ++i) {
        world.step();
        for (const BodyId body : bodies) {
            const Vec3 at = state_of(world, body).pose.position;
            if (std::abs(at.x) < 29.0f && std::abs(at.y) < 29.0f) {
                ++inside;
                passed += at.z > hills(at.x, at.y) - facet_depth ? 0 : 1;
            }
        }
    }
}

TEST(HeightFieldBodies, NothingPassesAtFiveHundredMetresASecond) {
    int inside = 0, passed = 0;
    shoot({}, 60, inside, passed);
    EXPECT_EQ(passed, 0);
    EXPECT_GT(inside, 180 * 15);
    Settings without;
    without.continuous = false;
    passed = 0;
    shoot(without, 4, inside, passed);
    EXPECT_GT(passed, 0) << "without continuous collision they do";
}

TEST(HeightFieldBodies, HolesLetThrough) {
    auto data = height_data(9, 9, 1.0f, [](float, float) { return 0.0f; });
    add_hole(*data, 3, 3);
    add_hole(*data, 4, 3);
    add_hole(*data, 3, 4);
    add_hole(*data, 4, 4); // 2 m wide about the origin
    World world;
    add(world, make_static(HeightField{data}, Vec3(0, 0, 2)));
    const BodyId through = add(world, make_body(Sphere{0.5f}, Vec3(0.2f, 0.1f, 4)));
    const BodyId wide = add(world, make_body(Box{Vec3(2.5f, 0.3f, 0.3f)}, Vec3(0, 0, 3)));
    const BodyId beside = add(world, make_body(Sphere{0.5f}, Vec3(2.2f, 2.2f, 3)));
    SetBody apart;
    apart.body = through;
    apart.filter = CollisionFilter{1, 1u << 0};
    world.apply(apart);
    apart.body = wide;
    apart.filter = CollisionFilter{2, 1u << 0};
    world.apply(apart);
    run(world, 90);
    EXPECT_LT(state_of(world, through).pose.position.z, -1.0f);
    EXPECT_NEAR(state_of(world, wide).pose.position.z, 2.3f, 0.01f);
    EXPECT_NEAR(state_of(world, beside).pose.position.z, 2.5f, 0.01f);
    EXPECT_FALSE(world.ray_cast({Vec3(0.2f, 0.7f, 9), Vec3(0, 0, -1), 7.5f}).has_value());
    const auto hit = world.ray_cast({Vec3(-3.2f, 0.3f, 9), Vec3(0, 0, -1), 100.0f});
    ASSERT_TRUE(hit.has_value());
    EXPECT_NEAR(hit->hit.distance, 7.0f, 1e-4f);
}

HeightField bumpy_bowl() {
    return {height_data(49, 41, 0.8f, bumpy_bowl_height)};
}

void fill_field(World& world, const Geometry& ground = bumpy_bowl()) {
    fill_bowl(world, ground, field_shapes(), 0.1f);
}

// The triangles that are made when they are asked for are those of a mesh that has them all.
TEST(HeightFieldBodies, MoveAsOnTheSameTriangles) {
    World on_a_field, on_a_mesh;
    fill_field(on_a_field);
    fill_field(on_a_mesh, as_mesh(bumpy_bowl()));
    run(on_a_field, sanitized ? 30 : 90);
    run(on_a_mesh, sanitized ? 30 : 90);
    const std::vector<BodyId> bodies = on_a_field.body_ids();
    for (const BodyId body : bodies) {
        EXPECT_EQ(state_of(on_a_field, body).pose.position, state_of(on_a_mesh, body).pose.position);
    }
    EXPECT_EQ(bodies.size(), 61u);
}

TEST(HeightFieldBodies, SameBitsOnThreadsAndAfterLoading) {
    TwoThreads two;
    World alone, together(Settings{}, &two), loaded;
    fill_field(alone);
    fill_field(together);
    for (int i = 0; i < 60; ++i) {
        alone.step();
        together.step();
        ASSERT_EQ(alone.hash(), together.hash()) << "step " << i;
    }
    ASSERT_EQ(loaded.load(alone.image()), "");
    for (int i = 0; i < (sanitized ? 20 : 60); ++i) {
        alone.step();
        loaded.step();
        ASSERT_EQ(loaded.hash(), alone.hash()) << "step " << i;
    }
}

TEST(HeightFieldBodies, HeapsComeToRestAboveTheGround) {
    World world;
    fill_field(world);
    run(world, minutes_or_seconds(900)); // a ball that rolls about the bowl wakes the heap after ten seconds
    const auto is_plate = [&](BodyId body) {
        const float mass = world.model(body)->mass; // kg; of the ground 0
        return mass > 0.0f && mass < 3.0f;
    };
    // A plate of 4 mm gives way between the ground and a ball of 270 times its weight.
    expect_heap_at_rest(world, [&](const ContactState& contact) {
        return is_plate(contact.body_a) || is_plate(contact.body_b) ? 0.06f : 0.03f;
    });
}

TEST(HeightFieldBodies, AreFoundByQueries) {
    World world;
    const BodyId ground = add(world, make_static(level_field(11, 1.0f), Vec3(0, 0, 2)));
    const Shape ball = std::get<Shape>(build_shape(Sphere{0.5f}));
    Transform above;
    above.position = Vec3(0.3f, 0.2f, 6);
    const auto met = world.shape_cast(ball, above, Vec3(0, 0, -8));
    ASSERT_TRUE(met.has_value());
    EXPECT_EQ(met->body, ground);
    EXPECT_NEAR(met->cast.travelled, 3.5f, 1e-3f);
    EXPECT_FALSE(world.shape_cast(ball, above, Vec3(0, 0, -3.4f)).has_value());
    EXPECT_TRUE(world.overlaps(ball, above).empty());
    const auto nearest = world.closest(ball, above, 10.0f);
    ASSERT_TRUE(nearest.has_value());
    EXPECT_NEAR(nearest->nearest.distance, 3.5f, 1e-4f);
    above.position.z = 2.4f;
    EXPECT_EQ(world.overlaps(ball, above).size(), 1u);
    const auto hit = world.ray_cast({Vec3(0.3f, 0.2f, 6), Vec3(0, 0, -1)});
    ASSERT_TRUE(hit.has_value());
    EXPECT_EQ(hit->body, ground);
}

} // namespace
} // namespace cairn::physics::testing
