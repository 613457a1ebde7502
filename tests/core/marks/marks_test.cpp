#include "app/core/marks/marks.h"

#include "app/core/capture/verify/verification.h"
#include "app/core/runner/simulation.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace cairn::core {
namespace {

using namespace cairn::physics;

Scene ball_above_ground() {
    Scene scene;
    BodyDef ground;
    ground.type = BodyType::fixed;
    ground.shapes = {{Box{{5, 5, 0.5f}}, {}}};
    ground.pose.position = {0, 0, -0.5f};
    BodyDef box;
    box.shapes = {{Box{{0.5f, 0.5f, 0.5f}}, {}}};
    box.pose.position = {0, 0, 1.5f};
    scene.bodies = {ground, box};
    return scene;
}

std::vector<std::uint64_t> steps_of(const std::vector<Mark>& marks, MarkKind kind, std::size_t line = 0) {
    std::vector<std::uint64_t> steps;
    for (const Mark& mark : marks) {
        if (mark.kind == kind && mark.branch == line) {
            steps.push_back(mark.step);
        }
    }
    return steps;
}

// A weight on a rod that bears less: the rod is gone, the timeline and the ears hear of it, undo makes it anew, and a
// capture of all of it replays by itself.
TEST(Marks, TellOfAJointThatBreaks) {
    Scene scene = ball_above_ground();
    scene.bodies[1].mass = 10.0f;
    scene.bodies[1].pose.position.z = 4.0f;
    JointDef& rod = scene.joints.emplace_back();
    rod.name = "rod";
    rod.body_b = {1, 0};
    rod.frame_a.position = {0, 0, 5};
    rod.frame_b.position = {0, 0, 1};
    rod.break_force = 90.0f;
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("cairn-break-" + std::to_string(::getpid()) + ".cairn");
    {
        Simulation simulation(scene, nullptr, Simulation::Place::caller);
        simulation.listen(true);
        simulation.with_runner([&](Runner& runner) { runner.start_recording(path); });
        std::uint64_t broke = 0;
        for (int i = 0; i < 10; ++i) {
            simulation.step_now();
            if (!simulation.current().breaks.empty()) {
                broke = simulation.current().step;
            }
        }
        ASSERT_GT(broke, 0u);
        EXPECT_TRUE(simulation.current().joints.empty());
        const Simulation::Events events = simulation.take_events();
        EXPECT_EQ(steps_of(events.marks, MarkKind::joint_break), std::vector<std::uint64_t>{broke});
        EXPECT_TRUE(steps_of(events.marks, MarkKind::strike).empty());
        ASSERT_EQ(events.touches.size(), 1u);
        EXPECT_TRUE(events.touches[0].is_break);
        EXPECT_EQ(events.touches[0].body_a, events.touches[0].body_b);
        EXPECT_EQ(simulation.undo_what(), "Break of rod");
        simulation.undo();
        simulation.step_now();
        ASSERT_EQ(simulation.current().joints.size() + simulation.current().breaks.size(), 1u);
        for (int i = 0; i < 5; ++i) {
            simulation.step_now(); // it breaks again, and is taken back again
        }
        EXPECT_TRUE(simulation.current().joints.empty());
        simulation.with_runner(std::mem_fn(&Runner::stop_recording));
    }
    const Capture capture = read_capture(path);
    EXPECT_EQ(capture.steps.size(), 16u);
    EXPECT_FALSE(verify(capture, {}).divergence);
    std::filesystem::remove(path);
}

TEST(Marks, TellWhatHappenedAndWhenAndOnlyOnce) {
    Simulation simulation(ball_above_ground(), nullptr, Simulation::Place::caller);
    std::vector<Mark> all, taken;
    const auto run = [&](int steps) {
        for (int i = 0; i < steps; ++i) {
            simulation.step_now();
        }
        taken = simulation.take_events().marks;
        all.insert(all.end(), taken.begin(), taken.end());
    };
    run(200);
    // It falls 1 m: after sqrt(2 / 9.81) s = 27 steps; then it lies still for half a second.
    const auto strikes = steps_of(all, MarkKind::strike);
    ASSERT_FALSE(strikes.empty());
    EXPECT_NEAR(static_cast<double>(strikes.front()), 27.0, 3.0);
    const auto sleeps = steps_of(all, MarkKind::sleep);
    ASSERT_EQ(sleeps.size(), 1u);
    EXPECT_GT(sleeps.front(), strikes.back() + 25);
    EXPECT_TRUE(steps_of(all, MarkKind::wake).empty());
    EXPECT_TRUE(steps_of(all, MarkKind::command).empty());

    simulation.submit(ApplyImpulse{simulation.current().bodies[1].id, {0, 0, 5000}, std::nullopt});
    run(1);
    EXPECT_EQ(steps_of(all, MarkKind::command), std::vector<std::uint64_t>{201});
    run(99);
    EXPECT_EQ(steps_of(all, MarkKind::wake).size(), 1u);

    // What is gone through again is not told again; another way has its own.
    const std::size_t before = all.size();
    simulation.go_to(100);
    run(50);
    EXPECT_EQ(all.size(), before);
    simulation.submit(ApplyImpulse{simulation.current().bodies[1].id, {0, 0, 5000}, std::nullopt});
    run(1);
    EXPECT_EQ(steps_of(all, MarkKind::command, 1), std::vector<std::uint64_t>{151});
    EXPECT_EQ(steps_of(all, MarkKind::command, 0).size(), 1u);

    simulation.restart();
    all.clear();
    run(60);
    EXPECT_EQ(steps_of(all, MarkKind::strike).front(), strikes.front());
}

// Who jumps ahead in a capture has not seen what lies between; it is marked when it is gone through.
TEST(Marks, AreFoundBehindAJump) {
    Simulation simulation(ball_above_ground(), nullptr, Simulation::Place::caller);
    std::vector<Mark> marks;
    for (int i = 0; i < 60; ++i) {
        simulation.step_now();
    }
    marks = simulation.take_events().marks;
    const auto strikes = steps_of(marks, MarkKind::strike);
    ASSERT_FALSE(strikes.empty());
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("cairn-marks-" + std::to_string(::getpid()) + ".cairn");
    simulation.with_runner([&](Runner& runner) { runner.save_history(path); });
    simulation.start_replay(path);
    std::filesystem::remove(path); // it is read whole, but for keyframes
    simulation.go_to(50);
    simulation.step_now();
    simulation.go_to(0);
    for (int i = 0; i < 60; ++i) {
        simulation.step_now();
    }
    marks = simulation.take_events().marks;
    auto again = steps_of(marks, MarkKind::strike);
    std::sort(again.begin(), again.end());
    EXPECT_EQ(again, strikes) << "each of them once";
}

} // namespace
} // namespace cairn::core
