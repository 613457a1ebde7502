#include "app/cli/options/verbs.h"
#include "app/cli/output/command_files.h"
#include "app/cli/output/progress.h"
#include "app/cli/verbs/runs/picture.h"
#include "app/core/base/error.h"
#include "app/core/base/files/standard_input.h"
#include "app/core/base/interruption.h"
#include "app/core/runner/runner.h"
#include "app/core/scene/scene_camera.h"
#include "app/core/workers/worker_pool.h"

#ifdef CAIRN_GUI
#include "app/ui/screen/scene/scene_shown.h"
#endif

#include <utility>

namespace cairn::cli {

#ifdef CAIRN_GUI
std::optional<ui::Quality> quality_option(const std::string& name) {
    const auto quality = ui::quality_named(name);
    if (!name.empty() && !quality) {
        throw core::InputError("unknown quality '" + name + "'; choose from " + ui::quality_names());
    }
    return quality;
}

ui::PictureOptions picture_options(const PictureArguments& picture) {
    ui::PictureOptions options;
    options.width = picture.size.width;
    options.height = picture.size.height;
    options.layers = picture.layers;
    ui::set_quality(options.draw, quality_option(picture.quality).value_or(ui::Quality::high));
    options.draw.msaa = picture.msaa.value_or(options.draw.msaa);
    if (!picture.colours.empty()) {
        const auto mode = ui::colour_mode_of(picture.colours);
        if (!mode) {
            throw core::InputError("unknown colour mode '" + picture.colours + "'; choose from " +
                                   ui::colour_mode_names());
        }
        options.colours = *mode;
    }
    return options;
}

void prepare_picture(core::Runner& runner, const PictureArguments& picture) {
    runner.watch(ui::details_for(picture_options(picture)));
}

void write_picture(const core::Runner& runner, const PictureArguments& picture, core::OutputFile& out) {
    ui::PictureOptions options = picture_options(picture);
    options.zones = runner.scene().zones;
    if (!options.layers.empty()) { // else a picture is as it always was
        ui::SceneShown shown;
        shown.learn(runner.scene());
        options.labels = std::move(shown.labels);
    }
    out.write(ui::draw_png(runner.current(), core::camera_of_scene(runner.scene(), runner.current().time), options));
    out.finish();
}
#else
void reject_pictures() {
    throw core::MachineError("this program was built without the renderer: build it with CAIRN_GUI=ON");
}

void prepare_picture(core::Runner&, const PictureArguments&) {
    reject_pictures();
}

void write_picture(const core::Runner&, const PictureArguments&, core::OutputFile&) {
    reject_pictures();
}
#endif

int run_render(const RenderArguments& arguments) {
    if (arguments.out != "-" && arguments.out.extension() != ".png") {
        throw core::InputError(core::Location{arguments.out.string(), 0, 0},
                               "a picture is a PNG file: its name ends with .png");
    }
    CommandFiles files;
    const Path file = files.input(arguments.file);
    const core::InterruptionGuard guard;
    const auto workers = core::make_worker_pool(arguments.threads);
    std::optional<core::Runner> runner;
    std::uint64_t first = 0; // step to go on from
    if (core::is_meant_as_capture(file)) {
        reject_set_of_capture(arguments.set);
        runner.emplace(core::Scene{}, workers.get(), 0);
        // One step before, so that the picture can show what happens in the step.
        first = arguments.step > 0 ? arguments.step - 1 : 0;
        runner->start_replay(file, first);
        const std::uint64_t steps = runner->replay()->steps;
        if (arguments.step > steps) {
            throw core::InputError(core::Location{core::shown_name(file), 0, 0},
                                   "the capture ends at step " + std::to_string(steps) + ", before --step " +
                                       std::to_string(arguments.step));
        }
    } else {
        core::Scene scene = files.scene(file, arguments.confined, arguments.set);
        runner.emplace(scene, workers.get(), 0);
    }
    const auto out = files.open("--out", arguments.out);
    prepare_picture(*runner, arguments.picture);
    {
        Progress progress("simulating", arguments.quiet);
        for (std::uint64_t step = first + 1; step <= arguments.step; ++step) {
            core::interruption_point();
            runner->step();
            progress.show(static_cast<double>(step) / static_cast<double>(arguments.step));
        }
    }
    write_picture(*runner, arguments.picture, *out);
    const auto replay = runner->replay();
    if (replay && replay->divergence) {
        // The picture shows what this program computes, which is not what was recorded.
        print_error(core::shown_name(file) + ": " + replay->divergence->what);
        return exit_check_failed;
    }
    return exit_success;
}

} // namespace cairn::cli
