#include "app/core/base/error.h"
#include "app/core/capture/capture.h"
#include "app/core/capture/verification.h"

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

physics::World world_at(const Capture& capture, std::uint64_t step, physics::Executor* executor,
                        std::optional<Divergence>* divergence) {
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
        const CaptureStep& next = capture.steps[world.step_count()];
        for (const physics::Command& command : next.commands) {
            world.apply(command);
        }
        world.step();
        if (divergence != nullptr && !*divergence && world.hash() != next.hash) {
            *divergence = divergence_at(next.step, next.hash, world.hash(), {});
        }
    }
    return world;
}

std::optional<Divergence> verify_capture(const Capture& capture, physics::Executor* executor,
                                         const std::function<void(double)>& progress) {
    return verify(capture, {std::nullopt, executor, progress}).divergence;
}

} // namespace cairn::core
