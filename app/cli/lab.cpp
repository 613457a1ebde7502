#include "app/cli/progress.h"
#include "app/cli/verbs.h"
#include "app/core/base/error.h"
#include "app/core/base/text_file.h"
#include "app/core/lab/articles/articles.h"
#include "app/core/lab/pair_of_question.h"
#include "app/core/report/json.h"
#include "app/core/scene/value_reader.h"

#ifdef CAIRN_GUI
#include "app/ui/film/film_writer.h"
#include "app/ui/lab/lab_picture.h"
#endif

#include <cstdio>
#include <fstream>
#include <iostream>
#include <optional>
#include <system_error>
#include <utility>

namespace cairn::cli {
namespace {

namespace lab = core::lab;
using core::Json;

struct Line {
    std::string text;
    std::string name;
    Path folder;
};

std::string whole(const Path& file) {
    if (file != "-") {
        return core::read_whole_file(file);
    }
    return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

// The line with that number, or the first that is not blank.
Line read_line(const Path& file, std::uint64_t wanted) {
    const std::string name = file == "-" ? "standard input" : file.string();
    const std::string text = whole(file);
    std::uint64_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        ++number;
        const bool blank = line.find_first_not_of(" \t\r") == std::string::npos;
        if (wanted == 0 ? !blank : number == wanted) {
            if (blank) {
                throw core::InputError(core::Location{name, number, 1}, "the line is empty");
            }
            return {line, name, file.parent_path()};
        }
    }
    throw core::InputError(core::Location{name, 0, 0},
                           wanted == 0 ? "holds no question"
                                       : "has " + std::to_string(number) + " lines, not " + std::to_string(wanted));
}

// All names that --algorithm takes.
std::vector<std::string_view> all_names() {
    std::vector<std::string_view> out;
    for (const lab::Algorithm algorithm : lab::all_algorithms) {
        out.push_back(lab::name_of(algorithm));
    }
    for (const auto& article : lab::articles::all_articles()) {
        out.push_back(article.key);
    }
    return out;
}

void print_list() {
    for (const lab::Algorithm algorithm : lab::all_algorithms) {
        std::printf("%-24s %s\n", std::string(lab::name_of(algorithm)).c_str(),
                    std::string(lab::about(algorithm)).c_str());
    }
    for (const auto& article : lab::articles::all_articles()) {
        std::printf("%-24s %s\n", std::string(article.key).c_str(), std::string(article.title).c_str());
    }
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
void make_folder(const Path& folder) {
    std::error_code trouble;
    std::filesystem::create_directories(folder, trouble);
    if (trouble) {
        throw core::InputError(core::Location{folder.string(), 0, 0}, "cannot be made: " + trouble.message());
    }
}

// One picture a step, the steps as text, and a film of them where ffmpeg is there.
void write_pictures(const lab::LabPair& pair, const lab::LabRun& run, const Path& folder, const Size& size) {
    make_folder(folder);
    ui::LabPictures pictures(size.width, size.height);
    std::unique_ptr<ui::FilmWriter> film;
    if (ui::ffmpeg_is_there()) {
        film = ui::make_film_writer(ui::FilmKind::gif, folder / "steps", size.width, size.height, 1);
    }
    Progress progress("drawing");
    const std::size_t digits = std::to_string(run.steps.size()).size();
    for (std::size_t i = 0; i < run.steps.size(); ++i) {
        std::string number = std::to_string(i + 1);
        number.insert(0, digits - number.size(), '0');
        const render::Image image = pictures.draw(pair, run, i);
        try {
            render::write_png(folder / ("step_" + number + ".png"), image);
        } catch (const render::RenderError& error) {
            throw core::InputError(error.what());
        }
        if (film) {
            film->add(image);
        }
        progress.show(static_cast<double>(i + 1) / static_cast<double>(run.steps.size()));
    }
    if (film) {
        film->finish();
    }
    std::ofstream out(folder / "steps.jsonl", std::ios::binary);
    out << text_of_run(run);
    out.close();
    if (!out) {
        throw core::InputError(core::Location{(folder / "steps.jsonl").string(), 0, 0}, "cannot be written");
    }
    if (!film) {
        std::fprintf(stderr, "%s: no steps.gif, since the program ffmpeg is not there\n", folder.string().c_str());
    }
}
#else
void write_pictures(const lab::LabPair&, const lab::LabRun&, const Path&, const Size&) {
    throw core::MachineError("this program was built without the renderer: build it with CAIRN_GUI=ON");
}
#endif

int show(const lab::LabPair& pair, const lab::LabRun& run, const Path& folder, const Size& size) {
    if (folder.empty()) {
        const std::string text = text_of_run(run);
        std::fwrite(text.data(), 1, text.size(), stdout);
    } else {
        write_pictures(pair, run, folder, size);
    }
    return run.failed ? exit_check_failed : exit_success;
}

// The erroneous version, which is expected to fail, beside the right one.
int run_article(const LabArguments& arguments, const lab::articles::Article& article,
                const std::optional<lab::LabPair>& given) {
    using lab::articles::Takes;
    if (given && article.takes == Takes::points) {
        throw core::InputError("the version " + core::in_quotes(article.key) +
                               " is about one body, not a pair; leave out the file to see it on its own");
    }
    if (given && article.takes == Takes::moving_pair && !(given->duration > 0.0f)) {
        throw core::InputError("the version " + core::in_quotes(article.key) + " needs a pair that moves");
    }
    const lab::articles::ArticleRuns runs =
        given ? lab::articles::run_on_pair(article, *given) : lab::articles::run_preset(article);
    lab::LabPair pair;
    if (given) {
        pair = *given;
    } else if (article.takes != Takes::points) {
        pair = lab::articles::preset_pair(article);
    }
    show(pair, runs.article, arguments.out.empty() ? Path() : arguments.out / "article", arguments.size);
    show(pair, runs.engine, arguments.out.empty() ? Path() : arguments.out / "engine", arguments.size);
    if (arguments.out.empty()) {
        Json verdict;
        verdict["algorithm"] = article.key;
        verdict["verdict"] = runs.verdict;
        const std::string text = core::text_of(verdict);
        std::fwrite(text.data(), 1, text.size(), stdout);
    }
    return runs.engine.failed ? exit_check_failed : exit_success;
}

} // namespace

int run_lab(const LabArguments& arguments) {
    if (arguments.list) {
        print_list();
        return exit_success;
    }
    const auto algorithm = lab::algorithm_named(arguments.algorithm);
    const lab::articles::Article* const article = lab::articles::find_article(arguments.algorithm);
    if (!arguments.algorithm.empty() && !algorithm && article == nullptr) {
        throw core::InputError("there is no algorithm " + core::in_quotes(arguments.algorithm) + ";" +
                               core::suggestion(arguments.algorithm, all_names()));
    }
    std::optional<lab::LabPair> pair;
    std::optional<lab::Algorithm> asked;
    if (!arguments.file.empty()) {
        const Line line = read_line(arguments.file, arguments.line);
        const core::Document document = core::question_document(line.text, line.name);
        const core::Question question = core::read_question(document, line.folder);
        pair = lab::pair_of(question);
        asked = lab::algorithm_of(question);
    }
    if (article != nullptr) {
        return run_article(arguments, *article, pair);
    }
    if (!pair) {
        throw core::InputError("which pair? Give a file of questions as `cairn query` takes them");
    }
    const lab::Algorithm chosen = algorithm.value_or(*asked);
    if (const auto reason = lab::refusal(chosen, *pair)) {
        throw core::InputError(*reason);
    }
    return show(*pair, lab::run(chosen, *pair), arguments.out, arguments.size);
}

} // namespace cairn::cli
