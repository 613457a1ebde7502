// `cairn decompose`: meshes that are not convex, and what is done with broken ones.
#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cairn::cli {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using Json = nlohmann::json;

// Two blocks that form an L: 2 x 1 x 1 with a cube on one end. Faces of up to six corners, concave ones cut in two.
constexpr const char* l_block = R"(v 0 0 0
v 2 0 0
v 2 0 1
v 1 0 1
v 1 0 2
v 0 0 2
v 0 1 0
v 2 1 0
v 2 1 1
v 1 1 1
v 1 1 2
v 0 1 2
f 1 2 3 4
f 1 4 5 6
f 10 9 8 7
f 12 11 10 7
f 2 1 7 8
f 3 2 8 9
f 4 3 9 10
f 5 4 10 11
f 6 5 11 12
f 1 6 12 7
)";

TEST(Decompose, WritesABodyThatRunsWithTheMassOfTheMesh) {
    const Folder folder;
    write_text(folder / "l.obj", l_block);
    const Outcome outcome = folder.run({"decompose", "l.obj", "--out", "l.json", "--json", "answer.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, HasSubstr("2 hulls of at most 8 vertices, greatest concavity 0.0000"));
    EXPECT_THAT(outcome.out, HasSubstr("volume 3 m^3, of the hulls 3 m^3: +0.00 %"));
    const Json answer = Json::parse(read_text(folder / "answer.json"));
    EXPECT_EQ(answer.at("hulls"), 2);
    EXPECT_NEAR(answer.at("mesh").at("volume").get<double>(), 3.0, 1e-9);
    EXPECT_NEAR(answer.at("volume_error").get<double>(), 0.0, 1e-6);
    EXPECT_NEAR(answer.at("mesh").at("centroid").at(0).get<double>(), (2.0 * 1.0 + 1.0 * 0.5) / 3.0, 1e-9);
    EXPECT_NEAR(answer.at("mesh").at("centroid").at(2).get<double>(), (2.0 * 0.5 + 1.0 * 1.5) / 3.0, 1e-9);

    EXPECT_EQ(folder.run({"check", "l.json"}).code, 0);
    const Json scene = Json::parse(read_text(folder / "l.json"));
    const Json& body = scene.at("bodies").at(0);
    EXPECT_EQ(body.at("name"), "l");
    EXPECT_EQ(body.at("shapes").size(), 2u);
    EXPECT_NEAR(body.at("mass").get<double>(), 3000.0, 0.01);
    EXPECT_NEAR(body.at("position").at(0).get<double>(), 2.5 / 3.0, 1e-5);
    // About the middle of the L the product of inertia in x and z is 1/3, which the body's own axes have not: two of
    // its moments are the eigenvalues of that block, in closed form.
    std::array<double, 3> moments{};
    for (std::size_t i = 0; i < 3; ++i) {
        moments[i] = body.at("inertia").at(i).get<double>();
    }
    std::sort(moments.begin(), moments.end());
    const Json& inertia = answer.at("mesh").at("unit_inertia");
    const double xx = inertia[0][0].get<double>(), zz = inertia[2][2].get<double>(), xz = inertia[0][2].get<double>();
    const double mean = 0.5 * (xx + zz), spread = std::sqrt(0.25 * (xx - zz) * (xx - zz) + xz * xz);
    EXPECT_NEAR(xz, 1.0 / 3.0, 1e-9);
    std::array<double, 3> expected{1000.0 * (mean - spread), 1000.0 * (mean + spread),
                                   1000.0 * inertia[1][1].get<double>()};
    std::sort(expected.begin(), expected.end());
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(moments[i], expected[i], 0.01);
    }
    const Outcome run = folder.run({"simulate", "l.json", "--steps", "30", "--trace", "-"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(lines_of(run.out).size(), 32u);
}

TEST(Decompose, StreamsAndMeshesOfHulls) {
    const Folder folder;
    write_text(folder / "l.obj", l_block);
    const Outcome scene = folder.run({"decompose", "-", "--out", "-"}, l_block);
    EXPECT_EQ(scene.code, 0) << scene.err;
    EXPECT_EQ(Json::parse(scene.out).at("bodies").at(0).at("shapes").size(), 2u);
    const Outcome answer = folder.run({"decompose", "l.obj", "--out", "h.obj", "--json", "-"});
    EXPECT_EQ(Json::parse(answer.out).at("hulls"), 2) << answer.err;
    const std::string mesh = read_text(folder / "h.obj");
    EXPECT_THAT(mesh, HasSubstr("o hull_0"));
    EXPECT_THAT(mesh, HasSubstr("o hull_1"));
    // What was written can be read: two boxes that touch, which are convex as they are.
    const Outcome again = folder.run({"decompose", "h.obj", "--out", "again.json", "--json", "-"});
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(Json::parse(again.out).at("hulls"), 2);
    EXPECT_NEAR(Json::parse(again.out).at("mesh").at("volume").get<double>(), 3.0, 1e-6);
    EXPECT_EQ(folder.run({"decompose", "l.obj", "--out", "q.json", "--quiet"}).out, "");
    const Outcome whole = folder.run({"decompose", "l.obj", "--out", "one.json", "--max-hulls", "1", "--json", "-"});
    EXPECT_EQ(Json::parse(whole.out).at("hulls"), 1);
    EXPECT_NEAR(Json::parse(whole.out).at("hull_volume").get<double>(), 3.5, 1e-6);
}

TEST(Decompose, SaysWhatItMended) {
    const Folder folder;
    std::string flipped = l_block;
    flipped.replace(flipped.find("f 1 2 3 4"), 9, "f 4 3 2 1");
    const Outcome outcome = folder.run({"decompose", "-", "--out", "l.json"}, flipped + "f 1 1 2\nf 1 6 12\nv 0 0 0\n");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("repairs: left out 1 degenerate triangle, left out 1 duplicate triangle, "
                                       "turned over 2 triangles"));
    EXPECT_THAT(outcome.out, HasSubstr("volume 3 m^3"));
}

TEST(Decompose, RejectsWithThePlace) {
    const Folder folder;
    write_text(folder / "l.obj", l_block);
    write_text(folder / "sheet.xyz", "0 0 0\n");
    write_text(folder / "nan.obj", "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n");
    write_text(folder / "cut.stl", "abc");
    write_text(folder / "cut.ply", "ply\n");
    write_text(folder / "missing.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 7\n");
    write_text(folder / "line.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    write_text(folder / "points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    struct Case {
        std::vector<std::string> arguments;
        const char* said;
    };
    const std::vector<Case> cases{
        {{"nan.obj", "--out", "x.json"}, "nan.obj:2:5: "},
        {{"missing.obj", "--out", "x.json"}, "missing.obj:4:7: "},
        {{"line.obj", "--out", "x.json"}, "line.obj: the mesh encloses no volume"},
        {{"points.obj", "--out", "x.json"}, "points.obj: the mesh has no faces"},
        {{"gone.obj", "--out", "x.json"}, "gone.obj"},
        {{"cut.stl", "--out", "x.json"}, "cut.stl: byte 0: the file ends within the header"},
        {{"cut.ply", "--out", "x.json"}, "cut.ply: byte 4: the file ends within its header"},
        {{"l.obj"}, "--out"},
        {{"l.obj", "--out", "x.stl"}, ".json"},
        {{"l.obj", "--out", "l.obj"}, "overwrite"},
        {{"l.obj", "--out", "x.json", "--json", "x.json"}, "same file"},
        {{"l.obj", "--out", "-", "--json", "-"}, "standard output"},
        {{"l.obj", "--out", "x.json", "--concavity", "0"}, "--concavity"},
        {{"l.obj", "--out", "x.json", "--concavity", "nan"}, "--concavity"},
        {{"l.obj", "--out", "x.json", "--max-hulls", "0"}, "--max-hulls"},
        {{"l.obj", "--out", "x.json", "--max-vertices", "3"}, "--max-vertices"},
    };
    for (const Case& one : cases) {
        std::vector<std::string> arguments{"decompose"};
        arguments.insert(arguments.end(), one.arguments.begin(), one.arguments.end());
        const Outcome outcome = folder.run(arguments);
        EXPECT_EQ(outcome.code, 2) << one.said << outcome.out;
        EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(one.said));
        EXPECT_EQ(outcome.out, "");
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "x.json"));
    EXPECT_EQ(read_text(folder / "l.obj"), l_block);
}

// A spring of many windings, at a concavity that would take long.
std::string spring() {
    std::string text;
    constexpr int segments = 4000, sides = 12;
    for (int i = 0; i <= segments; ++i) {
        const double t = 0.05 * i;
        for (int s = 0; s < sides; ++s) {
            const double a = 6.283185307179586 * s / sides, r = 1.0 + 0.1 * std::cos(a);
            text += "v " + std::to_string(r * std::cos(t)) + ' ' + std::to_string(r * std::sin(t)) + ' ' +
                    std::to_string(0.05 * t + 0.1 * std::sin(a)) + '\n';
        }
    }
    for (int i = 0; i < segments; ++i) {
        for (int s = 0; s < sides; ++s) {
            const int a = i * sides + s + 1, b = i * sides + (s + 1) % sides + 1;
            text += "f " + std::to_string(a) + ' ' + std::to_string(a + sides) + ' ' + std::to_string(b + sides) + ' ' +
                    std::to_string(b) + '\n';
        }
    }
    return text;
}

TEST(Decompose, InterruptedItLeavesNothing) {
    const Folder folder;
    write_text(folder / "spring.obj", spring());
    write_text(folder / "out.json", "kept");
    const ::pid_t child = ::fork();
    if (child == 0) {
        const bool moved = ::chdir(folder.path().c_str()) == 0;
        const int null = ::open("/dev/null", O_WRONLY);
        if (moved && ::dup2(null, STDERR_FILENO) >= 0) {
            ::execl(CAIRN_PROGRAM, CAIRN_PROGRAM, "decompose", "spring.obj", "--out", "out.json", "--concavity",
                    "0.005", static_cast<char*>(nullptr));
        }
        ::_exit(127);
    }
    while (!std::filesystem::exists(folder / "out.json.partial")) {
        ::usleep(10'000);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, WNOHANG), 0) << "it ended before it was interrupted";
    }
    ::usleep(300'000);
    ::kill(child, SIGINT);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
    EXPECT_EQ(read_text(folder / "out.json"), "kept");
    EXPECT_FALSE(std::filesystem::exists(folder / "out.json.partial"));
}

} // namespace
} // namespace cairn::cli
