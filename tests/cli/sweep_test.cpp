#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <set>
#include <sstream>
#include <sys/file.h>
#include <unistd.h>

namespace cairn::cli {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr const char* small_sweep = R"({"cairn_sweep": 1, "name": "small", "scene": "tower", "steps": 40,
    "parameters": {"step.substeps": [2, 4], "gravity.2": {"from": -2, "to": -10, "count": 3},
                   "bodies.*.restitution": [0, 0.5]}})";

using Table = std::vector<std::map<std::string, std::string>>;

Table read_table(const std::string& text) {
    Table table;
    std::vector<std::string> head;
    for (const std::string& line : lines_of(text)) {
        std::vector<std::string> cells;
        std::istringstream in(line);
        for (std::string cell; std::getline(in, cell, ',');) {
            cells.push_back(cell);
        }
        if (head.empty()) {
            head = cells;
            continue;
        }
        EXPECT_EQ(cells.size(), head.size()) << line;
        std::map<std::string, std::string> row;
        for (std::size_t i = 0; i < std::min(cells.size(), head.size()); ++i) {
            row[head[i]] = cells[i];
        }
        table.push_back(row);
    }
    return table;
}

Table swept(const Folder& folder, const std::string& sweep, const std::vector<std::string>& more = {}) {
    write_text(folder / "s.json", sweep);
    std::vector<std::string> words{"sweep", "s.json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = folder.run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "./s.csv\n./s.html\n");
    return read_table(read_text(folder / "s.csv"));
}

TEST(Sweep, EveryCombinationHasItsRow) {
    const Folder folder;
    const Table table = swept(folder, small_sweep);
    ASSERT_EQ(table.size(), 12u);
    std::size_t run = 0;
    for (const char* substeps : {"2", "4"}) {
        for (const char* gravity : {"-2", "-6", "-10"}) {
            for (const char* restitution : {"0", "0.5"}) {
                const auto& row = table[run++];
                EXPECT_EQ(row.at("run"), std::to_string(run));
                EXPECT_EQ(row.at("step.substeps"), substeps);
                EXPECT_EQ(row.at("gravity.2"), gravity);
                EXPECT_EQ(row.at("bodies.*.restitution"), restitution);
            }
        }
    }
}

// A row is what `cairn simulate` says of the same scene with the same values.
TEST(Sweep, RowsAreTheRunsThatSimulateMakes) {
    const Folder folder;
    const Table table = swept(folder, small_sweep);
    for (const std::size_t run : {0u, 3u, 7u, 11u}) {
        const auto& row = table.at(run);
        std::vector<std::string> words{"simulate", shipped_scene("tower").string(), "--steps", "40", "--stats", "-"};
        for (const char* path : {"step.substeps", "gravity.2", "bodies.*.restitution"}) {
            words.insert(words.end(), {"--set", std::string(path) + '=' + row.at(path)});
        }
        const Outcome outcome = folder.run(words);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        const Json stats = Json::parse(outcome.out);
        EXPECT_EQ(row.at("hash"), stats.at("hash"));
        EXPECT_EQ(row.at("bodies"), std::to_string(stats.at("bodies").get<int>()));
        EXPECT_EQ(row.at("contact_points"), std::to_string(stats.at("contact_points").get<int>()));
        EXPECT_EQ(std::stof(row.at("worst_penetration")), stats.at("worst_penetration").get<float>());
        EXPECT_EQ(std::stod(row.at("kinetic_energy")), stats.at("kinetic_energy").get<double>());
        EXPECT_EQ(std::stod(row.at("potential_energy")), stats.at("potential_energy").get<double>());
    }
}

// Against closed forms: a ball in free fall, one that lies, one that slides to a halt.
TEST(Sweep, FiguresAreThoseOfTheMotion) {
    const Folder folder;
    write_text(folder / "fall.json", R"({"cairn": 1, "gravity": [0, 0, -10], "step": {"hz": 100, "substeps": 8},
        "bodies": [{"shape": {"sphere": {"radius": 0.5}}, "position": [0, 0, 500], "mass": 2}]})");
    Table table = swept(folder, R"({"cairn_sweep": 1, "scene": "fall.json", "steps": 100,
                                   "parameters": {"gravity.2": [-10, 0]}})");
    ASSERT_EQ(table.size(), 2u);
    EXPECT_NEAR(std::stod(table[0].at("drift_max")), 5.0, 0.02);
    EXPECT_NEAR(std::stod(table[0].at("worst_speed")), 10.0, 0.01);
    EXPECT_NEAR(std::stod(table[0].at("kinetic_energy")), 100.0, 0.3);
    EXPECT_EQ(table[0].at("settled_at"), "");
    EXPECT_EQ(std::stod(table[1].at("drift_max")), 0.0);
    EXPECT_EQ(std::stod(table[1].at("settled_at")), 0.0);

    write_text(folder / "slide.json", R"({"cairn": 1, "gravity": [0, 0, -10], "bodies": [
        {"type": "static", "shape": {"box": {"half_extents": [50, 50, 1]}}, "position": [0, 0, -1]},
        {"shape": {"box": {"half_extents": [0.5, 0.5, 0.5]}}, "position": [0, 0, 0.5], "linear_velocity": [4, 0, 0]}]})");
    table = swept(folder, R"({"cairn_sweep": 1, "scene": "slide.json", "steps": 240,
                             "parameters": {"bodies.*.friction": [0.25, 0.5]}})",
                  {"--again"});
    ASSERT_EQ(table.size(), 2u);
    for (const auto& row : table) { // s = v^2 / (2 mu g), t = v / (mu g)
        const double mu = std::stod(row.at("bodies.*.friction"));
        EXPECT_NEAR(std::stod(row.at("drift_max")), 16.0 / (20.0 * mu), 0.05);
        EXPECT_NEAR(std::stod(row.at("settled_at")), 4.0 / (10.0 * mu), 0.05);
    }
}

