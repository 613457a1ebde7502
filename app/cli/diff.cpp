// Two captures beside each other.
#include "app/cli/capture_check.h"
#include "app/cli/command_files.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/core/base/interruption.h"
#include "app/core/base/standard_input.h"
#include "app/core/capture/verification.h"
#include "app/core/report/json.h"
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
        return {0, "the scenes have different initial states"};
    }
    const std::size_t shared = std::min(a.steps.size(), b.steps.size());
    for (std::size_t i = 0; i < shared; ++i) {
        const bool commands = a.steps[i].commands != b.steps[i].commands;
        if (commands || a.steps[i].hash != b.steps[i].hash) {
            return {i + 1, commands ? "the commands of the step differ"
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

// The parts of two scenes that are not the same, in words; empty: there are none.
std::string what_scenes_differ_in(const core::Scene& a, const core::Scene& b) {
    std::string parts;
    const auto add = [&](bool same, const std::string& part) {
        if (!same) {
            parts += (parts.empty() ? "" : ", ") + part;
        }
    };
    const auto add_list = [&](const auto& of_a, const auto& of_b, const std::string& one, const std::string& many) {
        if (of_a.size() != of_b.size()) {
            add(false, "the number of " + many + " (" + std::to_string(of_a.size()) + " and " +
                           std::to_string(of_b.size()) + ")");
            return;
        }
        const auto [in_a, in_b] = std::mismatch(of_a.begin(), of_a.end(), of_b.begin());
        if (in_a != of_a.end()) {
            add(false,
                one + " " + std::to_string(in_a - of_a.begin()) + (in_a->name.empty() ? "" : " \"" + in_a->name + '"'));
        }
    };
    add(a.name == b.name, "the name");
    add(a.description == b.description, "the description");
    add(a.settings == b.settings, "the settings");
    add(a.camera == b.camera, "the camera");
    add_list(a.bodies, b.bodies, "body", "bodies");
    add_list(a.joints, b.joints, "joint", "joints");
    return parts;
}

// One line. Captures of which one is cut off are not the same, however equal: what was lost may be what differs.
std::string verdict_of(const core::Capture& a, const core::Capture& b, const Found& found, const std::string& scenes) {
    const std::string cut = what_is_cut_off(a, b);
    if (found.step) {
        return "DIFFER at step " + std::to_string(*found.step) + ": " + found.what + (cut.empty() ? "" : "; " + cut);
    }
    if (!cut.empty()) {
        return "INCOMPLETE: " + cut + ", equal up to step " + std::to_string(std::min(a.steps.size(), b.steps.size()));
    }
    if (!scenes.empty()) {
        return "DIFFER in their scenes, though all " + std::to_string(a.steps.size()) + " steps are the same";
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
        lines.push_back("from there on no step has known states of both: this program computes neither of them, "
                        "and none was recorded");
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
        core::interruption_point();
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
    CommandFiles files;
    const Path path_a = files.input(arguments.a), path_b = files.input(arguments.b);
    const std::string name_a = core::shown_name(path_a), name_b = core::shown_name(path_b);
    const auto report = files.open("--report", arguments.report);
    const auto json = files.open("--json", arguments.json);
    const core::InterruptionGuard guard;
    const core::Capture a = read_recorded(path_a), b = read_recorded(path_b);
    const auto workers = core::make_worker_pool(arguments.threads);
    const Found found = first_difference(a, b);
    core::PageSection section;
    section.title = name_a + " and " + name_b;
    section.recorded = "A: " + name_a;
    section.found = "B: " + name_b;
    const std::string scenes = what_scenes_differ_in(a.header.scene, b.header.scene);
    section.same = !found.step && scenes.empty();
    const std::string verdict = verdict_of(a, b, found, scenes);
    std::vector<std::string> lines;
    if (!scenes.empty()) {
        lines.push_back("the scenes differ in " + scenes);
    }
    core::Cause cause;
    const std::uint64_t shared = std::min(a.steps.size(), b.steps.size());
    if (found.step && *found.step <= shared) {
        core::RecordedStates in_a(a, workers.get()), in_b(b, workers.get());
        cause = explain(in_a, in_b, *found.step, shared);
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
        json->write(core::text_of(out, 1));
        json->finish();
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
            section.how_to_open = {"cairn " + quoted(path_a) + " --at " + std::to_string(before),
                                   "cairn " + quoted(path_b) + " --at " + std::to_string(before)};
        }
        report->write(core::comparison_page("Two captures", {}, {section}));
        report->finish();
    }
    return same ? exit_success : exit_check_failed;
}

} // namespace cairn::cli
