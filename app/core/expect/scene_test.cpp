#include "app/core/expect/scene_test.h"

#include "app/core/capture/recorder.h"

#include <algorithm>

namespace cairn::core {

using namespace cairn::physics;

SceneTest run_scene_test(const Scene& scene, Executor* executor, const std::function<void(double)>& progress) {
    World world = make_world(scene, executor);
    FrameState frame;
    world.publish(frame);
    ExpectationRun run(scene, frame);
    const std::uint64_t last = last_expected_step(scene);
    while (!run.decided() && world.step_count() < last) {
        world.step();
        world.publish(frame);
        run.add(frame);
        if (progress) {
            progress(static_cast<double>(frame.step) / static_cast<double>(last));
        }
    }
    return {run.outcomes(), world.step_count(), run.all_met(), run.first_failure()};
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
