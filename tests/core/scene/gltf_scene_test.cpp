// glTF files of other programs, and damaged ones.
#include "app/core/scene/gltf/file/gltf_mesh.h"
#include "app/core/scene/gltf/gltf_scene.h"

#include "app/core/base/base64.h"
#include "app/core/base/error.h"
#include "app/core/scene/scene.h"
#include "app/core/scene/shapes/mesh_points.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

namespace cairn::core {
namespace {

using namespace cairn::physics;

// A tetrahedron: four points, then twelve indices of 16 bits.
std::string tetrahedron() {
    const std::array<float, 12> points{0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
    const std::array<std::uint16_t, 12> corners{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    std::string bytes(sizeof(points) + sizeof(corners), '\0');
    std::memcpy(bytes.data(), points.data(), sizeof(points));
    std::memcpy(bytes.data() + sizeof(points), corners.data(), sizeof(corners));
    return bytes;
}

std::string data_uri(const std::string& bytes) {
    return "data:application/octet-stream;base64," + base64(std::as_bytes(std::span(bytes)));
}

const char* const mesh_lists = R"(
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
 "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0.2158605, 1]}}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
               {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}],
 "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
)";

std::string gltf_text(const std::string& rest, const std::string& uri = data_uri(tetrahedron())) {
    return R"({"asset": {"version": "2.0"}, "scene": 0,)" + std::string(mesh_lists) +
           " \"buffers\": [{\"byteLength\": 72, \"uri\": \"" + uri + "\"}],\n" + rest + "}";
}

Scene read_text(const std::string& text) {
    return scene_from_gltf(text, "test.gltf", ".", {}, {});
}

std::string glb(const std::string& json, const std::string& data) {
    const auto word = [](std::size_t value) {
        std::string out;
        for (int byte = 0; byte < 4; ++byte) {
            out += static_cast<char>(value >> (8 * byte) & 0xff);
        }
        return out;
    };
    const std::string padded = json + std::string((4 - json.size() % 4) % 4, ' ');
    return "glTF" + word(2) + word(28 + padded.size() + data.size()) + word(padded.size()) + "JSON" + padded +
           word(data.size()) + std::string("BIN\0", 4) + data;
}

TEST(GltfScene, AFileOfAnotherProgramMoves) {
    const Scene scene = read_text(gltf_text(R"(
 "extensionsUsed": ["KHR_implicit_shapes", "KHR_physics_rigid_bodies"],
 "scenes": [{"name": "from elsewhere", "nodes": [0, 1, 4]}],
 "nodes": [
  {"name": "floor", "scale": [10, 1, 20], "translation": [0, -0.5, 0],
   "extensions": {"KHR_physics_rigid_bodies": {"collider": {"geometry": {"shape": 0}, "physicsMaterial": 0}}}},
  {"name": "thing", "translation": [1, 5, 2], "mesh": 0, "children": [2],
   "extensions": {"KHR_physics_rigid_bodies": {
     "motion": {"mass": 3, "gravityFactor": 0.5, "linearVelocity": [0, 2, 0]},
     "collider": {"geometry": {"mesh": 0, "convexHull": true}}}}},
  {"name": "wheel", "translation": [0, 1, 0], "children": [3]},
  {"name": "rim", "extensions": {"KHR_physics_rigid_bodies": {
     "motion": {}, "collider": {"geometry": {"shape": 1}},
     "joint": {"connectedNode": 1, "joint": 0}}}},
  {"name": "decoration", "mesh": 0}],
 "extensions": {
  "KHR_implicit_shapes": {"shapes": [{"type": "box", "box": {"size": [1, 1, 1]}},
    {"type": "cylinder", "cylinder": {"height": 0.4, "radiusTop": 0.7, "radiusBottom": 0.7}}]},
  "KHR_physics_rigid_bodies": {
   "physicsMaterials": [{"staticFriction": 0.8, "dynamicFriction": 0.8, "restitution": 0.3}],
   "physicsJoints": [{"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0},
                                 {"angularAxes": [0, 2], "min": 0, "max": 0}]}]}})"));
    EXPECT_EQ(scene.name, "from elsewhere");
    EXPECT_EQ(scene.description, "");
    ASSERT_EQ(scene.bodies.size(), 3u) << "what has no collider is looks";
    const BodyDef &floor = scene.bodies[0], &thing = scene.bodies[1], &rim = scene.bodies[2];
    EXPECT_EQ(floor.type, BodyType::fixed);
    // Up is Y there and Z here, towards the viewer Z there and -Y here. The body turns, its box does not.
    EXPECT_EQ(std::get<Box>(floor.shapes.at(0).geometry).half_extents, Vec3(5, 0.5, 10));
    EXPECT_LT(glm::length(floor.pose.position - Vec3(0, 0, -0.5f)), 1e-6f);
    EXPECT_LT(glm::length(rotate(floor.pose.orientation, Vec3(0, 1, 0)) - Vec3(0, 0, 1)), 1e-6f);
    EXPECT_EQ(floor.material.friction, 0.8f);
    EXPECT_EQ(floor.material.restitution, 0.3f);
    EXPECT_EQ(thing.mass, 3.0f);
    EXPECT_EQ(thing.gravity_scale, 0.5f);
    EXPECT_LT(glm::length(thing.linear_velocity - Vec3(0, 0, 2)), 1e-6f);
    EXPECT_EQ(thing.colour, (Colour{255, 0, 128}));
    // Its centroid is a quarter of the sum of its corners.
    EXPECT_LT(glm::length(thing.pose.position - Vec3(1.25f, -2.75f, 5.5f)), 1e-5f);
    EXPECT_EQ(rim.type, BodyType::dynamic);
    EXPECT_LT(glm::length(rim.pose.position - Vec3(1, -2, 6)), 1e-6f);
    EXPECT_EQ(std::get<Cylinder>(rim.shapes.at(0).geometry), (Cylinder{0.7f, 0.2f}));
    const Quat turned = rim.pose.orientation * rim.shapes[0].pose.orientation;
    EXPECT_NEAR(std::abs(rotate(turned, Vec3(0, 0, 1)).z), 1.0f, 1e-6f);
    ASSERT_EQ(scene.joints.size(), 1u);
    EXPECT_EQ(scene.joints[0].kind, JointKind::hinge);
    World world = make_world(scene);
    FrameState frame;
    for (int i = 0; i < 60; ++i) {
        world.step();
    }
    world.publish(frame);
    const JointState& joint = frame.joints.at(0);
    EXPECT_LT(glm::length(joint.anchor_a - joint.anchor_b), 1e-3f);
    EXPECT_LT(frame.bodies[1].pose.position.z, 7.5f);
}

TEST(GltfScene, TrianglesKeepTheNamesOfTheirMaterials) {
    std::string text = gltf_text(R"("scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}])");
    const auto replace = [&text](const std::string& what, const std::string& by) {
        const std::size_t at = text.find(what);
        ASSERT_NE(at, std::string::npos) << what;
        text.replace(at, what.size(), by);
    };
    const auto materials = [&text] {
        const Scene scene = read_text(text);
        const MeshData& mesh = *std::get<Mesh>(scene.bodies.at(0).shapes.at(0).geometry).data;
        EXPECT_TRUE(scene.bodies[0].shapes[0].mesh_materials.empty());
        EXPECT_NO_THROW(make_world(scene));
        return std::pair(mesh.materials, mesh.triangle_materials);
    };
    EXPECT_TRUE(materials().first.empty()) << "of one alone there is nothing to tell apart";
    const std::string primitive = R"({"attributes": {"POSITION": 0}, "indices": 1, "material": 0})";
    replace(primitive, R"({"attributes": {"POSITION": 0}, "indices": 1, "material": 1},)" + primitive +
                           R"(, {"attributes": {"POSITION": 0}, "indices": 1})");
    replace(R"("materials": [{)", R"("materials": [{"name": "ice", )");
    replace(R"(1]}}],)", R"(1]}}, {}],)");
    const auto [names, places] = materials();
    EXPECT_EQ(names, (std::vector<std::string>{"1", "ice", ""}));
    EXPECT_EQ(places, (std::vector<std::uint16_t>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}));
}

