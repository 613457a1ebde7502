#include "app/cli/cli.h"

#include "app/cli/described_app.h"
#include "app/cli/verbs.h"
#include "app/core/base/error.h"
#include "app/core/base/interruption.h"
#include "app/core/capture/capture.h"
#include "app/core/scene/scene_keys.h"
#include "physics/geometry/convex_hull.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <new>
#include <string_view>

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

// CLI11 leaves a positional path empty for an empty word: that is a mistake in a script, not a request for the default.
const CLI::Validator
    not_empty([](std::string& word) { return word.empty() ? std::string("must not be empty") : std::string(); }, "");

const CLI::Validator positive_number(
    [](std::string& word) {
        double value = 0.0;
        const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
        const bool is_one = read.ec == std::errc{} && read.ptr == word.data() + word.size();
        return is_one && value > 0.0 && std::isfinite(value) ? std::string() : '"' + word + "\" is not a number > 0";
    },
    "");

void add_quality(CLI::App& verb, std::string& quality) {
    verb.add_option("--quality", quality, "low, medium, high or ultra")->check(not_empty)->type_name("NAME");
}

void add_picture(CLI::App& verb, PictureArguments& picture) {
    add_size(verb, picture.size);
    verb.add_option("--layers", picture.layers, "Debug layers to show: contacts,bounds,...")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("LIST");
    verb.add_option("--colours", picture.colours, "Colour mode of the bodies: palette, touching, speed, ...")
        ->check(not_empty)
        ->type_name("MODE");
    add_msaa(verb, picture.msaa);
    add_quality(verb, picture.quality);
}

// What the verbs that read scenes and take time have in common.
void add_quiet(CLI::App& verb, bool& quiet) {
    verb.add_flag("--quiet", quiet, "Print errors and failures only");
}

void add_confined(CLI::App& verb, bool& confined) {
    verb.add_flag("--confined", confined, "Refuse includes and meshes from outside the scene's folder");
}

void add_run(CLI::App& verb, RunArguments& run) {
    verb.add_option("--set", run.set, "Change a value of the scene first, as gravity.2=-3.7; may be repeated")
        ->allow_extra_args(false)
        ->type_name("PATH=VALUE");
    add_confined(verb, run.confined);
    add_threads(verb, run.threads);
    add_quiet(verb, run.quiet);
}

void add_json(CLI::App& verb, Path& json) {
    verb.add_option("--json", json, "The same as JSON; - = standard output, instead of the lines")
        ->check(not_empty)
        ->type_name("F.json");
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
    TestArguments test;
    BisectArguments bisect;
    RepairArguments repair;
    HullArguments hull;
    DecomposeArguments decompose;
    QueryArguments query;
    LabArguments lab;
    BenchArguments bench;
};

