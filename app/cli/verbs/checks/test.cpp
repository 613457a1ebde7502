// cairn test: scenes held to what they expect, and what is left of those that fail.
#include "app/cli/output/report.h"
#include "app/cli/verbs/checks/checked.h"
#include "app/core/base/error.h"
#include "app/core/base/files/text_file.h"
#include "app/core/base/interruption.h"
#include "app/core/expect/scene_test.h"
#include "app/core/report/formats/json.h"
#include "app/core/report/formats/junit.h"
#include "app/core/scene/json/document.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <set>

namespace cairn::cli {
namespace {

// One scene, and what came of it.
struct Tested : Checked {
    Path stem; // of what is left of a failure
    core::Scene scene;
    core::SceneTest test;
    Path capture; // of a failure
};

std::string place_of(const Tested& one, const core::Expectation& e) {
    const core::Location& at = e.place.at;
    return (at.file.empty() ? one.name : at.file) + ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
}

// What a scene did that it must not.
struct Failure {
    std::uint64_t step = 0;
    std::optional<std::uint32_t> body;
    std::string text; // with the place in the file
};

Failure failure_of(const Tested& one, std::size_t which) {
    const core::Expectation& e = one.scene.expectations[which];
    const core::ExpectationOutcome& outcome = one.test.outcomes[which];
    return {outcome.step, outcome.body,
            place_of(one, e) + ": FAILED at step " + std::to_string(outcome.step) + ": " + core::description(e) +
                ", but " + outcome.found + (e.why.empty() ? "" : " (" + e.why + ")")};
}

std::optional<Failure> failure_of_motion(const Tested& one) {
    const std::optional<core::StoppedBody>& stopped = one.test.stopped;
    if (!stopped) {
        return std::nullopt;
    }
    return Failure{stopped->step, stopped->body,
                   one.name + ": FAILED at step " + std::to_string(stopped->step) + ": " + stopped->what};
}

bool is_met(const core::ExpectationOutcome& outcome) {
    return outcome.status == core::ExpectationOutcome::Status::met;
}

// In the order of the file.
std::vector<Failure> failures_of(const Tested& one) {
    std::vector<Failure> failures;
    if (const auto failure = failure_of_motion(one)) {
        failures.push_back(*failure);
    }
    for (std::size_t i = 0; i < one.test.outcomes.size(); ++i) {
        if (!is_met(one.test.outcomes[i])) {
            failures.push_back(failure_of(one, i));
        }
    }
    return failures;
}

std::string verdict_of(const Tested& one) {
    const std::size_t all = one.test.outcomes.size();
    const auto met = static_cast<std::size_t>(std::ranges::count_if(one.test.outcomes, is_met));
    if (all == 0) {
        return "nothing is expected of it";
    }
    return (one.test.passed ? "ok, " + std::to_string(all) : std::to_string(met) + " of " + std::to_string(all)) +
           (all == 1 ? " expectation" : " expectations") + (one.test.passed ? "" : " met") + ", " +
           std::to_string(one.test.steps) + " steps" + (one.test.stopped ? ", and a body was stopped" : "");
}

// The first failure: how to look at it in the window, at the moment before, and a picture with its body.
void show(Tested& one, const Failure& first) {
    one.section.how_to_open = {command_to_open(one.capture, first.step)};
    const std::vector<std::uint32_t> marked =
        first.body ? std::vector<std::uint32_t>{*first.body} : std::vector<std::uint32_t>{};
    Pictures pictures(one.section, one.scene.camera, marked, one.scene.zones);
    pictures.add(core::world_at(core::read_capture(one.capture), first.step),
                 "Step " + std::to_string(first.step) + ", where it failed");
    if (!one.section.pictures.empty()) {
        core::OutputFile file(Path(one.stem) += ".failed.png");
        file.write(one.section.pictures.front().png);
        file.finish();
    }
}

void keep_failures(Tested& one, const std::vector<Failure>& failures, physics::Executor* executor) {
    const auto earlier = [](const Failure& a, const Failure& b) { return a.step < b.step; };
    const Failure& first = *std::ranges::min_element(failures, earlier);
    const std::uint64_t last = std::ranges::max_element(failures, earlier)->step;
    one.capture = Path(one.stem) += ".failed.cairn";
    one.section.title = one.name;
    one.section.verdict = {one.verdict};
    for (const Failure& failure : failures) {
        one.section.verdict.push_back(failure.text);
        one.details.push_back(failure.text);
    }
    // What is left of it helps people; what was found holds without it.
    try {
        core::record_scene(one.scene, last, one.capture, executor);
        show(one, first);
    } catch (const core::OutputError& error) {
        one.section.picture_note = error.what();
        one.code = exit_machine;
    } catch (const core::InputError& error) {
        one.section.picture_note = error.what();
    }
    for (const std::string& command : one.section.how_to_open) {
        one.details.push_back("the moment before: " + command);
    }
    if (!one.section.picture_note.empty()) {
        one.details.push_back(one.section.picture_note);
    }
}

void test(Tested& one, physics::Executor* executor, const std::function<void(double)>& progress) {
    if (!one.error.empty()) { // it could not be read
        return;
    }
    const auto start = std::chrono::steady_clock::now();
    try {
        one.test = core::run_scene_test(one.scene, executor, progress);
        one.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        one.verdict = verdict_of(one);
        one.code = one.test.passed ? exit_success : exit_check_failed;
        const std::vector<Failure> failures = failures_of(one);
        if (!failures.empty()) { // else nothing is expected of it, or all is met
            keep_failures(one, failures, executor);
        }
    } catch (const core::OutputError&) {
        throw;
    } catch (const core::InputError& error) {
        if (!error.location().file.empty()) {
            throw;
        }
        throw core::InputError(core::Location{one.name, 0, 0}, error.message());
    }
}

// Sweeps lie beside the scenes that they are about.
bool is_sweep(const Path& path) {
    try {
        const std::string text = core::read_whole_file(path);
        const core::Document document(text, path.string());
        return document.root().kind == core::NodeKind::object &&
               document.member(document.root(), "cairn_sweep") != nullptr;
    } catch (const core::InputError&) {
        return false; // reading it as a scene will say what is wrong
    }
}

// Scenes and folders as they were given; of a folder the scenes in it, by name.
std::vector<Path> scenes_of(const std::vector<Path>& given) {
    std::vector<Path> scenes;
    for (const Path& each : given) {
        std::error_code error;
        if (!std::filesystem::is_directory(each, error)) {
            scenes.push_back(each);
            continue;
        }
        std::vector<Path> inside;
        for (const core::SceneFile& file : core::list_scenes(each)) {
            if (!is_sweep(file.path)) {
                inside.push_back(file.path);
            }
        }
        if (inside.empty()) {
            throw core::InputError(core::Location{each.string(), 0, 0}, "there is no scene in this folder");
        }
        std::ranges::sort(inside);
        scenes.insert(scenes.end(), inside.begin(), inside.end());
    }
    return scenes;
}

std::vector<Tested> read_all(const TestArguments& arguments, CommandFiles& files) {
    std::vector<Tested> all;
    std::set<std::string> stems;
    for (const Path& given : scenes_of(arguments.scenes)) {
        Tested& one = all.emplace_back();
        one.name = given == "-" ? "standard input" : given.string();
        try {
            const Path file = files.input(given);
            std::string stem = given == "-" ? "standard_input" : file.stem().string();
            for (int number = 2; !stems.insert(stem).second; ++number) { // two folders may have scenes of one name
                stem = file.stem().string() + '_' + std::to_string(number);
            }
            one.stem = arguments.out / stem;
            one.scene = files.scene(file, arguments.confined, arguments.set);
        } catch (const core::InputError& error) {
            const std::string what = error.what();
            one.error = error.location().file.empty() && !what.starts_with(one.name) ? one.name + ": " + what : what;
            one.code = exit_bad_input;
        }
    }
    const bool any = std::ranges::any_of(
        all, [](const Tested& one) { return !one.error.empty() || !one.scene.expectations.empty(); });
    if (!any) {
        throw core::InputError("nothing is expected of " +
                               std::string(all.size() == 1 ? "the scene" : "any of the scenes") +
                               ", so nothing can be tested: see \"expect\" in docs/reference/scene-format.md");
    }
    // What a failure may leave must not take the place of a scene.
    for (const Tested& one : all) {
        if (one.error.empty()) {
            files.output("what a failure leaves,", Path(one.stem) += ".failed.cairn");
            files.output("what a failure leaves,", Path(one.stem) += ".failed.png");
        }
    }
    return all;
}

std::string junit_of(const std::vector<Tested>& all) {
    std::vector<core::JunitCase> cases;
    for (const Tested& one : all) {
        if (!one.error.empty() || one.scene.expectations.empty()) {
            cases.push_back({one.name, one.seconds, one.error, "", {}});
        }
        if (const auto failure = failure_of_motion(one)) {
            cases.push_back(
                {one.name + ": every motion stays finite", 0.0, "", failure->text, one.section.how_to_open});
        }
        for (std::size_t i = 0; i < one.test.outcomes.size(); ++i) {
            const bool met = is_met(one.test.outcomes[i]);
            cases.push_back({one.name + ": " + core::description(one.scene.expectations[i]), i == 0 ? one.seconds : 0.0,
                             "", met ? std::string() : failure_of(one, i).text,
                             met ? std::vector<std::string>{} : one.section.how_to_open});
        }
    }
    return core::junit_file("cairn test", "cairn.test", cases);
}

core::Json json_of(const std::vector<Tested>& all) {
    core::Json scenes = core::Json::array();
    for (const Tested& one : all) {
        core::Json entry{{"scene", one.name}, {"ok", one.code == exit_success}};
        if (!one.error.empty()) {
            entry["error"] = one.error;
        } else {
            entry["steps"] = one.test.steps;
            if (const auto& stopped = one.test.stopped) {
                entry["stopped"] = {{"step", stopped->step}, {"body", stopped->body}, {"what", stopped->what}};
            }
            entry["expectations"] = core::Json::array();
            for (std::size_t i = 0; i < one.test.outcomes.size(); ++i) {
                const core::Expectation& e = one.scene.expectations[i];
                const core::ExpectationOutcome& outcome = one.test.outcomes[i];
                const bool met = is_met(outcome);
                core::Json out{{"what", core::description(e)}, {"met", met}, {"step", outcome.step}};
                out["file"] = e.place.at.file;
                out["line"] = e.place.at.line;
                if (!met) {
                    out["found"] = outcome.found;
                    out["value"] = outcome.value ? core::Json(*outcome.value) : core::Json();
                    out["body"] = outcome.body ? core::Json(*outcome.body) : core::Json();
                }
                entry["expectations"].push_back(std::move(out));
            }
            if (!one.section.how_to_open.empty()) {
                entry["capture"] = one.capture.string();
            }
        }
        scenes.push_back(std::move(entry));
    }
    return {{"scenes", scenes}};
}

} // namespace

int run_test(const TestArguments& arguments) {
    CommandFiles files;
    std::vector<Tested> all = read_all(arguments, files);
    const CheckedFiles checked(files, arguments);
    const core::InterruptionGuard guard;
    checked.check(each_of(all), "testing", arguments.quiet, arguments.threads,
                  [&](std::size_t i, physics::Executor* executor, const std::function<void(double)>& progress) {
                      test(all[i], executor, progress);
                  });
    return checked.write(each_of(all), {[&] { return junit_of(all); }, [&] { return core::text_of(json_of(all), 1); },
                                        "Scenes and what they expect", "scene"});
}

} // namespace cairn::cli
