// What is asked about a dropped mesh, and what it becomes.
#include "app/core/scene/scene.h"
#include "app/ui/context/context.h"
#include "app/ui/input/key_codes.h"
#include "app/ui/opening/drop.h"
#include "app/ui/opening/mesh_import.h"
#include "app/ui/session/registrations.h"
#include "app/ui/tools/spawn/bodies.h"
#include "app/ui/tools/spawn/spawn.h"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace cairn::ui {
namespace {

using physics::Vec3;
using ::testing::HasSubstr;

// An L of 3 m^3, 2 m along X and Y, 1 m high.
constexpr const char* l_block = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n"
                                "v 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\n"
                                "f 4 3 2 1\nf 4 1 6 5\nf 10 7 8 9\nf 10 11 12 7\n"
                                "f 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";

class MeshImports : public ::testing::Test {
  protected:
    MeshImports() {
        std::filesystem::create_directories(folder_);
        ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
        ctx_.get<Spawning>().settings.density = 1000.0f;
    }
    ~MeshImports() override { std::filesystem::remove_all(folder_); }
    std::filesystem::path write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return folder_ / name;
    }
    std::string last_message() const { return ctx_.log.all().empty() ? "" : ctx_.log.all().back().text; }
    void wait_for_work() {
        for (int i = 0; i < 60'000 && import_.working(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            import_.follow(ctx_);
        }
        ASSERT_FALSE(import_.working());
    }
    const physics::BodyDef& body(std::size_t i = 0) { return simulation_.current().models.at(i)->def; }

    const std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("cairn-import-" + std::to_string(::getpid()));
    core::Simulation simulation_{core::Scene{}, nullptr, core::Simulation::Place::caller};
    WindowContext ctx_{WindowOptions{}, simulation_};
    MeshImport& import_ = ctx_.get<MeshImport>();
};

TEST_F(MeshImports, ADroppedMeshIsAskedAbout) {
    drop_file(ctx_, write("L.OBJ", l_block));
    ASSERT_TRUE(import_.is_open()) << last_message();
    EXPECT_EQ(import_.name(), "L.OBJ");
    EXPECT_EQ(import_.triangles(), 20u);
    EXPECT_EQ(import_.vertices(), 12u);
    EXPECT_TRUE(import_.closed());
    EXPECT_EQ(import_.counts(), "20 triangles, 12 vertices, closed");
    EXPECT_EQ(import_.size(), Vec3(2, 2, 1));
    import_.settings.y_up = true;
    import_.settings.unit = 1;
    EXPECT_EQ(import_.size(), 0.01f * Vec3(2, 1, 2));
    simulation_.update(0.0);
    EXPECT_TRUE(simulation_.current().bodies.empty());
    EXPECT_TRUE(mesh_import_key(ctx_, key_escape));
    EXPECT_FALSE(import_.is_open());
    EXPECT_FALSE(mesh_import_key(ctx_, key_escape)) << "keys are the world's again";
    simulation_.update(0.0);
    EXPECT_TRUE(simulation_.current().bodies.empty());
}

