// Bodies on fixed meshes: they lie, slide, roll, fall and fly as on solid ground.
#include "physics/world/state_image.h"
#include "tests/physics/world/ground_bodies.h"
#include "tests/physics/world/mesh_builder.h"
#include "tests/physics/world/two_threads.h"
#include "tests/physics/world/world_builder.h"
#include "tests/sanitized.h"

#include <gtest/gtest.h>

#include <string>

namespace cairn::physics::testing {
namespace {

PointSet pebble() {
    std::mt19937 random(3);
    auto points = std::make_shared<std::vector<Vec3>>();
    const auto one = [&] { return static_cast<float>(random() % 2001) / 1000.0f - 1.0f; };
    for (int i = 0; i < 40; ++i) {
        points->push_back(0.4f * glm::normalize(Vec3(one(), one(), one() + 0.01f)));
    }
    return {std::move(points)};
}

std::vector<GroundBody> all_shapes() {
    return ground_bodies(pebble(), 0.4f);
}

TEST(MeshBodies, MovingOnesAreRefused) {
    World world;
    for (const BodyType type : {BodyType::dynamic, BodyType::kinematic}) {
        BodyDef body = make_body(make_plane(2, 1.0f), Vec3(0.0f));
        body.type = type;
        const CommandResult result = world.apply(CreateBody{body});
        EXPECT_FALSE(result.ok());
        EXPECT_NE(result.error.find("static bodies only"), std::string::npos) << result.error;
    }
    const BodyId floor = add(world, make_static(make_plane(2, 1.0f), Vec3(0.0f)));
    SetBody change;
    change.body = floor;
    change.type = BodyType::dynamic;
    const CommandResult result = world.apply(change);
    EXPECT_NE(result.error.find("static bodies only"), std::string::npos) << result.error;
    EXPECT_EQ(state_of(world, floor).type, BodyType::fixed);
}

TEST(MeshBodies, RestAsOnABoxFloor) {
    for (const GroundBody& shape : all_shapes()) {
        std::array<Vec3, 2> ends{};
        for (std::size_t on_mesh = 0; on_mesh < 2; ++on_mesh) {
            World world;
            add(world, on_mesh != 0 ? make_static(make_plane(30, 0.37f), Vec3(0.0f)) : make_floor());
            const BodyId body = add(world, on_ground(shape, Vec3(0.1f, 0.2f, 0.01f)));
            run(world, 400);
            ends[on_mesh] = state_of(world, body).pose.position;
            EXPECT_TRUE(state_of(world, body).sleeping) << shape.name << " " << on_mesh;
        }
        EXPECT_NEAR(ends[0].z, ends[1].z, 1e-3f) << shape.name;
    }
}

// At every speed and over every cut: along a plane nothing pushes up.
TEST(MeshBodies, SlideOverAPlaneAsOverABox) {
    for (const GroundBody& shape : all_shapes()) {
        if (shape.name == "hull") {
            continue; // lies on a corner at first: see below
        }
        for (const float speed : {1.0f, 4.0f, 15.0f, 60.0f}) {
            World world(without_sleep());
            BodyDef floor = make_static(make_plane(60, 1.7f), Vec3(0.0f));
            floor.material.friction = 0.0f;
            add(world, floor);
            BodyDef def = on_ground(shape, Vec3(-40.0f, 0.2f, 0.0f));
            def.material.friction = 0.0f;
            const BodyId body = add(world, def);
            run(world, 60);
            SetBody push;
            push.body = body;
            push.linear_velocity = Vec3(speed, 0, 0);
            world.apply(push);
            float kick = 0.0f;
            for (int i = 0; i < 75; ++i) {
                world.step();
                kick = std::max(kick, std::abs(state_of(world, body).linear_velocity.z));
            }
            const BodyState end = state_of(world, body);
            EXPECT_LT(kick, 0.01f) << shape.name << " at " << speed;
            EXPECT_NEAR(end.linear_velocity.x, speed, 1e-3f * speed) << shape.name << " at " << speed;
        }
    }
}

TEST(MeshBodies, BallsRollAsOnABox) {
    std::array<BodyState, 2> ends;
    for (std::size_t on_mesh = 0; on_mesh < 2; ++on_mesh) {
        World world(without_sleep());
        add(world, on_mesh != 0 ? make_static(make_plane(60, 1.7f), Vec3(0.0f)) : make_floor());
        BodyDef ball = make_body(Sphere{0.5f}, Vec3(-40, 0.2f, 0.5f));
        ball.linear_velocity = Vec3(20, 3, 0);
        const BodyId body = add(world, ball);
        float kick = 0.0f;
        for (int i = 0; i < 180; ++i) {
            world.step();
            kick = std::max(kick, std::abs(state_of(world, body).linear_velocity.z));
        }
        EXPECT_LT(kick, 0.01f);
        ends[on_mesh] = state_of(world, body);
    }
    const float spin = glm::length(ends[0].angular_velocity);
    EXPECT_GT(spin, 10.0f);
    EXPECT_LT(glm::length(ends[1].angular_velocity - ends[0].angular_velocity), 0.01f * spin);
    EXPECT_LT(glm::length(ends[1].pose.position - ends[0].pose.position), 0.01f);
}

TEST(MeshBodies, NothingPassesAtFiveHundredMetresASecond) {
    World world;
    add(world, make_static(make_terrain(60, 1.0f, 0.3f, hills), Vec3(0.0f)));
    std::mt19937 random(5);
    const auto one = [&] { return static_cast<float>(random() % 2001) / 1000.0f - 1.0f; };
    std::vector<BodyId> bodies;
    std::vector<GroundBody> shapes = all_shapes();
    shapes.push_back({"needle", Capsule{0.005f, 0.3f}});
    shapes.push_back({"pea", Sphere{0.004f}});
    for (int i = 0; i < 180; ++i) {
        BodyDef body = make_body(shapes[static_cast<std::size_t>(i) % shapes.size()].geometry,
                                 Vec3(8.0f * one(), 8.0f * one(), 8.0f + 4.0f * one()));
        body.linear_velocity = 500.0f * glm::normalize(Vec3(0.5f * one(), 0.5f * one(), -1.0f));
        body.angular_velocity = 20.0f * Vec3(one(), one(), one());
        body.filter = {1, 1u << 0}; // they meet the ground, and each other not
        bodies.push_back(add(world, body));
    }
    int inside = 0;
    for (int i = 0; i < 90; ++i) {
        world.step();
        for (const BodyId body : bodies) {
            const Vec3 at = state_of(world, body).pose.position;
            if (std::abs(at.x) < 29.0f && std::abs(at.y) < 29.0f) {
                ++inside;
                ASSERT_GT(at.z, hills(at.x, at.y) - facet_depth) << "step " << i;
            }
        }
    }
    EXPECT_GT(inside, 180 * 20);
}

// Edges and corners as sharp as they come: nothing gets into a closed surface, from wherever it is thrown at it.
TEST(MeshBodies, NothingGetsIntoAClosedSurface) {
    auto data = std::make_shared<MeshData>();
    data->vertices = {{3, 0, 0}, {-3, 0, 0}, {0, 3, 0}, {0, -3, 0}, {0, 0, 3}, {0, 0, -3}};
    data->triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    std::vector<GroundBody> shapes = all_shapes();
    shapes.push_back({"needle", Capsule{0.005f, 0.3f}});
    shapes.push_back({"pea", Sphere{0.004f}});
    for (const float speed : {3.0f, 60.0f, 500.0f}) {
        World world(weightless());
        add(world, make_static(Mesh{data}, Vec3(0.0f)));
        std::mt19937 random(6);
        const auto one = [&] { return static_cast<float>(random() % 2001) / 1000.0f - 1.0f; };
        std::vector<BodyId> bodies;
        for (std::size_t i = 0; i < 180; ++i) {
            BodyDef body = make_body(shapes[i % shapes.size()].geometry, Vec3(0.0f));
            body.pose.position = 5.0f * glm::normalize(Vec3(one(), one(), one()) + Vec3(1e-3f));
            body.linear_velocity = speed * glm::normalize(1.5f * Vec3(one(), one(), one()) - body.pose.position);
            body.angular_velocity = 20.0f * Vec3(one(), one(), one());
            body.filter = {1, 1u << 0};
            bodies.push_back(add(world, body));
        }
        for (int i = 0; i < 120; ++i) {
            world.step();
            for (const BodyId body : bodies) {
                const Vec3 at = glm::abs(state_of(world, body).pose.position);
                ASSERT_GT(at.x + at.y + at.z, 2.98f) << speed << " m/s, step " << i;
            }
        }
    }
}

TEST(MeshBodies, RemovalWakes) {
    World world;
    const BodyId ground = add(world, make_static(make_plane(10, 1.0f), Vec3(0.0f)));
    const BodyId box = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f)));
    run(world, 200);
    ASSERT_TRUE(state_of(world, box).sleeping);
    world.apply(DestroyBody{ground});
    run(world, 60);
    EXPECT_LT(state_of(world, box).pose.position.z, -3.0f);
}

