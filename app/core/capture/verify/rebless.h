// Recording a capture anew, after a change that is meant to change the motion.
#pragma once

#include "app/core/capture/capture.h"
#include "app/core/capture/verify/compare.h"

#include <functional>
#include <optional>
#include <string>

namespace cairn::core {

struct Reblessing {
    bool rewritten = false;                   // else the file is as it was, and was right
    std::optional<std::uint64_t> first_moved; // step, whose hash is another now
    Deviation furthest;                       // of the keyframes that could be compared; step 0: none
    std::string furthest_body;                // its name
    std::size_t rejected = 0;                 // commands that do not work any more, and are left out
    std::string first_rejection;
};

// Runs the capture's commands on its scene and replaces the file, as one act: a temporary file beside it is forced to
// the disk and renamed. Whatever fails, the old file stays as it is. Throws InputError; also for a capture that is cut
// off, because what it lacks would be lost for good.
Reblessing rebless(const Capture& capture, physics::Executor* executor = nullptr,
                   const std::function<void(double)>& progress = {});

} // namespace cairn::core