TEST_F(MeshImports, OneTriangleIsCountedAsOne) {
    drop_file(ctx_, write("one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
    ASSERT_TRUE(import_.is_open()) << last_message();
    EXPECT_EQ(import_.counts(), "1 triangle, 3 vertices, open");
}

TEST_F(MeshImports, ADamagedCaptureIsCalledSo) {
    drop_file(ctx_, write("run.cairn", "its beginning is lost"));
    EXPECT_THAT(last_message(), HasSubstr("run.cairn: damaged at byte 0"));
    EXPECT_FALSE(simulation_.replay());
}

TEST_F(MeshImports, AHullHasTheDensityOfThePanelAndIsOneEdit) {
    import_.settings = {ImportShape::hull, 3, true};
    drop_file(ctx_, write("l.obj", l_block));
    EXPECT_TRUE(mesh_import_key(ctx_, key_enter));
    EXPECT_FALSE(import_.is_open());
    simulation_.update(0.0);
    ASSERT_EQ(simulation_.current().bodies.size(), 1u) << last_message();
    EXPECT_EQ(body().name, "l");
    EXPECT_NEAR(simulation_.current().models[0]->mass, 3500.0 * std::pow(0.0254, 3), 1e-4);
    EXPECT_EQ(simulation_.undo_what(), "Drop l.obj");
    undo(ctx_);
    simulation_.update(0.0);
    EXPECT_TRUE(simulation_.current().bodies.empty());
}

TEST_F(MeshImports, AFixedMeshStandsWhereItIsDropped) {
    import_.settings = {ImportShape::fixed, 0, true};
    drop_file(ctx_, write("l.obj", l_block));
    import_.accept(ctx_);
    simulation_.update(0.0);
    ASSERT_EQ(simulation_.current().bodies.size(), 1u) << last_message();
    EXPECT_EQ(body().type, physics::BodyType::fixed);
    const physics::MeshData& mesh = *std::get<physics::Mesh>(body().shapes.at(0).geometry).data;
    EXPECT_EQ(mesh.vertices.at(0), Vec3(-1, 0.5f, 0)) << "Y is up now, the middle of the lower side the origin";
    EXPECT_EQ(mesh.vertices.at(11), Vec3(-1, -0.5f, 2));
    EXPECT_EQ(mesh.triangles.size(), 20u);
    // A saved scene holds it.
    const core::Scene scene = core::scene_from(simulation_.current(), "saved", {});
    EXPECT_EQ(core::parse_scene(core::write_scene(scene), "saved", folder_).bodies, scene.bodies);
}

TEST_F(MeshImports, ADecomposedBodyIsMadeInTheBackground) {
    import_.settings.shape = ImportShape::decomposed;
    drop_file(ctx_, write("l.obj", l_block));
    import_.accept(ctx_);
    EXPECT_TRUE(import_.working());
    EXPECT_TRUE(import_.is_open()) << "with its progress";
    wait_for_work();
    EXPECT_FALSE(import_.is_open());
    simulation_.update(0.0);
    ASSERT_EQ(simulation_.current().bodies.size(), 1u) << last_message();
    EXPECT_EQ(body().shapes.size(), 2u);
    EXPECT_NEAR(simulation_.current().models[0]->mass, 3000.0f, 1.0f);
    EXPECT_EQ(simulation_.undo_what(), "Drop l.obj");
}

TEST_F(MeshImports, WorkThatIsCancelledMakesNothing) {
    import_.settings.shape = ImportShape::decomposed;
    drop_file(ctx_, write("l.obj", l_block));
    import_.accept(ctx_);
    import_.cancel(ctx_);
    wait_for_work();
    EXPECT_TRUE(import_.is_open()) << "it asks again";
    import_.accept(ctx_);
    ctx_.world_replaced();
    wait_for_work();
    simulation_.update(0.0);
    EXPECT_TRUE(simulation_.current().bodies.empty());
    EXPECT_TRUE(ctx_.log.all().empty()) << last_message();
}

TEST_F(MeshImports, FilesThatAreDroppedTogetherAreAskedAboutInTurn) {
    drop_file(ctx_, write("a.obj", l_block));
    drop_file(ctx_, write("bad.obj", "v 0 0 0\nv 1 nonsense 0\n"));
    drop_file(ctx_, write("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"));
    EXPECT_EQ(import_.name(), "a.obj");
    import_.settings.shape = ImportShape::fixed;
    import_.accept(ctx_);
    EXPECT_THAT(last_message(), HasSubstr("bad.obj:2:"));
    EXPECT_EQ(import_.name(), "points.obj");
    EXPECT_FALSE(import_.has_faces());
    EXPECT_FALSE(import_.closed());
    EXPECT_EQ(import_.settings.shape, ImportShape::hull) << "there is no surface";
    import_.accept(ctx_);
    EXPECT_FALSE(import_.is_open());
    simulation_.update(0.0);
    EXPECT_EQ(simulation_.current().bodies.size(), 2u);
}

TEST_F(MeshImports, WhatCannotBecomeABodyIsSaidOnce) {
    drop_file(ctx_, write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
    EXPECT_FALSE(import_.closed());
    import_.accept(ctx_);
    EXPECT_EQ(last_message(), "flat.obj: a hull needs at least 4 points, not 3");
    EXPECT_TRUE(import_.is_open()) << "something else can be chosen";
    import_.cancel(ctx_);
    import_.settings.shape = ImportShape::decomposed;
    drop_file(ctx_, write("line.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"));
    import_.accept(ctx_);
    wait_for_work();
    EXPECT_EQ(last_message(), "line.obj: the mesh encloses no volume");
    EXPECT_EQ(ctx_.log.all().size(), 2u);
    EXPECT_TRUE(import_.is_open());
    simulation_.update(0.0);
    EXPECT_TRUE(simulation_.current().bodies.empty());
}

TEST(MeshImportParts, AMeshIsClosedWhereEveryEdgeIsMet) {
    physics::MeshData mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    EXPECT_TRUE(is_closed(mesh));
    mesh.vertices.push_back(mesh.vertices[3]);
    mesh.triangles[3] = {1, 2, 4};
    EXPECT_TRUE(is_closed(mesh)) << "vertices in one place are one";
    mesh.triangles[3] = {2, 1, 4};
    EXPECT_FALSE(is_closed(mesh)) << "it faces inwards";
    mesh.triangles.pop_back();
    EXPECT_FALSE(is_closed(mesh));
    mesh.triangles.clear();
    EXPECT_FALSE(is_closed(mesh));
}

} // namespace
} // namespace cairn::ui