void fill(World& world) {
    fill_bowl(world, make_terrain(40, 0.8f, 0.3f, bumpy_bowl_height), all_shapes(), 0.03f);
}

TEST(MeshBodies, SameBitsOnAnyNumberOfThreads) {
    TwoThreads two;
    World alone, together(Settings{}, &two);
    fill(alone);
    fill(together);
    for (int i = 0; i < 120; ++i) {
        alone.step();
        together.step();
        ASSERT_EQ(alone.hash(), together.hash()) << "step " << i;
    }
}

TEST(MeshBodies, SnapshotsAndImagesGoOnWithTheSameBits) {
    World world;
    fill(world);
    run(world, 70);
    const auto snapshot = world.snapshot();
    World loaded;
    ASSERT_EQ(loaded.load(world.image()), "");
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < (sanitized ? 20 : 120); ++i) {
        world.step();
        loaded.step();
        hashes.push_back(world.hash());
        ASSERT_EQ(loaded.hash(), world.hash()) << "step " << i;
    }
    World other; // that has never made a mesh of its own
    other.restore(*snapshot);
    for (const std::uint64_t hash : hashes) {
        other.step();
        ASSERT_EQ(other.hash(), hash);
    }
    world.restore(*snapshot);
    for (const std::uint64_t hash : hashes) {
        world.step();
        ASSERT_EQ(world.hash(), hash);
    }
}

