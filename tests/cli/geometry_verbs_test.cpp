// `cairn query` and `cairn hull` against closed forms.
#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>

namespace cairn::cli {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using Json = nlohmann::json;

std::vector<Json> answers(const Outcome& outcome) {
    std::vector<Json> list;
    for (const std::string& line : lines_of(outcome.out)) {
        list.push_back(Json::parse(line));
    }
    return list;
}

void expect_vector(const Json& value, std::array<double, 3> expected, double tolerance, const char* what) {
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(value.at(i).get<double>(), expected[i], tolerance) << what << ' ' << i;
    }
}

TEST(Query, ClosestPointsDepthAndTouching) {
    const Folder folder;
    write_text(
        folder / "q.jsonl",
        R"({"id":1,"a":{"shape":{"sphere":{"radius":1}}},"b":{"shape":{"sphere":{"radius":0.5}},"position":[3,4,0]}}
{"id":"deep","a":{"shape":{"sphere":{"radius":1}}},"b":{"shape":{"sphere":{"radius":1}},"position":[0,0,1.5]},"algorithm":"gjk_epa"}

{"id":[3 /* boxes */],"a":{"shape":{"box":{"half_extents":[1,1,1]}}},"b":{"shape":{"box":{"half_extents":[1,1,1]}},"position":[4,0.5,0]}}
{"a":{"shape":{"box":{"half_extents":[1,2,3]}}},"b":{"shape":{"box":{"half_extents":[1,1,1]}},"position":[0,0,3.75]}}
{"id":5,"a":{"shape":{"box":{"half_extents":[1,1,1]}}},"b":{"shape":{"sphere":{"radius":1}},"position":[2,0,0]}}
{"id":6,"a":{"shape":{"sphere":{"radius":1}}},"b":{"shape":{"box":{"half_extents":[1,1,1]}},"position":[5,0,0],"orientation":[0.9238795325112867,0,0,0.3826834323650898]}}
)");
    const Outcome outcome = folder.run({"query", "q.jsonl"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const std::vector<Json> list = answers(outcome);
    ASSERT_EQ(list.size(), 6u);

    EXPECT_EQ(list[0].at("id"), 1);
    EXPECT_EQ(list[0].at("status"), "separated");
    EXPECT_NEAR(list[0].at("distance").get<double>(), 3.5, 1e-5);
    expect_vector(list[0].at("normal"), {0.6, 0.8, 0}, 1e-5, "normal");
    expect_vector(list[0].at("point_a"), {0.6, 0.8, 0}, 1e-5, "point_a");
    expect_vector(list[0].at("point_b"), {2.7, 3.6, 0}, 1e-5, "point_b");
    EXPECT_TRUE(list[0].at("iterations").is_number_integer());
    EXPECT_FALSE(list[0].contains("toi"));

    EXPECT_EQ(list[1].at("id"), "deep");
    EXPECT_EQ(list[1].at("status"), "overlapping");
    EXPECT_NEAR(list[1].at("distance").get<double>(), -0.5, 1e-5);
    expect_vector(list[1].at("normal"), {0, 0, 1}, 1e-5, "normal");

    EXPECT_EQ(list[2].at("id"), Json::parse("[3]"));
    EXPECT_NEAR(list[2].at("distance").get<double>(), 2.0, 1e-5);
    expect_vector(list[2].at("normal"), {1, 0, 0}, 1e-5, "normal");

    EXPECT_FALSE(list[3].contains("id"));
    EXPECT_EQ(list[3].at("status"), "overlapping");
    EXPECT_NEAR(list[3].at("distance").get<double>(), -0.25, 1e-4);
    expect_vector(list[3].at("normal"), {0, 0, 1}, 1e-4, "normal");

    EXPECT_EQ(list[4].at("status"), "touching");
    EXPECT_NEAR(list[4].at("distance").get<double>(), 0.0, 1e-4);

    EXPECT_NEAR(list[5].at("distance").get<double>(), 4.0 - std::sqrt(2.0), 1e-4) << "an edge, turned by 45 degrees";
}

TEST(Query, TimeOfImpact) {
    const Folder folder;
    write_text(
        folder / "q.jsonl",
        R"({"id":1,"a":{"shape":{"sphere":{"radius":1}}},"b":{"shape":{"sphere":{"radius":1}},"position":[10,0,0]},"motion_b":{"linear":[-4,0,0]},"duration":5}
{"id":2,"a":{"shape":{"sphere":{"radius":1}}},"b":{"shape":{"sphere":{"radius":1}},"position":[10,0,0]},"motion_b":{"linear":[-4,0,0]},"duration":1.5}
{"id":3,"a":{"shape":{"box":{"half_extents":[5,0.1,0.1]}}},"b":{"shape":{"sphere":{"radius":0.5}},"position":[0,4,0]},"motion_a":{"angular":[0,0,1]},"duration":3}
{"id":4,"a":{"shape":{"sphere":{"radius":1}}},"b":{"shape":{"sphere":{"radius":1}},"position":[1,0,0]},"duration":1}
)");
    const Outcome outcome = folder.run({"query", "q.jsonl"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    const std::vector<Json> list = answers(outcome);
    ASSERT_EQ(list.size(), 4u);
    EXPECT_NEAR(list[0].at("toi").get<double>(), 2.0, 1e-3);
    EXPECT_LE(list[0].at("toi").get<double>(), 2.0) << "never late";
    EXPECT_EQ(list[0].at("toi_status"), "hit");
    EXPECT_TRUE(list[1].at("toi").is_null());
    EXPECT_EQ(list[1].at("toi_status"), "miss");
    // The rod's upper face, 0.1 off its axis, reaches the ball of radius 0.5 at 4 m: sin(90 deg - angle) = 0.6 / 4.
    EXPECT_NEAR(list[2].at("toi").get<double>(), std::acos(0.6 / 4.0), 1e-3);
    EXPECT_EQ(list[3].at("toi"), 0.0);
    EXPECT_EQ(list[3].at("toi_status"), "initial");
}

TEST(Query, RaysAndCastsTellTheMaterial) {
    const Folder folder;
    write_text(folder / "track.obj", "v -4 -4 0\nv 0 -4 0\nv 4 -4 0\nv -4 4 0\nv 0 4 0\nv 4 4 0\n"
                                     "usemtl ice\nf 1 2 5 4\nusemtl rubber\nf 2 3 6 5\n");
    const std::string track = R"({"shape":{"mesh":{"file":"track.obj","materials":[{"name":"ice","friction":0.02},)"
                              R"({"name":"rubber","restitution":0.75}]}},"position":[900000.5,0,1]})";
    write_text(folder / "q.jsonl",
               R"({"id":"ice","ray":{"origin":[900000,1,5],"direction":[0,0,-2]},"b":)" + track + "}\n" +
                   R"({"ray":{"origin":[900002,1,5],"direction":[0,0,-2]},"b":)" + track + "}\n" +
                   R"({"ray":{"origin":[900002,1,5],"direction":[0,0,-2],"max_distance":3},"b":)" + track + "}\n" +
                   R"({"ray":{"origin":[900002,1,5],"direction":[0,1,0]},"b":{"shape":{"box":{"half_extents":)"
                   R"([1,1,1]}},"position":[900002,1,5]}})"
                   "\n" +
                   R"({"a":{"shape":{"sphere":{"radius":0.5}},"position":[899999,1,5]},"translation":[0,0,-10],"b":)" +
                   track + "}\n" +
                   R"({"a":{"shape":{"sphere":{"radius":0.5}},"position":[899999,1,5]},"translation":[0,0,10],"b":)" +
                   track + "}\n");
    const Outcome outcome = folder.run({"query", "q.jsonl"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    const std::vector<Json> list = answers(outcome);
    ASSERT_EQ(list.size(), 6u);
    EXPECT_EQ(list[0].at("id"), "ice");
    EXPECT_EQ(list[0].at("status"), "hit");
    EXPECT_NEAR(list[0].at("distance").get<double>(), 4.0, 1e-5);
    expect_vector(list[0].at("point"), {900000, 1, 1}, 1e-5, "point");
    expect_vector(list[0].at("normal"), {0, 0, 1}, 1e-5, "normal");
    EXPECT_EQ(list[0].at("material").at("name"), "ice");
    EXPECT_EQ(list[0].at("material").at("place"), 0);
    EXPECT_EQ(list[0].at("material").at("friction"), 0.02);
    EXPECT_EQ(list[0].at("material").at("restitution"), 0.0);
    EXPECT_EQ(list[1].at("material").at("name"), "rubber");
    EXPECT_EQ(list[1].at("material").at("friction"), 0.5);
    EXPECT_EQ(list[1].at("material").at("restitution"), 0.75);
    EXPECT_EQ(list[2].at("status"), "miss");
    EXPECT_TRUE(list[2].at("point").is_null());
    EXPECT_FALSE(list[2].contains("material"));
    EXPECT_EQ(list[3].at("status"), "inside");
    EXPECT_FALSE(list[3].at("material").contains("name"));
    EXPECT_EQ(list[4].at("status"), "hit");
    EXPECT_NEAR(list[4].at("fraction").get<double>(), 0.35, 1e-5);
    EXPECT_EQ(list[4].at("material").at("name"), "ice");
    EXPECT_EQ(list[5].at("status"), "miss");
    EXPECT_EQ(list[5].at("fraction"), 1.0);
}

TEST(Query, BadLinesAreAnsweredAndDoNotStopTheRest) {
    const Folder folder;
    const std::string good =
        R"({"id":"good","a":{"shape":{"sphere":{"radius":1}}},"b":{"shape":{"sphere":{"radius":1}},"position":[3,0,0]}})";
    const std::vector<std::string> bad = {
        "not json",
        "[]",
        R"({"id":7})",
        R"({"id":7,"a":{"shape":{"sphere":{"radius":-1}}},"b":{"shape":{"sphere":{"radius":1}}}})",
        R"({"id":7,"a":{"shape":{"blob":{}}},"b":{"shape":{"sphere":{"radius":1}}}})",
        R"({"id":7,"a":{"shape":{"sphere":{"radius":1}},"mass":3},"b":{"shape":{"sphere":{"radius":1}}}})",
        R"({"id":7,"a":{"shape":{"sphere":{"radius":1}}},"b":{"shape":{"sphere":{"radius":1}}},"algorithm":"gkj_epa"})",
        R"({"id":7,"a":{"shape":{"sphere":{"radius":1}}},"b":{"shape":{"sphere":{"radius":1}}},"motion_a":{"linear":[1,0,0]}})",
        R"({"id":7,"a":{"shape":{"sphere":{"radius":1}}},"b":{"shape":{"sphere":{"radius":1}}},"duration":-1})",
        R"({"id":7,"ray":{"origin":[0,0,0],"direction":[0,0,0]},"b":{"shape":{"sphere":{"radius":1}}}})",
        R"({"id":7,"ray":{"origin":[0,0,0],"direction":[0,0,1]},"b":{"shape":{"sphere":{"radius":-1}}}})",
        R"({"id":7,"ray":{"origin":[0,0,0],"direction":[0,0,1]},"a":{"shape":{"sphere":{"radius":1}}}})",
        R"({"id":7,"a":{"shape":{"sphere":{"radius":1}}},"translation":[0,0],"b":{"shape":{"sphere":{"radius":1}}}})",
        R"({"id":7,"a":{"shape":{"sphere":{"radius":1}}},"b":{"shape":{"hull":{"points":[[0,0,0],[1,0,0],[2,0,0],[3,0,0]]}}}})",
    };
    std::string text;
    for (const std::string& line : bad) {
        text += line + '\n' + good + '\n';
    }
    const Outcome outcome = folder.run({"query", "-"}, text);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.err, "");
    const std::vector<Json> list = answers(outcome);
    ASSERT_EQ(list.size(), 2 * bad.size());
    for (std::size_t i = 0; i < bad.size(); ++i) {
        const Json& error = list[2 * i];
        EXPECT_EQ(error.at("line"), 2 * i + 1) << error;
        EXPECT_GT(error.at("error").get<std::string>().size(), 8u) << error;
        EXPECT_EQ(error.contains("id"), i >= 2) << error;
        EXPECT_EQ(list[2 * i + 1].at("id"), "good");
        EXPECT_NEAR(list[2 * i + 1].at("distance").get<double>(), 1.0, 1e-5);
    }
    EXPECT_THAT(list[0].at("error").get<std::string>(), HasSubstr("one query"));
    EXPECT_THAT(list[2].at("error").get<std::string>(), HasSubstr("one query"));
    EXPECT_THAT(list[12].at("error").get<std::string>(), HasSubstr("did you mean \"gjk_epa\"?"));
    EXPECT_EQ(list[12].at("column"), 97) << "the algorithm's name";
}

constexpr const char* box_on_diamond =
    R"("a":{"shape":{"box":{"half_extents":[1,1,1]}}},"b":{"shape":{"diamond":{"scale":1}},"position":[0,0.1,1.75]})";

TEST(Query, AlgorithmsAgree) {
    const Folder folder;
    std::string text;
    for (const char* algorithm : {"gjk_epa", "sat", "region_gjk"}) {
        text += std::string("{\"algorithm\":\"") + algorithm + "\"," + box_on_diamond + "}\n";
    }
    const Outcome outcome = folder.run({"query", "-"}, text);
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    const std::vector<Json> list = answers(outcome);
    ASSERT_EQ(list.size(), 3u);
    // The diamond's lowest points, 1 m below its author's origin, go into the top of the box.
    for (const Json& answer : {list[0], list[1]}) {
        EXPECT_EQ(answer.at("status"), "overlapping");
        expect_vector(answer.at("normal"), {0, 0, 1}, 1e-5, "normal");
        EXPECT_NEAR(answer.at("distance").get<double>(), list[0].at("distance").get<double>(), 1e-5);
        EXPECT_LT(answer.at("distance").get<double>(), -0.01);
        EXPECT_NEAR(answer.at("point_a").at(2).get<double>(), 1.0, 1e-5);
        EXPECT_GT(answer.at("iterations"), 0);
    }
    EXPECT_EQ(list[2].at("status"), "overlapping");
    EXPECT_GT(list[2].at("iterations"), 0);
    for (const char* unknown : {"distance", "normal", "point_a", "point_b"}) {
        EXPECT_TRUE(list[2].at(unknown).is_null()) << unknown;
    }
}

TEST(Query, AlgorithmsRejectWhatTheyDoNotAnswer) {
    const Folder folder;
    const Outcome outcome = folder.run(
        {"query", "-"},
        R"({"a":{"shape":{"sphere":{"radius":1}}},"b":{"shape":{"box":{"half_extents":[1,1,1]}}},"algorithm":"sat"}
{"a":{"shape":{"box":{"half_extents":[1,1,1]}}},"b":{"shape":{"cone":{"radius":1,"height":1}}},"algorithm":"sat"}
{"a":{"shape":{"box":{"half_extents":[1,1,1]}}},"b":{"shape":{"box":{"half_extents":[1,1,1]}}},"algorithm":"sat","duration":1}
{"a":{"shape":{"sphere":{"radius":1}}},"b":{"shape":{"sphere":{"radius":1}}},"algorithm":"region_gjk","motion_b":{},"duration":1}
)");
    EXPECT_EQ(outcome.code, 1);
    const std::vector<Json> list = answers(outcome);
    ASSERT_EQ(list.size(), 4u);
    EXPECT_THAT(list[0].at("error").get<std::string>(), AllOf(HasSubstr("sat"), HasSubstr("boxes, hulls")));
    EXPECT_EQ(list[0].at("column"), 6) << "a";
    EXPECT_THAT(list[1].at("error").get<std::string>(), AllOf(HasSubstr("sat"), HasSubstr("boxes, hulls")));
    EXPECT_EQ(list[1].at("column"), 53) << "b";
    EXPECT_THAT(list[2].at("error").get<std::string>(), AllOf(HasSubstr("\"duration\""), HasSubstr("gjk_epa")));
    EXPECT_EQ(list[2].at("line"), 3);
    EXPECT_THAT(list[3].at("error").get<std::string>(), AllOf(HasSubstr("\"motion_b\""), HasSubstr("gjk_epa")));
}

// Single precision resolves 6 cm at 900 km. The difference of the positions counts, and that is small.
TEST(Query, FarFromTheOriginAsPreciselyAsNearIt) {
    const Folder folder;
    const Outcome outcome = folder.run(
        {"query", "-"},
        R"({"a":{"shape":{"sphere":{"radius":0.25}},"position":[900000.1,-500000.3,7]},"b":{"shape":{"sphere":{"radius":0.25}},"position":[900000.9,-500000.3,7.6]},"motion_b":{"linear":[-0.8,0,-0.6]},"duration":2}
{"a":{"shape":{"sphere":{"radius":0.25}},"position":[0.1,-0.3,7]},"b":{"shape":{"sphere":{"radius":0.25}},"position":[0.9,-0.3,7.6]}}
)");
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    const std::vector<Json> list = answers(outcome);
    ASSERT_EQ(list.size(), 2u);
    EXPECT_NEAR(list[0].at("distance").get<double>(), 0.5, 1e-6);
    expect_vector(list[0].at("normal"), {0.8, 0, 0.6}, 1e-6, "normal");
    expect_vector(list[0].at("point_a"), {900000.3, -500000.3, 7.15}, 1e-6, "point_a");
    expect_vector(list[0].at("point_b"), {900000.7, -500000.3, 7.45}, 1e-6, "point_b");
    EXPECT_NEAR(list[0].at("toi").get<double>(), 0.5, 2e-4);
    EXPECT_THAT(outcome.out, HasSubstr(R"("point_a":[900000.3,-500000.3,7.15])")) << "and no digits that mean nothing";
    EXPECT_THAT(outcome.out, HasSubstr(R"("point_a":[0.3,-0.3,7.15])"));
}

// The gap at which two shapes count as touching is small for small shapes too.
TEST(Query, TimeOfImpactOfSmallShapes) {
    const Folder folder;
    const Outcome outcome = folder.run(
        {"query", "-"},
        R"({"a":{"shape":{"sphere":{"radius":0.001}}},"b":{"shape":{"sphere":{"radius":0.001}},"position":[0.012,0,0]},"motion_b":{"linear":[-1,0,0]},"duration":1}
)");
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    const double time = answers(outcome).at(0).at("toi").get<double>();
    EXPECT_NEAR(time, 0.01, 2e-6);
    EXPECT_LE(time, 0.01) << "never late";
}

constexpr const char* box_points = // 2 x 4 x 6 about (1, 2, 3), with inner points, doubles and a comment
    "# corners\n0 0 0\n2,0,0\n0 4 0\n2 4 0\n0 0 6\n2 0 6\n\n0 4 6\n2 4 6 # last\n1 2 3\n1 1 1\n2 4 6\n";

TEST(Hull, OfABoxIsTheBox) {
    const Folder folder;
    write_text(folder / "box.xyz", box_points);
    const Outcome outcome = folder.run({"hull", "box.xyz", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json hull = Json::parse(outcome.out);
    EXPECT_EQ(hull.at("input_points"), 11);
    EXPECT_EQ(hull.at("vertices").size(), 8u);
    EXPECT_EQ(hull.at("faces").size(), 6u);
    EXPECT_EQ(hull.at("edges"), 12);
    EXPECT_NEAR(hull.at("volume").get<double>(), 48.0, 1e-3);
    expect_vector(hull.at("centroid"), {1, 2, 3}, 1e-5, "centroid");
    expect_vector(hull.at("unit_inertia").at(0), {48.0 / 12 * (16 + 36), 0, 0}, 1e-2, "inertia");
    expect_vector(hull.at("unit_inertia").at(1), {0, 48.0 / 12 * (4 + 36), 0}, 1e-2, "inertia");
    expect_vector(hull.at("unit_inertia").at(2), {0, 0, 48.0 / 12 * (4 + 16)}, 1e-2, "inertia");
    expect_vector(hull.at("bounds").at("min"), {0, 0, 0}, 1e-5, "min");
    expect_vector(hull.at("bounds").at("max"), {2, 4, 6}, 1e-5, "max");
    for (const Json& face : hull.at("faces")) {
        EXPECT_EQ(face.size(), 4u);
    }
}

TEST(Hull, MeshOutputIsInputAgain) {
    const Folder folder;
    write_text(folder / "box.xyz", box_points);
    const Outcome mesh = folder.run({"hull", "box.xyz"});
    ASSERT_EQ(mesh.code, 0) << mesh.err;
    EXPECT_THAT(mesh.out, HasSubstr("volume 48 m^3"));
    write_text(folder / "hull.obj", mesh.out);
    const Outcome again = folder.run({"hull", "hull.obj", "--json"});
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(Json::parse(again.out).at("input_points"), 8);
    EXPECT_NEAR(Json::parse(again.out).at("volume").get<double>(), 48.0, 1e-3);
}

TEST(Hull, BadPointsAreLocated) {
    const Folder folder;
    const auto rejection = [&](const std::string& name, const std::string& text) {
        write_text(folder / name, text);
        const Outcome outcome = folder.run({"hull", name});
        EXPECT_EQ(outcome.code, 2);
        EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
        EXPECT_EQ(outcome.out, "");
        return outcome.err;
    };
    EXPECT_THAT(rejection("a.xyz", "0 0 0\n1 0\n"), HasSubstr("a.xyz:2:"));
    EXPECT_THAT(rejection("a.xyz", "0 0 0\n1 zero 0\n"), HasSubstr("a.xyz:2:3"));
    EXPECT_THAT(rejection("a.xyz", "0 0 0 0\n"), HasSubstr("a.xyz:1:7"));
    EXPECT_THAT(rejection("a.xyz", "0 0 nan\n"), HasSubstr("a.xyz:1:5"));
    EXPECT_THAT(rejection("a.xyz", "0 0 1e99\n"), HasSubstr("a.xyz:1:5"));
    EXPECT_THAT(rejection("a.xyz", ""), HasSubstr("a.xyz: no hull"));
    EXPECT_THAT(rejection("a.xyz", "0 0 0\n1 0 0\n0 1 0\n1 1 0\n"), HasSubstr("a.xyz: no hull"));
    EXPECT_THAT(rejection("a.obj", "v 0 0\n"), HasSubstr("a.obj:1"));
    EXPECT_THAT(rejection("a.xyz", "0 0 0\n0 0 2e6\n"), HasSubstr("a.xyz:2:5"));
    EXPECT_THAT(rejection("a.xyz", std::string("0 0 0\n0 \0 0\n", 12)), HasSubstr("a.xyz:2:3: there is a zero byte"));
    EXPECT_THAT(rejection("a.xyz", "\x1b[31m 0 0\n"), HasSubstr("a.xyz:1:1: \"\\x1B[31m\""));
    EXPECT_THAT(rejection("a.obj", "v 0 0 0\nfoo\n"), HasSubstr("a.obj:2:1"));
    EXPECT_THAT(rejection("a.dae", "0 0 0\n"), HasSubstr(".obj"));
    EXPECT_EQ(folder.run({"hull", "missing.xyz"}).code, 2);
    EXPECT_EQ(folder.run({"hull", "."}).code, 2);
}

// Vertices are input points to the last bit, also far from the origin, and say which.
TEST(Hull, VerticesAreInputPoints) {
    const Folder folder;
    write_text(folder / "far.xyz", "\xEF\xBB\xBF# a tetrahedron and its middle\n1000.1 0.1 0.7\n1000.35 0.35 0.95\n"
                                   "1001.1 0.1 0.7\n1000.1 1.1 0.7\n1000.1 0.1 1.7\n");
    const Outcome outcome = folder.run({"hull", "far.xyz", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json hull = Json::parse(outcome.out);
    EXPECT_EQ(hull.at("input_indices"), Json::parse("[0,2,3,4]"));
    EXPECT_EQ(hull.at("vertices"),
              Json::parse("[[1000.1,0.1,0.7],[1001.1,0.1,0.7],[1000.1,1.1,0.7],[1000.1,0.1,1.7]]"));
    EXPECT_EQ(hull.at("bounds").at("max"), Json::parse("[1001.1,1.1,1.7]"));
}

} // namespace
} // namespace cairn::cli
