#include "app/core/capture/recorder.h"

#include "app/core/base/error.h"

#include <algorithm>

namespace cairn::core {
namespace {

constexpr double seconds_per_step = 10e-6, seconds_per_body = 4e-6; // a body in a heap of all shapes, one thread
constexpr double most_work = 0.1;                                   // s
constexpr std::uint64_t fewest_steps = 60;
// Before compression, which halves it.
constexpr std::size_t bytes_per_step = 600;            // where only bytes decide
constexpr std::size_t most_bytes_per_step = 50'000;    // enough for a thousand bodies that never rest
constexpr std::size_t plenty = std::size_t{256} << 20; // bytes in all, from where on it is no more than
constexpr std::size_t fewer_bytes_per_step = 15'000;
constexpr std::size_t first_bytes_per_body = 500; // before the first one is known

} // namespace

bool KeyframeSpacing::due(std::uint32_t awake, std::size_t bodies) {
    work_ += seconds_per_step + seconds_per_body * static_cast<double>(awake);
    ++steps_;
    const std::size_t size = size_ != 0 ? size_ : first_bytes_per_body * std::max<std::size_t>(bodies, 1);
    if (size > (total_ < plenty ? most_bytes_per_step : fewer_bytes_per_step) * steps_) {
        return false;
    }
    return work_ >= most_work || (steps_ >= fewest_steps && awake > 0 && size <= bytes_per_step * steps_);
}

void KeyframeSpacing::written(std::size_t bytes) {
    work_ = 0.0;
    steps_ = 0;
    size_ = bytes;
    total_ += bytes;
}

Recorder::Recorder(const std::filesystem::path& path, const Scene& scene, std::uint64_t initial_hash)
    : writer_(path, scene, initial_hash) {
}

void Recorder::add_past(const CaptureStep& step) {
    keep_on_full_disk([&] { writer_.add(step); });
}

std::size_t Recorder::add_past(const physics::StateImage& state) {
    std::size_t bytes = 0;
    keep_on_full_disk([&] { bytes = writer_.add_keyframe(state); });
    return bytes;
}

void Recorder::add(CaptureStep step, const physics::World& world, const physics::StepStats& stats) {
    keep_on_full_disk([&] {
        step.step = writer_.steps() + 1;
        step.digest = std::make_shared<const physics::StateDigest>(world.digest());
        writer_.add(step);
        const bool due = spacing_.due(stats.awake, world.body_count());
        if (due) {
            spacing_.written(writer_.add_keyframe(world.image()));
        }
        state_is_in_ = due;
    });
}

void Recorder::finish(const physics::World* world) {
    keep_on_full_disk([&] {
        if (world != nullptr && !state_is_in_ && steps() > 0) {
            writer_.add_keyframe(world->image());
        }
        writer_.finish();
    });
}

template <typename Write>
void Recorder::keep_on_full_disk(const Write& write) {
    try {
        write();
    } catch (const OutputError& error) {
        const std::filesystem::path kept = writer_.keep();
        if (kept.empty()) {
            throw;
        }
        throw OutputError(error.location(), error.message() + "; what was recorded by then is in " + kept.string() +
                                                ", which `cairn repair` closes");
    }
}

} // namespace cairn::core
