#include "app/cli/verbs/checks/capture_check.h"

#include "app/cli/output/report.h"
#include "app/core/base/error.h"
#include "app/core/base/files/standard_input.h"
#include "app/core/capture/verify/rebless.h"
#include "app/core/report/formats/number_text.h"

#include <algorithm>
#include <chrono>

namespace cairn::cli {
namespace {

// The greatest that were met, for people.
std::string furthest(const std::vector<core::Deviation>& deviations) {
    double position = 0.0, rotation = 0.0, energy = 0.0, penetration = 0.0;
    for (const core::Deviation& d : deviations) {
        position = std::max(position, d.position);
        rotation = std::max(rotation, d.rotation);
        energy = std::max(energy, d.energy());
        penetration = std::max(penetration, d.penetration());
    }
    return "position " + core::short_number(position) + " m, rotation " + core::short_number(rotation) +
           " rad, energy " + core::short_number(energy) + ", penetration " + core::short_number(penetration) + " m";
}

// Before the step, after it, and where recorded and computed states can be seen beside each other.
void draw(const core::Capture& capture, const core::Verification& result, core::PageSection& section) {
    const std::uint64_t step = result.divergence->step;
    if (step == 0) {
        section.picture_note = "There are no pictures: the scene itself has a different initial state.";
        return;
    }
    Pictures pictures(section, capture.header.scene.camera, result.cause->body_slots);
    pictures.add(core::world_at(capture, step - 1),
                 "Before: step " + std::to_string(step - 1) + ", as recorded and as found");
    pictures.add(core::world_at(capture, step), "After: step " + std::to_string(step) + ", as found");
    if (!result.cause->compared_at) {
        return;
    }
    const std::uint64_t seen = *result.cause->compared_at;
    core::RecordedStates states(capture);
    if (const physics::World* recorded = states.at(seen)) {
        pictures.add(*recorded, "Step " + std::to_string(seen) + ", as recorded");
    }
    // From before the difference on, as the program goes by itself.
    physics::World found = core::world_at(capture, step - 1);
    while (found.step_count() < seen) {
        core::replay_step(found, capture.steps[found.step_count()]);
    }
    pictures.add(found, "Step " + std::to_string(seen) + ", as found");
}

void describe(const Path& path, const core::Capture& capture, const core::Verification& result, CaptureCheck& out) {
    core::PageSection& section = out.section;
    section.title = core::shown_name(path);
    section.same = out.code == exit_success;
    section.verdict = {out.verdict};
    section.verdict.insert(section.verdict.end(), out.details.begin(), out.details.end());
    section.environment = {
        {"program", capture.header.build, core::build_name()},
        {"format", "version " + std::to_string(capture.version), "version " + std::to_string(core::capture_version)}};
    section.deviations = result.deviations;
    if (result.divergence) {
        section.first_difference = result.divergence->step;
        section.differences = result.cause->differences;
        section.compared_at = result.cause->compared_at.value_or(0);
        draw(capture, result, section);
        section.how_to_open = {command_to_open(path, result.divergence->step)};
    }
}

} // namespace

void reject_text(const Path& path) {
    if (!core::looks_like_capture(path) && core::looks_like_text(path)) {
        throw core::InputError(core::Location{core::shown_name(path), 0, 0},
                               "is a text and no capture; `cairn check` and `cairn test` take scenes, and `cairn "
                               "simulate SCENE --capture F.cairn` records one");
    }
}

core::Capture read_recorded(const Path& path) {
    reject_text(path);
    return core::read_capture(path);
}

std::string count(std::uint64_t number, const char* what) {
    return std::to_string(number) + ' ' + what + (number == 1 ? "" : "s");
}

CaptureCheck check_capture(const Path& path, const VerifyArguments& arguments, physics::Executor* executor,
                           const std::function<void(double)>& progress) {
    CaptureCheck out;
    const auto start = std::chrono::steady_clock::now();
    const core::Capture capture = read_recorded(path);
    core::VerifyOptions options;
    options.executor = executor;
    options.progress = progress;
    const bool tolerant = !arguments.tolerance.empty();
    if (tolerant) {
        options.envelope = core::parse_envelope(arguments.tolerance);
    } else if (!arguments.report.empty() && !capture.keyframes.empty()) {
        options.envelope.emplace(); // holds to nothing, but measures
    }
    const core::Verification result = core::verify(capture, options);
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    out.steps = result.steps;
    if (result.divergence) {
        out.first_difference = result.divergence->step;
    }
    if (tolerant ? !result.exceeded.empty() : result.divergence.has_value()) {
        out.code = exit_check_failed;
        out.verdict = tolerant ? "OUT OF TOLERANCE: " + result.exceeded : result.divergence->what;
    } else if (result.truncated) {
        // Fine to watch, but no guard: what was lost may be what diverges.
        out.code = exit_check_failed;
        out.verdict = "INCOMPLETE: the file is cut off after step " + std::to_string(result.steps) + ", equal so far";
    } else if (tolerant && result.divergence) {
        out.verdict = "within tolerance, " + count(result.steps, "step") + ", first differing hash at step " +
                      std::to_string(result.divergence->step) + "; furthest off: " + furthest(result.deviations);
    } else {
        out.verdict = "ok, " + count(result.steps, "step");
    }
    if (result.cause && out.code != exit_success) {
        out.details = cause_lines(*result.cause);
        if (capture.header.build != core::build_name()) {
            out.details.push_back("recorded by " + capture.header.build + "; this is " + core::build_name());
        }
    }
    if (result.stopped) {
        out.details.push_back("warning: at step " + std::to_string(result.stopped->step) + ' ' + result.stopped->what +
                              "; what follows is repeated, and is no motion to hold anything to");
    }
    if (!arguments.report.empty()) {
        describe(path, capture, result, out);
    }
    return out;
}

CaptureCheck rebless_capture(const Path& path, physics::Executor* executor,
                             const std::function<void(double)>& progress) {
    CaptureCheck out;
    const auto start = std::chrono::steady_clock::now();
    const core::Capture capture = read_recorded(path);
    const core::Reblessing result = core::rebless(capture, executor, progress);
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    out.steps = capture.steps.size();
    out.first_difference = result.first_moved;
    if (!result.rewritten) {
        out.verdict = "unchanged";
        return out;
    }
    if (result.first_moved) {
        out.verdict = "rewritten: differs from step " + std::to_string(*result.first_moved) + " on";
        if (result.furthest.step > 0) {
            out.verdict += "; furthest off: " + result.furthest_body + " by " +
                           core::short_number(result.furthest.position) + " m at step " +
                           std::to_string(result.furthest.step);
        }
    } else {
        out.verdict = "rewritten: the same motion, in version " + std::to_string(core::capture_version);
    }
    if (result.rejected > 0) {
        out.details.push_back("left out " + count(result.rejected, "command") + " that the world now rejects; " +
                              result.first_rejection);
    }
    return out;
}

} // namespace cairn::cli