TEST(GltfScene, WithoutPhysicsMeshesStandStill) {
    const Scene scene = read_text(gltf_text(R"("scenes": [{"nodes": [0, 1]}], "nodes": [{"name": "a", "mesh": 0},
        {"mesh": 0, "name": "b", "translation": [0, 7, 0], "scale": [-1, 1, 1]}])"));
    ASSERT_EQ(scene.bodies.size(), 2u);
    for (const BodyDef& body : scene.bodies) {
        EXPECT_EQ(body.type, BodyType::fixed);
        EXPECT_EQ(std::get<Mesh>(body.shapes.at(0).geometry).data->triangles.size(), 4u);
    }
    // A mirror turns triangles over, and they are turned back.
    const auto volume = [](const MeshData& mesh) {
        float sum = 0.0f;
        for (const auto& t : mesh.triangles) {
            sum += glm::dot(mesh.vertices[t[0]], glm::cross(mesh.vertices[t[1]], mesh.vertices[t[2]])) / 6.0f;
        }
        return sum;
    };
    EXPECT_NEAR(volume(*std::get<Mesh>(scene.bodies[0].shapes[0].geometry).data), 1.0f, 1e-6f);
    EXPECT_NEAR(volume(*std::get<Mesh>(scene.bodies[1].shapes[0].geometry).data), 1.0f, 1e-6f);
}

