// Materials of the triangles of a mesh, in scenes and in mesh files.
#include "app/core/base/error.h"
#include "app/core/scene/scene.h"
#include "app/core/scene/shapes/mesh_points.h"
#include "tests/core/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::core {
namespace {

using physics::MeshData;
using physics::ShapeMaterial;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TemporaryFolder;

const char* const corners = R"("vertices": [[0,0,0],[1,0,0],[1,1,0],[0,1,0]], "triangles": [[0,1,2],[0,2,3]])";
const char* const squares = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nusemtl ice\nf 1 3 4\nusemtl hard  rubber\n"
                            "f 4 3 1\nusemtl ice\nusemtl unused\nusemtl ice\nf 3 2 1 4\n";

Scene with_mesh(const std::string& mesh, const TemporaryFolder& folder) {
    return parse_scene("{\"cairn\": 1, \"bodies\": [\n{\"type\": \"static\", \"shape\": {\"mesh\": {" + mesh + "}}}]}",
                       "s.json", folder.path());
}

std::string error_with(const std::string& mesh, const TemporaryFolder& folder) {
    try {
        with_mesh(mesh, folder);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

const MeshData& mesh_of(const Scene& scene) {
    return *std::get<physics::Mesh>(scene.bodies.at(0).shapes.at(0).geometry).data;
}

TEST(SceneMeshMaterials, OfListedTriangles) {
    const TemporaryFolder folder;
    const Scene scene = with_mesh(std::string(corners) + R"(, "triangle_materials": [1, 0], "materials": [
        {"name": "ice", "friction": 0.02}, {"restitution": 0.7, "rolling_resistance": 0.1}])",
                                  folder);
    EXPECT_THAT(mesh_of(scene).materials, ElementsAre("ice", ""));
    EXPECT_THAT(mesh_of(scene).triangle_materials, ElementsAre(1, 0));
    EXPECT_THAT(scene.bodies[0].shapes[0].mesh_materials,
                ElementsAre(ShapeMaterial{0.02f, {}, {}}, ShapeMaterial{{}, 0.7f, 0.1f}));
    EXPECT_TRUE(parse_scene(write_scene(scene), "t", ".") == scene);
    EXPECT_NO_THROW(make_world(scene));
}

TEST(SceneMeshMaterials, HaveColours) {
    const TemporaryFolder folder;
    const Scene scene = with_mesh(std::string(corners) + R"(, "triangle_materials": [1, 0], "materials": [
        {"name": "ice", "colour": "#a0C8ff"}, {"friction": 0.5, "colour": "automatic"}])",
                                  folder);
    EXPECT_THAT(scene.bodies[0].shapes[0].mesh_materials,
                ElementsAre(ShapeMaterial{{}, {}, {}, physics::Colour{0xa0, 0xc8, 0xff}}, ShapeMaterial{0.5f, {}, {}}));
    EXPECT_TRUE(parse_scene(write_scene(scene), "t", ".") == scene);
    const Scene shapes = parse_scene(R"({"cairn": 1, "bodies": [{"shapes": [
        {"shape": {"sphere": {"radius": 1}}, "colour": "#010203"}, {"shape": {"sphere": {"radius": 2}}}]},
        {"shapes": [{"shape": {"sphere": {"radius": 1}}, "colour": "#ff0000"}]}]})",
                                     "s.json", ".");
    EXPECT_EQ(shapes.bodies[0].shapes[0].material.colour, (physics::Colour{1, 2, 3}));
    EXPECT_EQ(shapes.bodies[0].shapes[1].material.colour, std::nullopt);
    EXPECT_TRUE(parse_scene(write_scene(shapes), "t", ".") == shapes);
    EXPECT_THAT(
        error_with(std::string(corners) + R"(, "triangle_materials": [0, 0], "materials": [{"colour": "reddish"}])",
                   folder),
        HasSubstr("\"colour\" must be \"#rrggbb\""));
}

