#include "app/cli/cli.h"

#include "app/cli/verbs.h"
#include "app/core/base/error.h"
#include "app/core/capture/capture.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <functional>
#include <new>

namespace cairn::cli {
namespace {

constexpr int max_threads = 256;
constexpr std::uint64_t max_steps = 1'000'000'000;
constexpr int min_pixels = 16, max_pixels = 8192; // a side
constexpr int max_frames = 1'000'000'000;

// "1280x720"
Size parse_size(const std::string& text) {
    Size size;
    const char* const end = text.data() + text.size();
    const auto width = std::from_chars(text.data(), end, size.width);
    if (width.ec == std::errc{} && width.ptr != end && *width.ptr == 'x') {
        const auto height = std::from_chars(width.ptr + 1, end, size.height);
        const auto fits = [](int side) { return side >= min_pixels && side <= max_pixels; };
        if (height.ec == std::errc{} && height.ptr == end && fits(size.width) && fits(size.height)) {
            return size;
        }
    }
    throw CLI::ValidationError("--size", '"' + text + "\" is not WIDTHxHEIGHT in pixels, " +
                                             std::to_string(min_pixels) + " to " + std::to_string(max_pixels) +
                                             " each, as in 1280x720");
}

CLI::Option* add_threads(CLI::App& verb, int& threads) {
    return verb.add_option("--threads", threads, "Threads to simulate on; 0 = as many as there are cores")
        ->check(CLI::Range(0, max_threads))
        ->type_name("T");
}

template <typename Value>
void add_size(CLI::App& verb, Value& size, const char* usual = "1280x720") {
    verb.add_option_function<std::string>(
            "--size", [&size](const std::string& text) { size = parse_size(text); }, "Size in pixels")
        ->type_name("WxH")
        ->default_str(usual);
}

template <typename Samples>
void add_msaa(CLI::App& verb, Samples& msaa) {
    verb.add_option("--msaa", msaa, "Samples per pixel; 0 = off")
        ->check(CLI::IsMember({0, 1, 2, 4, 8}))
        ->type_name("N");
}

template <typename Steps>
CLI::Option* add_steps(CLI::App& verb, const char* name, Steps& steps, const char* help) {
    return verb.add_option(name, steps, help)->check(CLI::Range(std::uint64_t{0}, max_steps))->type_name("N");
}

// CLI11 leaves a positional path empty for an empty word: that is a mistake in a script, not a wish for the default.
const CLI::Validator
    not_empty([](std::string& word) { return word.empty() ? std::string("must not be empty") : std::string(); }, "");

void add_quality(CLI::App& verb, std::string& quality) {
    verb.add_option("--quality", quality, "low, medium, high or ultra")->check(not_empty)->type_name("NAME");
}

void add_picture(CLI::App& verb, PictureArguments& picture) {
    add_size(verb, picture.size);
    verb.add_option("--layers", picture.layers, "Debug layers to show: contacts,bounds,...")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("LIST");
    verb.add_option("--colours", picture.colours, "What the bodies' colours mean: palette, touching, speed, ...")
        ->check(not_empty)
        ->type_name("MODE");
    add_msaa(verb, picture.msaa);
    add_quality(verb, picture.quality);
}

struct Arguments {
    WindowArguments window;
    SimulateArguments simulate;
    RenderArguments render;
    VerifyArguments verify;
    DiffArguments diff;
    ExportArguments exported;
    SweepArguments sweep;
    CheckArguments check;
    HullArguments hull;
    QueryArguments query;
    LabArguments lab;
    BenchArguments bench;
};

void describe(CLI::App& app, Arguments& arguments, std::function<int()>& action) {
    app.set_version_flag("--version", core::build_name());
    app.require_subcommand(0, 1);
    app.get_formatter()->column_width(36);
    app.footer("Exit codes: 0 success; 1 the check failed; 2 bad input or usage; 3 the machine cannot.");

    WindowArguments& window = arguments.window;
    app.add_option("FILE", window.file, "Scene or capture to open in the window (default: the sandbox)")
        ->check(not_empty)
        ->type_name("");
    add_steps(app, "--at", window.at, "Open a capture paused, at the state after step N");
    app.add_option("--frames", window.frames, "Run the window for N frames, one step each, and quit")
        ->check(CLI::Range(1, max_frames))
        ->type_name("N");
    app.add_option("--screenshot", window.screenshot, "Picture of the last frame")
        ->check(not_empty)
        ->type_name("F.png");
    app.add_option("--stats", window.stats, "State of the program as JSON, written on exit")
        ->check(not_empty)
        ->type_name("F.json");
    app.add_option("--capture", window.capture, "Record the scene from its first step into this capture")
        ->type_name("F.cairn");
    app.add_option("--shaders", window.shaders, "Load shaders from a folder and watch it")
        ->check(CLI::ExistingDirectory)
        ->type_name("DIR");
    add_size(app, window.size, "as last time");
    add_threads(app, window.threads);
    add_msaa(app, window.msaa);
    add_quality(app, window.quality);
    action = [&window] { return run_window(window); };

    SimulateArguments& simulate = arguments.simulate;
    CLI::App* verb = app.add_subcommand("simulate", "Run a scene without a window");
    verb->add_option("SCENE", simulate.scene, "Scene file")->required()->check(not_empty)->type_name("");
    add_steps(*verb, "--steps", simulate.steps, "Steps to take")->required();
    add_threads(*verb, simulate.threads);
    verb->add_option("--set", simulate.set, "Change a value of the scene first, as gravity.2=-3.7; may be repeated")
        ->allow_extra_args(false)
        ->type_name("PATH=VALUE");
    verb->add_option("--trace", simulate.trace, "Every body at every step as CSV; - = standard output")
        ->check(not_empty)
        ->type_name("F.csv");
    verb->add_option("--stats", simulate.stats, "Times and the final state as JSON; - = standard output")
        ->check(not_empty)
        ->type_name("F.json");
    verb->add_option("--capture", simulate.capture, "Record a capture")->check(not_empty)->type_name("F.cairn");
    verb->callback([&] { action = [&simulate] { return run_simulate(simulate); }; });

    RenderArguments& render = arguments.render;
    verb = app.add_subcommand("render", "Draw one step of a scene or capture into a PNG, without a display");
    verb->add_option("FILE", render.file, "Scene or capture")->required()->check(not_empty)->type_name("");
    add_steps(*verb, "--step", render.step, "Which step to draw; 0 = the start")->required();
    verb->add_option("--out", render.out, "The picture")->required()->check(not_empty)->type_name("F.png");
    add_picture(*verb, render.picture);
    add_threads(*verb, render.threads);
    verb->callback([&] { action = [&render] { return run_render(render); }; });

    VerifyArguments& verify = arguments.verify;
    verb = app.add_subcommand("verify", "Replay captures and compare every step");
    verb->add_option("CAPTURE", verify.captures, "Capture files")->required()->check(not_empty)->type_name("");
    add_threads(*verb, verify.threads);
    verb->add_option("--jobs", verify.jobs, "Captures at once; 0 = as many as there are cores")
        ->check(CLI::Range(0, max_threads))
        ->type_name("J");
    CLI::Option* tolerance =
        verb->add_option("--tolerance", verify.tolerance,
                         "Accept other hashes while states keep to T: a number for all measures, or any of "
                         "position=M,rotation=RAD,energy=SHARE,penetration=M")
            ->check(not_empty)
            ->type_name("T");
    verb->add_option("--junit", verify.junit, "Outcome as JUnit XML, for CI")->check(not_empty)->type_name("F.xml");
    verb->add_option("--report", verify.report, "What differs, for people, as one page")
        ->check(not_empty)
        ->type_name("F.html");
    CLI::Option* rebless = verb->add_flag("--rebless", verify.rebless,
                                          "Record the captures anew where they differ, and say what has moved");
    rebless->excludes(tolerance);
    verb->callback([&] { action = [&verify] { return run_verify(verify); }; });

    DiffArguments& diff = arguments.diff;
    verb = app.add_subcommand("diff", "Compare two captures");
    verb->add_option("A", diff.a, "Capture")->required()->check(not_empty)->type_name("");
    verb->add_option("B", diff.b, "Capture")->required()->check(not_empty)->type_name("");
    verb->add_option("--report", diff.report, "What differs, for people, as one page")
        ->check(not_empty)
        ->type_name("F.html");
    add_threads(*verb, diff.threads);
    verb->callback([&] { action = [&diff] { return run_diff(diff); }; });

    ExportArguments& out = arguments.exported;
    verb = app.add_subcommand("export", "Write what a capture or scene does as a table, a glTF animation or a film");
    verb->add_option("FILE", out.file, "Capture or scene")->required()->check(not_empty)->type_name("");
    verb->add_option("--csv", out.csv, "Every body at every step, as --trace of `cairn simulate`; - = standard output")
        ->check(not_empty)
        ->type_name("F.csv");
    verb->add_option("--gltf", out.gltf, "Bodies and their motion as glTF 2.0, binary (.glb) or text (.gltf)")
        ->check(not_empty)
        ->type_name("F.glb");
    verb->add_option("--mp4", out.mp4, "Film from the scene's camera")->check(not_empty)->type_name("F.mp4");
    verb->add_option("--gif", out.gif, "The same as GIF")->check(not_empty)->type_name("F.gif");
    add_steps(*verb, "--from", out.from, "First step; 0 = the start");
    verb->add_option("--to", out.to, "Last step (default: the capture's last; of a scene it must be said)")
        ->check(CLI::Range(std::uint64_t{0}, max_steps))
        ->type_name("N");
    verb->add_option("--every", out.every, "Of table and glTF: only each N-th step, and the last")
        ->check(CLI::Range(std::uint64_t{1}, max_steps))
        ->type_name("N");
    verb->add_option("--precision", out.precision,
                     "Of glTF: no point lies farther from where it was, in metres; 0 = a key for every step")
        ->check(CLI::Range(0.0f, 1000.0f))
        ->type_name("M")
        ->capture_default_str();
    verb->add_option("--fps", out.rate, "Of films: pictures per second of simulated time; GIF players manage 50")
        ->check(CLI::Range(1, 240))
        ->type_name("N")
        ->capture_default_str();
    add_picture(*verb, out.picture);
    add_threads(*verb, out.threads);
    verb->callback([&] { action = [&out] { return run_export(out); }; });

    SweepArguments& sweep = arguments.sweep;
    verb = app.add_subcommand("sweep", "Run a scene for every combination of some of its parameters");
    verb->add_option("SWEEP", sweep.file, "Sweep file: see docs/sweep.md")->required()->check(not_empty)->type_name("");
    verb->add_option("--shard", sweep.shard, "Make only the I-th of N equal shares of the runs")
        ->check(not_empty)
        ->type_name("I/N");
    verb->add_option("--merge", sweep.merge, "Put the tables of shards together instead of making runs")
        ->check(CLI::ExistingFile)
        ->type_name("F.csv...");
    verb->add_option("--out", sweep.out, "Folder for table and page (default: this one)")
        ->check(CLI::ExistingDirectory)
        ->type_name("FOLDER");
    verb->add_flag("--times", sweep.times, "With columns of how long steps took; these are not the same twice");
    verb->add_flag("--again", sweep.again, "Make all runs, those too that are in the table already");
    add_threads(*verb, sweep.threads);
    verb->callback([&] { action = [&sweep] { return run_sweep(sweep); }; });

    CheckArguments& check = arguments.check;
    verb = app.add_subcommand("check", "Validate scene files");
    verb->add_option("SCENE", check.scenes, "Scene files")->required()->check(not_empty)->type_name("");
    verb->callback([&] { action = [&check] { return run_check(check); }; });

    HullArguments& hull = arguments.hull;
    verb = app.add_subcommand("hull", "Convex hull of points, with volume, centre and inertia");
    verb->add_option("POINTS", hull.points, "Mesh (.obj) or points (.xyz)")
        ->required()
        ->check(not_empty)
        ->type_name("");
    verb->add_flag("--json", hull.json, "JSON instead of a Wavefront mesh");
    verb->callback([&] { action = [&hull] { return run_hull(hull); }; });

    QueryArguments& query = arguments.query;
    verb = app.add_subcommand("query", "Closest points, depth or time of impact of pairs of shapes");
    verb->add_option("FILE", query.file, "Questions, one JSON object a line; - = standard input")
        ->required()
        ->check(not_empty)
        ->type_name("");
    verb->callback([&] { action = [&query] { return run_query(query); }; });

    LabArguments& lab = arguments.lab;
    verb = app.add_subcommand("lab", "What an algorithm does with a pair of shapes, step by step");
    verb->add_option("QUERY", lab.file,
                     "Questions as of `query`, one JSON object a line; - = standard input; with --table a scene, too")
        ->check(not_empty)
        ->type_name("");
    CLI::Option* line = verb->add_option("--line", lab.line, "Of the file, from 1 (default: the first question)")
                            ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
                            ->type_name("N");
    CLI::Option* algorithm =
        verb->add_option("--algorithm", lab.algorithm, "Which one; --list shows them (default: what the line asks for)")
            ->check(not_empty)
            ->type_name("A");
    CLI::Option* pictures =
        verb->add_option("--out", lab.out, "A folder that gets a picture of every step, and all of them as a GIF")
            ->check(not_empty)
            ->type_name("FOLDER");
    verb->add_option("--step", lab.step,
                     "Draw this step alone, --out is then the name of the picture; with --table, of the scene")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
        ->type_name("N");
    add_size(*verb, lab.size);
    CLI::Option* list = verb->add_flag("--list", lab.list, "The algorithms there are");
    CLI::Option* table = verb->add_option("--table", lab.table,
                                          "Times of all algorithms on all pairs of the file or scene (default: "
                                          "meshes of the GJK demo), and how they grow; - = standard output")
                             ->check(not_empty)
                             ->type_name("F.csv");
    table->excludes(line)->excludes(algorithm)->excludes(pictures)->excludes(list);
    verb->add_option("--page", lab.page, "The same for people, with charts")
        ->check(not_empty)
        ->type_name("F.html")
        ->needs(table);
    verb->callback([&] { action = [&lab] { return run_lab(lab); }; });

    BenchArguments& bench = arguments.bench;
    verb = app.add_subcommand("bench", "Measure scenes, or the queries as in the source of the GJK demo");
    CLI::Option* scenes = verb->add_option("SCENE", bench.scenes,
                                           "Scene files, or bench/NAME for a scene or series made in memory: "
                                           "bench/peers, bench/pile, bench/pile_10k, ... (default: all shipped "
                                           "files)")
                              ->check(not_empty)
                              ->type_name("");
    CLI::Option* steps =
        verb->add_option("--steps", bench.steps, "Steps of each scene")->check(CLI::Range(std::uint64_t{1}, max_steps));
    steps->type_name("N")->capture_default_str();
    CLI::Option* threads = add_threads(*verb, bench.threads);
    verb->add_option("--json", bench.json, "The same as JSON; - = standard output, instead of the table")
        ->check(not_empty)
        ->type_name("F.json");
    CLI::Option* write =
        verb->add_option("--write", bench.write, "Write the scenes as files into this folder instead of measuring them")
            ->check(CLI::ExistingDirectory)
            ->type_name("FOLDER");
    CLI::Option* tables = verb->add_flag("--source-tables", bench.source_tables,
                                         "Ten pairs of meshes and many in one place, by each algorithm");
    CLI::Option* frame = verb->add_flag("--frame", bench.frame,
                                        "What the main thread does for each picture while the scene moves, without a "
                                        "window (default: bench/mixed_10k)");
    CLI::Option* speedup =
        verb->add_flag("--speedup", bench.speedup,
                       "Each scene on one thread, too, and as copies side by side, in turns; fails if the "
                       "hashes differ");
    CLI::Option* seek =
        verb->add_flag("--seek", bench.seek, "How long it takes to go to a step of the captures that are named");
    CLI::Option* past = verb->add_flag("--past", bench.past,
                                       "What it costs to keep the past of the scenes that are named while they run");
    past->needs(scenes)->excludes(seek)->excludes(frame)->excludes(speedup)->excludes(write)->excludes(tables);
    seek->needs(scenes)->excludes(frame)->excludes(speedup)->excludes(write)->excludes(steps);
    frame->excludes(speedup)->excludes(write);
    speedup->excludes(write);
    tables->excludes(scenes)->excludes(steps)->excludes(threads)->excludes(write)->excludes(frame)->excludes(speedup);
    verb->add_flag("--quick", bench.quick, "Of the source's tables: to see that they work, not how fast it is")
        ->needs(tables);
    verb->callback([&] { action = [&bench] { return bench.seek ? run_seek_bench(bench) : run_bench(bench); }; });
}

int parse_and_run(int argc, char** argv) {
    CLI::App app("Cairn, a rigid-body sandbox. Without a verb it opens the window.", "cairn");
    Arguments arguments;
    std::function<int()> action;
    describe(app, arguments, action);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) { // --help, --version
            std::fflush(stdout);
            return app.exit(error);
        }
        throw core::InputError(std::string(error.what()) + " (see `cairn --help`)");
    }
    if (!app.get_subcommands().empty()) {
        for (const CLI::Option* option : app.get_options()) {
            if (option->count() > 0) {
                throw core::InputError(option->get_name() +
                                       " stands before the verb, where it belongs to the window: " + "put it after `" +
                                       app.get_subcommands().front()->get_name() + '`');
            }
        }
    }
    return action();
}

} // namespace

void print_error(const std::string& message) {
    std::string line = "error: " + message;
    for (char& c : line) {
        if (c == '\n' || c == '\r') {
            c = ' ';
        }
    }
    line += '\n';
    std::fputs(line.c_str(), stderr);
}

int run(int argc, char** argv) {
    int code = exit_bad_input;
    try {
        code = parse_and_run(argc, argv);
    } catch (const core::InputError& error) {
        print_error(error.what());
    } catch (const core::MachineError& error) {
        print_error(error.what());
        code = exit_machine;
    } catch (const std::filesystem::filesystem_error& error) {
        print_error(error.what());
    } catch (const std::bad_alloc&) {
        print_error("there is not enough memory for this");
        code = exit_machine;
    } catch (const std::exception& error) {
        print_error(std::string("unexpected: ") + error.what());
        code = exit_machine;
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        print_error(std::string("the standard output cannot be written: ") + std::strerror(errno));
        code = code == exit_success ? exit_bad_input : code;
    }
    return code;
}

} // namespace cairn::cli
