#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <sstream>

namespace cairn::cli {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using Json = nlohmann::json;

TEST(Simulate, TraceHasARowPerBodyAndStep) {
    const Folder folder;
    const Outcome outcome =
        folder.run({"simulate", shipped_scene("tower").string(), "--steps", "7", "--trace", "t.csv"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("7 steps"));
    const std::vector<std::string> lines = lines_of(read_text(folder / "t.csv"));
    ASSERT_EQ(lines.size(), 1u + 8 * 11);
    EXPECT_EQ(lines[0], "step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
    for (std::size_t i = 1; i < lines.size(); ++i) {
        std::istringstream cells(lines[i]);
        std::vector<double> values;
        for (std::string cell; std::getline(cells, cell, ',');) {
            values.push_back(std::stod(cell));
        }
        ASSERT_EQ(values.size(), 16u) << lines[i];
        const auto step = static_cast<double>((i - 1) / 11);
        EXPECT_EQ(values[0], step);
        EXPECT_NEAR(values[1], step / 60.0, 1e-6);
        EXPECT_EQ(values[2], static_cast<double>((i - 1) % 11));
        EXPECT_NEAR(std::hypot(std::hypot(values[6], values[7]), std::hypot(values[8], values[9])), 1.0, 1e-5);
    }
}

// A ball in free flight: the trace against the closed form.
TEST(Simulate, TraceOfAFallIsTheFall) {
    const Folder folder;
    write_text(folder / "fall.json", R"({"cairn": 1, "gravity": [0, 0, -10], "step": {"hz": 100, "substeps": 4},
        "bodies": [{"shape": {"sphere": {"radius": 0.5}}, "position": [1, 2, 3], "linear_velocity": [4, 0, 5]}]})");
    const Outcome outcome = folder.run({"simulate", "fall.json", "--steps", "100", "--trace", "-"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::vector<std::string> lines = lines_of(outcome.out);
    ASSERT_EQ(lines.size(), 102u);
    EXPECT_EQ(lines[1], "0,0,0,1,2,3,1,0,0,0,4,0,5,0,0,0");
    std::istringstream last(lines.back());
    std::vector<double> values;
    for (std::string cell; std::getline(last, cell, ',');) {
        values.push_back(std::stod(cell));
    }
    EXPECT_NEAR(values[1], 1.0, 1e-6);
    EXPECT_NEAR(values[3], 5.0, 1e-4);
    EXPECT_NEAR(values[4], 2.0, 1e-6);
    EXPECT_NEAR(values[5], 3.0 + 5.0 - 5.0, 1e-4); // the parabola
    EXPECT_NEAR(values[12], -5.0, 1e-4);
}

TEST(Simulate, StatsHoldWhatTheContractNames) {
    const Folder folder;
    const Outcome outcome = folder.run(
        {"simulate", shipped_scene("pyramid").string(), "--steps", "60", "--threads", "2", "--stats", "s.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    const Json stats = Json::parse(read_text(folder / "s.json"));
    EXPECT_EQ(stats.at("bodies"), 211);
    EXPECT_EQ(stats.at("steps"), 60);
    EXPECT_EQ(stats.at("threads"), 2);
    for (const char* key : {"mean", "median", "p99"}) {
        EXPECT_GT(stats.at("ms_per_step").at(key).get<double>(), 0.0) << key;
    }
    double sum = 0.0;
    for (const char* key : {"broadphase", "narrowphase", "islands", "solver", "continuous", "finish"}) {
        EXPECT_GE(stats.at("stages").at(key).get<double>(), 0.0) << key;
        sum += stats.at("stages").at(key).get<double>();
    }
    EXPECT_NEAR(sum, stats.at("ms_per_step").at("mean").get<double>(), 1e-6 * sum);
    EXPECT_GT(stats.at("contacts").get<int>(), 100);
    EXPECT_GE(stats.at("max_penetration").get<double>(), 0.0);
    EXPECT_GE(stats.at("worst_penetration").get<double>(), stats.at("max_penetration").get<double>() - 1e-9);
    EXPECT_GE(stats.at("kinetic_energy").get<double>(), 0.0);
    EXPECT_TRUE(stats.at("awake").is_number_unsigned());
    EXPECT_TRUE(stats.at("sleeping").is_number_unsigned());
    EXPECT_FALSE(stats.at("name").get<std::string>().empty());
    const std::string hash = stats.at("hash");
    EXPECT_EQ(hash.size(), 16u);
    EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos);
}

std::string hash_of(const Folder& folder, std::vector<std::string> more) {
    std::vector<std::string> call = {"simulate", shipped_scene("tumbling").string(), "--steps", "90", "--stats", "-"};
    call.insert(call.end(), more.begin(), more.end());
    const Outcome outcome = folder.run(call);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out).at("hash");
}

TEST(Simulate, HashIsTheSameForEveryThreadCount) {
    const Folder folder;
    const std::string hash = hash_of(folder, {"--threads", "1"});
    EXPECT_EQ(hash_of(folder, {"--threads", "2"}), hash);
    EXPECT_EQ(hash_of(folder, {"--threads", "4"}), hash);
    EXPECT_EQ(hash_of(folder, {}), hash);
}

TEST(Simulate, SetChangesTheScene) {
    const Folder folder;
    const std::string hash = hash_of(folder, {});
    EXPECT_NE(hash_of(folder, {"--set", "gravity.2=-3.7"}), hash);
    EXPECT_NE(hash_of(folder, {"--set", "step.substeps=8"}), hash);
    EXPECT_EQ(hash_of(folder, {"--set", "gravity.2=-3.7", "--set", "gravity.2=-9.81"}), hash) << "in the order given";
}

TEST(Simulate, ZeroStepsAreTheStart) {
    const Folder folder;
    const Outcome outcome = folder.run(
        {"simulate", shipped_scene("duel").string(), "--steps", "0", "--stats", "s.json", "--capture", "c.cairn"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json stats = Json::parse(read_text(folder / "s.json"));
    EXPECT_EQ(stats.at("steps"), 0);
    EXPECT_EQ(stats.at("bodies"), 7);
    EXPECT_EQ(folder.run({"verify", "c.cairn"}).code, 0);
}

TEST(Capture, RoundTripVerifiesOnEveryThreadCount) {
    const Folder folder;
    ASSERT_EQ(folder
                  .run({"simulate", shipped_scene("tumbling").string(), "--steps", "150", "--threads", "1", "--capture",
                        "a.cairn"})
                  .code,
              0);
    ASSERT_EQ(folder
                  .run({"simulate", shipped_scene("duel").string(), "--steps", "60", "--threads", "4", "--capture",
                        "b.cairn"})
                  .code,
              0);
    for (const char* threads : {"1", "2", "4"}) {
        const Outcome outcome = folder.run({"verify", "a.cairn", "b.cairn", "--threads", threads});
        EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
        EXPECT_EQ(outcome.out, "a.cairn: ok, 150 steps\nb.cairn: ok, 60 steps\n");
        EXPECT_EQ(outcome.err, "");
    }
}

TEST(Capture, DamagedFilesAreToldApart) {
    const Folder folder;
    ASSERT_EQ(folder.run({"simulate", shipped_scene("tower").string(), "--steps", "150", "--capture", "a.cairn"}).code,
              0);
    const std::string bytes = read_text(folder / "a.cairn");
    int incomplete = 0, rejected = 0;
    // Cut at many places: fine as far as it goes, but no success.
    for (std::size_t i = 0; i < 20; ++i) {
        write_text(folder / "cut.cairn", bytes.substr(0, bytes.size() * i / 20));
        const Outcome outcome = folder.run({"verify", "cut.cairn"});
        if (outcome.code == 1) {
            EXPECT_THAT(outcome.out, HasSubstr("INCOMPLETE"));
            ++incomplete;
        } else {
            EXPECT_EQ(outcome.code, 2);
            EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
            ++rejected;
        }
    }
    EXPECT_GT(incomplete, 0);
    EXPECT_GT(rejected, 0);
    rejected = 0;
    for (std::size_t i = 0; i < 20; ++i) {
        std::string changed = bytes;
        const std::size_t at = changed.size() * i / 20 + 3;
        changed[at] = static_cast<char>(changed[at] ^ 0x55);
        write_text(folder / "flipped.cairn", changed);
        const Outcome outcome = folder.run({"verify", "flipped.cairn"});
        EXPECT_TRUE(outcome.code == 1 || outcome.code == 2) << outcome.code;
        if (outcome.code == 2) {
            EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
            ++rejected;
        }
    }
    EXPECT_GE(rejected, 15);
    // A bad file does not stop the rest, and the worst code wins.
    const Outcome outcome = folder.run({"verify", "flipped.cairn", "missing.cairn", "a.cairn"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.out, HasSubstr("a.cairn: ok, 150 steps\n"));
}

} // namespace
} // namespace cairn::cli
