// Materials of a mesh: added, removed, renamed and painted, and the undo of all that.
#include "app/core/edits/material_edits.h"

#include "tests/core/edits/edit_bench.h"
#include "tests/physics/world/mesh_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace cairn::core {
namespace {

using namespace physics;
using testing::Bench;

struct MaterialEdits : ::testing::Test {
    Bench bench;
    BodyId body;

    void SetUp() override {
        BodyDef def;
        def.name = "ground";
        def.type = BodyType::fixed;
        def.shapes = {{Box{Vec3(1)}, {Vec3(0, 0, -9), identity_orientation}},
                      {physics::testing::make_terrain(20, 0.5f, 0.2f, [](float, float) { return 0.0f; }), {}}};
        body = bench.edit(CreateBody{def}).created;
    }
    const ShapeDef& shape() { return bench.world.model(body)->def.shapes[1]; }
    std::shared_ptr<const MeshData> data() { return std::get<physics::Mesh>(shape().geometry).data; }
    void edit(SetMeshMaterials set, const EditMark& mark = {}) {
        set.body = body;
        set.shape = 1;
        bench.edit(set, mark);
    }
    // What a person can see of it.
    struct Seen {
        MeshData data;
        std::vector<ShapeMaterial> materials;
        bool operator==(const Seen&) const = default;
    };
    Seen seen() { return {*data(), shape().mesh_materials}; }
    std::size_t count(std::uint16_t material) {
        return static_cast<std::size_t>(std::ranges::count(data()->triangle_materials, material));
    }
};

TEST_F(MaterialEdits, AreTakenBackOneByOneAndDoneAgain) {
    std::vector<Seen> states{seen()};
    const auto note = [&] { states.push_back(seen()); };
    edit(material_added(shape(), "grass"));
    EXPECT_EQ(data()->materials, (std::vector<std::string>{"grass"}));
    EXPECT_EQ(count(0), 800u);
    note();
    edit(material_added(shape(), "stone"));
    EXPECT_EQ(count(1), 0u);
    note();
    bench.edit(SetShapeMaterial{body, 1, {}, {{0.2f, {}, {}}, {0.7f, {}, {}, Colour{1, 2, 3}}}});
    note();
    edit(triangles_painted(shape(), 1, {17, 3, 4, 5, 799, 16, 0}));
    EXPECT_EQ(count(1), 7u);
    for (const std::size_t t : {0, 3, 4, 5, 16, 17, 799}) {
        EXPECT_EQ(data()->triangle_materials[t], 1) << t;
    }
    note();
    edit(material_added(shape(), "snow"));
    ASSERT_EQ(shape().mesh_materials.size(), 3u);
    EXPECT_EQ(shape().mesh_materials[2], ShapeMaterial());
    note();
    edit(triangles_painted(shape(), 2, {4, 100, 101}));
    note();
    edit(material_renamed(shape(), 1, "rock"));
    EXPECT_EQ(data()->materials[1], "rock");
    EXPECT_EQ(count(1), 6u);
    note();
    edit(material_removed(shape(), 1)); // those of rock become grass, those of snow stay so
    EXPECT_EQ(data()->materials, (std::vector<std::string>{"grass", "snow"}));
    EXPECT_EQ(shape().mesh_materials, (std::vector<ShapeMaterial>{{0.2f, {}, {}}, {}}));
    EXPECT_EQ(count(1), 3u);
    EXPECT_EQ(data()->triangle_materials[100], 1);
    EXPECT_EQ(data()->triangle_materials[3], 0);
    note();
    edit(material_removed(shape(), 0));
    EXPECT_EQ(count(0), 800u);
    note();
    edit(material_removed(shape(), 0));
    EXPECT_TRUE(data()->materials.empty());
    EXPECT_TRUE(data()->triangle_materials.empty());
    note();
    for (std::size_t i = states.size() - 1; i-- > 0;) {
        bench.undo();
        EXPECT_TRUE(seen() == states[i]) << i;
    }
    for (std::size_t i = 1; i < states.size(); ++i) {
        bench.redo();
        EXPECT_TRUE(seen() == states[i]) << i;
    }
    // What is made again after its removal has all of it.
    bench.undo();
    bench.edit(DestroyBody{body});
    bench.undo();
    FrameState frame;
    bench.world.publish(frame);
    const ShapeDef& again = frame.models.at(0)->def.shapes[1];
    EXPECT_TRUE((Seen{*std::get<physics::Mesh>(again.geometry).data, again.mesh_materials}) ==
                states[states.size() - 2]);
}

TEST_F(MaterialEdits, AStrokeIsOneEditOfWhatItTouches) {
    edit(material_added(shape(), "grass"));
    edit(material_added(shape(), "stone"));
    const Seen before = seen();
    const std::size_t bytes = bench.history.bytes();
    for (std::uint32_t i = 0; i < 10; ++i) {
        edit(triangles_painted(shape(), 1, {10 * i, 10 * i + 1, 10 * i + 2}), {"Paint ground", 7});
    }
    EXPECT_EQ(count(1), 30u);
    EXPECT_EQ(bench.history.names(2).undo,
              (std::vector<std::string>{"Paint ground", "Change the materials of ground"}));
    EXPECT_LT(bench.history.bytes() - bytes, 10000u) << "as large as the mesh is";
    bench.undo();
    EXPECT_TRUE(seen() == before);
    bench.redo();
    EXPECT_EQ(count(1), 30u);
}

TEST_F(MaterialEdits, TheBrushPaintsWhatLiesWithinItsRadius) {
    const TriangleMesh& mesh = *bench.world.model(body)->parts[1].shape->mesh;
    const auto hit = bench.world.ray_cast({Vec3(1.1f, -0.7f, 5), Vec3(0, 0, -1), 20.0f});
    ASSERT_TRUE(hit);
    const std::uint32_t under = hit->hit.triangle;
    EXPECT_EQ(triangles_under_brush(mesh, under, hit->hit.point, 1e-4f), std::vector<std::uint32_t>{under});
    const std::vector<std::uint32_t> found = triangles_under_brush(mesh, under, hit->hit.point, 1.5f);
    const std::set<std::uint32_t> within(found.begin(), found.end());
    EXPECT_EQ(within.size(), found.size());
    std::size_t inside = 0;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto c = mesh.corners(t);
        const double distance = glm::length((c[0] + c[1] + c[2]) / 3.0 - DVec3(hit->hit.point));
        inside += distance <= 1.5 ? 1 : 0;
        EXPECT_EQ(within.contains(t), distance <= 1.5 || t == under) << t;
    }
    EXPECT_GT(inside, 40u);
    EXPECT_LT(inside, 100u);
}

// As of a cup: the brush on its outside leaves the inside as it is.
TEST_F(MaterialEdits, TheBackOfAThinWallIsNotPainted) {
    auto wall = std::make_shared<MeshData>();
    wall->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -0.01f}, {1, 0, -0.01f}, {0, 1, -0.01f}};
    wall->triangles = {{0, 1, 2}, {3, 5, 4}};
    const auto built = build_triangle_mesh(physics::Mesh{wall});
    const TriangleMesh& mesh = std::get<TriangleMesh>(built);
    for (std::uint32_t t = 0; t < 2; ++t) {
        EXPECT_EQ(triangles_under_brush(mesh, t, Vec3(0.3f, 0.3f, 0), 0.5f), std::vector<std::uint32_t>{t});
    }
}

TEST_F(MaterialEdits, OfWhatIsNoMeshThereAreNone) {
    SetMeshMaterials set;
    set.body = body;
    set.shape = 0;
    EXPECT_FALSE(present_materials(bench.world, set));
    set.shape = 2;
    EXPECT_FALSE(present_materials(bench.world, set));
    set.body = {77, 0};
    EXPECT_FALSE(present_materials(bench.world, set));
}

} // namespace
} // namespace cairn::core
