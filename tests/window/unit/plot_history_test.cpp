#include "app/ui/plots/plot_history.h"

#include <gtest/gtest.h>

namespace cairn::ui {
namespace {

using Line = core::History::Line;

StepFigures figures(std::uint64_t step, float depth, std::size_t line = 0) {
    StepFigures f;
    f.step = step;
    f.line = line;
    f.time = 0.5 * static_cast<double>(step);
    f.values[static_cast<std::size_t>(Figure::penetration)] = depth;
    return f;
}

std::vector<std::pair<std::size_t, std::uint64_t>> places(const Course& course) {
    std::vector<std::pair<std::size_t, std::uint64_t>> places;
    for (const StepFigures* f : course) {
        places.emplace_back(f->line, f->step);
    }
    return places;
}

const std::vector<Line> one = {{0, 0, 100, ""}};

TEST(PlotHistory, KnowsEachStepOnceInOrder) {
    PlotHistory history;
    history.add({figures(1, 0.1f), figures(4, 0.4f), figures(2, 0.2f), figures(4, 9.0f), figures(0, 0.0f)});
    Course course;
    history.follow(one, 0, -1.0, 1e9, course);
    EXPECT_EQ(places(course), (std::vector<std::pair<std::size_t, std::uint64_t>>{{0, 0}, {0, 1}, {0, 2}, {0, 4}}));
    EXPECT_EQ(course.back()->of(Figure::penetration), 0.4f) << "the first figures stay";
    EXPECT_EQ(history.last(one, 0)->step, 4u);
    EXPECT_EQ(history.size(), 4u);
    history.clear();
    EXPECT_EQ(history.last(one, 0), nullptr);
}

// 0 ─1─2─3─4─5   line 0
//       └─3─4     line 1, and from its 3 on line 2
TEST(PlotHistory, FollowsLinesToWhereTheyComeFrom) {
    const std::vector<Line> lines = {{0, 0, 5, ""}, {0, 2, 4, ""}, {1, 3, 6, ""}};
    PlotHistory history;
    for (std::uint64_t step = 0; step <= 5; ++step) {
        history.add({figures(step, 0.0f)});
    }
    history.add({figures(3, 1.0f, 1), figures(4, 1.0f, 1), figures(4, 2.0f, 2), figures(5, 2.0f, 2)});
    using Places = std::vector<std::pair<std::size_t, std::uint64_t>>;
    Course course;
    history.follow(lines, 2, 0.0, 1e9, course);
    EXPECT_EQ(places(course), (Places{{0, 0}, {0, 1}, {0, 2}, {1, 3}, {2, 4}, {2, 5}}));
    history.follow(lines, 1, 1.0, 1.6, course);
    EXPECT_EQ(places(course), (Places{{0, 2}, {1, 3}})) << "within the times that are asked for";
    history.follow(lines, 0, 2.0, 2.0, course);
    EXPECT_EQ(places(course), (Places{{0, 4}}));
    EXPECT_EQ(history.last(lines, 2)->step, 5u);
    EXPECT_EQ(history.last(lines, 1)->line, 1u);
    history.follow(lines, 0, 0.0, 1e9, course);
    EXPECT_EQ(since(course, 1.2), 3u);
    EXPECT_EQ(since(course, 1e9), course.size());
    EXPECT_EQ(since(course, -1.0), 0u);
}

TEST(PlotHistory, CrossingsAreCountedUpwards) {
    PlotHistory history;
    std::uint64_t step = 0;
    for (const float depth : {0.0f, 2.0f, 3.0f, 1.0f, 1.5f, 0.5f, 2.0f}) {
        history.add({figures(step++, depth)});
    }
    Course course;
    history.follow(one, 0, 0.0, 1e9, course);
    std::vector<double> times;
    EXPECT_EQ(crossings(course, Figure::penetration, 1.0f, [&](double time) { times.push_back(time); }), 3u);
    EXPECT_EQ(times, (std::vector<double>{0.5, 2.0, 3.0})) << "reaching it is not crossing it";
    EXPECT_EQ(crossings(course, Figure::penetration, 9.0f, nullptr), 0u);
}

TEST(PlotHistory, TablesHaveEveryStepOfBothWays) {
    const std::vector<Line> lines = {{0, 0, 3, ""}, {0, 1, 3, ""}};
    PlotHistory history;
    history.add({figures(0, 0.25f), figures(1, 0.5f), figures(2, 1.0f), figures(2, 2.0f, 1), figures(3, 4.0f, 1)});
    const Figure columns[] = {Figure::penetration, Figure::drift};
    const char* const names[] = {"depth_mm", "drift_mm"};
    Course course, other;
    history.follow(lines, 0, 0.0, 1e9, course);
    EXPECT_EQ(csv_of(course, columns, names, 1e3f),
              "step,time_s,depth_mm,drift_mm\n0,0,250,0\n1,0.5,500,0\n2,1,1000,0\n");
    history.follow(lines, 1, 0.0, 1e9, other);
    EXPECT_EQ(csv_of(course, columns, names, 1e3f, other, "other_"),
              "step,time_s,depth_mm,drift_mm,other_depth_mm,other_drift_mm\n"
              "0,0,250,0,250,0\n1,0.5,500,0,500,0\n2,1,1000,0,2000,0\n3,1.5,,,4000,0\n");
}

} // namespace
} // namespace cairn::ui
