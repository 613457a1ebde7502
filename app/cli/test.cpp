// cairn test: scenes held to what they expect, and what is left of those that fail.
#include "app/cli/command_files.h"
#include "app/cli/report.h"
#include "app/cli/side_by_side.h"
#include "app/cli/verbs.h"
#include "app/core/base/error.h"
#include "app/core/base/interruption.h"
#include "app/core/base/standard_input.h"
#include "app/core/base/text_file.h"
#include "app/core/expect/scene_test.h"
#include "app/core/report/json.h"
#include "app/core/report/junit.h"
#include "app/core/scene/document.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <set>

namespace cairn::cli {
namespace {

// One scene, and what came of it.
struct Tested {
    std::string name;
    Path stem; // of what is left of a failure
    core::Scene scene;
    core::SceneTest test;
    core::PageSection section;
    Path capture;      // of a failure
    std::string error; // bad input
    int code = exit_success;
    double seconds = 0.0;
};

std::string place_of(const Tested& one, const core::Expectation& e) {
    const core::Location& at = e.place.at;
    return (at.file.empty() ? one.name : at.file) + ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
}

std::string failure_text(const Tested& one, std::size_t which) {
    const core::Expectation& e = one.scene.expectations[which];
    const core::ExpectationOutcome& outcome = one.test.outcomes[which];
    return place_of(one, e) + ": FAILED at step " + std::to_string(outcome.step) + ": " + core::description(e) +
           ", but " + outcome.found + (e.why.empty() ? "" : " (" + e.why + ")");
}

std::string verdict_of(const Tested& one) {
    const std::size_t all = one.test.outcomes.size();
    const auto met = static_cast<std::size_t>(
        std::count_if(one.test.outcomes.begin(), one.test.outcomes.end(), [](const core::ExpectationOutcome& o) {
            return o.status == core::ExpectationOutcome::Status::met;
        }));
    if (all == 0) {
        return "nothing is expected of it";
    }
    return (met == all ? "ok, " + std::to_string(all) : std::to_string(met) + " of " + std::to_string(all)) +
           (all == 1 ? " expectation" : " expectations") + (met == all ? "" : " met") + ", " +
           std::to_string(one.test.steps) + " steps";
}

// How to look at a failure: in the window, at the moment before.
std::string how_to_open(const Tested& one) {
    const std::uint64_t step = one.test.outcomes[*one.test.first_failure].step;
    return "cairn " + quoted(one.capture) + " --at " + std::to_string(step > 0 ? step - 1 : 0);
}

// The first failure, with the body that it is about.
void draw(Tested& one) {
    const core::ExpectationOutcome& failure = one.test.outcomes[*one.test.first_failure];
    const std::vector<std::uint32_t> marked =
        failure.body ? std::vector<std::uint32_t>{*failure.body} : std::vector<std::uint32_t>{};
    Pictures pictures(one.section, one.scene.camera, marked, one.scene.zones);
    pictures.add(core::world_at(core::read_capture(one.capture), failure.step),
                 "Step " + std::to_string(failure.step) + ", where it failed");
    if (!one.section.pictures.empty()) {
        core::OutputFile file(Path(one.stem) += ".failed.png");
        file.write(one.section.pictures.front().png);
        file.finish();
    }
}

void test(Tested& one, physics::Executor* executor, const std::function<void(double)>& progress) {
    const auto start = std::chrono::steady_clock::now();
    one.test = core::run_scene_test(one.scene, executor, progress);
    one.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (one.test.passed) {
        return;
    }
    one.code = exit_check_failed;
    std::uint64_t last = 0;
    for (const core::ExpectationOutcome& outcome : one.test.outcomes) {
        last = outcome.status == core::ExpectationOutcome::Status::failed ? std::max(last, outcome.step) : last;
    }
    one.capture = Path(one.stem) += ".failed.cairn";
    one.section.title = one.name;
    one.section.verdict = {verdict_of(one)};
    for (std::size_t i = 0; i < one.test.outcomes.size(); ++i) {
        if (one.test.outcomes[i].status == core::ExpectationOutcome::Status::failed) {
            one.section.verdict.push_back(failure_text(one, i));
        }
    }
    // What is left of it helps people; what was found holds without it.
    try {
        core::record_scene(one.scene, last, one.capture, executor);
        one.section.how_to_open = {how_to_open(one)};
        draw(one);
    } catch (const core::OutputError& error) {
        one.section.picture_note = error.what();
        one.code = exit_machine;
    } catch (const core::InputError& error) {
        one.section.picture_note = error.what();
    }
}

void print(const Tested& one) {
    std::printf("%s: %s\n", one.name.c_str(), verdict_of(one).c_str());
    for (std::size_t i = 0; i < one.test.outcomes.size(); ++i) {
        if (one.test.outcomes[i].status != core::ExpectationOutcome::Status::met) {
            std::printf("  %s\n", failure_text(one, i).c_str());
        }
    }
    for (const std::string& command : one.section.how_to_open) {
        std::printf("  the moment before: %s\n", command.c_str());
    }
    if (!one.section.picture_note.empty()) {
        std::printf("  %s\n", one.section.picture_note.c_str());
    }
    std::fflush(stdout);
}

void test_all(const TestArguments& arguments, std::vector<Tested>& all) {
    std::vector<std::string> names;
    for (const Tested& one : all) {
        names.push_back(one.name);
    }
    const bool prints = arguments.json != "-" && arguments.junit != "-" && arguments.report != "-";
    SideBySide runs;
    runs.label = "testing";
    runs.quiet = arguments.quiet;
    runs.jobs = arguments.jobs;
    runs.threads = arguments.threads;
    runs.run(
        names,
        [&](std::size_t i, physics::Executor* executor, const std::function<void(double)>& progress) {
            if (!all[i].error.empty()) { // it could not be read
                return;
            }
            try {
                test(all[i], executor, progress);
            } catch (const core::OutputError&) {
                throw;
            } catch (const core::InputError& error) {
                if (!error.location().file.empty()) {
                    throw;
                }
                throw core::InputError(core::Location{names[i], 0, 0}, error.message());
            }
        },
        [&](std::size_t i, const WorkFailure& failure) {
            Tested& one = all[i];
            if (!failure.error.empty()) {
                one.error = failure.error;
                one.code = failure.code;
            }
            if (!one.error.empty()) {
                std::fflush(stdout);
                print_error(one.error);
            } else if (prints && !failure.interrupted && (!arguments.quiet || one.code != exit_success)) {
                print(one);
            }
        });
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
        std::sort(inside.begin(), inside.end());
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
            one.scene = files.scene(file, arguments.confined);
            for (const std::string& assignment : arguments.set) {
                core::set_value(one.scene, assignment);
            }
        } catch (const core::InputError& error) {
            one.error = error.location().file.empty() ? one.name + ": " + error.what() : error.what();
            one.code = exit_bad_input;
        }
    }
    const bool any = std::any_of(all.begin(), all.end(), [](const Tested& one) {
        return !one.error.empty() || !one.scene.expectations.empty();
    });
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
        for (std::size_t i = 0; i < one.test.outcomes.size(); ++i) {
            const bool met = one.test.outcomes[i].status == core::ExpectationOutcome::Status::met;
            cases.push_back({one.name + ": " + core::description(one.scene.expectations[i]), i == 0 ? one.seconds : 0.0,
                             "", met ? std::string() : failure_text(one, i),
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
            entry["expectations"] = core::Json::array();
            for (std::size_t i = 0; i < one.test.outcomes.size(); ++i) {
                const core::Expectation& e = one.scene.expectations[i];
                const core::ExpectationOutcome& outcome = one.test.outcomes[i];
                const bool met = outcome.status == core::ExpectationOutcome::Status::met;
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
    const auto junit = files.open("--junit", arguments.junit);
    const auto report = files.open("--report", arguments.report);
    const auto json = files.open("--json", arguments.json);
    const core::InterruptionGuard guard;
    test_all(arguments, all);
    int code = exit_success;
    std::vector<core::PageRow> rows;
    std::vector<core::PageSection> sections;
    for (const Tested& one : all) {
        code = std::max(code, one.code);
        rows.push_back({one.name, one.error.empty() ? verdict_of(one) : one.error, one.code == exit_success});
        if (one.error.empty() && one.code != exit_success) {
            sections.push_back(one.section);
        }
    }
    if (junit) {
        junit->write(junit_of(all));
        junit->finish();
    }
    if (json) {
        json->write(core::text_of(json_of(all), 1));
        json->finish();
    }
    if (report) {
        report->write(core::comparison_page("Scenes and what they expect", rows, sections, "scene"));
        report->finish();
    }
    return code;
}

} // namespace cairn::cli