TEST(Sweep, ShardsInAnyOrderMakeTheSameFile) {
    const Folder folder;
    swept(folder, small_sweep);
    const std::string whole = read_text(folder / "s.csv"), page = read_text(folder / "s.html");
    std::filesystem::create_directory(folder / "parts");
    for (const char* shard : {"4/5", "1/5", "5/5", "3/5", "2/5"}) {
        const Outcome outcome = folder.run({"sweep", "s.json", "--shard", shard, "--out", "parts", "--threads", "3"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
    }
    std::vector<std::string> parts;
    for (const char* i : {"1", "2", "3", "4", "5"}) {
        parts.push_back("parts/s." + std::string(i) + "-of-5.csv");
    }
    for (int turn = 0; turn < 4; ++turn) {
        std::vector<std::string> words{"sweep", "s.json", "--out", "parts", "--merge"};
        words.insert(words.end(), parts.begin(), parts.end());
        ASSERT_EQ(folder.run(words).code, 0);
        EXPECT_TRUE(read_text(folder / "parts/s.csv") == whole);
        EXPECT_TRUE(read_text(folder / "parts/s.html") == page);
        std::rotate(parts.begin(), parts.begin() + 2, parts.end());
    }
    // One missing: told, and nothing is written.
    std::filesystem::remove(folder / "parts/s.csv");
    const Outcome outcome =
        folder.run({"sweep", "s.json", "--out", "parts", "--merge", parts[0], parts[1], parts[2], parts[3]});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("of 12 runs are in none of the files"));
    EXPECT_FALSE(std::filesystem::exists(folder / "parts/s.csv"));
}

// Killed at any moment, it goes on where it was; half a line is made again.
TEST(Sweep, GoesOnWhereItWasStopped) {
    const Folder folder;
    swept(folder, small_sweep);
    const std::string whole = read_text(folder / "s.csv");
    for (const std::size_t cut : {whole.size() / 3, whole.size() / 2, whole.size() - 1, std::size_t{5}}) {
        write_text(folder / "s.csv", whole.substr(0, cut));
        const Outcome outcome = folder.run({"sweep", "s.json"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_TRUE(read_text(folder / "s.csv") == whole) << cut;
        EXPECT_EQ(outcome.err.find("were there before") != std::string::npos, cut > 400) << outcome.err;
    }
}

TEST(Sweep, FilesOfAnotherSweepAreRejected) {
    const Folder folder;
    swept(folder, small_sweep);
    const std::string whole = read_text(folder / "s.csv");
    std::string other = small_sweep;
    other.replace(other.find("\"steps\": 40"), 11, "\"steps\": 41");
    write_text(folder / "s.json", other);
    Outcome outcome = folder.run({"sweep", "s.json"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("s.csv:2:1: is of another sweep"));
    EXPECT_TRUE(read_text(folder / "s.csv") == whole);

    // Two that disagree about a run.
    write_text(folder / "s.json", small_sweep);
    std::string forged = whole;
    forged[forged.size() - 2] = forged[forged.size() - 2] == '0' ? '1' : '0';
    write_text(folder / "forged.csv", forged);
    outcome = folder.run({"sweep", "s.json", "--merge", "s.csv", "forged.csv"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("forged.csv:13:1: run 12 has other results here"));
}

TEST(Sweep, TimesAreThereOnRequest) {
    const Folder folder;
    const Table table = swept(folder, small_sweep, {"--times"});
    for (const auto& row : table) {
        EXPECT_GT(std::stod(row.at("ms_median")), 0.0);
        EXPECT_LE(std::stod(row.at("ms_median")), std::stod(row.at("ms_p99")));
    }
}

TEST(Sweep, ExpectationsHaveColumnsOnRequest) {
    const Folder folder;
    // It falls 1.5 m: 33 steps on earth, 82 on the moon.
    const auto scene = [](const std::string& why) {
        return R"({"cairn": 1, "bodies": [
            {"name": "ball", "shape": {"sphere": {"radius": 0.5}}, "position": [0, 0, 2]},
            {"name": "floor", "type": "static", "shape": {"box": {"half_extents": [5, 5, 0.5]}}, "position": [0, 0, -0.5]}],
          "expect": [{"body": "ball", "height": {"least": 1}, "always": 500)" +
               why + R"(}, {"body": "ball", "touches": "floor", "by": 60}]})";
    };
    write_text(folder / "ball.json", scene(""));
    const std::string sweep = R"({"cairn_sweep": 1, "scene": "ball.json", "steps": 70, "expect": true,
                                  "parameters": {"gravity.2": [-9.81, -1.6, -0.1]}})";
    const Table table = swept(folder, sweep);
    ASSERT_EQ(table.size(), 3u);
    const std::string touches = R"("expect 2: ""ball"" is in touch with ""floor"" by step 60")";
    const std::string height = R"("expect 1: the height of ""ball"" is at least 1 m always up to step 500")";
    EXPECT_EQ(table[0].at(touches), "met");
    EXPECT_EQ(table[1].at(touches), "failed at 60");
    EXPECT_EQ(table[2].at(touches), "failed at 60");
    EXPECT_EQ(table[0].at(height), "failed at 28"); // 1 m takes 0.452 s, 27.1 steps
    EXPECT_EQ(table[1].at(height), "failed at 68"); // 1.118 s, 67.1 steps
    EXPECT_EQ(table[2].at(height), "") << "neither met nor failed after 70 steps";
    // What is expected is part of such a sweep, and of no other.
    write_text(folder / "ball.json", scene(R"(, "why": "it falls")"));
    EXPECT_EQ(folder.run({"sweep", "s.json"}).code, 2);
    write_text(folder / "ball.json", R"({"cairn": 1})");
    const Outcome nothing = folder.run({"sweep", "s.json"});
    EXPECT_EQ(nothing.code, 2);
    EXPECT_THAT(nothing.err, HasSubstr("nothing is expected of the scene"));
}

TEST(Sweep, TwoProcessesDoNotWriteOneTable) {
    const Folder folder;
    write_text(folder / "s.json", small_sweep);
    write_text(folder / "s.csv", "");
    const int file = ::open((folder / "s.csv").c_str(), O_RDONLY | O_CLOEXEC); // stands for the other process
    ASSERT_EQ(::flock(file, LOCK_EX), 0);
    const Outcome rejected = folder.run({"sweep", "s.json"});
    EXPECT_EQ(rejected.code, 2);
    EXPECT_THAT(rejected.err, HasSubstr("is being written by another run"));
    ::close(file);
    EXPECT_EQ(folder.run({"sweep", "s.json", "--again"}).code, 0);
}

TEST(Sweep, MistakesAreLocated) {
    const Folder folder;
    const std::vector<std::pair<std::string, std::string>> mistakes = {
        {R"({"scene": "tower", "steps": 1, "parameters": {"step.hz": [60]}})", "s.json:1:1"},
        {R"({"cairn_sweep": 2, "scene": "tower", "steps": 1, "parameters": {"step.hz": [60]}})", "s.json:1:17"},
        {"{\"cairn_sweep\": 1, \"scene\": \"towr\",\n \"steps\": 1, \"parameters\": {\"step.hz\": [60]}}",
         "s.json:1:29"},
        {"{\"cairn_sweep\": 1, \"scene\": \"tower\",\n \"steps\": 0, \"parameters\": {\"step.hz\": [60]}}",
         "s.json:2:11"},
        {"{\"cairn_sweep\": 1, \"scene\": \"tower\", \"steps\": 1,\n \"parameters\": {\"step.hz\": [60, -1]}}",
         "s.json:2:33"},
        {"{\"cairn_sweep\": 1, \"scene\": \"tower\", \"steps\": 1,\n \"parameters\": {\"step.herz\": [60]}}",
         "s.json:2:31"},
        {"{\"cairn_sweep\": 1, \"scene\": \"tower\", \"steps\": 1,\n \"parameters\": {\"step.hz\": []}}",
         "s.json:2:28"},
        {"{\"cairn_sweep\": 1, \"scene\": \"tower\", \"steps\": 1,\n \"parameters\": {}}", "s.json:2:16"},
        {"{\"cairn_sweep\": 1, \"scene\": \"tower\", \"steps\": 1,\n \"parameters\": {\"gravity.2\": {\"from\": 0, "
         "\"to\": 1, "
         "\"count\": 3, \"scale\": \"log\"}}}",
         "s.json:2:30"},
        {"{\"cairn_sweep\": 1, \"scene\": \"tower\", \"steps\": 1,\n \"parameters\": {\"step.hz\": [60], \"step.hz\": "
         "[60]}}",
         "s.json:2:"},
    };
    for (const auto& [text, where] : mistakes) {
        write_text(folder / "s.json", text);
        const Outcome outcome = folder.run({"sweep", "s.json"});
        EXPECT_EQ(outcome.code, 2) << text;
        EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(where)) << text;
    }
    write_text(folder / "s.json", small_sweep);
    for (const char* shard : {"0/3", "4/3", "1", "1/", "x/3", "1/3x", "-1/3"}) {
        const Outcome outcome = folder.run({"sweep", "s.json", "--shard", shard});
        EXPECT_EQ(outcome.code, 2) << shard;
        EXPECT_THAT(outcome.err, HasSubstr("is not I/N")) << shard;
    }
}

// The page is whole in itself: its data is JSON that names every run, and it asks for nothing from elsewhere.
TEST(Sweep, PageHoldsTheTable) {
    const Folder folder;
    swept(folder, small_sweep);
    const std::string page = read_text(folder / "s.html");
    const std::string start = "const data = ";
    const std::size_t begin = page.find(start) + start.size();
    const Json data = Json::parse(page.substr(begin, page.find(";\n", begin) - begin)).at("table");
    EXPECT_EQ(data.at("rows").size(), 12u);
    EXPECT_EQ(data.at("rows").at(0).size(), data.at("columns").size());
    EXPECT_EQ(data.at("parameters"), Json({"step.substeps", "gravity.2", "bodies.*.restitution"}));
    // What is measured has its unit; what is counted, and the hash, have none.
    const std::set<std::string> counts{"bodies", "contacts", "contact_points", "asleep", "impacts", "stopped", "hash"};
    const Json& columns = data.at("columns");
    for (std::size_t i = 2 + data.at("parameters").size(); i < columns.size(); ++i) {
        const std::string name = columns[i];
        EXPECT_EQ(data.at("units").contains(name), !counts.contains(name)) << name;
    }
    EXPECT_EQ(data.at("units").at("worst_speed"), "m/s");
    EXPECT_EQ(data.at("units").at("settled_at"), "s");
    EXPECT_FALSE(data.at("units").contains("ms_mean")) << "without --times there is no such column";
    EXPECT_EQ(page.find("http"), std::string::npos);
    EXPECT_EQ(page.find("src="), std::string::npos);
}

} // namespace
} // namespace cairn::cli
