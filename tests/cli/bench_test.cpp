// `cairn bench`: that its figures are there and belong together. How fast things are is not for tests.
#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

TEST(Bench, SourceTablesHoldItsTenPairsAndItsHeaps) {
    const Folder folder;
    const Outcome outcome = folder.run({"bench", "--source-tables", "--quick", "--json", "t.json"});
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

    const std::vector<std::string> columns{"source", "gjk_epa", "sat", "region_gjk", "overlap"};
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
    EXPECT_EQ(times["source"], (std::vector<double>{17.3, 58.2, 154.1, 483, 110.4, 229.5, 461.3, 292.9, 616.5, 865.6}));
    const Json& growth = tables.at("growth");
    for (const std::string& column : columns) {
        EXPECT_NEAR(growth.at("pairs_over_vertices").at(column), slope(vertices, times[column]), 1e-6) << column;
    }
    EXPECT_NEAR(growth.at("pairs_over_vertices").at("source"), 0.86, 0.005);

    ASSERT_EQ(tables.at("in_one_place").size(), 2u) << "n = 2 and 4 with --quick";
    std::vector<double> heap_times;
    for (std::size_t i = 0; i < 2; ++i) {
        const Json& heap = tables.at("in_one_place")[i];
        const int n = 2 * static_cast<int>(i + 1);
        EXPECT_EQ(heap.at("n"), n);
        EXPECT_EQ(heap.at("shapes"), 4 * n);
        EXPECT_EQ(heap.at("pairs"), 2 * n * (4 * n - 1)) << "all with all";
        heap_times.push_back(heap.at("milliseconds").at("source"));
        for (const std::string& column : columns) {
            EXPECT_GT(heap.at("milliseconds").at(column).get<double>(), 0.0);
        }
    }
    EXPECT_EQ(heap_times, (std::vector<double>{11.3, 52.5}));
    EXPECT_NEAR(growth.at("in_one_place_over_n").at("source"), slope({2, 4}, heap_times), 1e-6);
}

} // namespace
} // namespace cairn::cli
