// Meshes whose triangles are of several materials: every contact takes that of the triangle under it.
#include "physics/query/mesh/mesh_manifold.h"
#include "physics/world/state_image.h"
#include "tests/physics/world/mesh_builder.h"
#include "tests/physics/world/world_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

namespace cairn::physics::testing {
namespace {

constexpr float g = 9.81f;

// Level ground: `ice` where `side` of a triangle's middle is negative, `rubber` elsewhere.
template <typename Side>
BodyDef make_track(const ShapeMaterial& ice, const ShapeMaterial& rubber, Side&& side) {
    auto data = std::make_shared<MeshData>(*make_terrain(60, 0.7f, 0.0f, [](float, float) { return 0.0f; }).data);
    data->materials = {"ice", "rubber"};
    for (const auto& t : data->triangles) {
        const Vec3 middle = (data->vertices[t[0]] + data->vertices[t[1]] + data->vertices[t[2]]) / 3.0f;
        data->triangle_materials.push_back(side(middle) < 0.0f ? 0 : 1);
    }
    BodyDef def = make_static(Mesh{std::move(data)}, Vec3(0.0f));
    def.shapes[0].mesh_materials = {ice, rubber};
    return def;
}

float along_x(const Vec3& p) {
    return p.x;
}
float along_y(const Vec3& p) {
    return p.y;
}

BodyDef sliding_box(const Vec3& at, const Vec3& velocity) {
    BodyDef box = make_body(Box{Vec3(0.5f)}, at);
    box.material.friction = 0.4f;
    box.linear_velocity = velocity;
    return box;
}

class Threads final : public Executor {
  public:
    explicit Threads(int count) : count_(count) {}
    void parallel_for(std::size_t count, std::size_t grain, const Block& block) override {
        std::vector<std::thread> threads;
        for (std::size_t k = 0; k < static_cast<std::size_t>(count_); ++k) {
            threads.emplace_back([&, k] {
                for (std::size_t begin = k * grain; begin < count; begin += static_cast<std::size_t>(count_) * grain) {
                    block(begin, std::min(begin + grain, count));
                }
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
    }
    int thread_count() const override { return count_; }

  private:
    int count_;
};

constexpr ShapeMaterial ice{0.0025f, {}, {}}, rubber{0.9f, {}, {}};

TEST(MeshMaterial, BoxesSlowDownAsTheTriangleUnderThemSays) {
    const auto speeds = [](const BodyDef& track) {
        World world(without_sleep());
        add(world, track);
        const BodyId box = add(world, sliding_box(Vec3(-8, 0.1f, 0.5f), Vec3(6, 0, 0)));
        run(world, 5);
        std::array<float, 2> slowed{};
        for (int i = 0; i < 200; ++i) {
            const BodyState before = state_of(world, box);
            world.step();
            const float by = 60.0f * (before.linear_velocity.x - state_of(world, box).linear_velocity.x);
            const float x = before.pose.position.x;
            if (x < -0.7f) {
                slowed[0] = by;
            } else if (x > 0.6f && before.linear_velocity.x > 1.0f) {
                slowed[1] = by;
            }
        }
        return slowed;
    };
    const auto [on_ice, on_rubber] = speeds(make_track(ice, rubber, along_x));
    EXPECT_NEAR(on_ice, std::sqrt(0.4f * 0.0025f) * g, 0.02f * on_ice);
    EXPECT_NEAR(on_rubber, std::sqrt(0.4f * 0.9f) * g, 0.02f * on_rubber);
    // Without materials of its own, all of the mesh is as the body is.
    BodyDef plain = make_track(ice, rubber, along_x);
    plain.shapes[0].mesh_materials.clear();
    plain.material.friction = 0.1f;
    const auto same = speeds(plain);
    EXPECT_NEAR(same[0], std::sqrt(0.4f * 0.1f) * g, 0.02f * same[0]);
    EXPECT_NEAR(same[1], std::sqrt(0.4f * 0.1f) * g, 0.02f * same[1]);
}

TEST(MeshMaterial, QueriesTellTheMaterialThatTheyHit) {
    World world;
    BodyDef track = make_track(ice, {{}, 0.25f, {}}, along_x);
    track.material = {0.3f, 0.1f, 0.05f};
    track.shapes[0].material.rolling_resistance = 0.2f;
    const BodyId id = add(world, track);
    const auto model = world.model(id);
    const Shape ball = std::get<Shape>(build_shape(Sphere{0.2f}));
    int hits = 0;
    for (float x = -10.13f; x < 10.0f; x += 0.71f, ++hits) {
        const bool on_ice = x < 0.0f;
        const Ray ray{Vec3(x, 0.17f, 3.0f), Vec3(0, 0, -1), 10.0f};
        const auto hit = world.ray_cast(ray);
        ASSERT_TRUE(hit);
        const TouchedMaterial touched = touched_material(*model, *hit);
        EXPECT_EQ(touched.place, on_ice ? 0u : 1u) << x;
        EXPECT_EQ(touched.name, on_ice ? "ice" : "rubber") << x;
        EXPECT_EQ(touched.material, on_ice ? (Material{0.0025f, 0.1f, 0.2f}) : (Material{0.3f, 0.25f, 0.2f})) << x;
        EXPECT_EQ(world.ray_cast_all(ray).at(0).hit.triangle, hit->hit.triangle);
        const auto cast = world.shape_cast(ball, {ray.origin, identity_orientation}, Vec3(0, 0, -5));
        ASSERT_TRUE(cast);
        EXPECT_EQ(touched_material(*model, *cast).place, touched.place) << x;
        // From within: it begins to overlap where it is.
        const auto inside = world.shape_cast(ball, {Vec3(x, 0.17f, 0.1f), identity_orientation}, Vec3(0, 0, -5));
        ASSERT_TRUE(inside);
        EXPECT_EQ(inside->cast.status, ShapeCastStatus::initial);
        ASSERT_TRUE(touched_material(*model, *inside).place);
        if (std::abs(x) > 0.2f) { // else it overlaps both
            EXPECT_EQ(touched_material(*model, *inside).place, touched.place) << x;
        }
    }
    EXPECT_GT(hits, 20);
    // What has no materials of its own is as its shape is, and names none.
    BodyDef box = make_static(Box{Vec3(1)}, Vec3(0, 0, 8));
    box.shapes[0].material.friction = 0.7f;
    add(world, box);
    const auto above = world.ray_cast({Vec3(0, 0, 20), Vec3(0, 0, -1), 50.0f});
    ASSERT_TRUE(above);
    EXPECT_EQ(above->hit.triangle, MeshTriangle::none);
    const TouchedMaterial touched = touched_material(*world.model(above->body), *above);
    EXPECT_EQ(touched.place, std::nullopt);
    EXPECT_EQ(touched.name, "");
    EXPECT_EQ(touched.material, (Material{0.7f, box.material.restitution, 0.0f}));
    // A mesh that states nothing of its materials still tells them apart.
    BodyDef plain = make_track(ice, ice, along_x);
    plain.shapes[0].mesh_materials.clear();
    World other;
    const BodyId named = add(other, plain);
    const auto under = other.ray_cast({Vec3(5, 0.1f, 3), Vec3(0, 0, -1), 50.0f});
    ASSERT_TRUE(under);
    EXPECT_EQ(touched_material(*other.model(named), *under).name, "rubber");
    EXPECT_EQ(touched_material(*other.model(named), *under).material, plain.material);
}

// Half of its weight rests on each, and it turns towards the side that holds it.
TEST(MeshMaterial, WhatStandsOnTwoIsHeldByBoth) {
    World world(without_sleep());
    add(world, make_track(ice, rubber, along_y));
    const BodyId box = add(world, sliding_box(Vec3(-8, 0, 0.5f), Vec3(8, 0, 0)));
    run(world, 4);
    std::vector<float> slowed; // m/s^2; in single steps either side carries more, since the box turns
    for (int step = 0; step < 15; ++step) {
        const float before = state_of(world, box).linear_velocity.x;
        world.step();
        slowed.push_back(60.0f * (before - state_of(world, box).linear_velocity.x));
    }
    std::ranges::nth_element(slowed, slowed.begin() + 7);
    const float mean = 0.5f * (std::sqrt(0.4f * 0.0025f) + std::sqrt(0.4f * 0.9f)) * g;
    EXPECT_NEAR(slowed[7], mean, 0.05f * mean);
    EXPECT_GT(state_of(world, box).angular_velocity.z, 0.1f);
    const FrameState frame = published(world);
    int manifolds = 0;
    for (const ContactState& contact : frame.contacts) {
        manifolds += contact.opens ? 1 : 0;
        EXPECT_GT(contact.normal.z * (contact.body_a == box ? -1.0f : 1.0f), 0.99f);
    }
    EXPECT_EQ(manifolds, 2);
}

TEST(MeshMaterial, BallsBounceAsTheTriangleSaysAtAnySpeed) {
    for (const float speed : {3.0f, 20.0f, 200.0f, 400.0f}) { // contacts and continuous collision
        World world(weightless());
        BodyDef track = make_track({0.0f, 0.0f, {}}, {0.0f, 1.0f, {}}, along_x);
        add(world, track);
        BodyDef ball = make_body(Sphere{0.2f}, Vec3(-3, 0.1f, 5.0f));
        ball.linear_velocity = Vec3(0, 0, -speed);
        const BodyId dead = add(world, ball);
        ball.pose.position.x = 3;
        const BodyId bounces = add(world, ball);
        for (int i = 0; i < 200 && state_of(world, bounces).linear_velocity.z < 0.0f; ++i) {
            world.step();
        }
        run(world, 1);
        EXPECT_NEAR(state_of(world, bounces).linear_velocity.z, speed, 0.01f * speed) << speed;
        EXPECT_NEAR(state_of(world, dead).linear_velocity.z, 0.0f, 0.05f * speed) << speed;
    }
}

// Its path bends at a wall first, so that the ground is met by continuous collision alone, within the same step.
TEST(MeshMaterial, BlowsOfFastBodiesHaveIt) {
    for (const float x : {-3.0f, 3.0f}) {
        World world(weightless());
        add(world, make_track({0.0f, 0.0f, {}}, {0.0f, 1.0f, {}}, along_x));
        BodyDef wall = make_static(Box{Vec3(50, 1, 50)}, Vec3(0, 4, 0));
        wall.material = {0.0f, 1.0f, 0.0f};
        add(world, wall);
        BodyDef ball = make_body(Sphere{0.2f}, Vec3(x, 2.3f, 1.5f));
        ball.material.friction = 0.0f;
        ball.linear_velocity = Vec3(0, 200, -200);
        const BodyId id = add(world, ball);
        run(world, 3);
        const Vec3 velocity = state_of(world, id).linear_velocity;
        EXPECT_NEAR(velocity.y, -200.0f, 2.0f) << x;
        EXPECT_NEAR(velocity.z, x < 0.0f ? 0.0f : 200.0f, 10.0f) << x;
        EXPECT_EQ(published(world).stats.continuous_hits, 0u); // all is over by then
    }
}

TEST(MeshMaterial, BallsRollAsFarAsItLetsThem) {
    const ShapeMaterial smooth{{}, {}, 0.0f}, rough{{}, {}, 0.02f};
    const auto speed_after = [](const BodyDef& ground, float x) {
        World world(without_sleep());
        add(world, ground);
        BodyDef ball = make_body(Sphere{0.5f}, Vec3(x, 0.3f, 0.5f));
        ball.linear_velocity = Vec3(0, 4, 0);
        ball.angular_velocity = Vec3(-8, 0, 0);
        const BodyId id = add(world, ball);
        run(world, 90);
        return state_of(world, id).linear_velocity.y;
    };
    const BodyDef track = make_track(smooth, rough, along_x);
    BodyDef floor = make_floor();
    EXPECT_NEAR(speed_after(track, -5.0f), speed_after(floor, 0.0f), 0.01f);
    floor.shapes[0].material.rolling_resistance = 0.01f; // a share of its own metre of thickness
    const float slow = speed_after(floor, 0.0f);
    EXPECT_LT(slow, 3.9f);
    EXPECT_NEAR(speed_after(track, 5.0f), slow, 0.01f);
}

TEST(MeshMaterial, ContactsAreDividedWhereMaterialsMeet) {
    const BodyDef track = make_track(ice, rubber, along_x);
    const Shape mesh = std::get<Shape>(build_shape(track.shapes[0].geometry));
    const Shape box = std::get<Shape>(build_shape(Box{Vec3(0.5f)}));
    const std::array<std::uint16_t, 2> apart{0, 1}, same{0, 0};
    const Transform on_the_seam{Vec3(0.1f, 0.2f, 0.5f), identity_orientation};
    const MeshManifolds two = collide_mesh(mesh, {}, box, on_the_seam, 0.01f, {}, true, apart);
    ASSERT_EQ(two.count, 2);
    EXPECT_NE(two.material[0], two.material[1]);
    for (std::size_t i = 0; i < 2; ++i) {
        const Manifold& one = two.items[i];
        EXPECT_EQ(one.count, 4);
        for (int k = 0; k < one.count; ++k) {
            const float x = one.points[static_cast<std::size_t>(k)].point_a.x;
            EXPECT_TRUE(two.material[i] == 0 ? x < 0.01f : x > -0.01f) << i << " " << x;
        }
    }
    for (const std::span<const std::uint16_t> alike :
         {std::span<const std::uint16_t>(), std::span<const std::uint16_t>(same)}) {
        EXPECT_EQ(collide_mesh(mesh, {}, box, on_the_seam, 0.01f, {}, true, alike).count, 1);
    }
}

// The order of the triangles is the tree's own, and those without area are left out: materials go with them.
TEST(MeshMaterial, StayWithTheirTriangles) {
    const BodyDef track = make_track(ice, rubber, along_x);
    MeshData data = *std::get<Mesh>(track.shapes[0].geometry).data;
    data.triangles.insert(data.triangles.begin() + 3, {0, 0, 1});
    data.triangle_materials.insert(data.triangle_materials.begin() + 3, 1);
    const auto built = build_triangle_mesh(Mesh{std::make_shared<const MeshData>(data)});
    const TriangleMesh& mesh = std::get<TriangleMesh>(built);
    ASSERT_EQ(mesh.materials.size(), mesh.triangles.size());
    ASSERT_EQ(mesh.triangles.size(), data.triangles.size() - 1);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto c = mesh.corners(t);
        EXPECT_EQ(DVec3(data.vertices[data.triangles[mesh.source[t]][1]]), c[1]) << t;
        EXPECT_EQ(mesh.materials[t], c[0].x + c[1].x + c[2].x < 0.0 ? 0 : 1) << t;
    }
}

void crowd(World& world, const BodyDef& track) {
    add(world, track);
    for (int i = 0; i < 40; ++i) {
        const float x = static_cast<float>(i % 8) - 3.5f, y = static_cast<float>(i / 8) - 2.0f;
        BodyDef body = make_body(i % 3 == 0   ? Geometry(Sphere{0.4f})
                                 : i % 3 == 1 ? Geometry(Box{Vec3(0.4f)})
                                              : Geometry(Cylinder{0.4f, 0.4f}),
                                 Vec3(1.1f * x, 1.1f * y, 0.6f + 0.1f * static_cast<float>(i % 4)));
        body.linear_velocity = Vec3(static_cast<float>(i % 5) - 2.0f, 3.0f - static_cast<float>(i % 7), 0.0f);
        add(world, body);
    }
}

TEST(MeshMaterial, SameBitsOnAnyNumberOfThreadsAndFromAnImage) {
    const BodyDef track = make_track({0.05f, 0.8f, 0.0f}, {0.9f, 0.1f, 0.03f}, along_x);
    std::array<std::uint64_t, 4> hashes{};
    for (int threads = 1; threads <= 3; ++threads) {
        Threads executor(threads);
        World world(Settings{}, &executor);
        crowd(world, track);
        run(world, 150);
        hashes[static_cast<std::size_t>(threads)] = world.hash();
        const StateImage image = world.image();
        World other;
        ASSERT_EQ(other.load(image), "");
        run(world, 150);
        run(other, 150);
        EXPECT_EQ(world.hash(), other.hash()) << threads;
    }
    EXPECT_EQ(hashes[1], hashes[2]);
    EXPECT_EQ(hashes[1], hashes[3]);
}

TEST(MeshMaterial, EqualOnesChangeNothing) {
    const auto hash_of = [](const BodyDef& track) {
        World world;
        crowd(world, track);
        run(world, 150);
        return world.hash();
    };
    BodyDef track = make_track({0.3f, 0.4f, 0.01f}, {0.3f, 0.4f, 0.01f}, along_x);
    const std::uint64_t equal = hash_of(track);
    track.shapes[0].mesh_materials[1].friction = 0.2f;
    const std::uint64_t different = hash_of(track);
    track.shapes[0].mesh_materials.clear();
    track.material = {0.3f, 0.4f, 0.01f};
    EXPECT_EQ(hash_of(track), equal);
    EXPECT_NE(different, equal);
}

TEST(MeshMaterial, IsChangedUnderWhatLiesThere) {
    World world;
    const BodyId track = add(world, make_track(ice, rubber, along_x));
    const BodyId box = add(world, sliding_box(Vec3(-16, 0.1f, 0.5f), Vec3(6, 0, 0)));
    const BodyId rests = add(world, sliding_box(Vec3(8, 0.1f, 0.5f), Vec3(0.0f)));
    run(world, 90);
    ASSERT_TRUE(state_of(world, rests).sleeping);
    const auto age = [&] {
        std::uint32_t oldest = 0;
        for (const ContactState& contact : published(world).contacts) {
            oldest = std::max(oldest, contact.age);
        }
        return oldest;
    };
    const std::uint32_t before = age();
    // Colours wake nothing, and no hash holds them.
    const std::uint64_t hash = world.hash();
    ShapeMaterial red = ice;
    red.colour = Colour{200, 0, 0};
    ASSERT_TRUE(world.apply(SetShapeMaterial{track, 0, {}, {red, rubber}}).ok());
    EXPECT_TRUE(state_of(world, rests).sleeping);
    EXPECT_EQ(world.hash(), hash);
    EXPECT_EQ(world.model(track)->def.shapes[0].mesh_materials[0].colour, red.colour);
    // Numbers wake what lies there, and count from the next step on.
    red.friction = 0.9f;
    ASSERT_TRUE(world.apply(SetShapeMaterial{track, 0, {}, {red, rubber}}).ok());
    EXPECT_FALSE(state_of(world, rests).sleeping);
    const float speed = state_of(world, box).linear_velocity.x;
    ASSERT_LT(state_of(world, box).pose.position.x, -1.0f);
    run(world, 5);
    EXPECT_GT(age(), before) << "contacts last";
    const float slowed = 12.0f * (speed - state_of(world, box).linear_velocity.x);
    EXPECT_NEAR(slowed, std::sqrt(0.4f * 0.9f) * g, 0.05f * slowed);
    // The same bits from an image.
    World loaded;
    ASSERT_EQ(loaded.load(world.image()), "");
    run(world, 30);
    run(loaded, 30);
    EXPECT_EQ(loaded.hash(), world.hash());

    const auto refusal = [&](const SetShapeMaterial& command) {
        const auto model = world.model(track);
        const std::string error = world.apply(command).error;
        EXPECT_EQ(world.model(track), model);
        return error;
    };
    EXPECT_NE(refusal({track, 1, {}, {}}).find("no shape 1"), std::string::npos);
    EXPECT_NE(refusal({track, 0, {}, {ice}}).find("1 materials for a mesh that names 2"), std::string::npos);
    EXPECT_NE(refusal({track, 0, {{}, 2.0f, {}}, {}}).find("restitution"), std::string::npos);
    EXPECT_NE(refusal({{99, 0}, 0, {}, {}}), "");
}

TEST(MeshMaterial, IsPaintedUnderWhatLiesThere) {
    World world;
    BodyDef plain = make_track(ice, rubber, along_x);
    auto bare = std::make_shared<MeshData>(*std::get<Mesh>(plain.shapes[0].geometry).data);
    bare->triangles.insert(bare->triangles.begin() + 5, {0, 0, 1}); // has no area, and keeps its place
    bare->materials.clear();
    bare->triangle_materials.clear();
    plain.shapes = {{Mesh{bare}, {}}};
    plain.material.friction = 0.01f;
    const BodyId track = add(world, plain);
    const BodyId box = add(world, sliding_box(Vec3(-16, 0.1f, 0.5f), Vec3(6, 0, 0)));
    const BodyId rests = add(world, sliding_box(Vec3(8, 0.1f, 0.5f), Vec3(0.0f)));
    run(world, 90);
    ASSERT_TRUE(state_of(world, rests).sleeping);
    ASSERT_GT(state_of(world, box).linear_velocity.x, 4.0f);
    const auto data = [&] { return std::get<Mesh>(world.model(track)->def.shapes[0].geometry).data; };
    const auto at = [&](float x) {
        const auto hit = world.ray_cast({Vec3(x, 6.13f, 3), Vec3(0, 0, -1), 50.0f});
        return touched_material(*world.model(track), *hit);
    };
    EXPECT_EQ(at(5).place, std::nullopt);

    // A name alone wakes nothing; all triangles have it.
    const std::uint64_t hash = world.hash();
    ASSERT_TRUE(world.apply(SetMeshMaterials{track, 0, {"snow"}}).ok());
    EXPECT_EQ(at(5).name, "snow");
    EXPECT_EQ(data()->triangle_materials, std::vector<std::uint16_t>(data()->triangles.size(), 0));
    ASSERT_TRUE(world.apply(SetMeshMaterials{track, 0, {"snow", "rubber"}, {{}, {{}, {}, {}, Colour{1, 2, 3}}}}).ok());
    EXPECT_TRUE(state_of(world, rests).sleeping);
    EXPECT_EQ(world.hash(), hash);

    // Rubber where the middle of a triangle has a negative x.
    std::vector<TriangleRun> runs;
    for (std::uint32_t t = 0; t < data()->triangles.size(); ++t) {
        const auto& corner = data()->triangles[t];
        if (data()->vertices[corner[0]].x + data()->vertices[corner[1]].x + data()->vertices[corner[2]].x < 0.0f) {
            runs.push_back({t, 1, 1});
        }
    }
    ASSERT_TRUE(world.apply(SetMeshMaterials{track, 0, {"snow", "rubber"}, {{}, rubber}, runs}).ok());
    EXPECT_FALSE(state_of(world, rests).sleeping);
    EXPECT_EQ(at(5).name, "snow");
    EXPECT_EQ(at(-5).name, "rubber");
    EXPECT_EQ(at(-5).material.friction, rubber.friction);
    const float speed = state_of(world, box).linear_velocity.x;
    ASSERT_LT(state_of(world, box).pose.position.x, -1.0f);
    run(world, 5);
    const float slowed = 12.0f * (speed - state_of(world, box).linear_velocity.x);
    EXPECT_NEAR(slowed, std::sqrt(0.4f * 0.9f) * g, 0.05f * slowed);

    // As if it had been made so, and the same bits from an image.
    const std::shared_ptr<const MeshData> painted = data();
    World fresh;
    BodyDef same = plain;
    same.shapes = {{Mesh{painted}, {}}};
    same.shapes[0].mesh_materials = {{}, rubber};
    const BodyId made = add(fresh, same);
    EXPECT_EQ(fresh.model(made)->parts[0].shape->mesh->materials, world.model(track)->parts[0].shape->mesh->materials);
    World loaded;
    ASSERT_EQ(loaded.load(world.image()), "");
    run(world, 30);
    run(loaded, 30);
    EXPECT_EQ(loaded.hash(), world.hash());

    // Other numbers for the same triangles: nothing is built anew.
    const std::shared_ptr<const Shape> shape = world.model(track)->parts[0].shape;
    ASSERT_TRUE(world.apply(SetShapeMaterial{track, 0, {{}, 0.1f, {}}, {{}, {0.5f, {}, {}}}}).ok());
    EXPECT_EQ(world.model(track)->parts[0].shape, shape);
    EXPECT_EQ(at(-5).material, (Material{0.5f, 0.1f, plain.material.rolling_resistance}));

    // Without materials again.
    ASSERT_TRUE(world.apply(SetMeshMaterials{track, 0, {}}).ok());
    EXPECT_EQ(*data(), *bare);
    EXPECT_TRUE(world.model(track)->parts[0].shape->mesh->materials.empty());
    run(world, 5);
}

TEST(MeshMaterial, PaintThatDoesNotFitIsRefused) {
    World world;
    const BodyId track = add(world, make_track(ice, rubber, along_x));
    const BodyId box = add(world, make_body(Box{}, Vec3(0, 0, 3)));
    const auto refusal = [&](const SetMeshMaterials& command) {
        const auto model = world.model(track);
        const std::uint64_t hash = world.hash();
        const std::string error = world.apply(command).error;
        EXPECT_EQ(world.model(track), model);
        EXPECT_EQ(world.hash(), hash);
        return error;
    };
    const auto says = [&](const SetMeshMaterials& command, const std::string& what) {
        const std::string error = refusal(command);
        EXPECT_NE(error.find(what), std::string::npos) << error;
    };
    const std::vector<std::string> two{"a", "b"};
    says({track, 1, two}, "no shape 1");
    says({box, 0, two}, "shape 0 of the body is not a mesh");
    says({track, 0, two, {ice}}, "1 materials for a mesh that names 2");
    says({track, 0, two, {ice, {-1.0f, {}, {}}}}, "friction");
    says({track, 0, two, {}, {{7199, 2, 0}}}, "the mesh has no run of 2 triangles from triangle 7199 on; it has 7200");
    says({track, 0, two, {}, {{7200, 1, 0}}}, "it has 7200");
    says({track, 0, two, {}, {{0xffffffffu, 0xffffffffu, 0}}}, "it has 7200");
    says({track, 0, two, {}, {{3, 0, 0}}}, "no run of 0 triangles from triangle 3 on");
    says({track, 0, two, {}, {{3, 1, 2}}}, "no material 2; the mesh has 2");
    says({track, 0, {"a"}}, "keeps material 1, but there are only 1");
    says({track, 0, std::vector<std::string>(65536)}, "at most 65535 materials");
    EXPECT_NE(refusal({{99, 0}, 0, two}), "");
}

TEST(MeshMaterial, WhatDoesNotFitIsRefused) {
    const auto refusal = [](const BodyDef& def) {
        World world;
        const CommandResult result = world.apply(CreateBody{def});
        EXPECT_FALSE(result.ok());
        return result.error;
    };
    BodyDef track = make_track(ice, rubber, along_x);
    track.shapes[0].mesh_materials.push_back({});
    EXPECT_NE(refusal(track).find("3 materials for a mesh that names 2"), std::string::npos) << refusal(track);
    track.shapes[0].mesh_materials = {ice, {-1.0f, {}, {}}};
    EXPECT_NE(refusal(track).find("friction"), std::string::npos) << refusal(track);
    BodyDef box = make_body(Box{}, Vec3(0.0f));
    box.shapes[0].mesh_materials = {ice};
    EXPECT_NE(refusal(box).find("for meshes only"), std::string::npos) << refusal(box);

    const auto problem = [](const auto& change) {
        MeshData data = *std::get<Mesh>(make_track(ice, rubber, along_x).shapes[0].geometry).data;
        change(data);
        const auto built = build_triangle_mesh(Mesh{std::make_shared<const MeshData>(std::move(data))});
        return std::holds_alternative<std::string>(built) ? std::get<std::string>(built) : std::string();
    };
    EXPECT_EQ(problem([](MeshData&) {}), "");
    EXPECT_NE(problem([](MeshData& data) { data.triangle_materials[7] = 2; }).find("triangle 7 names material 2"),
              std::string::npos);
    EXPECT_NE(problem([](MeshData& data) { data.triangle_materials.pop_back(); }).find("materials for 7199"),
              std::string::npos);
    EXPECT_NE(problem([](MeshData& data) { data.materials.clear(); }), "");
}

} // namespace
} // namespace cairn::physics::testing
