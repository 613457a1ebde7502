// Several pieces of work of one call, side by side, each on a thread of its own.
#pragma once

#include "app/cli/options/verbs.h"
#include "physics/base/executor.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace cairn::cli {

// What ended a piece of work before it was done.
struct WorkFailure {
    std::string error; // with its place; empty: none
    int code = exit_success;
    bool interrupted = false;
};

struct SideBySide {
    std::string label; // of the progress bar
    bool quiet = false;
    int jobs = 0;    // at once; 0: one for each core, or one alone if `threads` are asked for
    int threads = 0; // for the executor of each; 0: all cores for one that runs alone, else one

    // One piece, by its index. May throw core::InputError, core::OutputError and std::bad_alloc; `progress` takes 0..1
    // and throws core::Interrupted when the call is to end.
    using Work = std::function<void(std::size_t, physics::Executor*, const std::function<void(double)>& progress)>;
    // Called on the calling thread, in order, as soon as a piece and all before it are done.
    using Report = std::function<void(std::size_t, const WorkFailure&)>;

    // One piece for each name. What was interrupted is reported as such: when the reports are written, the caller ends
    // by core::interruption_point().
    void run(std::span<const std::string> names, const Work& work, const Report& report) const;
};

} // namespace cairn::cli
