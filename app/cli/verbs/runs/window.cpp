#include "app/cli/options/verbs.h"
#include "app/cli/output/command_files.h"
#include "app/core/base/error.h"
#include "app/core/capture/capture.h"
#include "app/core/scene/scene.h"

#ifdef CAIRN_GUI
#include "app/cli/output/progress.h"
#include "app/cli/verbs/runs/picture.h"
#include "app/core/runner/runner.h"
#include "app/core/workers/worker_pool.h"
#include "app/ui/session/window.h"

#include <algorithm>
#include <cstdio>
#endif

namespace cairn::cli {
namespace {

// A mistyped verb ends here too.
void require_file(const Path& file) {
    if (!file.empty() && !std::filesystem::exists(file)) {
        throw core::InputError(core::Location{file.string(), 0, 0},
                               "no such scene, capture or verb (see `cairn --help`)");
    }
}

void require_capture(const WindowArguments& arguments) {
    if (arguments.at && (arguments.file.empty() || !core::is_meant_as_capture(arguments.file))) {
        throw core::InputError("--at needs a capture: name one");
    }
    if (!arguments.capture.empty() && !arguments.file.empty() && core::is_meant_as_capture(arguments.file)) {
        throw core::InputError("--capture records a scene, but " + arguments.file.string() + " is a capture itself");
    }
}

// As it was given, with the file that it means. Here a scene that ships with the program is found by its name alone,
// too.
WindowArguments resolved(const WindowArguments& given) {
    WindowArguments arguments = given;
    CommandFiles files;
    if (given.file == "-") {
        throw core::InputError("the window opens files, and not the standard input");
    }
    arguments.file =
        given.file.string().starts_with("builtin:") ? files.input(given.file) : core::find_scene(given.file);
    require_file(arguments.file);
    require_capture(arguments);
    if (!arguments.file.empty()) {
        files.input(arguments.file);
    }
    files.output("--screenshot", arguments.screenshot);
    files.output("--stats", arguments.stats);
    files.output("--capture", arguments.capture);
    return arguments;
}

#ifdef CAIRN_GUI
int open_window(const WindowArguments& arguments) {
    ui::WindowOptions options;
    options.file = arguments.file;
    options.at = arguments.at;
    options.threads = arguments.threads;
    if (arguments.size) {
        options.width = arguments.size->width;
        options.height = arguments.size->height;
    }
    options.msaa = arguments.msaa;
    options.resolution = arguments.resolution;
    options.quality = quality_option(arguments.quality);
    options.frames = arguments.frames;
    options.screenshot = arguments.screenshot;
    options.stats = arguments.stats;
    options.shader_override = arguments.shaders;
    options.capture = arguments.capture;
    return ui::run_window(options);
}
constexpr std::uint64_t picture_step = 120; // things have landed by then, and still move

// What a machine without a display can offer instead of the window.
int leave_picture(const WindowArguments& arguments, const std::string& reason) {
    const auto workers = core::make_worker_pool(arguments.threads);
    std::optional<core::Runner> runner;
    std::uint64_t steps = picture_step;
    if (!arguments.file.empty() && core::is_meant_as_capture(arguments.file)) {
        runner.emplace(core::Scene{}, workers.get());
        runner->start_replay(arguments.file, arguments.at.value_or(0));
        steps = arguments.at ? 0 : std::min(steps, runner->replay()->steps);
    } else {
        const Path scene = arguments.file.empty() ? core::data_folder() / "scenes" / "sandbox.json" : arguments.file;
        runner.emplace(core::read_scene(scene), workers.get());
    }
    {
        Progress progress("simulating");
        for (std::uint64_t step = 1; step <= steps; ++step) {
            runner->step();
            progress.show(static_cast<double>(step) / static_cast<double>(steps));
        }
    }
    const Path out = arguments.screenshot.empty() ? Path("cairn.png") : arguments.screenshot;
    core::OutputFile picture(out);
    write_picture(*runner, {arguments.size.value_or(Size{}), {}, {}, arguments.quality, arguments.msaa}, picture);
    std::fprintf(stderr,
                 "%s\nInstead of a window, here is a picture of step %llu: %s\n"
                 "To open the window, run this in a desktop session, over `ssh -X`, or under `xvfb-run -a`.\n",
                 reason.c_str(), static_cast<unsigned long long>(runner->current().step),
                 std::filesystem::absolute(out).c_str());
    return exit_success;
}
#endif

} // namespace

#ifdef CAIRN_GUI
int run_window(const WindowArguments& given) {
    const WindowArguments arguments = resolved(given);
    try {
        return open_window(arguments);
    } catch (const core::MachineError& error) {
        if (arguments.frames) {
            throw; // a test of the window must not pass without one
        }
        return leave_picture(arguments, error.what());
    }
}
#else
int run_window(const WindowArguments& given) {
    resolved(given);
    throw core::MachineError("this program was built without the window: build it with CAIRN_GUI=ON");
}
#endif

} // namespace cairn::cli
