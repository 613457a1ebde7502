#include "app/ui/plots/plot_history.h"

#include <gtest/gtest.h>

namespace cairn::ui {
namespace {

using Branch = core::History::Branch;

StepMetrics metrics(std::uint64_t step, float depth, std::size_t branch = 0) {
    StepMetrics f;
    f.step = step;
    f.branch = branch;
    f.time = 0.5 * static_cast<double>(step);
    f.values[static_cast<std::size_t>(Metric::penetration)] = depth;
    return f;
}

std::vector<std::pair<std::size_t, std::uint64_t>> places(const Samples& samples) {
    std::vector<std::pair<std::size_t, std::uint64_t>> places;
    for (const StepMetrics* f : samples) {
        places.emplace_back(f->branch, f->step);
    }
    return places;
}

const std::vector<Branch> one = {{0, 0, 100, ""}};

TEST(PlotHistory, KnowsEachStepOnceInOrder) {
    PlotHistory history;
    history.add({metrics(1, 0.1f), metrics(4, 0.4f), metrics(2, 0.2f), metrics(4, 9.0f), metrics(0, 0.0f)});
    Samples samples;
    history.follow(one, 0, -1.0, 1e9, samples);
    EXPECT_EQ(places(samples), (std::vector<std::pair<std::size_t, std::uint64_t>>{{0, 0}, {0, 1}, {0, 2}, {0, 4}}));
    EXPECT_EQ(samples.back()->of(Metric::penetration), 0.4f) << "the first metrics stay";
    EXPECT_EQ(history.last(one, 0)->step, 4u);
    EXPECT_EQ(history.size(), 4u);
    history.clear();
    EXPECT_EQ(history.last(one, 0), nullptr);
}

// 0 ─1─2─3─4─5   line 0
//       └─3─4     line 1, and from its 3 on line 2
TEST(PlotHistory, FollowsLinesToWhereTheyComeFrom) {
    const std::vector<Branch> branches = {{0, 0, 5, ""}, {0, 2, 4, ""}, {1, 3, 6, ""}};
    PlotHistory history;
    for (std::uint64_t step = 0; step <= 5; ++step) {
        history.add({metrics(step, 0.0f)});
    }
    history.add({metrics(3, 1.0f, 1), metrics(4, 1.0f, 1), metrics(4, 2.0f, 2), metrics(5, 2.0f, 2)});
    using Places = std::vector<std::pair<std::size_t, std::uint64_t>>;
    Samples samples;
    history.follow(branches, 2, 0.0, 1e9, samples);
    EXPECT_EQ(places(samples), (Places{{0, 0}, {0, 1}, {0, 2}, {1, 3}, {2, 4}, {2, 5}}));
    history.follow(branches, 1, 1.0, 1.6, samples);
    EXPECT_EQ(places(samples), (Places{{0, 2}, {1, 3}})) << "within the times that are asked for";
    history.follow(branches, 0, 2.0, 2.0, samples);
    EXPECT_EQ(places(samples), (Places{{0, 4}}));
    EXPECT_EQ(history.last(branches, 2)->step, 5u);
    EXPECT_EQ(history.last(branches, 1)->branch, 1u);
    history.follow(branches, 0, 0.0, 1e9, samples);
    EXPECT_EQ(since(samples, 1.2), 3u);
    EXPECT_EQ(since(samples, 1e9), samples.size());
    EXPECT_EQ(since(samples, -1.0), 0u);
}

TEST(PlotHistory, CrossingsAreCountedUpwards) {
    PlotHistory history;
    std::uint64_t step = 0;
    for (const float depth : {0.0f, 2.0f, 3.0f, 1.0f, 1.5f, 0.5f, 2.0f}) {
        history.add({metrics(step++, depth)});
    }
    Samples samples;
    history.follow(one, 0, 0.0, 1e9, samples);
    std::vector<double> times;
    EXPECT_EQ(crossings(samples, Metric::penetration, 1.0f, [&](double time) { times.push_back(time); }), 3u);
    EXPECT_EQ(times, (std::vector<double>{0.5, 2.0, 3.0})) << "reaching it is not crossing it";
    EXPECT_EQ(crossings(samples, Metric::penetration, 9.0f, nullptr), 0u);
}

TEST(PlotHistory, TablesHaveEveryStepOfBothWays) {
    const std::vector<Branch> branches = {{0, 0, 3, ""}, {0, 1, 3, ""}};
    PlotHistory history;
    history.add({metrics(0, 0.25f), metrics(1, 0.5f), metrics(2, 1.0f), metrics(2, 2.0f, 1), metrics(3, 4.0f, 1)});
    const Metric columns[] = {Metric::penetration, Metric::drift};
    const char* const names[] = {"depth_mm", "drift_mm"};
    Samples samples, other;
    history.follow(branches, 0, 0.0, 1e9, samples);
    EXPECT_EQ(csv_of(samples, columns, names, 1e3f),
              "step,time_s,depth_mm,drift_mm\n0,0,250,0\n1,0.5,500,0\n2,1,1000,0\n");
    history.follow(branches, 1, 0.0, 1e9, other);
    EXPECT_EQ(csv_of(samples, columns, names, 1e3f, other, "other_"),
              "step,time_s,depth_mm,drift_mm,other_depth_mm,other_drift_mm\n"
              "0,0,250,0,250,0\n1,0.5,500,0,500,0\n2,1,1000,0,2000,0\n3,1.5,,,4000,0\n");
}

} // namespace
} // namespace cairn::ui
