#include "app/cli/picture.h"
#include "app/cli/progress.h"
#include "app/cli/verbs.h"
#include "app/core/base/error.h"
#include "app/core/runner/runner.h"
#include "app/core/workers/worker_pool.h"

#ifdef CAIRN_GUI
#include "app/ui/picture.h"
#endif

namespace cairn::cli {

#ifdef CAIRN_GUI
void write_picture(const core::Runner& runner, const Path& out, const Size& size,
                   const std::vector<std::string>& layers, int msaa) {
    ui::PictureOptions options;
    options.width = size.width;
    options.height = size.height;
    options.layers = layers;
    options.msaa = msaa;
    ui::render_picture(runner.current(), runner.scene().camera, out, options);
}
#else
void write_picture(const core::Runner&, const Path&, const Size&, const std::vector<std::string>&, int) {
    throw core::MachineError("this program was built without the renderer: build it with CAIRN_GUI=ON");
}
#endif

int run_render(const RenderArguments& arguments) {
    const auto workers = core::make_worker_pool(arguments.threads);
    std::optional<core::Runner> runner;
    if (core::looks_like_capture(arguments.file)) {
        runner.emplace(core::Scene{}, workers.get(), 0);
        runner->start_replay(arguments.file);
        const std::uint64_t steps = runner->replay()->steps;
        if (arguments.step > steps) {
            throw core::InputError(core::Location{arguments.file.string(), 0, 0},
                                   "the capture ends at step " + std::to_string(steps) + ", before --step " +
                                       std::to_string(arguments.step));
        }
    } else {
        runner.emplace(core::read_scene(core::find_scene(arguments.file)), workers.get(), 0);
    }
    {
        Progress progress("simulating");
        for (std::uint64_t step = 1; step <= arguments.step; ++step) {
            runner->step();
            progress.show(static_cast<double>(step) / static_cast<double>(arguments.step));
        }
    }
    write_picture(*runner, arguments.out, arguments.size, arguments.layers, arguments.msaa);
    const auto replay = runner->replay();
    if (replay && replay->divergence) {
        // The picture shows what this program computes, which is not what was recorded.
        print_error(arguments.file.string() + ": " + replay->divergence->what);
        return exit_check_failed;
    }
    return exit_success;
}

} // namespace cairn::cli
