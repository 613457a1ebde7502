// Bodies that are the convex parts of a mesh, and what is kept of them.
#include "app/core/base/error.h"
#include "app/core/base/files/text_file.h"
#include "app/core/base/text_hash.h"
#include "app/core/scene/rewrite/scene_rewrite.h"
#include "app/core/scene/scene.h"
#include "app/core/scene/shapes/kept_decomposition.h"
#include "physics/world/frame_state.h"
#include "physics/world/world.h"
#include "tests/core/temporary_folder.h"

#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::core {
namespace {

using physics::BodyDef;
using physics::Vec3;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::TemporaryFolder;

// A prism of 1 m, from z = 0 on, over an outline that runs counter-clockwise; its ends are fans about corner `hub`,
// from which all others must be seen.
std::string prism(const std::vector<std::array<double, 2>>& outline, std::size_t hub) {
    std::string text;
    const std::size_t n = outline.size();
    for (const int z : {0, 1}) {
        for (const auto& p : outline) {
            text += "v " + std::to_string(p[0]) + ' ' + std::to_string(p[1]) + ' ' + std::to_string(z) + '\n';
        }
    }
    const auto corner = [&](std::size_t i, bool top) { return ' ' + std::to_string(1 + i % n + (top ? n : 0)); };
    for (std::size_t i = 0; i < n; ++i) {
        text += 'f' + corner(i, false) + corner(i + 1, false) + corner(i + 1, true) + corner(i, true) + '\n';
        if (i > 0 && i + 1 < n) {
            text += 'f' + corner(hub, true) + corner(hub + i, true) + corner(hub + i + 1, true) + '\n';
            text += 'f' + corner(hub, false) + corner(hub + i + 1, false) + corner(hub + i, false) + '\n';
        }
    }
    return text;
}
std::string l_block() { // 3 m^3
    return prism({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, 3);
}
std::string arrow() { // the same on both sides of x = 0
    return prism({{0, 1}, {-2, 0}, {0, 4}, {2, 0}}, 0);
}

class Decomposed : public ::testing::Test {
  protected:
    Decomposed() {
        if (const char* before = std::getenv("XDG_CACHE_HOME")) {
            before_ = before;
        }
        ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
        folder.write("l.obj", l_block());
        folder.write("arrow.obj", arrow());
    }
    ~Decomposed() override { before_ ? ::setenv("XDG_CACHE_HOME", before_->c_str(), 1) : ::unsetenv("XDG_CACHE_HOME"); }

    Scene scene(const std::string& bodies) const {
        return parse_scene("{\"cairn\": 1, \"bodies\": [\n" + bodies + "]}", "scene.json", folder.path());
    }
    BodyDef body(const std::string& text) const { return scene(text).bodies.at(0); }
    std::string error(const std::string& bodies) const {
        try {
            scene(bodies);
        } catch (const InputError& e) {
            return e.what();
        }
        return "no error";
    }
    std::vector<std::filesystem::path> kept() const {
        std::vector<std::filesystem::path> files;
        std::error_code none;
        for (const auto& entry : std::filesystem::directory_iterator(folder / "cairn/decompositions", none)) {
            files.push_back(entry.path());
        }
        return files;
    }

    TemporaryFolder folder;

  private:
    std::optional<std::string> before_;
};

TEST_F(Decomposed, TheBodyHasTheHullsAndTheMassOfTheMesh) {
    const Scene read = scene(R"({"decomposed": {"file": "l.obj"}, "position": [0, 0, 5], "density": 700},
                                {"decomposed": {"file": "l.obj", "scale": 2}, "position": [9, 0, 5], "mass": 12})");
    ASSERT_EQ(read.bodies[0].shapes.size(), 2u);
    EXPECT_FLOAT_EQ(*read.bodies[0].mass, 2100.0f);
    EXPECT_FLOAT_EQ(*read.bodies[1].mass, 12.0f);
    // About the thickness, as of three cubes of 1 m: each by itself, and their middles about the common one.
    const double about_z = 3.0 * (1.0 / 6.0) + (2.0 * (1.0 / 9 + 4.0 / 9) + 2.0 / 9);
    for (const BodyDef& b : read.bodies) {
        const double scale = b.mass == 12.0f ? 12.0 / 3.0 * 4.0 : 700.0;
        const Vec3 moments = *b.inertia;
        EXPECT_NEAR(double(moments.x + moments.y + moments.z) / scale, 2.0 * about_z + 2.0 * 3.0 / 12.0, 1e-4)
            << "the sum of all moments is the same about any axes";
        const Vec3 axis = physics::rotate(b.pose.orientation, Vec3(0, 0, 1));
        const Vec3 others(moments.x, moments.y, moments.z);
        EXPECT_NEAR(double(std::max({others.x, others.y, others.z})) / scale, about_z, 1e-4) << axis.x;
    }
    physics::World world = make_world(read);
    physics::FrameState frame;
    world.publish(frame);
    ASSERT_EQ(frame.bodies.size(), 2u);
    EXPECT_EQ(frame.bodies[0].pose.position, Vec3(0, 0, 5)) << "the position is the centre of mass";
}

TEST_F(Decomposed, TheFrameIsTheFilesWhereThePrincipalAxesAre) {
    const BodyDef straight = body(R"({"decomposed": {"file": "arrow.obj"}, "orientation": [0.6, 0, 0, 0.8]})");
    EXPECT_TRUE(straight.inertia);
    EXPECT_EQ(straight.pose.orientation, physics::Quat(0.6f, 0, 0, 0.8f));
    const BodyDef crooked = body(R"({"decomposed": {"file": "l.obj"}})");
    EXPECT_NE(crooked.pose.orientation, physics::identity_orientation);
    for (const physics::ShapeDef& shape : crooked.shapes) { // its points stand where the file has them
        const Vec3 p =
            physics::rotate(crooked.pose.orientation, physics::rotate(shape.pose.orientation, Vec3(1, 2, 3)));
        EXPECT_LT(glm::length(p - Vec3(1, 2, 3)), 1e-5f);
    }
    // Moments that the file states are about the file's axes; and what is not dynamic has none.
    EXPECT_EQ(body(R"({"decomposed": {"file": "l.obj"}, "inertia": [2, 2, 2]})").pose.orientation,
              physics::identity_orientation);
    const BodyDef fixed = body(R"({"type": "static", "decomposed": {"file": "l.obj"}})");
    EXPECT_FALSE(fixed.mass || fixed.inertia);
    EXPECT_EQ(fixed.pose.orientation, physics::identity_orientation);
}

TEST_F(Decomposed, WrittenListsRepeatsAndRewritingAreTheSame) {
    const BodyDef listed = body(R"({"decomposed": {"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]],
                                    "triangles": [[0,2,1],[0,1,3],[1,2,3],[0,3,2]]}})");
    ASSERT_EQ(listed.shapes.size(), 1u);
    EXPECT_FLOAT_EQ(*listed.mass, 1000.0f / 6.0f);

    const std::string text = R"({"cairn": 1, "bodies": [
    {"decomposed": {"file": "l.obj"}, "density": 20, // of cork
     "repeat": {"count": [2, 1, 1], "spacing": [4, 0, 0], "spin": true}},
    {"decomposed": {"file": "arrow.obj"}, "position": [0, 9, 0]}
  ]})";
    const Scene repeated = parse_scene(text, "scene.json", folder.path());
    ASSERT_EQ(repeated.bodies.size(), 3u);
    const auto points = [&](std::size_t i) {
        return std::get<physics::PointSet>(repeated.bodies[i].shapes[0].geometry).points;
    };
    EXPECT_EQ(points(0), points(1)) << "shared";
    EXPECT_EQ(parse_scene(write_scene(repeated), "scene.json", "/nowhere"), repeated) << "self-contained";

    Scene moved = repeated;
    moved.bodies[2].pose.position.z = 3.0f;
    const std::vector<std::optional<std::size_t>> from{0, 1, 2};
    const RewrittenScene kept_file = rewrite_scene(moved, from, text, "scene.json", folder.path());
    EXPECT_THAT(kept_file.text, HasSubstr("{\"decomposed\": {\"file\": \"arrow.obj\"}, \"position\": [0, 9, 3]}"));
    EXPECT_THAT(kept_file.text, HasSubstr("of cork"));
    moved.bodies[2].shapes.pop_back(); // another shape: the mesh no longer holds
    const RewrittenScene anew = rewrite_scene(moved, from, text, "scene.json", folder.path());
    EXPECT_EQ(parse_scene(anew.text, "scene.json", folder.path()), moved);
}

