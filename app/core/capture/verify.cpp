#include "app/core/base/error.h"
#include "app/core/capture/capture.h"

#include <algorithm>
#include <iterator>

namespace cairn::core {

std::string hash_text(std::uint64_t hash) {
    std::string text(16, '0');
    for (std::size_t i = 16; i-- > 0; hash >>= 4) {
        text[i] = "0123456789abcdef"[hash & 15];
    }
    return text;
}

Divergence divergence_at(std::uint64_t step, std::uint64_t expected, std::uint64_t found, const std::string& cause) {
    Divergence divergence{step, expected, found, {}};
    divergence.what = "DIVERGED at step " + std::to_string(step) + ": expected " + hash_text(expected) + ", found " +
                      hash_text(found);
    if (!cause.empty()) {
        divergence.what += " (" + cause + ')';
    }
    return divergence;
}

physics::World world_at(const Capture& capture, std::uint64_t step, physics::Executor* executor) {
    physics::World world = make_world(capture.header.scene, executor);
    const auto after = std::upper_bound(capture.keyframes.begin(), capture.keyframes.end(), step,
                                        [](std::uint64_t s, const KeyframePlace& place) { return s < place.step; });
    if (after != capture.keyframes.begin()) {
        const KeyframePlace& place = *std::prev(after);
        const std::string problem = world.load(read_keyframe(capture, place));
        if (!problem.empty()) {
            throw InputError(Location{capture.path.string(), 0, 0},
                             "damaged at byte " + std::to_string(place.offset) + ": " + problem);
        }
    }
    while (world.step_count() < step) {
        for (const physics::Command& command : capture.steps[world.step_count()].commands) {
            world.apply(command);
        }
        world.step();
    }
    return world;
}

std::optional<Divergence> verify_capture(const Capture& capture, physics::Executor* executor,
                                         const std::function<void(double)>& progress) {
    physics::World world = make_world(capture.header.scene, executor);
    if (world.hash() != capture.initial_hash) {
        return divergence_at(0, capture.initial_hash, world.hash(), "the scene itself gives another state");
    }
    std::string refused; // why a recorded command did not work: the likely cause of what follows
    for (const CaptureStep& step : capture.steps) {
        for (const physics::Command& command : step.commands) {
            const physics::CommandResult result = world.apply(command);
            if (!result.ok() && refused.empty()) {
                refused = "a command of step " + std::to_string(step.step) + " was refused: " + result.error;
            }
        }
        world.step();
        if (world.hash() != step.hash) {
            return divergence_at(step.step, step.hash, world.hash(), refused);
        }
        if (progress) {
            progress(static_cast<double>(step.step) / static_cast<double>(capture.steps.size()));
        }
    }
    return std::nullopt;
}

} // namespace cairn::core
