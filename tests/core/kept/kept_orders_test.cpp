// Trees of meshes by what is kept of them: the same bits, whatever there is on the disk and whoever else is at it.
#include "app/core/kept/kept_orders.h"

#include "app/core/base/files/text_file.h"
#include "app/core/scene/scene.h"
#include "tests/core/temporary_folder.h"
#include "tests/physics/world/mesh_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace cairn::core {
namespace {

using namespace physics;
using testing::TemporaryFolder;
namespace fs = std::filesystem;

physics::Mesh waves(int cells) {
    return physics::testing::make_terrain(cells, 0.3f, 0.3f,
                                          [](float x, float y) { return std::sin(x) * std::cos(1.3f * y); });
}

bool same(const TriangleMesh& a, const TriangleMesh& b) {
    const auto nodes = [](const TriangleTree::Node& one, const TriangleTree::Node& other) {
        return one.lower == other.lower && one.upper == other.upper &&
               std::ranges::equal(one.part, other.part, {}, &TriangleTree::Part::bits, &TriangleTree::Part::bits);
    };
    const auto triangles = [](const MeshTriangle& one, const MeshTriangle& other) {
        return one.vertex == other.vertex && one.beside == other.beside;
    };
    return a.source == b.source && a.ridges == b.ridges && std::ranges::equal(a.triangles, b.triangles, triangles) &&
           std::ranges::equal(a.tree.nodes(), b.tree.nodes(), nodes);
}

struct KeptOrdersTest : ::testing::Test {
    TemporaryFolder folder;
    const physics::Mesh mesh = waves(40);
    const TriangleMesh anew = std::get<TriangleMesh>(build_triangle_mesh(mesh));

    TriangleMesh built() {
        KeptOrders orders(folder.path(), 100);
        return std::get<TriangleMesh>(build_triangle_mesh(mesh, nullptr, &orders));
    }
    std::vector<fs::path> there() const {
        std::vector<fs::path> paths;
        for (const auto& entry : fs::directory_iterator(folder / "meshes")) {
            paths.push_back(entry.path());
        }
        return paths;
    }
};

TEST_F(KeptOrdersTest, MakeTheSameMesh) {
    EXPECT_TRUE(same(built(), anew));
    ASSERT_EQ(there().size(), 1u);
    const std::string whole = read_whole_file(there()[0]);
    KeptOrders orders(folder.path(), 100);
    EXPECT_EQ(orders.find(*mesh.data), anew.source);
    EXPECT_TRUE(same(built(), anew));
    EXPECT_EQ(read_whole_file(there()[0]), whole);
    // Materials are no matter; any vertex and any triangle is.
    MeshData other = *mesh.data;
    other.materials = {"a"};
    other.triangle_materials.assign(other.triangles.size(), 0);
    EXPECT_EQ(orders.find(other), anew.source);
    other.vertices[7].x = std::nextafter(other.vertices[7].x, 9.0f);
    EXPECT_TRUE(orders.find(other).empty());
    other = *mesh.data;
    std::swap(other.triangles[1][0], other.triangles[1][1]);
    EXPECT_TRUE(orders.find(other).empty());
}

TEST_F(KeptOrdersTest, DamageIsMadeAnew) {
    built();
    const fs::path path = there()[0];
    const std::string whole = read_whole_file(path);
    const auto write = [&](const std::string& text) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
    };
    for (std::size_t i = 0; i < whole.size(); i += 997) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x01);
        for (const std::string& text : {damaged, whole.substr(0, i)}) {
            write(text);
            EXPECT_TRUE(same(built(), anew)) << i;
            EXPECT_EQ(read_whole_file(path), whole) << i;
        }
    }
    // With a right sum, but no order of this mesh.
    const KeptFiles files(folder / "meshes", "cairn triangle order 1\n", 1'000'000);
    KeptOrders orders(folder.path(), 100);
    const ContentKey key = content_key(*mesh.data, 1);
    for (const std::string& payload : {std::string(), std::string(12800, '\0'), std::string(12800, '\xff'),
                                       std::string(12803, '\x01'), std::string(400, '\x01')}) {
        files.keep(key, payload);
        ASSERT_NE(read_whole_file(path), whole);
        EXPECT_TRUE(same(built(), anew));
        EXPECT_EQ(read_whole_file(path), whole);
    }
}

TEST_F(KeptOrdersTest, SmallMeshesAreNotKept) {
    KeptOrders orders(folder.path(), mesh.data->triangles.size() + 1);
    EXPECT_TRUE(same(std::get<TriangleMesh>(build_triangle_mesh(mesh, nullptr, &orders)), anew));
    EXPECT_FALSE(fs::exists(folder / "meshes"));
}

// Readers and writers at once, of two meshes, while a third process damages what there is.
TEST_F(KeptOrdersTest, ProcessesShareThem) {
    const physics::Mesh second = waves(30);
    const TriangleMesh second_anew = std::get<TriangleMesh>(build_triangle_mesh(second));
    std::vector<pid_t> children;
    for (int child = 0; child < 4; ++child) {
        const pid_t id = ::fork();
        ASSERT_GE(id, 0);
        if (id == 0) {
            bool good = true;
            for (int round = 0; round < 40; ++round) {
                if (child == 3) {
                    std::error_code gone;
                    for (fs::directory_iterator at(folder / "meshes", gone), end; !gone && at != end;
                         at.increment(gone)) {
                        if (round % 3 == 0) {
                            fs::remove(at->path(), gone);
                        } else {
                            fs::resize_file(at->path(), 300, gone);
                        }
                    }
                    ::usleep(500);
                    continue;
                }
                KeptOrders orders(folder.path(), 100);
                good = good && same(std::get<TriangleMesh>(build_triangle_mesh(mesh, nullptr, &orders)), anew);
                good = good && same(std::get<TriangleMesh>(build_triangle_mesh(second, nullptr, &orders)), second_anew);
            }
            ::_exit(good ? 0 : 1);
        }
        children.push_back(id);
    }
    for (const pid_t child : children) {
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    }
    EXPECT_TRUE(same(built(), anew));
}

// Of a scene: the first world keeps what the second finds, and both take the same steps.
TEST_F(KeptOrdersTest, WorldsOfScenesUseThem) {
    const char* before = std::getenv("XDG_CACHE_HOME");
    const std::string restored = before != nullptr ? before : "";
    ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
    Scene scene;
    BodyDef ground, ball;
    ground.type = BodyType::fixed;
    ground.shapes = {{waves(230), {}}};
    ball.shapes = {{Sphere{0.5f}, {}}};
    ball.pose.position = Vec3(0.3f, 0.2f, 2.0f);
    scene.bodies = {ground, ball};
    ASSERT_GT(std::get<physics::Mesh>(ground.shapes[0].geometry).data->triangles.size(), KeptOrders::least_triangles);
    World first = make_world(scene);
    std::size_t kept = 0;
    for (const auto& entry : fs::directory_iterator(folder / "cairn" / "meshes")) {
        kept += entry.is_regular_file() ? 1 : 0;
    }
    EXPECT_EQ(kept, 1u);
    World second = make_world(scene);
    before != nullptr ? ::setenv("XDG_CACHE_HOME", restored.c_str(), 1) : ::unsetenv("XDG_CACHE_HOME");
    EXPECT_TRUE(same(*first.model(first.body_ids()[0])->parts[0].shape->mesh,
                     *second.model(second.body_ids()[0])->parts[0].shape->mesh));
    for (int step = 0; step < 120; ++step) {
        first.step();
        second.step();
    }
    EXPECT_EQ(first.hash(), second.hash());
}

} // namespace
} // namespace cairn::core
