#include "app/core/base/error.h"
#include "app/core/base/standard_input.h"
#include "app/core/capture/capture.h"

#include <algorithm>
#include <iterator>

namespace cairn::core {

using namespace cairn::physics;

std::string replay_step(World& world, const CaptureStep& step) {
    std::string refused;
    for (const Command& command : step.commands) {
        const CommandResult result = world.apply(command);
        if (!result.ok() && refused.empty()) {
            refused = "a command of step " + std::to_string(step.step) + " was rejected: " + result.error;
        }
    }
    world.step();
    return refused;
}

void load_keyframe(World& world, const Capture& capture, const KeyframePlace& place) {
    const std::string problem = world.load(read_keyframe(capture, place));
    if (!problem.empty()) {
        throw InputError(Location{shown_name(capture.path), 0, 0},
                         "damaged at byte " + std::to_string(place.offset) + ": " + problem);
    }
}

World world_at(const Capture& capture, std::uint64_t step, Executor* executor, std::optional<Divergence>* divergence) {
    World world = make_world(capture.header.scene, executor);
    const auto after = std::upper_bound(capture.keyframes.begin(), capture.keyframes.end(), step,
                                        [](std::uint64_t s, const KeyframePlace& place) { return s < place.step; });
    if (after != capture.keyframes.begin()) {
        load_keyframe(world, capture, *std::prev(after));
    }
    while (world.step_count() < step) {
        const CaptureStep& next = capture.steps[world.step_count()];
        replay_step(world, next);
        if (divergence != nullptr && !*divergence && world.hash() != next.hash) {
            *divergence = divergence_at(next.step, next.hash, world.hash(), {});
        }
    }
    return world;
}

} // namespace cairn::core
