// A capture of a world that runs: steps with their digests, and a whole state now and then.
#pragma once

#include "app/core/capture/capture.h"
#include "physics/world/frame_state.h"

#include <filesystem>

namespace cairn::core {

// Decides after which steps a whole state is worth its bytes. It goes by counts and not by a clock, so that the same
// run gives the same file everywhere. Two reasons:
// - Time: what lies between two keyframes is what a seek has to compute. So much work is allowed, at a cost for each
//   awake body that was measured in heaps (docs/results/window-performance.md).
// - Bytes: where steps cost little and so do states, a comparison that names its cause wants them near: states may take
//   as much as the digests.
// Neither may make a file many times as large as its run is worth: a cap bounds the bytes for each step.
class KeyframeSpacing {
  public:
    // After a step. `awake`: bodies.
    bool due(std::uint32_t awake, std::size_t bodies);
    void written(std::size_t bytes); // before compression

  private:
    double work_ = 0.0; // s, since the last one
    std::uint64_t steps_ = 0;
    std::size_t size_ = 0, total_ = 0; // bytes of the last one, of all
};

class Recorder {
  public:
    // As CaptureWriter.
    Recorder(const std::filesystem::path& path, const Scene& scene, std::uint64_t initial_hash);

    // What went before the recording, from the first step on and before any add(): a step, or the state after it.
    void add_past(const CaptureStep& step);
    std::size_t add_past(const physics::StateImage& state); // returns as CaptureWriter::add_keyframe

    // After the step; `step.step` and `step.digest` are set here. Throws InputError; where the disk is full, what is in
    // the unfinished file stays there, and the message says so.
    void add(CaptureStep step, const physics::World& world, const physics::StepStats& stats);
    // Ends the file and forces it to the disk. `world`: as it is after the last step; so the end can be compared, too.
    // nullptr: it has been changed since.
    void finish(const physics::World* world);
    std::uint64_t steps() const { return writer_.steps(); }
    const std::filesystem::path& path() const { return writer_.path(); }

  private:
    // What was recorded of a run that cannot be had again is worth more than a clean folder.
    template <typename Write>
    void keep_on_full_disk(const Write& write);

    CaptureWriter writer_;
    KeyframeSpacing spacing_;
    bool state_is_in_ = false; // of the last step
};

} // namespace cairn::core
