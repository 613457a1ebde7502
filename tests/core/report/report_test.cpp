#include "app/core/base/error.h"
#include "app/core/capture/capture.h"
#include "app/core/report/report.h"
#include "tests/core/capture/test_scenes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <fstream>
#include <iterator>
#include <sstream>

namespace cairn::core {
namespace {

using core::testing::TemporaryFolder;
using namespace testing;
using ::testing::HasSubstr;

std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

physics::FrameState frame_of(std::uint64_t step, std::size_t bodies) {
    physics::FrameState frame;
    frame.step = step;
    frame.time = static_cast<double>(step) / 60.0;
    frame.hash = 0xabc;
    for (std::size_t i = 0; i < bodies; ++i) {
        physics::BodyState body;
        body.id = {static_cast<std::uint32_t>(2 * i), 0};
        body.pose.position = {odd_number(static_cast<int>(i)), -0.0f, 1e-30f};
        body.linear_velocity = {3, 4, 0};
        body.sleeping = i % 2 == 1;
        frame.bodies.push_back(body);
    }
    frame.stats.bodies = static_cast<std::uint32_t>(bodies);
    return frame;
}

TEST(Trace, HeaderRowsAndExactNumbers) {
    const TemporaryFolder folder;
    {
        TraceWriter trace(folder / "t.csv");
        trace.add(frame_of(0, 3));
        trace.add(frame_of(1, 3));
        trace.finish();
    }
    std::istringstream lines(read_text(folder / "t.csv"));
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(line, "step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
    int rows = 0;
    while (std::getline(lines, line)) {
        std::istringstream cells(line);
        std::vector<std::string> values;
        for (std::string cell; std::getline(cells, cell, ',');) {
            values.push_back(cell);
        }
        ASSERT_EQ(values.size(), 16u);
        EXPECT_EQ(values[0], std::to_string(rows / 3));
        EXPECT_EQ(values[2], std::to_string(2 * (rows % 3))) << "the slot, not the row";
        const float x = std::stof(values[3]);
        EXPECT_EQ(std::bit_cast<std::uint32_t>(x), std::bit_cast<std::uint32_t>(odd_number(rows % 3)));
        EXPECT_EQ(values[4], "-0");
        EXPECT_EQ(values[6], "1");
        ++rows;
    }
    EXPECT_EQ(rows, 6);
}

TEST(Trace, PathsThatCannotBeWrittenAreNamed) {
    const TemporaryFolder folder;
    EXPECT_THROW(TraceWriter(folder / "no/such/folder.csv"), InputError);
    if (std::filesystem::exists("/dev/full")) {
        TraceWriter trace("/dev/full");
        trace.add(frame_of(0, 1));
        EXPECT_THROW(trace.finish(), InputError);
    }
}

TEST(Stats, TimesArePerStepInMilliseconds) {
    StatsCollector stats;
    stats.add(frame_of(0, 2)); // the start costs nothing
    for (int i = 1; i <= 100; ++i) {
        physics::FrameState frame = frame_of(static_cast<std::uint64_t>(i), 2);
        frame.stats.times.solver = 1e-3 * i; // 1..100 ms
        frame.stats.max_penetration = i == 50 ? 0.25f : 0.1f;
        stats.add(frame);
    }
    EXPECT_EQ(stats.steps(), 100u);
    EXPECT_NEAR(stats.mean_ms(), 50.5, 1e-9);
    const std::string json = stats.to_json(3, "a \"name\"\n");
    EXPECT_THAT(json, HasSubstr("\"name\": \"a \\\"name\\\"\\n\""));
    EXPECT_THAT(json, HasSubstr("\"median\": 50"));
    EXPECT_THAT(json, HasSubstr("\"p99\": 99"));
    EXPECT_THAT(json, HasSubstr("\"max\": 100"));
    EXPECT_THAT(json, HasSubstr("\"threads\": 3"));
    EXPECT_THAT(json, HasSubstr("\"steps\": 100"));
    EXPECT_THAT(json, HasSubstr("\"bodies\": 2"));
    EXPECT_THAT(json, HasSubstr("\"sleeping\": 1"));
    EXPECT_THAT(json, HasSubstr("\"max_penetration\": 0.1,"));
    EXPECT_THAT(json, HasSubstr("\"worst_penetration\": 0.25"));
    EXPECT_THAT(json, HasSubstr("\"max_speed\": 5"));
    EXPECT_THAT(json, HasSubstr("\"hash\": \"0000000000000abc\""));
}

TEST(Stats, NumbersThatJsonDoesNotKnowBecomeNull) {
    StatsCollector stats;
    physics::FrameState frame = frame_of(1, 1);
    frame.stats.kinetic_energy = std::numeric_limits<double>::infinity();
    stats.add(frame);
    EXPECT_THAT(stats.to_json(1), HasSubstr("\"kinetic_energy\": null"));
}

TEST(TextFile, ReplacesTheWholeFile) {
    const TemporaryFolder folder;
    write_text_file(folder / "a.txt", "a longer first text");
    write_text_file(folder / "a.txt", "second");
    EXPECT_EQ(read_text(folder / "a.txt"), "second");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "."), {}), 1) << "no temporary file is left";
    EXPECT_THROW(write_text_file(folder / "no/such/folder.txt", ""), InputError);
}

} // namespace
} // namespace cairn::core