TEST_F(Decomposed, WhatIsKeptIsReadAndDamageIsMadeAnew) {
    const std::string text = R"({"decomposed": {"file": "l.obj"}})";
    const BodyDef first = body(text);
    ASSERT_EQ(kept().size(), 1u);
    const std::filesystem::path file = kept()[0];
    const std::string whole = read_whole_file(file);
    EXPECT_EQ(body(text), first);

    // The last coordinate, changed with its sum: what is kept is what is used.
    std::string changed = whole;
    changed[changed.size() - 9] = '\x41'; // about 10
    const auto with_sum = [](std::string bytes) {
        bytes.resize(bytes.size() - 8);
        TextHash sum;
        sum.add(bytes);
        for (int i = 0; i < 8; ++i) {
            bytes += static_cast<char>(sum.value() >> (8 * i) & 0xffu);
        }
        return bytes;
    };
    std::ofstream(file, std::ios::binary) << with_sum(changed);
    EXPECT_NE(body(text), first);

    for (const std::string& damaged : {changed, whole.substr(0, whole.size() / 2), std::string(), whole + "x",
                                       with_sum(whole.substr(0, whole.size() - 12))}) {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << damaged;
        EXPECT_EQ(body(text), first);
        EXPECT_EQ(read_whole_file(file), whole) << "made anew";
    }
    // Other contents and other settings have files of their own.
    body(R"({"decomposed": {"file": "arrow.obj"}})");
    body(R"({"decomposed": {"file": "l.obj", "max_hulls": 1}})");
    body(R"({"decomposed": {"file": "l.obj", "concavity": 0.5}})");
    body(R"({"decomposed": {"file": "l.obj", "max_vertices": 8}})");
    EXPECT_EQ(kept().size(), 5u);
    // And where nothing can be kept, nothing is missing.
    folder.write("closed", "");
    ::setenv("XDG_CACHE_HOME", (folder / "closed").c_str(), 1);
    EXPECT_EQ(body(text), first);
}

