// `cairn bench` and `cairn-bench`: that its figures are there and belong together. How fast things are is not for
// tests.
#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace cairn::cli {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using Json = nlohmann::json;

TEST(Bench, ScenesAreMeasuredAsSimulateDoes) {
    const Folder folder;
    const Outcome outcome = folder.run(
        {"bench", "duel", shipped_scene("tower").string(), "--steps", "12", "--threads", "1", "--json", "b.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "") << "no progress bar where there is no terminal";
    EXPECT_THAT(outcome.out, HasSubstr("| duel "));
    EXPECT_THAT(outcome.out, HasSubstr("| tower "));
    const Json bench = Json::parse(read_text(folder / "b.json"));
    EXPECT_EQ(bench.at("threads"), 1);
    EXPECT_EQ(bench.at("steps"), 12);
    ASSERT_EQ(bench.at("scenes").size(), 2u);
    for (const Json& scene : bench.at("scenes")) {
        const std::string name = scene.at("name");
        const Json& times = scene.at("ms_per_step");
        EXPECT_GT(times.at("median").get<double>(), 0.0) << name;
        EXPECT_GT(times.at("mean").get<double>(), 0.0) << name;
        EXPECT_GE(times.at("p99").get<double>(), times.at("median").get<double>()) << name;
        double sum = 0.0;
        for (const auto& [stage, time] : scene.at("stages").items()) {
            sum += time.get<double>();
        }
        EXPECT_NEAR(sum, times.at("mean").get<double>(), 1e-6 * sum) << name;

        const Json& worst = scene.at("worst_step");
        EXPECT_EQ(worst.at("ms"), times.at("max")) << name;
        EXPECT_GE(worst.at("step"), 1) << name;
        EXPECT_LE(worst.at("step"), 12) << name;
        EXPECT_GT(worst.at("over_neighbours"), 0.0) << name;
        double longest = 0.0, whole = 0.0;
        for (const auto& [stage, time] : worst.at("stages").items()) {
            longest = std::max(longest, time.get<double>());
            whole += time.get<double>();
        }
        EXPECT_EQ(worst.at("stages").at(worst.at("stage")), longest) << name;
        EXPECT_NEAR(whole, worst.at("ms").get<double>(), 1e-6 * whole) << name;

        // The same steps, whoever takes them.
        const Outcome simulated =
            folder.run({"simulate", shipped_scene(name).string(), "--steps", "12", "--threads", "1", "--stats", "-"});
        ASSERT_EQ(simulated.code, 0) << simulated.err;
        const Json stats = Json::parse(simulated.out);
        for (const char* key :
             {"hash", "bodies", "contacts", "contact_points", "max_penetration", "kinetic_energy", "steps"}) {
            EXPECT_EQ(scene.at(key), stats.at(key)) << name << ": " << key;
        }
        EXPECT_THAT(outcome.out, HasSubstr(stats.at("hash").get<std::string>()));
    }
}

TEST(Bench, WithoutASceneAllShippedOnesAreMeasured) {
    const Folder folder;
    const Outcome outcome = folder.run({"bench", "--steps", "1", "--json", "-"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json bench = Json::parse(outcome.out); // and no table in between
    std::vector<std::string> names, shipped;
    for (const Json& scene : bench.at("scenes")) {
        names.push_back(scene.at("name"));
    }
    for (const auto& path : shipped_scenes()) {
        shipped.push_back(path.stem().string());
    }
    EXPECT_THAT(names, ::testing::UnorderedElementsAreArray(shipped));
}

// The slope of the line through the logarithms, by the normal equations.
double slope(const std::vector<double>& x, const std::vector<double>& y) {
    const double n = static_cast<double>(x.size());
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double lx = std::log(x[i]), ly = std::log(y[i]);
        sx += lx;
        sy += ly;
        sxx += lx * lx;
        sxy += lx * ly;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

TEST(Bench, ScenesMadeInMemoryAreThoseOfTheirFormulas) {
    const Folder folder;
    const Outcome outcome = folder.run({"bench", "bench/pyramid", "bench/wall", "bench/box_rain", "bench/duel_13",
                                        "bench/plate_oblique", "--write", "."});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    const auto bodies_of = [&folder](const char* name) {
        const Json scene = Json::parse(read_text(folder / (std::string(name) + ".json")));
        EXPECT_EQ(scene.at("gravity"), Json({0, 0, -10})) << name;
        return scene.at("bodies");
    };
    const auto expect_near = [](const Json& numbers, const std::vector<double>& expected, const std::string& what) {
        ASSERT_EQ(numbers.size(), expected.size()) << what;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_NEAR(numbers[i].get<double>(), expected[i], 1e-6 * (1.0 + std::abs(expected[i])))
                << what << ": " << i;
        }
    };
    const auto expect_rough = [](const Json& bodies, const std::string& name) {
        for (const Json& body : bodies) {
            EXPECT_FLOAT_EQ(body.at("friction").get<float>(), 0.6f) << name;
            EXPECT_FALSE(body.contains("mass")) << name << ": density decides";
            EXPECT_EQ(body.value("density", 1000.0), 1000.0) << name;
            EXPECT_EQ(body.value("restitution", 0.0), 0.0) << name;
            EXPECT_EQ(body.value("can_sleep", true), body.value("type", "dynamic") == "static") << name;
        }
    };

    const Json pyramid = bodies_of("pyramid");
    ASSERT_EQ(pyramid.size(), 1u + 40u * 41u / 2u);
    expect_rough(pyramid, "pyramid");
    expect_near(pyramid[1].at("position"), {-19.5, 0, 0.5}, "first of the lowest row");
    expect_near(pyramid[40].at("position"), {19.5, 0, 0.5}, "last of the lowest row");
    expect_near(pyramid[820].at("position"), {0, 0, 39.5}, "top");

    const Json wall = bodies_of("wall");
    ASSERT_EQ(wall.size(), 1u + 20u * 30u);
    expect_near(wall[1].at("position"), {-14.5, 0, 0.5}, "first brick");
    expect_near(wall[31].at("position"), {-14.25, 0, 1.5}, "first brick of the second row");

    const Json rain = bodies_of("box_rain");
    ASSERT_EQ(rain.size(), 5u + 2000u);
    expect_rough(rain, "box_rain");
    constexpr double i = 1234; // layer 12, row 3, place 4
    expect_near(rain[5 + 1234].at("position"),
                {(4 - 4.5) * 1.95 + 0.1 * std::sin(i * 12.9898), (3 - 4.5) * 1.95 + 0.1 * std::sin(i * 78.233),
                 1.2 + 12 * 1.95},
                "a box of the rain");
    const std::vector<double> q{std::sin(5.1 * i + 1.9), std::sin(1.1 * i + 0.1), std::sin(2.3 * i + 0.7),
                                std::sin(3.7 * i + 1.3)};
    const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    expect_near(rain[5 + 1234].at("orientation"), {q[0] / length, q[1] / length, q[2] / length, q[3] / length},
                "its orientation");

    const Json duel = bodies_of("duel_13");
    ASSERT_EQ(duel.size(), 7u);
    expect_near(duel[5].at("position"), {10 + 13 * 200.0 / 60.0 / 20.0, 0, 3}, "the ball");
    expect_near(duel[6].at("angular_velocity"), {0, 10, 0}, "the diamond's spin");

    const Json plate = bodies_of("plate_oblique");
    ASSERT_EQ(plate.size(), 1001u);
    expect_near(plate[1 + 999].at("position"),
                {-(10 + 5 * std::fmod(999 * 0.6180339887498949, 1.0)), 19.5 * 0.5 - 20, (24 - 12) * 0.5}, "a ball");
    expect_near(plate[1].at("linear_velocity"), {150, 150 * std::sqrt(3.0), 0}, "30 degrees from the plate");

    // The same scene, whether it comes from memory or from its file.
    for (const std::string name : {"duel_13", "wall"}) {
        const Outcome memory = folder.run({"bench", "bench/" + name, "--steps", "8", "--threads", "1", "--json", "-"});
        const Outcome file =
            folder.run({"bench", "./" + name + ".json", "--steps", "8", "--threads", "1", "--json", "-"});
        ASSERT_EQ(memory.code, 0) << memory.err;
        ASSERT_EQ(file.code, 0) << file.err;
        EXPECT_EQ(Json::parse(memory.out).at("scenes")[0].at("hash"), Json::parse(file.out).at("scenes")[0].at("hash"))
            << name;
    }
}

TEST(Bench, CrowdsAreThereToBeMeasured) {
    const Folder folder;
    const Outcome outcome = folder.run({"bench", "bench/crowd", "--steps", "2", "--threads", "1", "--json", "b.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("worst stage"));
    std::map<std::string, int> bodies;
    const Json bench = Json::parse(read_text(folder / "b.json"));
    for (const Json& scene : bench.at("scenes")) {
        bodies[scene.at("name")] = scene.at("bodies");
        EXPECT_GE(scene.at("held"), 0);
        EXPECT_GE(scene.at("time_given_up"), 0.0);
    }
    EXPECT_EQ(bodies,
              (std::map<std::string, int>{{"tumbler", 4001}, {"downpour", 5005}, {"gas", 2006}, {"overlap", 1005}}));
}

TEST(Bench, SeriesGrow) {
    const Folder folder;
    const Outcome outcome = folder.run(
        {"bench", "bench/islands_1k", "bench/islands_3k", "--steps", "3", "--threads", "1", "--json", "b.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("growth exponent"));
    const Json bench = Json::parse(read_text(folder / "b.json"));
    std::vector<double> bodies, times;
    for (const Json& scene : bench.at("scenes")) {
        bodies.push_back(scene.at("bodies"));
        times.push_back(scene.at("ms_per_step").at("median"));
        EXPECT_GT(scene.at("build_ms").get<double>(), 0.0);
        const double per_body = scene.at("bytes_per_body");
        EXPECT_GT(per_body, 300.0) << "pose, velocities, mass and contacts";
        EXPECT_LT(per_body, 3000.0) << "towers of four, each box with a contact of four points";
        double sum = 0.0;
        for (const auto& [part, bytes] : scene.at("memory").items()) {
            sum += bytes.get<double>();
        }
        EXPECT_NEAR(sum, per_body * bodies.back(), 1e-6 * sum);
        if (!scene.at("heap_bytes_per_body").is_null()) { // where the heap can be asked
            const double heap = scene.at("heap_bytes_per_body");
            EXPECT_LT(per_body, heap) << "the allocator rounds up";
            EXPECT_GT(per_body, 0.6 * heap) << "what the world says it holds, and what it gives back";
        }
    }
    EXPECT_EQ(bodies, (std::vector<double>{1001, 3001})) << "the floor counts";
    EXPECT_EQ(bench.at("growth").size(), 1u);
    EXPECT_NEAR(bench.at("growth").at("islands"), slope(bodies, times), 1e-6);
}

TEST(Bench, DriftIsTheGreatestWaySideways) {
    const Folder folder;
    write_text(folder / "drift.json", R"({"cairn": 1, "gravity": [0, 0, 0], "bodies": [
        {"shape": {"sphere": {"radius": 0.5}}, "linear_velocity": [3, 4, 0]},
        {"shape": {"sphere": {"radius": 0.5}}, "position": [0, 0, 50], "linear_velocity": [0, 1, 20]},
        {"type": "kinematic", "shape": {"sphere": {"radius": 0.5}}, "position": [0, 0, -50],
         "linear_velocity": [30, 0, 0]}]})");
    const Outcome outcome = folder.run({"bench", "drift.json", "--steps", "60", "--json", "-"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NEAR(Json::parse(outcome.out).at("scenes")[0].at("drift").get<double>(), 5.0, 1e-4);
}

TEST(Bench, ShippedScenesAreNamedAsElsewhere) {
    const Folder folder;
    const Outcome outcome = folder.run({"bench", "builtin:tower", "--steps", "2", "--threads", "1", "--json", "-"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(Json::parse(outcome.out).at("scenes")[0].at("name"), "tower");
    const Outcome unknown = folder.run({"bench", "builtin:nope"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("builtin:nope: there is no such scene"));
}

TEST(Bench, AnUnknownSceneIsToldWhatThereIs) {
    const Folder folder;
    const Outcome outcome = folder.run({"bench", "bench/nope"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("error: bench/nope: "));
    EXPECT_THAT(outcome.err, HasSubstr("bench/pile"));
    EXPECT_EQ(folder.run({"bench", "bench/wall", "--write", "no/such/folder"}).code, 2);
}

TEST(Bench, WhatCannotBeMeasuredIsRejectedBeforehand) {
    const Folder folder;
    const auto rejected = [&folder](const std::vector<std::string>& arguments, const char* word) {
        std::vector<std::string> all{"bench", "bench/duel_00", "--steps", "2"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const Outcome outcome = folder.run(all);
        EXPECT_EQ(outcome.code, 2) << word;
        EXPECT_THAT(outcome.err, HasSubstr("error: ")) << word;
        EXPECT_THAT(outcome.err, HasSubstr(word));
        EXPECT_EQ(outcome.out, "") << word;
    };
    rejected({"--threads", "-1"}, "--threads");
    rejected({"--threads", "many"}, "--threads");
    rejected({"--steps", "0"}, "--steps");
    rejected({"--json", "no/such/folder/b.json"}, "no/such/folder");
    rejected({"--json", "."}, "is a folder");
    rejected({"missing.json"}, "missing.json");
}

TEST(Bench, TheOtherProgramRejectsAlike) {
    const Folder folder;
    const auto rejected = [&folder](const std::vector<std::string>& arguments, const char* word) {
        const Outcome outcome = testing::run_bench(folder.path(), arguments);
        EXPECT_EQ(outcome.code, 2) << word;
        EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(word));
        EXPECT_EQ(outcome.out, "") << word;
    };
    rejected({}, "subcommand");
    rejected({"nonsense"}, "subcommand");
    rejected({"past"}, "SCENE");
    rejected({"past", "bench/duel_00", "--json", "no/such/folder/b.json"}, "no/such/folder");
    rejected({"past", "missing.json"}, "missing.json");
    rejected({"seek", "missing.cairn"}, "missing.cairn");
    rejected({"speedup", "bench/duel_00", "--steps", "0"}, "--steps");
    rejected({"speedup", "bench/duel_00", "--threads", "-1"}, "--threads");
    rejected({"mesh-pairs", "--steps", "5"}, "--steps");
    rejected({"mesh-pairs", "--threads", "1"}, "--threads");
    EXPECT_THAT(testing::run_bench(folder.path(), {"--help"}).out, HasSubstr("mesh-pairs"));
}

TEST(Bench, SeeksGoToTheStatesThatWereRecorded) {
    const Folder folder;
    ASSERT_EQ(folder.run({"simulate", shipped_scene("tower").string(), "--steps", "30", "--capture", "c.cairn"}).code,
              0);
    const Outcome outcome = testing::run_bench(folder.path(), {"seek", "c.cairn", "--threads", "1"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("30 seeks: median "));
}

TEST(Bench, SpeedupTakesTurnsAndComparesHashes) {
    const Folder folder;
    const Outcome outcome = testing::run_bench(folder.path(), {"speedup", "bench/duel_07", "bench/islands_1k",
                                                               "--steps", "7", "--threads", "2", "--json", "s.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const Json bench = Json::parse(read_text(folder / "s.json"));
    EXPECT_EQ(bench.at("threads"), 2);
    ASSERT_EQ(bench.at("scenes").size(), 2u);
    for (const Json& scene : bench.at("scenes")) {
        const std::string name = scene.at("name");
        const double one = scene.at("median_ms").at("one"), all = scene.at("median_ms").at("all");
        EXPECT_GT(one, 0.0) << name;
        EXPECT_GT(all, 0.0) << name;
        EXPECT_DOUBLE_EQ(scene.at("speedup").get<double>(), one / all) << name;
        EXPECT_GT(scene.at("copies_side_by_side").get<double>(), 0.0) << name;
        EXPECT_GT(scene.at("share_of_copies").get<double>(), 0.0) << name;
        EXPECT_TRUE(scene.at("differs_by_step").is_null()) << name;
        EXPECT_EQ(scene.at("hash"), scene.at("hash_all")) << name;

        const Outcome plain = folder.run({"bench", "bench/" + name, "--steps", "7", "--threads", "1", "--json", "-"});
        ASSERT_EQ(plain.code, 0) << plain.err;
        EXPECT_EQ(Json::parse(plain.out).at("scenes")[0].at("hash"), scene.at("hash")) << name;
        EXPECT_THAT(outcome.out, HasSubstr(scene.at("hash").get<std::string>()));
    }
}

TEST(Bench, PastTellsWhatItCostsToKeepIt) {
    const Folder folder;
    const Outcome outcome = testing::run_bench(
        folder.path(), {"past", "mixed_rain", "--steps", "200", "--threads", "1", "--json", "p.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, HasSubstr("mixed_rain"));
    const Json scene = Json::parse(read_text(folder / "p.json")).at("scenes").at(0);
    EXPECT_GE(scene.at("snapshots").get<int>(), 1);
    EXPECT_GT(scene.at("snapshot_bytes").get<double>(), 1e5);
    const double step = scene.at("step_ms"), past = scene.at("past_ms"), hash = scene.at("hash_ms");
    EXPECT_GT(past, 0.0);
    EXPECT_GT(hash, 0.0);
    EXPECT_GT(step, hash);
    EXPECT_NEAR(scene.at("share").get<double>(), past / step, 1e-9);
    // Far from what would have to be told, under load, too: that all of it were copied at every step.
    EXPECT_LT(past, 0.5 * step);
}

TEST(Bench, FrameTellsWhatEveryPartOfAPictureCosts) {
    const Folder folder;
    const Outcome outcome = testing::run_bench(
        folder.path(), {"frame", "bench/islands_1k", "--steps", "5", "--threads", "1", "--json", "f.json"});
    if (outcome.code == 3) {
        EXPECT_THAT(outcome.err, HasSubstr("built without the window"));
        GTEST_SKIP() << "there is no window in this build";
    }
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const Json scene = Json::parse(read_text(folder / "f.json")).at("scenes").at(0);
    EXPECT_EQ(scene.at("bodies"), 1001);
    EXPECT_EQ(scene.at("awake"), 1000);
    EXPECT_EQ(scene.at("drawn").get<int>() + scene.at("culled").get<int>(), 1001);
    EXPECT_GT(scene.at("drawn").get<int>(), 500) << "the eye is where all can be seen";
    double largest = 0.0;
    ASSERT_EQ(scene.at("parts").size(), 6u);
    for (const Json& part : scene.at("parts")) {
        EXPECT_THAT(outcome.out, HasSubstr(part.at("name").get<std::string>()));
        EXPECT_GT(part.at("median").get<double>(), 0.0) << part.at("name");
        EXPECT_GE(part.at("p99").get<double>(), part.at("median").get<double>()) << part.at("name");
        largest = std::max(largest, part.at("median").get<double>());
    }
    EXPECT_GE(scene.at("main_thread").at("median").get<double>(), largest) << "of the sums";
    EXPECT_GT(scene.at("publish").at("median").get<double>(), 0.0);
    EXPECT_GT(scene.at("step").at("median").get<double>(), 0.0);
}

TEST(Bench, MeshPairsHoldTenPairsAndTheirHeaps) {
    const Folder folder;
    const Outcome outcome = testing::run_bench(folder.path(), {"mesh-pairs", "--quick", "--json", "t.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, HasSubstr("growth exponent"));
    const Json tables = Json::parse(read_text(folder / "t.json"));
    EXPECT_EQ(tables.at("wrong_answers"), 0);
    EXPECT_GT(tables.at("queries").get<int>(), 500);

    const std::vector<std::pair<std::string, int>> meshes{{"cube", 8}, {"cone", 33}, {"cylinder", 64}, {"sphere", 482}};
    ASSERT_EQ(tables.at("meshes").size(), meshes.size());
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        const Json& mesh = tables.at("meshes")[i];
        EXPECT_EQ(mesh.at("name"), meshes[i].first);
        EXPECT_EQ(mesh.at("vertices"), meshes[i].second) << "no vertex of the mesh is inside its hull";
        EXPECT_EQ(mesh.at("vertices").get<int>() - mesh.at("edges").get<int>() + mesh.at("faces").get<int>(), 2);
        EXPECT_GT(mesh.at("build_microseconds").get<double>(), 0.0);
    }

    const std::vector<std::string> columns{"published", "gjk_epa", "sat", "region_gjk", "overlap"};
    std::map<std::string, std::vector<double>> times;
    std::vector<double> vertices;
    ASSERT_EQ(tables.at("pairs").size(), 10u);
    std::size_t next = 0;
    for (std::size_t a = 0; a < meshes.size(); ++a) {
        for (std::size_t b = a; b < meshes.size(); ++b) {
            const Json& pair = tables.at("pairs")[next++];
            EXPECT_EQ(pair.at("pair"), meshes[a].first + "-" + meshes[b].first);
            EXPECT_EQ(pair.at("vertices"), meshes[a].second + meshes[b].second);
            vertices.push_back(pair.at("vertices"));
            for (const std::string& column : columns) {
                times[column].push_back(pair.at("microseconds").at(column));
                EXPECT_GT(times[column].back(), 0.0);
            }
        }
    }
    EXPECT_EQ(times["published"],
              (std::vector<double>{17.3, 58.2, 154.1, 483, 110.4, 229.5, 461.3, 292.9, 616.5, 865.6}));
    const Json& growth = tables.at("growth");
    for (const std::string& column : columns) {
        EXPECT_NEAR(growth.at("pairs_over_vertices").at(column), slope(vertices, times[column]), 1e-6) << column;
    }
    EXPECT_NEAR(growth.at("pairs_over_vertices").at("published"), 0.86, 0.005);

    ASSERT_EQ(tables.at("in_one_place").size(), 2u) << "n = 2 and 4 with --quick";
    std::vector<double> heap_times;
    for (std::size_t i = 0; i < 2; ++i) {
        const Json& heap = tables.at("in_one_place")[i];
        const int n = 2 * static_cast<int>(i + 1);
        EXPECT_EQ(heap.at("n"), n);
        EXPECT_EQ(heap.at("shapes"), 4 * n);
        EXPECT_EQ(heap.at("pairs"), 2 * n * (4 * n - 1)) << "all with all";
        heap_times.push_back(heap.at("milliseconds").at("published"));
        for (const std::string& column : columns) {
            EXPECT_GT(heap.at("milliseconds").at(column).get<double>(), 0.0);
        }
    }
    EXPECT_EQ(heap_times, (std::vector<double>{11.3, 52.5}));
    EXPECT_NEAR(growth.at("in_one_place_over_n").at("published"), slope({2, 4}, heap_times), 1e-6);
}

} // namespace
} // namespace cairn::cli
