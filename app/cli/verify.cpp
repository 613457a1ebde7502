#include "app/cli/progress.h"
#include "app/cli/verbs.h"
#include "app/core/base/error.h"
#include "app/core/capture/capture.h"
#include "app/core/workers/worker_pool.h"

#include <algorithm>
#include <cstdio>

namespace cairn::cli {
namespace {

int verify_one(const Path& path, physics::Executor& workers) {
    const core::Capture capture = core::read_capture(path);
    std::optional<core::Divergence> divergence;
    {
        Progress progress("verifying " + path.filename().string());
        divergence = core::verify_capture(capture, &workers, [&](double share) { progress.show(share); });
    }
    const auto steps = static_cast<unsigned long long>(capture.steps.size());
    if (divergence) {
        std::printf("%s: %s\n", path.c_str(), divergence->what.c_str());
        return exit_check_failed;
    }
    if (capture.truncated) {
        // Fine to watch, but no guard: what was lost may be what diverges.
        std::printf("%s: INCOMPLETE: the file is cut off after step %llu, equal so far\n", path.c_str(), steps);
        return exit_check_failed;
    }
    std::printf("%s: ok, %llu steps\n", path.c_str(), steps);
    return exit_success;
}

} // namespace

int run_verify(const VerifyArguments& arguments) {
    const auto workers = core::make_worker_pool(arguments.threads);
    int code = exit_success;
    for (const Path& path : arguments.captures) {
        try {
            code = std::max(code, verify_one(path, *workers));
        } catch (const core::InputError& error) {
            std::fflush(stdout);
            print_error(error.what());
            code = std::max<int>(code, exit_bad_input);
        }
    }
    return code;
}

} // namespace cairn::cli