TEST_F(Decomposed, FaultsAreLocated) {
    EXPECT_THAT(error(R"({"shape": {"sphere": {"radius": 1}}, "decomposed": {"file": "l.obj"}})"),
                StartsWith("scene.json:2:38: a body takes \"decomposed\", or"));
    EXPECT_THAT(error(R"({"decomposed": {}})"), StartsWith("scene.json:2:16: \"decomposed\" needs a \"file\" or"));
    EXPECT_THAT(error(R"({"decomposed": {"file": "gone.obj"}})"), StartsWith("scene.json:2:25: the mesh"));
    EXPECT_THAT(error(R"({"decomposed": {"file": "l.obj", "concavity": 0}})"), StartsWith("scene.json:2:47: "));
    EXPECT_THAT(error(R"({"decomposed": {"file": "l.obj", "max_hulls": 1001}})"), StartsWith("scene.json:2:47: "));
    EXPECT_THAT(error(R"({"decomposed": {"file": "l.obj", "max_vertices": 3}})"), StartsWith("scene.json:2:50: "));
    EXPECT_THAT(error(R"({"decomposed": {"file": "l.obj", "two_sided": true}})"), HasSubstr("unknown key"));
    EXPECT_THAT(error(R"({"decomposed": {"file": "l.obj", "scale": 10000}, "density": 1e6})"),
                HasSubstr("kg, which no body can have"));
    folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2\n");
    EXPECT_THAT(error(R"({"decomposed": {"file": "flat.obj"}})"),
                StartsWith("scene.json:2:16: \"decomposed\" is not a usable mesh: "));
    folder.write("bad.obj", "v 0 0 0\nv 1 0 x\n");
    EXPECT_THAT(error(R"({"decomposed": {"file": "bad.obj"}})"), HasSubstr("bad.obj:2:7: "));
}

} // namespace
} // namespace cairn::core
