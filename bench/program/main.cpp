// The program `cairn-bench`: measurements of the program itself, beside those of scenes that `cairn bench` makes.
#include "app/cli/cli.h"
#include "app/cli/options/options.h"
#include "app/cli/output/bench_output.h"
#include "app/cli/output/command_files.h"
#include "app/core/base/error.h"
#include "bench/program/verbs.h"

#include <functional>

namespace cairn::bench {
namespace {

int parse_and_run(int argc, char** argv) {
    CLI::App app("Measures what Cairn does beside the steps of scenes, for which there is `cairn bench`.",
                 "cairn-bench");
    app.require_subcommand(1);
    Arguments arguments;
    std::function<int()> action;
    const auto verb = [&](const char* name, const char* help, int (*measure)(const Arguments&)) {
        CLI::App* added = app.add_subcommand(name, help);
        added->callback([&action, &arguments, measure] {
            action = [&arguments, measure] {
                cli::CommandFiles files;
                for (const cli::Path& scene : arguments.scenes) {
                    std::error_code error;
                    if (std::filesystem::exists(scene, error)) { // else it is the name of one made in memory
                        files.input(scene);
                    }
                }
                files.output("--json", arguments.json);
                cli::check_writable(arguments.json);
                return measure(arguments);
            };
        });
        return added;
    };
    const auto scenes = [&](CLI::App* to, const char* help) {
        return to->add_option("SCENE", arguments.scenes, help)->check(cli::not_empty)->type_name("");
    };
    const auto steps = [&](CLI::App* to) {
        to->add_option("--steps", arguments.steps, "Steps of each scene")
            ->check(CLI::Range(std::uint64_t{1}, cli::max_steps))
            ->type_name("N")
            ->capture_default_str();
    };
    const auto json = [&](CLI::App* to) {
        to->add_option("--json", arguments.json, "The same as JSON; - = standard output, instead of the table")
            ->check(cli::not_empty)
            ->type_name("F.json");
    };
    CLI::App* speedup = verb("speedup",
                             "Each scene on one thread, on T threads and as T copies side by side, in turns; fails if "
                             "the hashes differ",
                             measure_speedup);
    scenes(speedup, "Scene files, or bench/NAME (default: all shipped files)");
    CLI::App* frame =
        verb("frame", "Cost of each part of a frame on the main thread while the scene moves, without a window",
             measure_frame);
    scenes(frame, "Scene files, or bench/NAME (default: bench/mixed_10k)");
    CLI::App* past = verb("past", "What keeping the history costs while scenes run", measure_past);
    scenes(past, "Scene files, or bench/NAME")->required();
    CLI::App* seek = verb("seek", "How long seeking to a step of captures takes", measure_seeks);
    seek->add_option("CAPTURE", arguments.scenes, "Captures")->required()->check(cli::not_empty)->type_name("");
    CLI::App* pairs =
        verb("mesh-pairs",
             "A GJK demo's published experiment, repeated: ten pairs of meshes, and many in one place, by "
             "each algorithm",
             measure_mesh_pairs);
    pairs->add_flag("--quick", arguments.quick, "Few repetitions, to see that it works and not how fast it is");
    for (CLI::App* each : {speedup, frame, past}) {
        steps(each);
    }
    for (CLI::App* each : {speedup, frame, past, seek}) {
        cli::add_threads(*each, arguments.threads);
    }
    for (CLI::App* each : {speedup, frame, past, pairs}) {
        json(each);
    }
    return cli::parse(app, argc, argv) ? action() : int{cli::exit_success};
}

} // namespace
} // namespace cairn::bench

int main(int argc, char** argv) {
    return cairn::cli::run_guarded([&] { return cairn::bench::parse_and_run(argc, argv); });
}
