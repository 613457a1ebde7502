// cairn repair: an incomplete capture becomes a whole one of what it holds.
#include "app/core/capture/verify/repair.h"
#include "app/cli/options/verbs.h"
#include "app/cli/output/command_files.h"
#include "app/cli/verbs/checks/capture_check.h"
#include "app/core/base/error.h"
#include "app/core/base/files/standard_input.h"

#include <cstdio>

namespace cairn::cli {

int run_repair(const RepairArguments& arguments) {
    if (arguments.capture == "-" && arguments.out.empty()) {
        throw core::InputError("the standard input is not repaired in its place: name a file with --out");
    }
    CommandFiles files;
    const Path from = files.input(arguments.capture);
    reject_text(from);
    const Path to = arguments.out.empty() ? core::repaired_name(from) : arguments.out;
    // In its place is meant; over another file only where that was asked for.
    if (!arguments.out.empty()) {
        files.output("--out", to);
    } else if (to != from && std::filesystem::exists(to)) {
        throw core::InputError(core::Location{to.string(), 0, 0},
                               "is there already: say with --out where the repaired capture is to go");
    }
    const core::Repair repair = core::repair(from, to);
    if (!arguments.quiet && to != "-") {
        const std::string name = core::shown_name(from);
        if (!repair.incomplete) {
            std::printf("%s: whole, %s\n", name.c_str(), count(repair.steps, "step").c_str());
        } else {
            std::printf("%s: closed after %s, %s; %s without a checksum or an end were left out\n", to.c_str(),
                        count(repair.steps, "step").c_str(), count(repair.keyframes, "whole state").c_str(),
                        count(repair.lost_bytes, "byte").c_str());
        }
    }
    return exit_success;
}

} // namespace cairn::cli
