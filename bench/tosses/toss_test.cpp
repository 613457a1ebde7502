#include "app/core/base/error.h"
#include "bench/tosses/toss_bullet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sys/wait.h>

namespace cairn::bench {
namespace {

using physics::Quat;
using physics::Vec3;
using testing::HasSubstr;

std::string file_of(const std::string& rows) {
    return std::string(toss_header) + "\n" + rows;
}

// The message of the error, empty if there is none.
std::string rejection(const std::string& text) {
    try {
        parse_tosses(text, "t.csv");
        return {};
    } catch (const core::InputError& error) {
        return error.what();
    }
}

TEST(TossFile, ReadsEveryColumnInItsPlace) {
    const auto tosses = parse_tosses(file_of("6,0,1,2,3,1,0,0,0,4,5,6,7,8,9\r\n6,1,1,2,3,0,1,0,0,4,5,6,7,8,9.5\n"
                                             "8,0,1,2,3,1,0,0,0,4,5,6,7,8,9\n8,1,1,2,3,1,0,0,0,4,5,6,7,8,9"),
                                     "t.csv");
    ASSERT_EQ(tosses.size(), 2u);
    EXPECT_EQ(tosses[0].number, 6);
    EXPECT_EQ(tosses[1].number, 8);
    ASSERT_EQ(tosses[0].rows.size(), 2u);
    const TossRow& row = tosses[0].rows[1];
    EXPECT_EQ(row.pose.position, Vec3(1, 2, 3));
    EXPECT_EQ(row.pose.orientation, Quat(0, 1, 0, 0));
    EXPECT_EQ(row.linear_velocity, Vec3(4, 5, 6));
    EXPECT_EQ(row.angular_velocity, Vec3(7, 8, 9.5f));
}

TEST(TossFile, SaysWhereAFaultIs) {
    const std::string good = "0,0,1,2,3,1,0,0,0,4,5,6,7,8,9\n";
    EXPECT_THAT(rejection(""), HasSubstr("t.csv: the file is empty"));
    EXPECT_THAT(rejection("a,b\n"), HasSubstr("t.csv:1:1: the header must read toss,step"));
    EXPECT_THAT(rejection(file_of("")), HasSubstr("t.csv:1:1: no row follows"));
    EXPECT_THAT(rejection(file_of(good)), HasSubstr("t.csv:2:1: toss 0 ends after one row"));
    EXPECT_THAT(rejection(file_of("0,0,1,x,3,1,0,0,0,4,5,6,7,8,9\n")), HasSubstr("t.csv:2:7: 'x' is not a number"));
    EXPECT_THAT(rejection(file_of("0,0,1,inf,3,1,0,0,0,4,5,6,7,8,9\n")),
                HasSubstr("t.csv:2:7: the number is not finite"));
    EXPECT_THAT(rejection(file_of("0,0,1,2\n")), HasSubstr("t.csv:2:8: the row ends after 4 of 15"));
    EXPECT_THAT(rejection(file_of("0,0,1,2,3,1,0,0,0,4,5,6,7,8,9,10\n")),
                HasSubstr("t.csv:2:31: the row has more than 15"));
    EXPECT_THAT(rejection(file_of(good + good)), HasSubstr("t.csv:3:3: step 1 must come next"));
    EXPECT_THAT(rejection(file_of("0,0,1,2,3,1,1,0,0,4,5,6,7,8,9\n")), HasSubstr("t.csv:2:11: the orientation"));
    const std::string next = "0,1,1,2,3,1,0,0,0,4,5,6,7,8,9\n";
    const std::string other = "1,0,1,2,3,1,0,0,0,4,5,6,7,8,9\n1,1,1,2,3,1,0,0,0,4,5,6,7,8,9\n";
    EXPECT_EQ(rejection(file_of(good + next + other)), "");
    EXPECT_THAT(rejection(file_of(good + next + other + good)), HasSubstr("t.csv:6:1: toss 0 stood further up"));
}

TEST(TossError, IsShareOfTheSideAndAngleBetween) {
    TossRow a, b;
    a.pose.orientation = glm::angleAxis(0.4f, Vec3(0, 0, 1));
    b.pose.orientation = -glm::angleAxis(0.1f, Vec3(0, 0, 1)); // the same turn, named by the other quaternion
    b.pose.position = Vec3(0.03f, 0.04f, 0.0f);
    const TossError error = error_between(a, b, 0.1);
    EXPECT_NEAR(error.position, 0.5, 1e-6);
    EXPECT_NEAR(error.rotation, glm::degrees(0.3), 1e-4);
    // The release does not count.
    const std::vector<TossRow> recorded = {b, a, a};
    const std::vector<TossRow> simulated = {a, b, a};
    EXPECT_NEAR(mean_error(recorded, simulated, 0.1).position, 0.25, 1e-6);
}

TEST(TossError, QuartilesLieBetweenValues) {
    const Quartiles q = quartiles({4.0, 1.0, 3.0, 2.0});
    EXPECT_DOUBLE_EQ(q.lower, 1.75);
    EXPECT_DOUBLE_EQ(q.median, 2.5);
    EXPECT_DOUBLE_EQ(q.upper, 3.25);
    EXPECT_DOUBLE_EQ(quartiles({7.0}).upper, 7.0);
}

TossRow release(const Vec3& position, const Vec3& velocity) {
    TossRow row;
    row.pose.position = position;
    row.linear_velocity = velocity;
    return row;
}

TEST(TossRun, FliesAndSlidesAsItMust) {
    TossSetup setup;
    setup.settings.hz = toss_rate;
    Toss toss;
    toss.rows.assign(41, release({0.0f, 0.0f, 0.5f * setup.side}, {1.0f, 0.0f, 0.0f}));
    // On the board: friction alone, 0.18 g.
    const double time = 40.0 / static_cast<double>(toss_rate);
    const double braking = static_cast<double>(setup.friction) * 9.81;
    EXPECT_NEAR(simulate(toss, setup).back().linear_velocity.x, 1.0 - braking * time, 0.005);
    // High above it: the parabola. The turn of a cube is steady.
    toss.rows.assign(41, release({0.0f, 0.0f, 5.0f}, {1.0f, 0.0f, 0.0f}));
    toss.rows.front().angular_velocity = Vec3(3.0f, 0.0f, 0.0f);
    const TossRow end = simulate(toss, setup).back();
    EXPECT_NEAR(end.pose.position.x, time, 1e-4);
    EXPECT_NEAR(end.pose.position.z, 5.0 - 0.5 * 9.81 * time * time, 0.005);
    EXPECT_NEAR(glm::angle(end.pose.orientation), 3.0 * time, 1e-3);
    // The comparison gives both the same cube. Bullet's steps end below the parabola, by half of one at the last speed.
    const TossRow other = simulate_with_bullet(toss, setup).back();
    const TossError apart = error_between(end, other, 1.0);
    EXPECT_NEAR(apart.position, 0.5 * 9.81 * time / (static_cast<double>(toss_rate) * setup.settings.substeps), 1e-4);
    EXPECT_LT(apart.rotation, 0.05);
}

// The board takes m g t of momentum in all, whatever the cube does in between; while it slides, friction takes its
// share of that. Bounces without friction left up to a tenth of its speed.
TEST(TossRun, IsBrakedByItsBouncesToo) {
    TossSetup setup;
    setup.settings.hz = toss_rate;
    setup.settings.restitution_threshold = 0.0f;
    Toss toss;
    toss.rows.assign(41, release({0.0f, 0.0f, 0.5f * setup.side + 0.05f}, {1.0f, 0.0f, 0.0f}));
    const double lost = static_cast<double>(setup.friction) * 9.81 * 40.0 / static_cast<double>(toss_rate);
    for (const float restitution : {0.0f, 0.1f, 0.3f}) {
        setup.restitution = restitution;
        const std::vector<TossRow> rows = simulate(toss, setup);
        EXPECT_NEAR(rows.back().linear_velocity.x, 1.0 - lost, 0.01) << "restitution " << restitution;
        float greatest_rise = 0.0f;
        for (const TossRow& row : rows) {
            greatest_rise = std::max(greatest_rise, row.linear_velocity.z);
        }
        EXPECT_NEAR(greatest_rise, restitution * std::sqrt(2.0f * 9.81f * 0.05f), 0.06f) << "it does bounce";
    }
}

TEST(TossRun, WindowsEndWhereTheCubeRests) {
    Toss toss;
    toss.number = 3;
    toss.rows.assign(60, release(Vec3(0.0f), {1.0f, 0.0f, 0.0f}));
    EXPECT_EQ(windows_of(toss).size(), 9u); // from rows 0, 4, ... 32: row 36 has only 23 rows after it
    toss.rows[16].linear_velocity = Vec3(0.1f, 0.0f, 0.0f);
    const std::vector<Toss> windows = windows_of(toss);
    ASSERT_EQ(windows.size(), 4u);
    EXPECT_EQ(windows.back().rows.size(), window_rows + 1);
    EXPECT_EQ(windows.back().number, 3);
}

TEST(TossBench, RejectsBadInputWithExitCodeTwo) {
    const auto run = [](const std::string& arguments) {
        const int status = std::system((CAIRN_TOSS_BENCH " " + arguments + " >/dev/null 2>&1").c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    };
    EXPECT_EQ(run(""), 2);
    EXPECT_EQ(run("/dev/null"), 2);
    EXPECT_EQ(run("no_such_file.csv"), 2);
    EXPECT_EQ(run("/dev/null --restitution=2"), 2);
    EXPECT_EQ(run("/dev/null --nonsense"), 2);
}

} // namespace
} // namespace cairn::bench
