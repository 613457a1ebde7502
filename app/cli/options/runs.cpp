// The verbs that run scenes and read what was recorded; the window.
#include "app/cli/options/options.h"

namespace cairn::cli {

namespace {

constexpr int max_frames = 1'000'000'000;

} // namespace

void add_window(CLI::App& app, Arguments& arguments, Action& action) {
    WindowArguments& window = arguments.window;
    add_word(app, "FILE", window.file, "Scene or capture to open in the window (default: the sandbox)");
    add_steps(app, "--at", window.at, "Open a capture paused after step N");
    add_number(app, "--frames", window.frames, "Run the window for N frames of one step each, then quit", 1, max_frames,
               "N");
    add_word(app, "--screenshot", window.screenshot, "Save a picture of the last frame", "F.png");
    add_word(app, "--stats", window.stats, "Write the program's state as JSON on exit", "F.json");
    app.add_option("--capture", window.capture, "Record the scene from its first step to this capture")
        ->type_name("F.cairn");
    app.add_option("--shaders", window.shaders, "Load shaders from this folder and reload them when they change")
        ->check(CLI::ExistingDirectory)
        ->type_name("DIR");
    add_size(app, window.size, "the last size used");
    add_threads(app, window.threads);
    add_msaa(app, window.msaa);
    add_number(app, "--resolution", window.resolution,
               "Share of the window's pixels, along each side, in which the world is drawn", 10, 100, "PERCENT");
    add_quality(app, window.quality);
    action = [&window] { return run_window(window); };
}

void add_runs(CLI::App& app, Arguments& arguments, Action& action) {
    SimulateArguments& simulate = arguments.simulate;
    CLI::App* verb = app.add_subcommand("simulate", "Run a scene without a window");
    add_word(*verb, "SCENE", simulate.scene, "Scene")->required();
    add_steps(*verb, "--steps", simulate.steps, "Steps to take")->required();
    add_run(*verb, simulate);
    add_word(*verb, "--trace", simulate.trace, "Every body at every step as CSV; - = standard output", "F.csv");
    add_word(*verb, "--stats", simulate.stats, "Times and the final state as JSON; - = standard output", "F.json");
    add_word(*verb, "--capture", simulate.capture, "Record a capture; - = standard output", "F.cairn");
    verb->callback([&] { action = [&simulate] { return run_simulate(simulate); }; });

    RenderArguments& render = arguments.render;
    verb = app.add_subcommand("render", "Draw one step of a scene or capture as a PNG, without a display");
    add_word(*verb, "FILE", render.file, "Scene or capture")->required();
    add_steps(*verb, "--step", render.step, "Step to draw; 0 = the start")->required();
    add_word(*verb, "--out", render.out, "Picture to write; - = standard output", "F.png")->required();
    add_picture(*verb, render.picture);
    add_run(*verb, render);
    verb->callback([&] { action = [&render] { return run_render(render); }; });

    VerifyArguments& verify = arguments.verify;
    verb = app.add_subcommand("verify", "Replay captures and compare every step with the recording");
    add_word(*verb, "CAPTURE", verify.captures, "Capture files; - = standard input")->required();
    add_threads(*verb, verify.threads);
    add_number(*verb, "--jobs", verify.jobs, "Captures at once; 0 = as many as there are cores", 0, max_threads, "J");
    CLI::Option* tolerance = add_word(*verb, "--tolerance", verify.tolerance,
                                      "Compare states within T instead of hashes: a number for all measures, or any of "
                                      "position=M,rotation=RAD,energy=SHARE,penetration=M",
                                      "T");
    add_word(*verb, "--junit", verify.junit, "Results as JUnit XML, for CI", "F.xml");
    add_word(*verb, "--report", verify.report, "What differs, as an HTML page", "F.html");
    CLI::Option* rebless =
        verb->add_flag("--rebless", verify.rebless, "Re-record the captures that differ, and report what moved");
    rebless->excludes(tolerance);
    add_json(*verb, verify.json);
    add_quiet(*verb, verify.quiet);
    verb->callback([&] { action = [&verify] { return run_verify(verify); }; });

    DiffArguments& diff = arguments.diff;
    verb = app.add_subcommand("diff", "Compare two captures");
    add_word(*verb, "A", diff.a, "Capture")->required();
    add_word(*verb, "B", diff.b, "Capture")->required();
    add_word(*verb, "--report", diff.report, "What differs, as an HTML page", "F.html");
    add_json(*verb, diff.json);
    add_quiet(*verb, diff.quiet);
    add_threads(*verb, diff.threads);
    verb->callback([&] { action = [&diff] { return run_diff(diff); }; });

    ExportArguments& out = arguments.exported;
    verb = app.add_subcommand("export", "Export a capture or scene as a table, a glTF animation or a film");
    add_word(*verb, "FILE", out.file, "Capture or scene")->required();
    add_word(*verb, "--csv", out.csv,
             "Every body at every step, like `cairn simulate --trace`, with names; - = standard output", "F.csv");
    add_word(*verb, "--gltf", out.gltf, "Bodies and their motion as glTF 2.0, binary (.glb) or text (.gltf)", "F.glb");
    add_word(*verb, "--mp4", out.mp4, "Film from the scene's camera, or along its path", "F.mp4");
    add_word(*verb, "--gif", out.gif, "The same as GIF", "F.gif");
    add_steps(*verb, "--from", out.from, "First step; 0 = the start");
    add_number(*verb, "--to", out.to, "Last step (default: the capture's last; required for a scene)", std::uint64_t{0},
               max_steps, "N");
    add_number(*verb, "--every", out.every, "For table and glTF: only every N-th step, and the last", std::uint64_t{1},
               max_steps, "N");
    add_number(*verb, "--precision", out.precision,
               "For glTF: greatest error of any point, in metres; 0 = a key for every step", 0.0f, 1000.0f, "M")
        ->capture_default_str();
    add_number(*verb, "--fps", out.rate, "For films: frames per second of simulated time; GIF players manage 50", 1,
               240, "N")
        ->capture_default_str();
    add_picture(*verb, out.picture);
    add_run(*verb, out);
    verb->callback([&] { action = [&out] { return run_export(out); }; });
}

} // namespace cairn::cli