TEST(SceneMeshMaterials, OfFilesByName) {
    const TemporaryFolder folder;
    folder.write("m.obj", squares);
    // What is not named is as the shape is, and a file that nobody speaks of keeps its names.
    for (const bool stated : {false, true}) {
        const Scene scene = with_mesh(
            std::string(R"("file": "m.obj")") +
                (stated ? R"(, "materials": [{"name": "ice", "friction": 0.02}, {"name": "hard rubber"}])" : ""),
            folder);
        EXPECT_THAT(mesh_of(scene).materials, ElementsAre("", "ice", "hard rubber"));
        EXPECT_THAT(mesh_of(scene).triangle_materials, ElementsAre(0, 1, 2, 1, 1));
        if (stated) {
            EXPECT_THAT(scene.bodies[0].shapes[0].mesh_materials,
                        ElementsAre(ShapeMaterial{}, ShapeMaterial{0.02f, {}, {}}, ShapeMaterial{}));
        } else {
            EXPECT_THAT(scene.bodies[0].shapes[0].mesh_materials, IsEmpty());
        }
        EXPECT_TRUE(parse_scene(write_scene(scene), "t", ".") == scene);
    }
    // Two bodies share the surface and not what it is like.
    const Scene two = parse_scene(R"({"cairn": 1, "bodies": [
        {"type": "static", "shape": {"mesh": {"file": "m.obj", "materials": [{"name": "ice", "friction": 0}]}}},
        {"type": "static", "shape": {"mesh": {"file": "m.obj"}}}]})",
                                  "s.json", folder.path());
    EXPECT_EQ(std::get<physics::Mesh>(two.bodies[0].shapes[0].geometry).data,
              std::get<physics::Mesh>(two.bodies[1].shapes[0].geometry).data);
    EXPECT_NE(two.bodies[0].shapes[0].mesh_materials, two.bodies[1].shapes[0].mesh_materials);
}

TEST(SceneMeshMaterials, FilesWithoutOnesHaveNoList) {
    const MeshData mesh = parse_obj_mesh("v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\nusemtl late\n", "m.obj");
    EXPECT_THAT(mesh.materials, IsEmpty());
    EXPECT_THAT(mesh.triangle_materials, IsEmpty());
}

TEST(SceneMeshMaterials, MistakesAreLocated) {
    const TemporaryFolder folder;
    folder.write("m.obj", squares);
    folder.write("plain.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n");
    const std::string listed = std::string(corners) + ",\n";
    EXPECT_THAT(error_with(listed + R"("materials": [{}])", folder),
                HasSubstr("s.json:3:1: \"materials\" needs \"triangle_materials\" as well"));
    EXPECT_THAT(error_with(listed + R"("triangle_materials": [0, 0])", folder),
                HasSubstr("s.json:3:1: \"triangle_materials\" needs \"materials\" as well"));
    EXPECT_THAT(error_with(listed + R"("materials": [{}], "triangle_materials": [0])", folder),
                HasSubstr("s.json:3:42: there are 2 triangles, and materials for 1"));
    EXPECT_THAT(error_with(listed + R"("materials": [{}], "triangle_materials": [0, 1])", folder),
                HasSubstr("s.json:3:46: there is no material 1; \"materials\" has 1, and the first is 0"));
    EXPECT_THAT(error_with(listed + R"("materials": [], "triangle_materials": [0, 0])", folder),
                HasSubstr("a mesh has 1 to 65535 materials, not 0"));
    EXPECT_THAT(error_with(listed + R"("materials": [{"friction": -1}], "triangle_materials": [0, 0])", folder),
                HasSubstr("s.json:3:28: \"friction\" must be within"));
    EXPECT_THAT(error_with(listed + R"("materials": [{"density": 1}], "triangle_materials": [0, 0])", folder),
                HasSubstr("unknown key \"density\""));
    const std::string file = "\"file\": \"m.obj\",\n";
    EXPECT_THAT(error_with(file + R"("materials": [{"name": "icy"}])", folder),
                HasSubstr("s.json:3:24: the file has no material \"icy\"; did you mean \"ice\"?"));
    EXPECT_THAT(error_with(file + R"("materials": [{"friction": 1}])", folder), HasSubstr("needs the key \"name\""));
    EXPECT_THAT(error_with(file + R"("triangle_materials": [0])", folder),
                HasSubstr("s.json:3:1: \"triangle_materials\" belong to \"triangles\""));
    EXPECT_THAT(error_with("\"file\": \"plain.obj\",\n\"materials\": [{\"name\": \"ice\"}]", folder),
                HasSubstr("s.json:3:1: the file gives its triangles no materials"));
}

} // namespace
} // namespace cairn::core
