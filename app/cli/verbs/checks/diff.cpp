// Two captures beside each other.
#include "app/cli/output/command_files.h"
#include "app/cli/output/progress.h"
#include "app/cli/output/report.h"
#include "app/cli/verbs/checks/capture_check.h"
#include "app/core/base/files/standard_input.h"
#include "app/core/base/interruption.h"
#include "app/core/capture/verify/capture_difference.h"
#include "app/core/report/formats/json.h"
#include "app/core/workers/worker_pool.h"

#include <algorithm>
#include <cstdio>

namespace cairn::cli {
namespace {

std::vector<std::string> lines_of(const core::Cause& cause) {
    std::vector<std::string> lines;
    if (!cause.compared_at) {
        lines.push_back("from there on no step has known states of both: this program computes neither of them, "
                        "and none was recorded");
        return lines;
    }
    add_differences(lines, "at step " + std::to_string(*cause.compared_at), cause.differences,
                    [](const core::StateDifference& d) { return "A " + d.recorded + ", B " + d.found; });
    return lines;
}

std::string yes_or_no(bool value) {
    return value ? "yes" : "no";
}

} // namespace

int run_diff(const DiffArguments& arguments) {
    CommandFiles files;
    const Path path_a = files.input(arguments.a), path_b = files.input(arguments.b);
    const std::string name_a = core::shown_name(path_a), name_b = core::shown_name(path_b);
    const auto report = files.open("--report", arguments.report);
    const auto json = files.open("--json", arguments.json);
    const core::InterruptionGuard guard;
    const core::Capture a = read_recorded(path_a), b = read_recorded(path_b);
    const auto workers = core::make_worker_pool(arguments.threads);
    const core::CaptureDifference found = core::first_difference(a, b);
    core::PageSection section;
    section.title = name_a + " and " + name_b;
    section.recorded = "A: " + name_a;
    section.found = "B: " + name_b;
    const std::string scenes = core::difference_of_scenes(a.header.scene, b.header.scene);
    section.same = !found.step && scenes.empty();
    const std::string verdict = core::verdict_of(a, b, found, scenes);
    std::vector<std::string> lines;
    if (!scenes.empty()) {
        lines.push_back("the scenes differ in " + scenes);
    }
    core::Cause cause;
    const std::uint64_t shared = std::min(a.steps.size(), b.steps.size());
    if (found.step && *found.step <= shared) {
        core::RecordedStates in_a(a, workers.get()), in_b(b, workers.get());
        cause = core::explain(in_a, in_b, *found.step, shared);
        const std::vector<std::string> more = lines_of(cause);
        lines.insert(lines.end(), more.begin(), more.end());
    }
    const bool cut_off = a.truncated || b.truncated;
    const bool same = section.same && !cut_off;
    if (arguments.json != "-" && arguments.report != "-" && !(arguments.quiet && same)) {
        std::printf("%s\n", verdict.c_str());
        for (const std::string& line : lines) {
            std::printf("  %s\n", line.c_str());
        }
    }
    if (json) {
        core::Json out{{"a", name_a}, {"b", name_b}, {"same", same}, {"verdict", verdict}, {"details", lines}};
        out["first_difference"] = found.step ? core::Json(*found.step) : core::Json();
        out["scenes_same"] = scenes.empty();
        json->finish(core::text_of(out, 1));
    }
    if (report) {
        section.verdict = {verdict};
        section.verdict.insert(section.verdict.end(), lines.begin(), lines.end());
        section.environment = {
            {"program", a.header.build, b.header.build},
            {"format", "version " + std::to_string(a.version), "version " + std::to_string(b.version)},
            {"scene", a.header.scene.name, b.header.scene.name},
            {"steps", std::to_string(a.steps.size()), std::to_string(b.steps.size())},
            {"keyframes", std::to_string(a.keyframes.size()), std::to_string(b.keyframes.size())},
            {"cut off", yes_or_no(a.truncated), yes_or_no(b.truncated)},
            {"read by", core::build_name(), core::build_name()}};
        {
            Progress progress("comparing");
            section.deviations = core::deviations(a, b, workers.get(), [&](double share) { progress.show(share); });
        }
        section.first_difference = found.step.value_or(0);
        section.differences = cause.differences;
        section.compared_at = cause.compared_at.value_or(0);
        if (found.step && *found.step <= shared) {
            Pictures pictures(section, a.header.scene.camera, cause.body_slots);
            core::RecordedStates in_a(a, workers.get()), in_b(b, workers.get());
            const std::uint64_t before = *found.step > 0 ? *found.step - 1 : 0;
            if (const physics::World* world = in_a.at(before); world != nullptr && *found.step > 0) {
                pictures.add(*world, "Before: step " + std::to_string(before) + ", both");
            }
            if (cause.compared_at) {
                const std::string at = "After: step " + std::to_string(*cause.compared_at) + ", ";
                if (const physics::World* world = in_a.at(*cause.compared_at)) {
                    pictures.add(*world, at + "A");
                }
                if (const physics::World* world = in_b.at(*cause.compared_at)) {
                    pictures.add(*world, at + "B");
                }
            }
            section.how_to_open = {command_to_open(path_a, *found.step), command_to_open(path_b, *found.step)};
        }
        report->finish(core::comparison_page("Two captures", {}, {section}));
    }
    return same ? exit_success : exit_check_failed;
}

} // namespace cairn::cli
