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

} // namespace
} // namespace cairn::physics::testing
