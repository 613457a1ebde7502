// Floors that are laid in pieces: what slides or rolls from one to the next feels nothing of it.
#include "tests/physics/world/height_builder.h"
#include "tests/physics/world/mesh_builder.h"
#include "tests/physics/world/world_builder.h"

#include <cmath>
#include <string>
#include <vector>

namespace cairn::physics::testing {
namespace {

enum class Piece { box, mesh, field };

constexpr float width = 40.0f; // m, of a piece

BodyDef piece(Piece kind, float x) {
    BodyDef def;
    switch (kind) {
    case Piece::box:
        def = make_static(Box{Vec3(0.5f * width, 0.5f * width, 0.5f)}, Vec3(x, 0, -0.5f));
        break;
    case Piece::mesh:
        def = make_static(make_terrain(8, width / 8.0f, 0.2f, [](float, float) { return 0.0f; }), Vec3(x, 0, 0));
        break;
    case Piece::field:
        def = make_static(level_field(9, width / 8.0f), Vec3(x, 0, 0));
        break;
    }
    def.material.friction = 0.0f;
    return def;
}

struct Passage {
    float kick = 0.0f; // m/s, up or down, at any time
    Vec3 velocity{0.0f};
};

// From x = -1 m - v / 2 s on, without friction.
Passage pass(World& world, Geometry geometry, float rest, float speed) {
    BodyDef def = make_body(std::move(geometry), Vec3(-1.0f - 0.5f * speed, 0.1f, rest));
    def.material.friction = 0.0f;
    const BodyId body = add(world, def);
    run(world, 30);
    SetBody push;
    push.body = body;
    push.linear_velocity = Vec3(speed, 0, 0);
    EXPECT_TRUE(world.apply(push).ok());
    Passage passage;
    for (int i = 0; i < 90; ++i) {
        world.step();
        passage.kick = std::max(passage.kick, std::abs(state_of(world, body).linear_velocity.z));
    }
    passage.velocity = state_of(world, body).linear_velocity;
    return passage;
}

void expect_smooth(const auto& make_world, const std::string& what) {
    for (const float speed : {1.0f, 4.0f, 15.0f}) {
        for (const auto& [geometry, rest] :
             {std::pair(Geometry(Sphere{0.3f}), 0.3f), std::pair(Geometry(Box{Vec3(0.3f, 0.2f, 0.1f)}), 0.1f)}) {
            World world(without_sleep());
            make_world(world);
            const Passage passage = pass(world, geometry, rest, speed);
            EXPECT_LT(passage.kick, 0.01f) << what << " at " << speed;
            EXPECT_NEAR(passage.velocity.x, speed, 1e-3f * speed) << what << " at " << speed;
        }
    }
}

TEST(Seams, OfPiecesOfAnyKindAreNotFelt) {
    const char* const names[]{"box", "mesh", "field"};
    for (const Piece a : {Piece::box, Piece::mesh, Piece::field}) {
        for (const Piece b : {Piece::box, Piece::mesh, Piece::field}) {
            expect_smooth(
                [&](World& world) {
                    add(world, piece(a, -0.5f * width));
                    add(world, piece(b, 0.5f * width));
                },
                std::string(names[static_cast<int>(a)]) + " and " + names[static_cast<int>(b)]);
        }
    }
}

// Cells of 5 m meet cells of 2.5 m: their triangles share no edge. And two meshes of one body.
TEST(Seams, WithinAMeshAndAmongThePartsOfABodyAreNotFelt) {
    const auto add_grid = [](MeshData& data, float from, float to, float cell) {
        const auto columns = static_cast<std::uint32_t>(std::lround((to - from) / cell));
        const auto rows = static_cast<std::uint32_t>(std::lround(width / cell));
        const auto first = static_cast<std::uint32_t>(data.vertices.size());
        for (std::uint32_t i = 0; i <= columns; ++i) {
            for (std::uint32_t j = 0; j <= rows; ++j) {
                data.vertices.emplace_back(from + cell * static_cast<float>(i),
                                           cell * static_cast<float>(j) - 0.5f * width, 0.0f);
            }
        }
        for (std::uint32_t i = 0; i < columns; ++i) {
            for (std::uint32_t j = 0; j < rows; ++j) {
                const std::uint32_t v = first + i * (rows + 1) + j;
                data.triangles.push_back({v, v + rows + 1, v + 1});
                data.triangles.push_back({v + 1, v + rows + 1, v + rows + 2});
            }
        }
    };
    const auto floor_of = [](std::vector<std::shared_ptr<MeshData>> parts) {
        BodyDef def;
        def.type = BodyType::fixed;
        def.material.friction = 0.0f;
        for (std::shared_ptr<MeshData>& part : parts) {
            def.shapes.push_back({Mesh{std::move(part)}, {}});
        }
        return def;
    };
    auto left = std::make_shared<MeshData>(), right = std::make_shared<MeshData>(), both = std::make_shared<MeshData>();
    add_grid(*left, -width, 0, 5.0f);
    add_grid(*right, 0, width, 5.0f);
    add_grid(*both, -width, 0, 5.0f);
    add_grid(*both, 0, width, 2.5f);
    expect_smooth([&](World& world) { add(world, floor_of({both})); }, "cells of two sizes");
    expect_smooth([&](World& world) { add(world, floor_of({left, right})); }, "two meshes of a body");
}

// A kerb, a gap and a wall are no seams.
TEST(Seams, AreNotWhatStandsOut) {
    const auto thrown_against = [](const BodyDef& other) {
        World world(without_sleep());
        add(world, piece(Piece::mesh, -0.5f * width));
        add(world, other);
        return pass(world, Sphere{0.3f}, 0.3f, 4.0f).velocity.x;
    };
    BodyDef kerb = piece(Piece::mesh, 0.5f * width);
    kerb.pose.position.z = 0.1f;
    EXPECT_LT(thrown_against(kerb), 3.0f) << "a kerb of 10 cm";
    kerb.pose.position.z = 0.5f; // as a wall of two sides
    BodyDef wall =
        make_static(from_both_sides(make_terrain(8, 5.0f, 0.0f, [](float, float) { return 0.0f; })), Vec3(0));
    wall.pose.orientation = normalized(Quat(1, 0, 1, 0));
    EXPECT_LT(thrown_against(wall), 0.1f) << "a wall";
    EXPECT_LT(thrown_against(piece(Piece::mesh, 0.5f * width + 0.5f)), 4.0f) << "a gap of 50 cm, as wide as the ball";
}

enum class Slope { box, wedge, mesh };

// Rises from the line x = 0, z = `foot` on by `angle`, without friction.
BodyDef slope_of(Slope kind, float angle, float foot) {
    constexpr float length = 6.0f;
    const Vec3 along(std::cos(angle), 0.0f, std::sin(angle)), normal(-std::sin(angle), 0.0f, std::cos(angle));
    BodyDef def;
    switch (kind) {
    case Slope::box:
        def = make_static(Box{Vec3(0.5f * length, 3.0f, 0.25f)}, 0.5f * length * along - 0.25f * normal);
        def.pose.orientation = Quat(std::cos(0.5f * angle), 0.0f, -std::sin(0.5f * angle), 0.0f);
        break;
    case Slope::wedge: {
        std::vector<Vec3> points;
        for (const float y : {-3.0f, 3.0f}) {
            for (const Vec3& corner : {Vec3(0.0f), length * along, Vec3(length * along.x, 0.0f, 0.0f)}) {
                points.push_back(corner + Vec3(0.0f, y, 0.0f) - Vec3(2.0f / 3.0f, 0.0f, 1.0f / 3.0f) * length * along);
            }
        }
        def = make_static(PointSet{std::make_shared<const std::vector<Vec3>>(points)},
                          Vec3(2.0f / 3.0f, 0.0f, 1.0f / 3.0f) * length * along);
        break;
    }
    case Slope::mesh: {
        auto data = std::make_shared<MeshData>();
        for (const float x : {0.0f, length}) {
            data->vertices.push_back(x * along - Vec3(0.0f, 3.0f, 0.0f));
            data->vertices.push_back(x * along + Vec3(0.0f, 3.0f, 0.0f));
        }
        data->triangles = {{0, 2, 3}, {0, 3, 1}};
        def = make_static(Mesh{data}, Vec3(0.0f));
        break;
    }
    }
    def.pose.position.z += foot;
    def.material.friction = 0.0f;
    return def;
}

// What slides onto a slope turns into it: of its energy the share cos^2 is left, and of what pitches in doing so, more.
TEST(Seams, WhereASlopeBeginsNothingIsHeldUp) {
    const std::vector<std::pair<Geometry, float>> bodies{
        {Sphere{0.2f}, 0.2f}, {Box{Vec3(0.2f)}, 0.2f}, {Box{Vec3(0.5f, 0.3f, 0.1f)}, 0.1f}};
    for (const float hz : {20.0f, 60.0f, 240.0f}) {
        for (const Piece floor : {Piece::box, Piece::mesh}) {
            for (const Slope kind : {Slope::box, Slope::wedge, Slope::mesh}) {
                for (const float angle : {0.02f, 0.1f, 0.3f}) {
                    for (const auto& [geometry, rest] : bodies) {
                        Settings settings = without_sleep();
                        settings.hz = hz;
                        World world(settings);
                        add(world, piece(floor, -0.5f * width));
                        add(world, slope_of(kind, angle, 0.0f));
                        BodyDef def = make_body(geometry, Vec3(-1.5f, 0.1f, rest));
                        def.material.friction = 0.0f;
                        def.linear_velocity = Vec3(6.0f, 0.0f, 0.0f);
                        const BodyId body = add(world, def);
                        for (int i = 0; i < static_cast<int>(hz) && state_of(world, body).pose.position.x < 1.0f; ++i) {
                            world.step();
                        }
                        const BodyState state = state_of(world, body);
                        const Vec3 velocity = state.linear_velocity;
                        const float share =
                            (0.5f * glm::dot(velocity, velocity) + 9.81f * (state.pose.position.z - rest)) / 18.0f;
                        const float expected = std::cos(angle) * std::cos(angle);
                        const std::string what = "floor " + std::to_string(static_cast<int>(floor)) + ", slope " +
                                                 std::to_string(static_cast<int>(kind)) + " of " +
                                                 std::to_string(angle) + ", height " + std::to_string(rest) + ", " +
                                                 std::to_string(hz) + " Hz";
                        EXPECT_GT(share, expected - 0.03f) << what;
                        EXPECT_LT(share, expected + 0.05f) << what;
                    }
                }
            }
        }
    }
}

// A loop of 64 boxes, each of which turns what slides in it by a little more: so often that share is left.
TEST(Seams, OfALoopOfBoxesAreNotFelt) {
    constexpr int boxes = 64;
    constexpr float radius = 2.0f, half_turn = 3.14159265f / boxes;
    for (const auto& [geometry, inner] : {std::pair(Geometry(Sphere{0.2f}), radius - 0.2f),
                                          std::pair(Geometry(Box{Vec3(0.2f)}), std::sqrt(3.96f) - 0.2f)}) {
        World world(weightless());
        for (int i = 0; i < boxes; ++i) {
            const float angle = static_cast<float>(2 * i + 1) * half_turn;
            BodyDef def = make_static(Box{Vec3(radius * std::tan(half_turn), 1.0f, 0.1f)},
                                      (radius + 0.1f) * Vec3(std::sin(angle), 0.0f, -std::cos(angle)));
            def.pose.orientation = Quat(std::cos(0.5f * angle), 0.0f, -std::sin(0.5f * angle), 0.0f);
            def.material.friction = 0.0f;
            add(world, def);
        }
        BodyDef def = make_body(geometry, Vec3(0.0f, 0.0f, -inner));
        def.material.friction = 0.0f;
        def.linear_velocity = Vec3(5.0f, 0.0f, 0.0f);
        if (std::holds_alternative<Box>(geometry)) {
            def.angular_velocity = Vec3(0.0f, -5.0f / inner, 0.0f);
        }
        const BodyId body = add(world, def);
        const double start = published(world).stats.kinetic_energy;
        float way = 0.0f; // rad
        for (int i = 0; i < 300 && way < 2.0f * boxes * half_turn; ++i) {
            const Vec3 before = state_of(world, body).pose.position;
            world.step();
            const Vec3 now = state_of(world, body).pose.position;
            way += std::atan2(before.x * now.z - before.z * now.x, before.x * now.x + before.z * now.z);
        }
        const double share = std::pow(std::cos(2.0 * double(half_turn)), 2.0 * boxes);
        EXPECT_NEAR(published(world).stats.kinetic_energy / start, share, 0.08) << geometry.index();
        EXPECT_GT(way, 6.2f) << geometry.index();
    }
}

// What rises too steeply, or stands above the floor, stops what meets it, and lets nothing in.
TEST(Seams, SteepSlopesAndLipsStop) {
    const auto slid_against = [](Slope kind, float angle, float foot) {
        World world(without_sleep());
        add(world, piece(Piece::box, -0.5f * width));
        add(world, slope_of(kind, angle, foot));
        BodyDef def = make_body(Box{Vec3(0.5f, 0.3f, 0.1f)}, Vec3(-1.5f, 0.0f, 0.1f));
        def.material.friction = 0.0f;
        def.linear_velocity = Vec3(6.0f, 0.0f, 0.0f);
        const BodyId body = add(world, def);
        float furthest = -1.5f;
        for (int i = 0; i < 120; ++i) {
            world.step();
            furthest = std::max(furthest, state_of(world, body).pose.position.x);
        }
        return furthest;
    };
    for (const Slope kind : {Slope::box, Slope::wedge, Slope::mesh}) {
        EXPECT_LT(slid_against(kind, 0.1f, 0.02f), -0.4f) << "a lip of 2 cm";
        EXPECT_LT(slid_against(kind, 1.2f, 0.0f), 0.5f) << "69 degrees";
        EXPECT_LT(slid_against(kind, 1.5f, 0.0f), 0.0f) << "86 degrees";
    }
}

} // namespace
} // namespace cairn::physics::testing
