// Two captures beside each other.
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/verbs.h"
#include "app/core/base/text_file.h"
#include "app/core/capture/verification.h"
#include "app/core/workers/worker_pool.h"

#include <algorithm>
#include <cstdio>

namespace cairn::cli {
namespace {

struct Found {
    std::optional<std::uint64_t> step; // the first that differs; 0: the start
    std::string what;                  // differs there
};

Found first_difference(const core::Capture& a, const core::Capture& b) {
    if (a.initial_hash != b.initial_hash) {
        return {0, "the scenes give other states, before any step"};
    }
    const std::size_t shared = std::min(a.steps.size(), b.steps.size());
    for (std::size_t i = 0; i < shared; ++i) {
        const bool commands = a.steps[i].commands != b.steps[i].commands;
        if (commands || a.steps[i].hash != b.steps[i].hash) {
            return {i + 1, commands ? "the commands of the step are others"
                                    : "the hashes differ: A has " + core::hash_text(a.steps[i].hash) + ", B has " +
                                          core::hash_text(b.steps[i].hash)};
        }
    }
    // A capture that is cut off may have gone on as the other does: its end is no difference.
    const bool a_ends = a.steps.size() < b.steps.size() && !a.truncated;
    const bool b_ends = b.steps.size() < a.steps.size() && !b.truncated;
    if (a_ends || b_ends) {
        return {shared + 1, std::string("equal up to step ") + std::to_string(shared) + ", where " +
                                (a_ends ? "A" : "B") + " ends"};
    }
    return {};
}

// Empty: both are whole.
std::string what_is_cut_off(const core::Capture& a, const core::Capture& b) {
    const auto after = [](const core::Capture& one) { return " after step " + std::to_string(one.steps.size()); };
    if (a.truncated && b.truncated) {
        return "A is cut off" + after(a) + ", B" + after(b);
    }
    return a.truncated ? "A is cut off" + after(a) : b.truncated ? "B is cut off" + after(b) : "";
}

// One line. Captures of which one is cut off are not the same, however equal: what was lost may be what differs.
std::string verdict_of(const core::Capture& a, const core::Capture& b, const Found& found) {
    const std::string cut = what_is_cut_off(a, b);
    if (found.step) {
        return "DIFFER at step " + std::to_string(*found.step) + ": " + found.what + (cut.empty() ? "" : "; " + cut);
    }
    if (!cut.empty()) {
        return "INCOMPLETE: " + cut + ", equal up to step " + std::to_string(std::min(a.steps.size(), b.steps.size()));
    }
    return "same, " + std::to_string(a.steps.size()) + " steps";
}

// Of both at the first step from `step` on at which both are known.
core::Cause explain(core::RecordedStates& a, core::RecordedStates& b, std::uint64_t step, std::uint64_t last) {
    core::Cause cause;
    for (std::uint64_t at = step; at <= last; ++at) {
        const physics::World* in_a = a.at(at);
        const physics::World* in_b = b.at(at);
        if (in_a == nullptr || in_b == nullptr) {
            continue;
        }
        cause.compared_at = at;
        cause.differences = core::compare(in_a->image(), in_b->image());
        break;
    }
    std::vector<std::uint32_t>& slots = cause.body_slots;
    for (const core::StateDifference& d : cause.differences) {
        if (d.subject == core::StateDifference::Subject::body) {
            slots.push_back(d.a);
        }
    }
    std::sort(slots.begin(), slots.end());
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    return cause;
}

std::vector<std::string> lines_of(const core::Cause& cause) {
    constexpr std::size_t most = 12;
    std::vector<std::string> lines;
    if (!cause.compared_at) {
        lines.push_back(
            "the states of both are known at no step from there on: neither is computed so by this program, "
            "nor was it recorded");
        return lines;
    }
    lines.push_back("at step " + std::to_string(*cause.compared_at) + ", " + std::to_string(cause.differences.size()) +
                    (cause.differences.size() == 1 ? " value differs:" : " values differ:"));
    for (std::size_t i = 0; i < std::min(cause.differences.size(), most); ++i) {
        const core::StateDifference& d = cause.differences[i];
        lines.push_back("  " + d.name + (d.name.empty() ? "" : ": ") + d.field + ": A " + d.recorded + ", B " +
                        d.found);
    }
    if (cause.differences.size() > most) {
        lines.push_back("  and " + std::to_string(cause.differences.size() - most) + " more");
    }
    return lines;
}

constexpr std::uint64_t most_points = 600; // of a plot

std::vector<core::Deviation> deviations(const core::Capture& a, const core::Capture& b, physics::Executor* executor) {
    core::RecordedStates in_a(a, executor), in_b(b, executor);
    physics::FrameState frame_a, frame_b;
    std::vector<core::Deviation> out;
    const std::uint64_t last = std::min(a.steps.size(), b.steps.size());
    const std::uint64_t every = std::max<std::uint64_t>(1, last / most_points);
    Progress progress("comparing");
    for (std::uint64_t step = 0; step <= last; ++step) {
        // Each step is asked for, so that what is known is carried on; keyframes alone may be known.
        const physics::World* world_a = in_a.at(step);
        const physics::World* world_b = in_b.at(step);
        const bool rare = in_a.next_keyframe(step) == step || in_b.next_keyframe(step) == step;
        if (world_a != nullptr && world_b != nullptr && (step % every == 0 || rare)) {
            world_a->publish(frame_a);
            world_b->publish(frame_b);
            out.push_back(core::deviation(frame_a, frame_b));
        }
        progress.show(static_cast<double>(step) / static_cast<double>(std::max<std::uint64_t>(last, 1)));
    }
    return out;
}

std::string text_of(bool value) {
    return value ? "yes" : "no";
}

} // namespace

int run_diff(const DiffArguments& arguments) {
    const core::Capture a = core::read_capture(arguments.a), b = core::read_capture(arguments.b);
    const auto workers = core::make_worker_pool(arguments.threads);
    const Found found = first_difference(a, b);
    core::PageSection section;
    section.title = arguments.a.string() + " and " + arguments.b.string();
    section.recorded = "A: " + arguments.a.string();
    section.found = "B: " + arguments.b.string();
    section.same = !found.step;
    const std::string verdict = verdict_of(a, b, found);
    std::vector<std::string> lines;
    if (!(a.header.scene == b.header.scene)) {
        lines.push_back("the scenes are not the same");
    }
    core::Cause cause;
    const std::uint64_t shared = std::min(a.steps.size(), b.steps.size());
    if (found.step && *found.step <= shared) {
        core::RecordedStates in_a(a, workers.get()), in_b(b, workers.get());
        cause = explain(in_a, in_b, *found.step, shared);
        const std::vector<std::string> more = lines_of(cause);
        lines.insert(lines.end(), more.begin(), more.end());
    }
    std::printf("%s\n", verdict.c_str());
    for (const std::string& line : lines) {
        std::printf("  %s\n", line.c_str());
    }
    if (!arguments.report.empty()) {
        section.verdict = {verdict};
        section.verdict.insert(section.verdict.end(), lines.begin(), lines.end());
        section.environment = {
            {"program", a.header.build, b.header.build},
            {"format", "version " + std::to_string(a.version), "version " + std::to_string(b.version)},
            {"scene", a.header.scene.name, b.header.scene.name},
            {"steps", std::to_string(a.steps.size()), std::to_string(b.steps.size())},
            {"whole states", std::to_string(a.keyframes.size()), std::to_string(b.keyframes.size())},
            {"cut off", text_of(a.truncated), text_of(b.truncated)},
            {"read by", core::build_name(), core::build_name()}};
        section.deviations = deviations(a, b, workers.get());
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
            section.how_to_open = {"cairn " + quoted(arguments.a) + " --at " + std::to_string(before),
                                   "cairn " + quoted(arguments.b) + " --at " + std::to_string(before)};
        }
        core::replace_file(arguments.report, core::comparison_page("Two captures", {}, {section}));
    }
    return found.step || a.truncated || b.truncated ? exit_check_failed : exit_success;
}

} // namespace cairn::cli
