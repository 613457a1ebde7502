// One capture, held to what it recorded or recorded anew, and what came of it.
#pragma once

#include "app/cli/verbs.h"
#include "app/core/report/comparison_page.h"
#include "physics/base/executor.h"

#include <functional>
#include <string>
#include <vector>

namespace cairn::cli {

struct CaptureCheck {
    int code = exit_success;
    std::string verdict;              // one line, without the file's name
    std::vector<std::string> details; // lines under it
    std::string error;                // bad input, with its place
    core::PageSection section;        // if there is a report to write
    double seconds = 0.0;
};

// Both throw InputError, and std::bad_alloc for a capture that is too large; `progress` gets 0..1.
CaptureCheck check_capture(const Path& path, const VerifyArguments& arguments, physics::Executor* executor,
                           const std::function<void(double)>& progress);
CaptureCheck rebless_capture(const Path& path, physics::Executor* executor,
                             const std::function<void(double)>& progress);

// "1 step", "2 steps"
std::string count(std::uint64_t number, const char* what);

} // namespace cairn::cli
