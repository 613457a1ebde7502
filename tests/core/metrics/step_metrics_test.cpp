#include "app/core/metrics/step_metrics.h"

#include "app/core/runner/simulation.h"
#include "tests/core/capture/test_scenes.h"

#include <gtest/gtest.h>
#include <memory>

namespace cairn::core {
namespace {

using namespace physics;

FrameState frame_of(std::uint64_t step, std::initializer_list<Vec3> positions) {
    FrameState frame;
    frame.step = step;
    frame.time = static_cast<double>(step) / 60.0;
    frame.revision = 1;
    std::uint32_t index = 0;
    for (const Vec3& position : positions) {
        BodyState body;
        body.id.index = index++;
        body.id.generation = 1;
        body.pose.position = position;
        frame.bodies.push_back(body);
        auto model = std::make_shared<BodyModel>();
        model->mass = 2.0f;
        frame.models.push_back(model);
    }
    return frame;
}

TEST(Metrics, DriftIsTheMeanHorizontalWay) {
    DriftAndMomentum bodies;
    bodies.measure(frame_of(1, {{0, 0, 5}, {10, 0, 5}}));
    EXPECT_EQ(bodies.drift(), 0.0f);
    bodies.measure(frame_of(2, {{3, 4, 1}, {10, 0, 2}})); // one went 5 m sideways, both fell
    EXPECT_FLOAT_EQ(bodies.drift(), 2.5f);
    FrameState still = frame_of(3, {{100, 0, 0}, {10, 0, 2}});
    still.bodies[0].type = BodyType::kinematic;
    bodies.measure(still);
    EXPECT_EQ(bodies.drift(), 0.0f) << "only dynamic bodies count";
    // A new one comes: the others keep their homes.
    FrameState more = frame_of(4, {{3, 4, 1}, {10, 0, 2}, {50, 50, 50}});
    more.revision = 2;
    bodies.measure(more);
    EXPECT_FLOAT_EQ(bodies.drift(), 5.0f / 3.0f);
    bodies.set_zero();
    bodies.measure(more);
    EXPECT_EQ(bodies.drift(), 0.0f);
}

TEST(Metrics, MomentumIsTheLengthOfTheSum) {
    FrameState frame = frame_of(1, {{0, 0, 0}, {1, 0, 0}});
    frame.bodies[0].linear_velocity = {3, 0, 0};
    frame.bodies[1].linear_velocity = {-3, 4, 0};
    DriftAndMomentum bodies;
    bodies.measure(frame);
    EXPECT_FLOAT_EQ(bodies.momentum(), 8.0f);
}

TEST(Metrics, TellEveryStateOfEveryLineAndOfNoOtherWorld) {
    Simulation simulation(testing::falling_boxes(), nullptr, Simulation::Place::caller);
    std::vector<StepMetrics> metrics;
    using Places = std::vector<std::pair<std::size_t, std::uint64_t>>;
    const auto take = [&] {
        metrics = simulation.take_events().metrics;
        Places places;
        for (const StepMetrics& f : metrics) {
            places.emplace_back(f.branch, f.step);
        }
        return places;
    };
    for (int i = 0; i < 3; ++i) {
        simulation.step_now();
    }
    EXPECT_EQ(take(), (Places{{0, 0}, {0, 1}, {0, 2}, {0, 3}}));
    const StepStats& now = simulation.current().stats;
    EXPECT_EQ(metrics.back().of(Metric::kinetic), static_cast<float>(now.kinetic_energy));
    EXPECT_EQ(metrics.back().of(Metric::energy), static_cast<float>(now.kinetic_energy + now.potential_energy));
    EXPECT_DOUBLE_EQ(metrics.back().time, simulation.current().time);

    simulation.go_to(1);
    simulation.submit(ApplyImpulse{simulation.current().bodies[1].id, {0, 0, 100}, std::nullopt});
    simulation.step_now();
    EXPECT_EQ(take(), (Places{{0, 1}, {1, 2}})) << "the second step of another line";

    simulation.restart();
    const std::uint64_t world = simulation.world_number();
    EXPECT_EQ(take(), (Places{{0, 0}}));
    simulation.step_now();
    EXPECT_EQ(take(), (Places{{0, 1}}));
    simulation.restart();
    EXPECT_GT(simulation.world_number(), world);
}

} // namespace
} // namespace cairn::core