void describe(CLI::App& app, Arguments& arguments, std::function<int()>& action) {
    app.set_version_flag("--version", core::build_name());
    app.require_subcommand(0, 1);
    app.get_formatter()->column_width(36);
    app.footer("SCENE is a file, builtin:NAME for one that ships with the program, or - for the standard input.\n"
               "Exit codes: 0 success; 1 the check failed; 2 bad input or usage; 3 the machine cannot (no display, no\n"
               "OpenGL, no memory, a full disk).");
    app.add_subcommand("help", "This text; `cairn help VERB`: that of a verb")->allow_extras();

    WindowArguments& window = arguments.window;
    app.add_option("FILE", window.file, "Scene or capture to open in the window (default: the sandbox)")
        ->check(not_empty)
        ->type_name("");
    add_steps(app, "--at", window.at, "Open a capture paused after step N");
    app.add_option("--frames", window.frames, "Run the window for N frames of one step each, then quit")
        ->check(CLI::Range(1, max_frames))
        ->type_name("N");
    app.add_option("--screenshot", window.screenshot, "Save a picture of the last frame")
        ->check(not_empty)
        ->type_name("F.png");
    app.add_option("--stats", window.stats, "Write the program's state as JSON on exit")
        ->check(not_empty)
        ->type_name("F.json");
    app.add_option("--capture", window.capture, "Record the scene from its first step to this capture")
        ->type_name("F.cairn");
    app.add_option("--shaders", window.shaders, "Load shaders from this folder and reload them when they change")
        ->check(CLI::ExistingDirectory)
        ->type_name("DIR");
    add_size(app, window.size, "the last size used");
    add_threads(app, window.threads);
    add_msaa(app, window.msaa);
    add_quality(app, window.quality);
    action = [&window] { return run_window(window); };

    SimulateArguments& simulate = arguments.simulate;
    CLI::App* verb = app.add_subcommand("simulate", "Run a scene without a window");
    verb->add_option("SCENE", simulate.scene, "Scene")->required()->check(not_empty)->type_name("");
    add_steps(*verb, "--steps", simulate.steps, "Steps to take")->required();
    add_run(*verb, simulate);
    verb->add_option("--trace", simulate.trace, "Every body at every step as CSV; - = standard output")
        ->check(not_empty)
        ->type_name("F.csv");
    verb->add_option("--stats", simulate.stats, "Times and the final state as JSON; - = standard output")
        ->check(not_empty)
        ->type_name("F.json");
    verb->add_option("--capture", simulate.capture, "Record a capture; - = standard output")
        ->check(not_empty)
        ->type_name("F.cairn");
    verb->callback([&] { action = [&simulate] { return run_simulate(simulate); }; });

    RenderArguments& render = arguments.render;
    verb = app.add_subcommand("render", "Draw one step of a scene or capture as a PNG, without a display");
    verb->add_option("FILE", render.file, "Scene or capture")->required()->check(not_empty)->type_name("");
    add_steps(*verb, "--step", render.step, "Step to draw; 0 = the start")->required();
    verb->add_option("--out", render.out, "Picture to write; - = standard output")
        ->required()
        ->check(not_empty)
        ->type_name("F.png");
    add_picture(*verb, render.picture);
    add_run(*verb, render);
    verb->callback([&] { action = [&render] { return run_render(render); }; });

    VerifyArguments& verify = arguments.verify;
    verb = app.add_subcommand("verify", "Replay captures and compare every step with the recording");
    verb->add_option("CAPTURE", verify.captures, "Capture files; - = standard input")
        ->required()
        ->check(not_empty)
        ->type_name("");
    add_threads(*verb, verify.threads);
    verb->add_option("--jobs", verify.jobs, "Captures at once; 0 = as many as there are cores")
        ->check(CLI::Range(0, max_threads))
        ->type_name("J");
    CLI::Option* tolerance =
        verb->add_option("--tolerance", verify.tolerance,
                         "Compare states within T instead of hashes: a number for all measures, or any of "
                         "position=M,rotation=RAD,energy=SHARE,penetration=M")
            ->check(not_empty)
            ->type_name("T");
    verb->add_option("--junit", verify.junit, "Results as JUnit XML, for CI")->check(not_empty)->type_name("F.xml");
    verb->add_option("--report", verify.report, "What differs, as an HTML page")->check(not_empty)->type_name("F.html");
    CLI::Option* rebless =
        verb->add_flag("--rebless", verify.rebless, "Re-record the captures that differ, and report what moved");
    rebless->excludes(tolerance);
    add_json(*verb, verify.json);
    add_quiet(*verb, verify.quiet);
    verb->callback([&] { action = [&verify] { return run_verify(verify); }; });

    DiffArguments& diff = arguments.diff;
    verb = app.add_subcommand("diff", "Compare two captures");
    verb->add_option("A", diff.a, "Capture")->required()->check(not_empty)->type_name("");
    verb->add_option("B", diff.b, "Capture")->required()->check(not_empty)->type_name("");
    verb->add_option("--report", diff.report, "What differs, as an HTML page")->check(not_empty)->type_name("F.html");
    add_json(*verb, diff.json);
    add_quiet(*verb, diff.quiet);
    add_threads(*verb, diff.threads);
    verb->callback([&] { action = [&diff] { return run_diff(diff); }; });

    ExportArguments& out = arguments.exported;
    verb = app.add_subcommand("export", "Export a capture or scene as a table, a glTF animation or a film");
    verb->add_option("FILE", out.file, "Capture or scene")->required()->check(not_empty)->type_name("");
    verb->add_option("--csv", out.csv,
                     "Every body at every step, like `cairn simulate --trace`, with names; - = standard output")
        ->check(not_empty)
        ->type_name("F.csv");
    verb->add_option("--gltf", out.gltf, "Bodies and their motion as glTF 2.0, binary (.glb) or text (.gltf)")
        ->check(not_empty)
        ->type_name("F.glb");
    verb->add_option("--mp4", out.mp4, "Film from the scene's camera, or along its path")
        ->check(not_empty)
        ->type_name("F.mp4");
    verb->add_option("--gif", out.gif, "The same as GIF")->check(not_empty)->type_name("F.gif");
    add_steps(*verb, "--from", out.from, "First step; 0 = the start");
    verb->add_option("--to", out.to, "Last step (default: the capture's last; required for a scene)")
        ->check(CLI::Range(std::uint64_t{0}, max_steps))
        ->type_name("N");
    verb->add_option("--every", out.every, "For table and glTF: only every N-th step, and the last")
        ->check(CLI::Range(std::uint64_t{1}, max_steps))
        ->type_name("N");
    verb->add_option("--precision", out.precision,
                     "For glTF: greatest error of any point, in metres; 0 = a key for every step")
        ->check(CLI::Range(0.0f, 1000.0f))
        ->type_name("M")
        ->capture_default_str();
    verb->add_option("--fps", out.rate, "For films: frames per second of simulated time; GIF players manage 50")
        ->check(CLI::Range(1, 240))
        ->type_name("N")
        ->capture_default_str();
    add_picture(*verb, out.picture);
    add_run(*verb, out);
    verb->callback([&] { action = [&out] { return run_export(out); }; });

    SweepArguments& sweep = arguments.sweep;
    verb = app.add_subcommand("sweep", "Run a scene for every combination of parameter values");
    verb->add_option("SWEEP", sweep.file, "Sweep file: see docs/guide/sweeps.md")
        ->required()
        ->check(not_empty)
        ->type_name("");
    verb->add_option("--shard", sweep.shard, "Make only the I-th of N equal shares of the runs")
        ->check(not_empty)
        ->type_name("I/N");
    verb->add_option("--merge", sweep.merge, "Merge the tables of shards instead of making runs")
        ->check(CLI::ExistingFile)
        ->type_name("F.csv...");
    verb->add_option("--out", sweep.out, "Folder for table and page (default: the current one)")
        ->check(CLI::ExistingDirectory)
        ->type_name("FOLDER");
    verb->add_flag("--times", sweep.times, "Add columns of step times, which vary from run to run");
    verb->add_flag("--again", sweep.again, "Make all runs again, even those already in the table");
    add_quiet(*verb, sweep.quiet);
    add_threads(*verb, sweep.threads);
    verb->callback([&] { action = [&sweep] { return run_sweep(sweep); }; });

    CheckArguments& check = arguments.check;
    verb = app.add_subcommand("check", "Validate scene files");
    verb->add_option("SCENE", check.scenes, "Scenes")->required()->check(not_empty)->type_name("");
    add_confined(*verb, check.confined);
    add_json(*verb, check.json);
    add_quiet(*verb, check.quiet);
    verb->callback([&] { action = [&check] { return run_check(check); }; });

    TestArguments& test = arguments.test;
    verb = app.add_subcommand("test", "Run scenes and check what they expect");
    verb->add_option("SCENE", test.scenes, "Scenes, or folders of scenes")->required()->check(not_empty)->type_name("");
    verb->add_option("--jobs", test.jobs, "Scenes at once; 0 = as many as there are cores")
        ->check(CLI::Range(0, max_threads))
        ->type_name("J");
    verb->add_option("--out", test.out, "Folder for captures and pictures of failures (default: this one)")
        ->check(CLI::ExistingDirectory)
        ->type_name("FOLDER");
    verb->add_option("--junit", test.junit, "Outcome as JUnit XML, for CI")->check(not_empty)->type_name("F.xml");
    verb->add_option("--report", test.report, "Failures with pictures, for people, as one page")
        ->check(not_empty)
        ->type_name("F.html");
    add_json(*verb, test.json);
    add_run(*verb, test);
    verb->callback([&] { action = [&test] { return run_test(test); }; });

    BisectArguments& bisect = arguments.bisect;
    verb =
        app.add_subcommand("bisect", "Find the value of a parameter at which a scene no longer does what it expects");
    verb->add_option("SCENE", bisect.scene, "Scene")->required()->check(not_empty)->type_name("");
    verb->add_option("PATH", bisect.path, "The parameter, as in --set: step.substeps, bodies.*.friction, ...")
        ->required()
        ->check(not_empty)
        ->type_name("");
    verb->add_option("--good", bisect.good, "A value with which everything expected is met")
        ->required()
        ->type_name("A");
    verb->add_option("--bad", bisect.bad, "A value with which something is not")->required()->type_name("B");
    verb->add_option("--precision", bisect.precision, "How near the two are to come (default: |A - B| / 1000)")
        ->check(positive_number)
        ->type_name("X");
    add_json(*verb, bisect.json);
    add_run(*verb, bisect);
    verb->callback([&] { action = [&bisect] { return run_bisect(bisect); }; });

    RepairArguments& repair = arguments.repair;
    verb = app.add_subcommand("repair", "Close a capture that was never finished, and trim what is damaged at its end");
    verb->add_option("CAPTURE", repair.capture, "Capture, or an unfinished recording F.cairn.partial")
        ->required()
        ->check(not_empty)
        ->type_name("");
    verb->add_option("--out", repair.out, "The repaired capture (default: in its place; F.cairn of F.cairn.partial)")
        ->check(not_empty)
        ->type_name("F.cairn");
    add_quiet(*verb, repair.quiet);
    verb->callback([&] { action = [&repair] { return run_repair(repair); }; });

    HullArguments& hull = arguments.hull;
    verb = app.add_subcommand("hull", "Convex hull of points, with volume, centre and inertia");
    verb->add_option("POINTS", hull.points,
                     "Mesh (.obj, .stl, .ply, .glb, .gltf) or points (.xyz); - = standard input, any")
        ->required()
        ->check(not_empty)
        ->type_name("");
    verb->add_flag("--json", hull.json, "Print JSON instead of a Wavefront mesh");
    verb->callback([&] { action = [&hull] { return run_hull(hull); }; });

    DecomposeArguments& decompose = arguments.decompose;
    verb = app.add_subcommand("decompose", "Cut a mesh that is not convex into convex hulls");
    verb->add_option("MESH", decompose.mesh, "Mesh (.obj, .stl, .ply, .glb, .gltf); - = standard input")
        ->required()
        ->check(not_empty)
        ->type_name("");
    verb->add_option("--out", decompose.out,
                     "The hulls as a scene of one body (.json) or as a mesh (.obj); - = standard output, a scene")
        ->required()
        ->check(not_empty)
        ->type_name("F.json");
    verb->add_option("--concavity", decompose.concavity,
                     "How far a hull may be from its part of the mesh, as a share of half the mesh's longest side")
        ->check(positive_number)
        ->check(CLI::Range(0.001, 1.0))
        ->type_name("C")
        ->capture_default_str();
    verb->add_option("--max-hulls", decompose.max_hulls, "Merge hulls down to N, whatever concavity that takes")
        ->check(CLI::Range(std::size_t{1}, core::max_shapes_per_body))
        ->type_name("N")
        ->capture_default_str();
    verb->add_option("--max-vertices", decompose.max_vertices, "Vertices of each hull")
        ->check(CLI::Range(std::size_t{4}, physics::max_hull_vertices))
        ->type_name("N")
        ->capture_default_str();
    add_json(*verb, decompose.json);
    add_quiet(*verb, decompose.quiet);
    add_threads(*verb, decompose.threads)->description("Threads; 0 = as many as there are cores");
    verb->callback([&] { action = [&decompose] { return run_decompose(decompose); }; });

    QueryArguments& query = arguments.query;
    verb = app.add_subcommand("query", "Closest points, depth or time of impact of pairs of shapes");
    verb->add_option("FILE", query.file, "Questions, one JSON object a line; - = standard input")
        ->required()
        ->check(not_empty)
        ->type_name("");
    verb->callback([&] { action = [&query] { return run_query(query); }; });

    LabArguments& lab = arguments.lab;
    verb = app.add_subcommand("lab", "Show what an algorithm does with a pair of shapes, step by step");
    verb->add_option("QUERY", lab.file,
                     "Questions as for `query`, one JSON object a line; - = standard input; with --table also a scene")
        ->check(not_empty)
        ->type_name("");
    CLI::Option* line = verb->add_option("--line", lab.line, "Line of the file, from 1 (default: the first question)")
                            ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
                            ->type_name("N");
    CLI::Option* algorithm =
        verb->add_option("--algorithm", lab.algorithm, "Which algorithm, see --list (default: the one the line names)")
            ->check(not_empty)
            ->type_name("A");
    CLI::Option* pictures =
        verb->add_option("--out", lab.out, "Folder for a picture of every step, and a GIF of them all")
            ->check(not_empty)
            ->type_name("FOLDER");
    verb->add_option("--step", lab.step,
                     "Draw only this step; --out is then the picture. With --table: the step of the scene")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
        ->type_name("N");
    add_size(*verb, lab.size);
    CLI::Option* list = verb->add_flag("--list", lab.list, "List the algorithms");
    CLI::Option* table = verb->add_option("--table", lab.table,
                                          "Times of all algorithms on all pairs of the file or scene (default: four "
                                          "meshes), and how they grow; - = standard output")
                             ->check(not_empty)
                             ->type_name("F.csv");
    table->excludes(line)->excludes(algorithm)->excludes(pictures)->excludes(list);
    verb->add_option("--page", lab.page, "The same as an HTML page with charts")
        ->check(not_empty)
        ->type_name("F.html")
        ->needs(table);
    verb->callback([&] { action = [&lab] { return run_lab(lab); }; });

    BenchArguments& bench = arguments.bench;
    verb = app.add_subcommand("bench", "Measure scenes, queries, seeking and the cost of keeping the history");
    CLI::Option* scenes = verb->add_option("SCENE", bench.scenes,
                                           "Scene files, or bench/NAME for a scene or series generated in memory: "
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
        verb->add_option("--write", bench.write, "Write the scenes as files to this folder instead of measuring them")
            ->check(CLI::ExistingDirectory)
            ->type_name("FOLDER");
    CLI::Option* tables = verb->add_flag(
        "--mesh-pairs", bench.source_tables,
        "A GJK demo's published experiment, repeated: ten pairs of meshes, and many in one place, by each algorithm");
    CLI::Option* frame =
        verb->add_flag("--frame", bench.frame,
                       "Cost of each part of a frame on the main thread while the scene moves, without a "
                       "window (default: bench/mixed_10k)");
    CLI::Option* speedup =
        verb->add_flag("--speedup", bench.speedup,
                       "Each scene on one thread, on T threads and as T copies side by side, in turns; fails if the "
                       "hashes differ");
    CLI::Option* seek = verb->add_flag("--seek", bench.seek, "How long seeking to a step of the named captures takes");
    CLI::Option* past =
        verb->add_flag("--past", bench.past, "What keeping the history costs while the named scenes run");
    past->needs(scenes)->excludes(seek)->excludes(frame)->excludes(speedup)->excludes(write)->excludes(tables);
    seek->needs(scenes)->excludes(frame)->excludes(speedup)->excludes(write)->excludes(steps);
    frame->excludes(speedup)->excludes(write);
    speedup->excludes(write);
    tables->excludes(scenes)->excludes(steps)->excludes(threads)->excludes(write)->excludes(frame)->excludes(speedup);
    verb->add_flag("--quick", bench.quick,
                   "Of --mesh-pairs: few repetitions, to see that it works and not how fast it is")
        ->needs(tables);
    verb->callback([&] { action = [&bench] { return bench.seek ? run_seek_bench(bench) : run_bench(bench); }; });
}

int print_help(const CLI::App& app, const std::string& verb) {
    const CLI::App* about = &app;
    if (!verb.empty()) {
        const auto verbs = app.get_subcommands([](const CLI::App*) { return true; });
        const auto found =
            std::find_if(verbs.begin(), verbs.end(), [&](const CLI::App* each) { return each->get_name() == verb; });
        if (found == verbs.end()) {
            throw core::InputError("there is no verb " + verb + " (see `cairn help`)");
        }
        about = *found;
    }
    const std::string text = about->help(about == &app ? "" : "cairn");
    std::fputs(text.c_str(), stdout);
    return exit_success;
}

int parse_and_run(int argc, char** argv) {
    CLI::App app("Cairn, a rigid-body sandbox. Without a verb it opens the window.", "cairn");
    Arguments arguments;
    std::function<int()> action;
    describe(app, arguments, action);
    // For the packages: hidden from --help, and from what it writes.
    std::string format;
    CLI::App* manual = app.add_subcommand("manual", "Write the manual page or the completion of a shell")->group("");
    manual->add_option("FORMAT", format, "man, bash, zsh or fish")->required()->type_name("");
    manual->callback([&] {
        action = [&] {
            const std::string text = manual_text(described(app), format, core::build_name());
            std::fwrite(text.data(), 1, text.size(), stdout);
            return int{exit_success};
        };
    });
    if (argc > 1 && std::string_view(argv[1]) == "help" && (argc < 3 || argv[2][0] != '-')) {
        return print_help(app, argc > 2 ? argv[2] : "");
    }
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
                                       " is given before the verb, where it belongs to the window: put it after `" +
                                       app.get_subcommands().front()->get_name() + '`');
            }
        }
    }
    return action();
}

} // namespace

void print_error(const std::string& message) {
    std::fputs((one_line("error: " + message) + '\n').c_str(), stderr);
}

std::string one_line(std::string text) {
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            c = ' ';
        }
    }
    return text;
}

int run(int argc, char** argv) {
    int code = exit_bad_input;
    try {
        code = parse_and_run(argc, argv);
    } catch (const core::Interrupted& interrupted) {
        core::end_by_signal(interrupted.signal);
    } catch (const core::OutputError& error) {
        print_error(error.what());
        code = exit_machine;
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
        code = code == exit_success ? exit_machine : code;
    }
    return code;
}

} // namespace cairn::cli
