#include "app/core/expect/scene_test.h"

#include "app/core/capture/recorder.h"

#include <array>
#include <chrono>
#include <utility>

namespace cairn::core {

using namespace cairn::physics;

namespace {

// Both scenes run again, step by step in turn, so that whatever else the machine does slows both; medians are of the
// steps that are meant. Nothing but this ratio depends on the clock.
void settle_step_time(const Scene& scene, std::size_t which, ExpectationRun& run, Executor* executor,
                      const std::function<void(double)>& progress) {
    const Expectation& e = scene.expectations[which];
    std::array<World, 2> worlds{make_world(scene, executor), make_world(*e.reference.scene, executor)};
    std::array<std::vector<double>, 2> seconds;
    for (std::uint64_t step = 1; step <= e.last; ++step) {
        for (std::size_t i = 0; i < worlds.size(); ++i) {
            const auto start = std::chrono::steady_clock::now();
            worlds[i].step();
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
            if (step >= e.first) {
                seconds[i].push_back(took.count());
            }
        }
        if (progress) {
            progress(static_cast<double>(step) / static_cast<double>(e.last));
        }
    }
    run.settle(which, std::move(seconds[0]), std::move(seconds[1]));
}

} // namespace

SceneTest run_scene_test(const Scene& scene, Executor* executor, const std::function<void(double)>& progress) {
    World world = make_world(scene, executor);
    FrameState frame;
    world.publish(frame);
    ExpectationRun run(scene, frame);
    std::optional<StoppedBody> stopped;
    const std::uint64_t last = last_expected_step(scene);
    while (!run.decided() && world.step_count() < last) {
        world.step();
        world.publish(frame);
        run.add(frame);
        stopped = stopped ? stopped : first_stopped(frame);
        if (progress) {
            progress(static_cast<double>(frame.step) / static_cast<double>(last));
        }
    }
    for (std::size_t i = 0; i < scene.expectations.size(); ++i) {
        if (is_of_clock(scene.expectations[i])) {
            settle_step_time(scene, i, run, executor, progress);
        }
    }
    return {run.outcomes(), world.step_count(), stopped, run.all_met() && !stopped, run.first_failure()};
}

World record_scene(const Scene& scene, std::uint64_t steps, const std::filesystem::path& capture, Executor* executor) {
    World world = make_world(scene, executor);
    Recorder recorder(capture, scene, world.hash());
    FrameState frame;
    while (world.step_count() < steps) {
        world.step();
        world.publish(frame);
        recorder.add({frame.step, {}, frame.hash, nullptr}, world, frame.stats);
    }
    recorder.finish(&world);
    return world;
}

} // namespace cairn::core
