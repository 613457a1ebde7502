#include "app/core/base/error.h"
#include "app/core/base/files/standard_input.h"
#include "app/core/capture/capture.h"

#include <algorithm>
#include <iterator>

namespace cairn::core {

using namespace cairn::physics;

std::string replay_step(World& world, const CaptureStep& step) {
    std::string first;
    apply_commands(
        world, step.commands, [](const Command&) {},
        [&](const std::string& error) {
            if (first.empty()) {
                first = "a command of step " + std::to_string(step.step) + " was rejected: " + error;
            }
        });
    world.step();
    return first;
}

const KeyframePlace* keyframe_before(const std::vector<KeyframePlace>& places, std::uint64_t step) {
    const auto after = std::ranges::upper_bound(places, step, {}, &KeyframePlace::step);
    return after != places.begin() ? &*std::prev(after) : nullptr;
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
    if (const KeyframePlace* place = keyframe_before(capture.keyframes, step)) {
        load_keyframe(world, capture, *place);
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
