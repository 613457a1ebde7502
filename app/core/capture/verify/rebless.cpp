#include "app/core/capture/verify/rebless.h"

#include "app/core/base/error.h"
#include "app/core/capture/recorder.h"

namespace cairn::core {

using namespace cairn::physics;

namespace {

Reblessing write_anew(const Capture& capture, Executor* executor, const std::function<void(double)>& progress) {
    Reblessing result;
    World world = make_world(capture.header.scene, executor);
    World recorded = make_world(Scene{});
    FrameState frame, recorded_frame;
    if (world.hash() != capture.initial_hash) {
        result.first_moved = 0;
    }
    Recorder recorder(capture.path, capture.header.scene, world.hash());
    auto keyframe = capture.keyframes.begin();
    for (const CaptureStep& step : capture.steps) {
        CaptureStep fresh;
        apply_commands(
            world, step.commands, [&](const Command& command) { fresh.commands.push_back(command); },
            [&](const std::string& error) {
                if (++result.rejected == 1) {
                    result.first_rejection = "step " + std::to_string(step.step) + ": " + error;
                }
            });
        world.step();
        world.publish(frame);
        fresh.hash = frame.hash;
        recorder.add(std::move(fresh), world, frame.stats);
        if (frame.hash != step.hash && !result.first_moved) {
            result.first_moved = step.step;
        }
        if (keyframe != capture.keyframes.end() && keyframe->step == step.step) {
            if (recorded.load(read_keyframe(capture, *keyframe)).empty()) {
                recorded.publish(recorded_frame);
                const Deviation off = deviation(recorded_frame, frame);
                if (off.position > result.furthest.position) {
                    result.furthest = off;
                    result.furthest_body = body_name(world.image(), off.position_body);
                }
            }
            ++keyframe;
        }
        if (progress) {
            progress(static_cast<double>(step.step) / static_cast<double>(capture.steps.size()));
        }
    }
    result.rewritten = result.first_moved || capture.version != capture_version || capture.keyframes.empty();
    if (result.rewritten) {
        recorder.finish(&world); // else what was written goes again
    }
    return result;
}

} // namespace

Reblessing rebless(const Capture& capture, Executor* executor, const std::function<void(double)>& progress) {
    if (capture.truncated) {
        throw InputError(Location{capture.path.string(), 0, 0},
                         "is cut off after step " + std::to_string(capture.steps.size()) +
                             ": what it has lost would be lost for good, so it is not rewritten");
    }
    return write_anew(capture, executor, progress);
}

} // namespace cairn::core