// A mesh of a body that moves is no surface.
TEST(GltfScene, MeshesThatMoveAreDecomposed) {
    const Scene scene = read_text(gltf_text(R"("scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0,
        "extensions": {"KHR_physics_rigid_bodies": {"motion": {}, "collider": {"geometry": {"node": 0}}}}}])"));
    ASSERT_EQ(scene.bodies.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<PointSet>(scene.bodies[0].shapes.at(0).geometry));
    World world = make_world(scene);
    FrameState frame;
    world.publish(frame);
    EXPECT_NEAR(frame.models[0]->mass, 1000.0f, 1.0f);
}

TEST(GltfScene, FiltersAreGroups) {
    const Scene scene = read_text(gltf_text(R"("scenes": [{"nodes": [0, 1, 2, 3]}], "nodes": [
      {"extensions": {"KHR_physics_rigid_bodies": {"collider": {"geometry": {"shape": 0}, "collisionFilter": 0}}}},
      {"extensions": {"KHR_physics_rigid_bodies": {"collider": {"geometry": {"shape": 0}, "collisionFilter": 1}}}},
      {"extensions": {"KHR_physics_rigid_bodies": {"collider": {"geometry": {"shape": 0}, "collisionFilter": 2}}}},
      {"extensions": {"KHR_physics_rigid_bodies": {"collider": {"geometry": {"shape": 0}}}}}],
      "extensions": {"KHR_implicit_shapes": {"shapes": [{"type": "sphere", "sphere": {"radius": 1}}]},
       "KHR_physics_rigid_bodies": {"collisionFilters": [
        {"collisionSystems": ["ships"], "notCollideWithSystems": ["ships"]},
        {"collisionSystems": ["rocks"], "collideWithSystems": ["ships"]},
        {"collisionSystems": ["birds"]}]}})"));
    ASSERT_EQ(scene.bodies.size(), 4u);
    const auto meet = [&](std::size_t a, std::size_t b) {
        return scene.bodies[a].filter.lets_meet(scene.bodies[b].filter);
    };
    EXPECT_FALSE(meet(0, 0));
    EXPECT_TRUE(meet(0, 1));
    EXPECT_TRUE(meet(0, 2));
    EXPECT_FALSE(meet(1, 1));
    EXPECT_FALSE(meet(1, 2));
    EXPECT_TRUE(meet(2, 2));
    EXPECT_TRUE(meet(0, 3));
}

