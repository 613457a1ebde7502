// cairn verify: captures side by side, and what is reported of them.
#include "app/cli/output/command_files.h"
#include "app/cli/output/side_by_side.h"
#include "app/cli/verbs/checks/capture_check.h"
#include "app/core/base/error.h"
#include "app/core/base/interruption.h"
#include "app/core/base/standard_input.h"
#include "app/core/capture/verify/verification.h"
#include "app/core/report/json.h"
#include "app/core/report/junit.h"

#include <algorithm>
#include <cstdio>

namespace cairn::cli {
namespace {

void print(const std::string& name, const CaptureCheck& one) {
    std::printf("%s\n", one_line(name + ": " + one.verdict).c_str());
    for (const std::string& line : one.details) {
        std::printf("  %s\n", one_line(line).c_str());
    }
    std::fflush(stdout);
}

// `captures`: where the arguments' captures are read; `names`: how they are called.
std::vector<CaptureCheck> check_all(const VerifyArguments& arguments, const std::vector<Path>& captures,
                                    const std::vector<std::string>& names) {
    std::vector<CaptureCheck> all(captures.size());
    const bool prints = arguments.json != "-" && arguments.junit != "-" && arguments.report != "-";
    SideBySide runs;
    runs.label =
        all.size() == 1 ? "verifying " + captures[0].filename().string() : "verifying " + count(all.size(), "capture");
    runs.quiet = arguments.quiet;
    runs.jobs = arguments.jobs;
    runs.threads = arguments.threads;
    runs.run(
        names,
        [&](std::size_t i, physics::Executor* executor, const std::function<void(double)>& progress) {
            all[i] = arguments.rebless ? rebless_capture(captures[i], executor, progress)
                                       : check_capture(captures[i], arguments, executor, progress);
        },
        [&](std::size_t i, const WorkFailure& failure) {
            CaptureCheck& one = all[i];
            if (!failure.error.empty()) {
                one.error = failure.error;
                one.code = failure.code;
            }
            if (failure.interrupted) {
                return;
            }
            if (!one.error.empty()) {
                std::fflush(stdout);
                print_error(one.error);
            } else if (prints && (!arguments.quiet || one.code != exit_success)) {
                print(names[i], one);
            }
        });
    return all;
}

std::string junit_of(const std::vector<std::string>& names, const std::vector<CaptureCheck>& all) {
    std::vector<core::JunitCase> cases;
    for (std::size_t i = 0; i < all.size(); ++i) {
        cases.push_back({names[i], all[i].seconds, all[i].error,
                         all[i].code == exit_success ? std::string() : all[i].verdict, all[i].details});
    }
    return core::junit_file("cairn verify", "cairn.verify", cases);
}

core::Json json_of(const std::vector<std::string>& names, const std::vector<CaptureCheck>& all) {
    core::Json captures = core::Json::array();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const CaptureCheck& one = all[i];
        core::Json entry{{"capture", names[i]}, {"ok", one.code == exit_success}};
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
    std::vector<std::string> names;
    for (const Path& given : arguments.captures) {
        if (arguments.rebless && given == "-") {
            throw core::InputError("--rebless replaces files, and the standard input is none");
        }
        captures.push_back(files.input(given));
        names.push_back(core::shown_name(captures.back()));
    }
    const auto junit = files.open("--junit", arguments.junit);
    const auto report = files.open("--report", arguments.report);
    const auto json = files.open("--json", arguments.json);
    const core::InterruptionGuard guard;
    const std::vector<CaptureCheck> all = check_all(arguments, captures, names);
    int code = exit_success;
    std::vector<core::PageRow> rows;
    std::vector<core::PageSection> sections;
    for (std::size_t i = 0; i < all.size(); ++i) {
        code = std::max(code, all[i].code);
        rows.push_back({names[i], all[i].error.empty() ? all[i].verdict : all[i].error, all[i].code == exit_success});
        if (all[i].error.empty() && all[i].code != exit_success) {
            sections.push_back(all[i].section);
        }
    }
    const bool any = std::any_of(all.begin(), all.end(), [](const CaptureCheck& one) { return one.error.empty(); });
    write_each(
        {{junit.get(), [&] { return junit_of(names, all); }},
         {json.get(), [&] { return core::text_of(json_of(names, all), 1); }},
         {any ? report.get() : nullptr, [&] { return core::comparison_page("Replays of captures", rows, sections); }}});
    core::interruption_point();
    return code;
}

} // namespace cairn::cli
