// cairn verify: captures side by side, and what is reported of them.
#include "app/cli/verbs/checks/capture_check.h"
#include "app/core/base/error.h"
#include "app/core/base/files/standard_input.h"
#include "app/core/base/interruption.h"
#include "app/core/capture/verify/verification.h"
#include "app/core/report/formats/json.h"
#include "app/core/report/formats/junit.h"

#include <algorithm>

namespace cairn::cli {
namespace {

std::string junit_of(const std::vector<CaptureCheck>& all) {
    std::vector<core::JunitCase> cases;
    for (const CaptureCheck& one : all) {
        cases.push_back(
            {one.name, one.seconds, one.error, one.code == exit_success ? std::string() : one.verdict, one.details});
    }
    return core::junit_file("cairn verify", "cairn.verify", cases);
}

core::Json json_of(const std::vector<CaptureCheck>& all) {
    core::Json captures = core::Json::array();
    for (const CaptureCheck& one : all) {
        core::Json entry{{"capture", one.name}, {"ok", one.code == exit_success}};
        if (!one.error.empty()) {
            entry["error"] = one.error;
        } else {
            entry["verdict"] = one.verdict;
            entry["details"] = one.details;
            entry["steps"] = one.steps;
            entry["first_difference"] = one.first_difference ? core::Json(*one.first_difference) : core::Json();
        }
        captures.push_back(std::move(entry));
    }
    return {{"captures", captures}};
}

} // namespace

int run_verify(const VerifyArguments& arguments) {
    if (!arguments.tolerance.empty()) {
        core::parse_envelope(arguments.tolerance); // a mistake in it is reported once, and first
    }
    CommandFiles files;
    std::vector<Path> captures;
    std::vector<CaptureCheck> all(arguments.captures.size());
    for (const Path& given : arguments.captures) {
        if (arguments.rebless && given == "-") {
            throw core::InputError("--rebless replaces files, and the standard input is none");
        }
        captures.push_back(files.input(given));
        all[captures.size() - 1].name = core::shown_name(captures.back());
    }
    const CheckedFiles checked(files, arguments);
    const core::InterruptionGuard guard;
    checked.check(each_of(all),
                  all.size() == 1 ? "verifying " + captures[0].filename().string()
                                  : "verifying " + count(all.size(), "capture"),
                  arguments.quiet, arguments.threads,
                  [&](std::size_t i, physics::Executor* executor, const std::function<void(double)>& progress) {
                      const std::string name = all[i].name;
                      all[i] = arguments.rebless ? rebless_capture(captures[i], executor, progress)
                                                 : check_capture(captures[i], arguments, executor, progress);
                      all[i].name = name;
                  });
    return checked.write(each_of(all),
                         {[&] { return junit_of(all); }, [&] { return core::text_of(json_of(all), 1); },
                          "Replays of captures", "capture",
                          std::ranges::any_of(all, [](const CaptureCheck& one) { return one.error.empty(); })});
}

} // namespace cairn::cli