TEST(GltfScene, WhatCannotBeKeptIsReported) {
    const Scene scene = read_text(gltf_text(R"("scenes": [{"nodes": [0, 1]}], "nodes": [
      {"extensions": {"KHR_physics_rigid_bodies": {"motion": {"centerOfMass": [0, 0.5, 0], "mass": 1},
        "collider": {"geometry": {"shape": 0}}}}},
      {"extensions": {"KHR_physics_rigid_bodies": {"motion": {"mass": 1}}}}],
      "extensions": {"KHR_implicit_shapes": {"shapes": [{"type": "cylinder", "cylinder": {"radiusTop": 0.1}}]}})"));
    EXPECT_EQ(scene.bodies.size(), 1u);
    EXPECT_EQ(
        scene.description,
        "Not kept of the glTF file: bodies without a collider; centres of mass that do not follow from the shapes; "
        "shapes that narrow are hulls of 32 corners a ring.");
}

class GltfFiles : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("cairn_gltf_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
        std::filesystem::create_directories(folder_ / "in");
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    void put(const std::string& name, const std::string& content) const {
        std::ofstream(folder_ / name, std::ios::binary) << content;
    }
    std::filesystem::path folder_;
};

TEST_F(GltfFiles, AreScenesAndMeshesOfBothForms) {
    const std::string nodes = R"("scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "translation": [0, 1, 0]}])";
    put("in/a b.bin", tetrahedron());
    put("in/text.gltf", gltf_text(nodes, "a%20b.bin"));
    put("in/binary.GLB", glb(R"({"asset": {"version": "2.0"},)" + std::string(mesh_lists) +
                                 R"("buffers": [{"byteLength": 72}],)" + nodes + "}",
                             tetrahedron()));
    for (const char* name : {"in/text.gltf", "in/binary.GLB"}) {
        const MeshData mesh = read_mesh(folder_ / name);
        ASSERT_EQ(mesh.vertices.size(), 4u);
        EXPECT_EQ(mesh.vertices[0], Vec3(0, 0, 1)) << "Y is up there, Z here";
        EXPECT_EQ(mesh.vertices[3], Vec3(0, -3, 1));
        EXPECT_EQ(mesh.triangles.size(), 4u);
        EXPECT_EQ(read_scene(folder_ / name).bodies.size(), 1u);
        EXPECT_FALSE(gltf_has_bodies(folder_ / name));
        put("in/scene.json", R"({"cairn": 1, "bodies": [
            {"type": "static", "shape": {"mesh": {"file": ")" +
                                 std::filesystem::path(name).filename().string() + R"("}}},
            {"shape": {"hull": {"mesh": ")" +
                                 std::filesystem::path(name).filename().string() + R"("}}},
            {"decomposed": {"file": ")" +
                                 std::filesystem::path(name).filename().string() + R"("}}]})");
        EXPECT_EQ(read_scene(folder_ / "in/scene.json").bodies.size(), 3u);
    }
    std::vector<std::filesystem::path> files;
    read_scene(folder_ / "in/text.gltf", files);
    EXPECT_EQ(files.size(), 2u) << "the window watches both";
}

TEST_F(GltfFiles, AreConfinedToTheirFolder) {
    put("out.bin", tetrahedron());
    put("in/text.gltf", gltf_text(R"("nodes": [{"mesh": 0}])", "../out.bin"));
    EXPECT_EQ(read_scene(folder_ / "in/text.gltf").bodies.size(), 1u);
    EXPECT_THROW(read_scene(folder_ / "in/text.gltf", SceneReading{.confined = true}), InputError);
    put("in/scene.json", R"({"cairn": 1, "bodies": [{"type": "static", "shape": {"mesh": {"file": "text.gltf"}}}]})");
    EXPECT_EQ(read_scene(folder_ / "in/scene.json").bodies.size(), 1u);
    EXPECT_THROW(read_scene(folder_ / "in/scene.json", SceneReading{.confined = true}), InputError);
}

std::string problem_of(const std::function<void()>& read) {
    try {
        read();
    } catch (const InputError& error) {
        return error.what();
    }
    return "none";
}

