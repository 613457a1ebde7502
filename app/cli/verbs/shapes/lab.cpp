#include "app/cli/options/verbs.h"
#include "app/cli/output/progress.h"
#include "app/cli/verbs/runs/picture.h"
#include "app/core/base/error.h"
#include "app/core/base/files/standard_input.h"
#include "app/core/base/files/text_file.h"
#include "app/core/query/question_file.h"
#include "app/core/report/formats/json.h"
#include "app/core/report/report.h"
#include "app/core/scene/values/value_reader.h"
#include "app/lab/choices.h"
#include "app/lab/pair_of_question.h"
#include "app/lab/planar/planar_tracer.h"

#ifdef CAIRN_GUI
#include "app/ui/lab/picture/lab_export.h"
#include "render/offscreen.h"
#endif

#include <algorithm>
#include <cstdio>
#include <optional>

namespace cairn::cli {
namespace {

namespace lab = core::lab;
using core::Json;

constexpr std::string_view planar_name = "planar"; // beside all_choices(): the pair comes from a file of its own

// The line with that number, or the first that is not blank.
const core::QuestionLine& line_of(const core::QuestionFile& file, std::uint64_t wanted) {
    if (wanted == 0) {
        return file.lines.front();
    }
    if (wanted > file.line_count) {
        throw core::InputError(core::Location{file.name, 0, 0},
                               "has " + std::to_string(file.line_count) + " lines, not " + std::to_string(wanted));
    }
    const auto line = std::ranges::find(file.lines, wanted, &core::QuestionLine::number);
    if (line == file.lines.end()) {
        throw core::InputError(core::Location{file.name, wanted, 1}, "the line is empty");
    }
    return *line;
}

void print_list() {
    for (const lab::Choice& choice : lab::all_choices()) {
        const std::string_view what = choice.algorithm ? lab::about(*choice.algorithm) : choice.title;
        std::printf("%-24s %s\n", std::string(choice.name).c_str(), std::string(what).c_str());
    }
    std::printf("%-24s %s\n", std::string(planar_name).c_str(), "GJK and EPA on a file with two polygons in a plane");
}

const lab::Choice& choice_of(const std::string& name) {
    if (const lab::Choice* choice = lab::choice_named(name)) {
        return *choice;
    }
    std::vector<std::string_view> known{planar_name};
    for (const lab::Choice& choice : lab::all_choices()) {
        known.push_back(choice.name);
    }
    throw core::InputError("there is no algorithm " + core::in_quotes(name) + ";" + core::suggestion(name, known));
}

Json json_of_step(const lab::LabRun& run, std::size_t index) {
    const lab::LabStep& step = run.steps[index];
    Json out;
    out["algorithm"] = run.algorithm;
    out["step"] = index + 1;
    out["of"] = run.steps.size();
    out["sentence"] = step.sentence;
    out["status"] = step.status;
    out["readings"] = Json::object();
    for (const lab::Reading& reading : step.readings) {
        out["readings"][reading.name] = reading.value;
    }
    return out;
}

std::string text_of_run(const lab::LabRun& run) {
    std::string out;
    for (std::size_t i = 0; i < run.steps.size(); ++i) {
        out += core::text_of(json_of_step(run, i));
    }
    Json answer;
    answer["algorithm"] = run.algorithm;
    answer["answer"] = run.answer;
    answer["failed"] = run.failed;
    return out + core::text_of(answer);
}

#ifdef CAIRN_GUI
// One picture a step, the steps as text, and a film of them where ffmpeg is there; or a picture of one step alone.
void write_pictures(const lab::LabPair& pair, const lab::LabRun& run, const LabArguments& arguments,
                    const Path& folder) {
    const auto [width, height] = arguments.size;
    try {
        const render::OffscreenContext context;
        if (arguments.step > 0) {
            if (arguments.step > run.steps.size()) {
                throw core::InputError("--step " + std::to_string(arguments.step) + ": " + run.algorithm + " takes " +
                                       std::to_string(run.steps.size()) + " steps here");
            }
            ui::LabPictures pictures(width, height);
            render::write_png(folder, pictures.draw(pair, run, arguments.step - 1));
            return;
        }
        ui::LabExport pictures(pair, run, folder, width, height);
        Progress progress("drawing");
        while (!pictures.done()) {
            pictures.advance();
            progress.show(pictures.progress());
        }
        core::write_text_file(folder / "steps.jsonl", text_of_run(run));
        if (!pictures.has_film()) {
            std::fprintf(stderr, "%s: no steps.gif, since the program ffmpeg is not there\n", folder.string().c_str());
        }
    } catch (const render::RenderError& error) {
        throw core::MachineError(std::string("this machine cannot draw the picture: ") + error.what());
    }
}
#else
void write_pictures(const lab::LabPair&, const lab::LabRun&, const LabArguments&, const Path&) {
    reject_pictures();
}
#endif

int show(const lab::LabPair& pair, const lab::LabRun& run, const LabArguments& arguments, const Path& folder) {
    if (folder.empty()) {
        const std::string text = text_of_run(run);
        std::fwrite(text.data(), 1, text.size(), stdout);
    } else {
        write_pictures(pair, run, arguments, folder);
    }
    return run.failed ? exit_check_failed : exit_success;
}

// An article's version, which is expected to fail, with the engine's beside it; or an algorithm alone.
int show(const lab::LabPair& pair, const lab::Outcome& outcome, const LabArguments& arguments) {
    if (!outcome.right) {
        return show(pair, outcome.run, arguments, arguments.out);
    }
    if (arguments.step > 0) {
        throw core::InputError(
            "--step draws one step of an algorithm, and an article's version comes with the engine's");
    }
    show(pair, outcome.run, arguments, arguments.out.empty() ? Path() : arguments.out / "article");
    show(pair, *outcome.right, arguments, arguments.out.empty() ? Path() : arguments.out / "engine");
    if (arguments.out.empty()) {
        Json verdict;
        verdict["algorithm"] = outcome.run.algorithm;
        verdict["verdict"] = outcome.verdict;
        const std::string text = core::text_of(verdict);
        std::fwrite(text.data(), 1, text.size(), stdout);
    }
    return outcome.right->failed ? exit_check_failed : exit_success;
}

} // namespace

int run_lab(const LabArguments& arguments) {
    if (arguments.list) {
        print_list();
        return exit_success;
    }
    if (!arguments.table.empty()) {
        return run_lab_table(arguments);
    }
    if (arguments.step > 0 && arguments.out.empty()) {
        throw core::InputError("--step draws one step: name a picture with --out");
    }
    if (arguments.algorithm == planar_name) {
        if (arguments.file.empty()) {
            throw core::InputError("no pair: give a file with two polygons");
        }
        const Path file = arguments.file == "-" ? core::standard_input_file() : arguments.file;
        const auto pair = lab::planar::planar_pair_from_text(core::read_whole_file(file), core::shown_name(file));
        return show({}, {lab::planar::run_planar(pair), std::nullopt, {}}, arguments);
    }
    const lab::Choice* chosen = arguments.algorithm.empty() ? nullptr : &choice_of(arguments.algorithm);
    if (arguments.file.empty()) {
        if (chosen == nullptr || !chosen->brings_its_own()) {
            throw core::InputError("no pair: give a file of questions as for `cairn query`");
        }
        lab::LabPair pair;
        const lab::Outcome outcome = lab::run_preset(*chosen, pair);
        return show(pair, outcome, arguments);
    }
    const core::QuestionFile file = core::read_question_file(arguments.file);
    const core::Question question = core::read_question(file, line_of(file, arguments.line));
    const lab::LabPair pair = lab::pair_of(question);
    if (chosen == nullptr) {
        chosen = lab::choice_named(lab::name_of(lab::algorithm_of(question)));
    }
    if (const auto reason = lab::rejection(*chosen, pair)) {
        throw core::InputError(*reason);
    }
    return show(pair, lab::run(*chosen, pair), arguments);
}

} // namespace cairn::cli
