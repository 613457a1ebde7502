// One capture, held to what it recorded or recorded anew, and what came of it.
#pragma once

#include "app/cli/verbs/checks/checked.h"
#include "app/core/capture/capture.h"
#include "physics/base/executor.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace cairn::cli {

struct CaptureCheck : Checked {
    std::uint64_t steps = 0;                       // of the capture
    std::optional<std::uint64_t> first_difference; // step
};

// Both throw InputError, and std::bad_alloc for a capture that is too large; `progress` gets 0..1.
CaptureCheck check_capture(const Path& path, const VerifyArguments& arguments, physics::Executor* executor,
                           const std::function<void(double)>& progress);
CaptureCheck rebless_capture(const Path& path, physics::Executor* executor,
                             const std::function<void(double)>& progress);

// As core::read_capture; a scene, which is easily named in its place, is rejected as one.
core::Capture read_recorded(const Path& path);
void reject_text(const Path& path); // the same rejection alone

// "1 step", "2 steps"
std::string count(std::uint64_t number, const char* what);

} // namespace cairn::cli
