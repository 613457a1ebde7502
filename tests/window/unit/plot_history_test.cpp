#include "app/ui/plots/plot_history.h"

#include <gtest/gtest.h>
#include <memory>

namespace cairn::ui {
namespace {

physics::FrameState frame_of(std::uint64_t step, std::initializer_list<physics::Vec3> positions) {
    physics::FrameState frame;
    frame.step = step;
    frame.time = static_cast<double>(step) / 60.0;
    frame.revision = 1;
    std::uint32_t index = 0;
    for (const physics::Vec3& position : positions) {
        physics::BodyState body;
        body.id.index = index++;
        body.id.generation = 1;
        body.pose.position = position;
        frame.bodies.push_back(body);
        auto model = std::make_shared<physics::BodyModel>();
        model->mass = 2.0f;
        frame.models.push_back(model);
    }
    return frame;
}

PlotSample sample_of(std::uint64_t step, float depth) {
    PlotSample sample;
    sample.step = step;
    sample.time = 0.5 * static_cast<double>(step);
    sample.values[static_cast<std::size_t>(Curve::penetration)] = depth;
    return sample;
}

TEST(PlotHistory, DriftIsTheMeanHorizontalWay) {
    PlotHistory history;
    history.follow(frame_of(1, {{0, 0, 5}, {10, 0, 5}}), 0);
    EXPECT_EQ(history[0].of(Curve::drift), 0.0f);
    history.follow(frame_of(2, {{3, 4, 1}, {10, 0, 2}}), 0); // one went 5 m sideways, both fell
    EXPECT_FLOAT_EQ(history[1].of(Curve::drift), 2.5f);
    physics::FrameState still = frame_of(3, {{100, 0, 0}, {10, 0, 2}});
    still.bodies[0].type = physics::BodyType::kinematic;
    history.follow(still, 0);
    EXPECT_EQ(history[2].of(Curve::drift), 0.0f) << "only dynamic bodies count";
    // A new one comes: the others keep their homes.
    physics::FrameState more = frame_of(4, {{3, 4, 1}, {10, 0, 2}, {50, 50, 50}});
    more.revision = 2;
    history.follow(more, 0);
    EXPECT_FLOAT_EQ(history[3].of(Curve::drift), 5.0f / 3.0f);
    history.set_zero();
    more.step = 5;
    history.follow(more, 0);
    EXPECT_EQ(history[4].of(Curve::drift), 0.0f);
}

TEST(PlotHistory, MomentumIsTheLengthOfTheSum) {
    physics::FrameState frame = frame_of(1, {{0, 0, 0}, {1, 0, 0}});
    frame.bodies[0].linear_velocity = {3, 0, 0};
    frame.bodies[1].linear_velocity = {-3, 4, 0};
    PlotHistory history;
    history.follow(frame, 0);
    EXPECT_FLOAT_EQ(history[0].of(Curve::momentum), 8.0f);
}

TEST(PlotHistory, StatesCountOnceAndAnotherWorldBeginsAnew) {
    PlotHistory history;
    history.follow(frame_of(1, {{0, 0, 0}}), 0);
    history.follow(frame_of(1, {{0, 0, 0}}), 0);
    EXPECT_EQ(history.size(), 1u);
    history.follow(frame_of(7, {{0, 0, 0}}), 0);
    EXPECT_EQ(history.size(), 2u);
    history.follow(frame_of(3, {{1, 0, 0}}), 0); // wound back
    EXPECT_EQ(history.size(), 1u);
    EXPECT_EQ(history[0].of(Curve::drift), 0.0f);
    history.follow(frame_of(4, {{1, 0, 0}}), 1);
    EXPECT_EQ(history.size(), 1u);
}

TEST(PlotHistory, KeepsTheNewest) {
    PlotHistory history;
    for (std::uint64_t i = 0; i < PlotHistory::most + 10; ++i) {
        history.add(sample_of(i, 0.0f));
    }
    EXPECT_EQ(history.size(), PlotHistory::most);
    EXPECT_EQ(history[0].step, 10u);
    EXPECT_EQ(history[history.size() - 1].step, PlotHistory::most + 9);
    EXPECT_EQ(history[history.since(100.0)].step, 200u);
    EXPECT_EQ(history.since(1e9), history.size());
    EXPECT_EQ(history.since(-1.0), 0u);
}

TEST(PlotHistory, CrossingsAreCountedUpwards) {
    PlotHistory history;
    std::uint64_t step = 0;
    for (const float depth : {0.0f, 2.0f, 3.0f, 1.0f, 1.5f, 0.5f, 2.0f}) {
        history.add(sample_of(step++, depth));
    }
    std::vector<double> times;
    EXPECT_EQ(crossings(history, Curve::penetration, 1.0f, [&](double time) { times.push_back(time); }), 3u);
    EXPECT_EQ(times, (std::vector<double>{0.5, 2.0, 3.0})) << "reaching it is not crossing it";
    EXPECT_EQ(crossings(history, Curve::penetration, 9.0f, nullptr), 0u);
}

TEST(PlotHistory, TablesHaveEverySample) {
    PlotHistory history;
    history.add(sample_of(0, 0.25f));
    history.add(sample_of(1, 0.5f));
    const Curve curves[] = {Curve::penetration, Curve::drift};
    const char* const names[] = {"depth_mm", "drift_mm"};
    EXPECT_EQ(csv_of(history, curves, names, 1e3f), "step,time_s,depth_mm,drift_mm\n0,0,250,0\n1,0.5,500,0\n");
}

} // namespace
} // namespace cairn::ui