TEST(GltfErrors, AreReportedWithTheirPlace) {
    const std::string with_shape =
        R"("scenes": [{"nodes": [0]}], "nodes": [{"extensions": {"KHR_physics_rigid_bodies": )";
    const std::array<std::array<std::string, 2>, 19> damaged{{
        {"", "the file is empty"},
        {"{", "test.gltf:1:2: the file ends too early"},
        {"[]", "test.gltf:1:1: a glTF file is an object"},
        {R"({"asset": {}})", "test.gltf:1:11: the key \"version\" is missing"},
        {R"({"asset": {"version": "1.0"}})", "test.gltf:1:23: glTF of version \"1.0\""},
        {R"({"asset": {"version": "2.0"}, "extensionsRequired": ["KHR_draco_mesh_compression"]})",
         "test.gltf:1:54: the file cannot be read without the extension \"KHR_draco_mesh_compression\""},
        {gltf_text(R"("scenes": [{"nodes": [7]}], "nodes": [])"), "there is no \"nodes\" 7: the file has none"},
        {gltf_text(R"("nodes": [{"children": [1]}, {"children": [0]}], "scenes": [{"nodes": [0]}])"),
         "node 0 is no root"},
        {gltf_text(R"("nodes": [{"children": [1, 1]}, {}])"), "node 1 is the child of two nodes"},
        {gltf_text(R"("nodes": [{"rotation": [0, 0, 0, 0]}])"), "\"rotation\" must be a quaternion"},
        {gltf_text(R"("nodes": [{"mesh": 0}])", "data:,abc"), "data in the file must be of the form"},
        {gltf_text(R"("nodes": [{"mesh": 0}])", "data:;base64,AAA*"), "are no base64 text"},
        {gltf_text(R"("nodes": [{"mesh": 0}])", "data:;base64,AAAA"), "has 3 bytes, fewer than"},
        {gltf_text(R"("nodes": [{"mesh": 0}])", "http://example.org/x.bin"), "from which nothing is read"},
        {gltf_text(R"("nodes": [{"mesh": 0}])", "nowhere.bin"), "cannot be found"},
        {gltf_text(with_shape + R"({"collider": {}}}}])"), "a collider needs \"geometry\""},
        {gltf_text(with_shape + R"({"collider": {"geometry": {"shape": 3}}}}}])"),
         "there is no \"shape\" 3: the file has none"},
        {gltf_text(with_shape +
                   R"({"motion": {"mass": -1}, "collider": {"geometry": {"mesh": 0, "convexHull": true}}}}}])"),
         "\"mass\" must be within"},
        {gltf_text(with_shape + R"({"motion": {}, "collider": {"geometry": {"mesh": 0, "convexHull": 3}}}}}])"),
         "\"convexHull\" must be true or false"},
    }};
    for (const auto& [text, said] : damaged) {
        const std::string problem = problem_of([&text = text] { read_text(text); });
        EXPECT_NE(problem.find(said), std::string::npos) << problem << "\n instead of " << said;
    }
}

TEST(GltfErrors, OfTheBinaryFormNameTheByte) {
    const std::string good = glb(R"({"asset": {"version": "2.0"},)" + std::string(mesh_lists) +
                                     R"("buffers": [{"byteLength": 72}], "nodes": [{"mesh": 0}]})",
                                 tetrahedron());
    const auto read = [](const std::string& bytes) {
        return problem_of([&] { parse_gltf_mesh(bytes, "test.glb", ".", {}); });
    };
    EXPECT_EQ(read(good), "none");
    for (std::size_t size = 0; size < good.size(); ++size) { // no part of a file is a file
        EXPECT_NE(read(good.substr(0, size)), "none") << size;
    }
    EXPECT_NE(read(good.substr(0, 200)).find("test.glb: byte 8: the file says that it has"), std::string::npos);
    std::string nan = good;
    const std::uint32_t bits = 0x7fc00000u;
    std::memcpy(nan.data() + nan.size() - 72, &bits, 4);
    EXPECT_NE(read(nan).find("test.glb: byte "), std::string::npos);
    EXPECT_NE(read(nan).find("element 0 of these is not within"), std::string::npos);
    std::string corner = good;
    corner[corner.size() - 2] = 9;
    EXPECT_NE(read(corner).find("an index names vertex 9 but there are 4"), std::string::npos);
}

} // namespace
} // namespace cairn::core