TEST(MeshBodies, HeapsInAValleyComeToRestAboveIt) {
    World world;
    fill(world);
    run(world, minutes_or_seconds(1200));
    expect_heap_at_rest(world, [](const ContactState&) { return 0.03f; });
}

TEST(MeshBodies, PlacedAndTurned) {
    // The mesh's own origin is the body's, wherever its triangles lie, and turns with it.
    World world;
    auto data = std::make_shared<MeshData>();
    data->vertices = {{5, 0, 0}, {15, 0, 0}, {15, 10, 0}, {5, 10, 0}};
    data->triangles = {{0, 1, 2}, {0, 2, 3}};
    BodyDef ground = make_static(Mesh{data}, Vec3(0, 0, 3));
    ground.pose.orientation = normalized(Quat(1, 0, 0, 1)); // x to y
    add(world, ground);
    const BodyId ball = add(world, make_body(Sphere{0.5f}, Vec3(-4, 9, 4)));
    run(world, 120);
    EXPECT_NEAR(state_of(world, ball).pose.position.z, 3.5f, 2e-3f);
    const auto hit = world.ray_cast({Vec3(-4, 12, 10), Vec3(0, 0, -1), 100.0f});
    ASSERT_TRUE(hit.has_value());
    EXPECT_NEAR(hit->hit.distance, 7.0f, 1e-4f);
}

} // namespace
} // namespace cairn::physics::testing
