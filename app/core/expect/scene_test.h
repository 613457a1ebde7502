// A scene run against what it expects.
#pragma once

#include "app/core/expect/expectation_run.h"
#include "app/core/report/stopped_body.h"
#include "physics/base/executor.h"

#include <filesystem>
#include <functional>

namespace cairn::core {

struct SceneTest {
    std::vector<ExpectationOutcome> outcomes; // in the order of the scene's expectations
    std::uint64_t steps = 0;                  // that were taken: none after everything was decided
    std::optional<StoppedBody> stopped;       // the first, if any was: then nothing counts as passed
    bool passed = false;                      // all are met
    std::optional<std::size_t> first_failure; // the expectation that failed first
};

// `progress` (0..1) may be empty and may throw. Throws InputError when the world rejects the scene.
SceneTest run_scene_test(const Scene& scene, physics::Executor* executor = nullptr,
                         const std::function<void(double)>& progress = {});

// The run up to that step as a capture, for people to look at: the same motion, since nothing in a run is left to
// chance. Returns the state after the last step. Throws InputError, OutputError.
physics::World record_scene(const Scene& scene, std::uint64_t steps, const std::filesystem::path& capture,
                            physics::Executor* executor = nullptr);

} // namespace cairn::core
