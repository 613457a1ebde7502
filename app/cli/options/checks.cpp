// The verbs that check and compare, and the one that measures.
#include "app/cli/options/options.h"

namespace cairn::cli {

void add_checks(CLI::App& app, Arguments& arguments, Action& action) {
    SweepArguments& sweep = arguments.sweep;
    CLI::App* verb = app.add_subcommand("sweep", "Run a scene for every combination of parameter values");
    add_word(*verb, "SWEEP", sweep.file, "Sweep file: see docs/guide/sweeps.md")->required();
    add_word(*verb, "--shard", sweep.shard, "Make only the I-th of N equal shares of the runs", "I/N");
    verb->add_option("--merge", sweep.merge, "Merge the tables of shards instead of making runs")
        ->check(CLI::ExistingFile)
        ->type_name("F.csv...");
    add_folder(*verb, "--out", sweep.out, "Folder for table and page (default: the current one)");
    verb->add_flag("--times", sweep.times, "Add columns of step times, which vary from run to run");
    verb->add_flag("--again", sweep.again, "Make all runs again, even those already in the table");
    add_quiet(*verb, sweep.quiet);
    add_threads(*verb, sweep.threads);
    verb->callback([&] { action = [&sweep] { return run_sweep(sweep); }; });

    CheckArguments& check = arguments.check;
    verb = app.add_subcommand("check", "Validate scene files");
    add_word(*verb, "SCENE", check.scenes, "Scenes")->required();
    add_confined(*verb, check.confined);
    add_json(*verb, check.json);
    add_quiet(*verb, check.quiet);
    verb->callback([&] { action = [&check] { return run_check(check); }; });

    TestArguments& test = arguments.test;
    verb = app.add_subcommand("test", "Run scenes and check what they expect");
    add_word(*verb, "SCENE", test.scenes, "Scenes, or folders of scenes")->required();
    add_number(*verb, "--jobs", test.jobs, "Scenes at once; 0 = as many as there are cores", 0, max_threads, "J");
    add_folder(*verb, "--out", test.out, "Folder for captures and pictures of failures (default: this one)");
    add_word(*verb, "--junit", test.junit, "Outcome as JUnit XML, for CI", "F.xml");
    add_word(*verb, "--report", test.report, "Failures with pictures, for people, as one page", "F.html");
    add_json(*verb, test.json);
    add_run(*verb, test);
    verb->callback([&] { action = [&test] { return run_test(test); }; });

    BisectArguments& bisect = arguments.bisect;
    verb =
        app.add_subcommand("bisect", "Find the value of a parameter at which a scene no longer does what it expects");
    add_word(*verb, "SCENE", bisect.scene, "Scene")->required();
    add_word(*verb, "PATH", bisect.path, "The parameter, as in --set: step.substeps, bodies.*.friction, ...")
        ->required();
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
    add_word(*verb, "CAPTURE", repair.capture, "Capture, or an unfinished recording F.cairn.partial")->required();
    add_word(*verb, "--out", repair.out, "The repaired capture (default: in its place; F.cairn of F.cairn.partial)",
             "F.cairn");
    add_quiet(*verb, repair.quiet);
    verb->callback([&] { action = [&repair] { return run_repair(repair); }; });
}

void add_bench(CLI::App& app, Arguments& arguments, Action& action) {
    BenchArguments& bench = arguments.bench;
    CLI::App* verb = app.add_subcommand("bench", "Measure scenes: times, contacts, depth, energy and hash");
    add_word(*verb, "SCENE", bench.scenes,
             "Scene files, or bench/NAME for a scene or series generated in memory: bench/peers, bench/pile, "
             "bench/pile_10k, ... (default: all shipped files)");
    add_number(*verb, "--steps", bench.steps, "Steps of each scene", std::uint64_t{1}, max_steps, "N")
        ->capture_default_str();
    add_threads(*verb, bench.threads);
    add_word(*verb, "--json", bench.json, "The same as JSON; - = standard output, instead of the table", "F.json");
    add_folder(*verb, "--write", bench.write, "Write the scenes as files to this folder instead of measuring them");
    verb->callback([&] { action = [&bench] { return run_bench(bench); }; });
}

} // namespace cairn::cli
