#include "app/cli/picture.h"
#include "app/cli/progress.h"
#include "app/cli/verbs.h"
#include "app/core/base/error.h"
#include "app/core/export/gltf.h"
#include "app/core/report/report.h"
#include "app/core/runner/runner.h"
#include "app/core/workers/worker_pool.h"

#ifdef CAIRN_GUI
#include "app/ui/film/film_of_run.h"
#endif

#include <algorithm>
#include <memory>
#include <utility>

namespace cairn::cli {
namespace {

// What is exported, whether it was recorded or is computed now.
struct Run {
    core::Scene scene;
    std::optional<core::Capture> capture;
    std::uint64_t first = 0, last = 0; // steps
};

Run read_run(const ExportArguments& arguments) {
    Run run;
    run.first = arguments.from;
    if (core::looks_like_capture(arguments.file)) {
        run.capture = core::read_capture(arguments.file);
        run.scene = run.capture->header.scene;
        run.last = arguments.to.value_or(run.capture->steps.size());
        if (run.last > run.capture->steps.size()) {
            throw core::InputError(core::Location{arguments.file.string(), 0, 0},
                                   "the capture ends at step " + std::to_string(run.capture->steps.size()) +
                                       ", before --to " + std::to_string(run.last));
        }
    } else {
        run.scene = core::read_scene(core::find_scene(arguments.file));
        if (!arguments.to) {
            throw core::InputError("a scene has no end of its own: say how far with --to");
        }
        run.last = *arguments.to;
    }
    if (run.first > run.last) {
        throw core::InputError("--from " + std::to_string(run.first) + " lies behind the last step, " +
                               std::to_string(run.last));
    }
    return run;
}

int report_divergence(const ExportArguments& arguments, const std::optional<core::Divergence>& divergence) {
    if (divergence) {
        // What was written shows what this program computes, which is not what was recorded.
        print_error(arguments.file.string() + ": " + divergence->what);
    }
    return divergence ? exit_check_failed : exit_success;
}

// The formats that need what the world publishes alone: one pass for both.
int export_data(const ExportArguments& arguments, const Run& run, physics::Executor* workers) {
    physics::World world = core::make_world(run.scene, workers);
    std::optional<core::TraceWriter> trace;
    if (!arguments.csv.empty()) {
        trace.emplace(arguments.csv);
    }
    core::MotionTracks tracks(arguments.precision);
    std::optional<core::Divergence> divergence;
    const auto check = [&](std::uint64_t step, std::uint64_t expected) {
        if (!divergence && world.hash() != expected) {
            divergence = core::divergence_at(step, expected, world.hash(), {});
        }
    };
    if (run.capture) {
        check(0, run.capture->initial_hash);
    }
    physics::FrameState frame;
    {
        Progress progress("exporting");
        for (std::uint64_t step = 0; step <= run.last; ++step) {
            if (step > 0) {
                const core::CaptureStep* recorded = run.capture ? &run.capture->steps[step - 1] : nullptr;
                if (recorded != nullptr) {
                    core::replay_step(world, *recorded);
                    check(step, recorded->hash);
                } else {
                    world.step();
                }
            }
            if (step >= run.first && ((step - run.first) % arguments.every == 0 || step == run.last)) {
                world.publish(frame);
                if (trace) {
                    trace->add(frame);
                }
                if (!arguments.gltf.empty()) {
                    tracks.add(frame);
                }
            }
            progress.show(static_cast<double>(step) / static_cast<double>(std::max<std::uint64_t>(run.last, 1)));
        }
    }
    if (trace) {
        trace->finish();
    }
    if (!arguments.gltf.empty()) {
        core::GltfRun out{run.scene.name, run.scene.camera, tracks.first_time(), tracks.last_time(), tracks.finish()};
        core::write_gltf(arguments.gltf, out);
    }
    return report_divergence(arguments, divergence);
}

#ifdef CAIRN_GUI
int export_film(const ExportArguments& arguments, const Run& run, const Path& out, ui::FilmKind kind) {
    ui::RunFilm film;
    film.stretch.scene = std::make_shared<core::Scene>(run.scene);
    for (std::uint64_t step = 1; step <= run.last; ++step) {
        // A scene that is computed now has nothing recorded to hold it against: Retrace is told nothing then.
        film.stretch.steps.push_back(run.capture ? run.capture->steps[step - 1] : core::CaptureStep{step, {}, 0});
    }
    film.first = run.first;
    film.kind = kind;
    film.rate = arguments.rate;
    film.look = picture_options(arguments.picture);
    Progress progress("filming");
    const auto divergence = ui::film_run(std::move(film), out, [&](double share) { progress.show(share); });
    progress.wipe();
    return run.capture ? report_divergence(arguments, divergence) : exit_success;
}
#endif

} // namespace

int run_export(const ExportArguments& arguments) {
    const bool data = !arguments.csv.empty() || !arguments.gltf.empty();
    const bool film = !arguments.mp4.empty() || !arguments.gif.empty();
    if (!data && !film) {
        throw core::InputError("nothing to write: name at least one of --csv, --gltf, --mp4 and --gif");
    }
#ifndef CAIRN_GUI
    if (film) {
        throw core::MachineError("this program was built without the renderer: build it with CAIRN_GUI=ON");
    }
#endif
    const Run run = read_run(arguments);
    const auto workers = core::make_worker_pool(arguments.threads);
    int code = exit_success;
    if (data) {
        code = std::max(code, export_data(arguments, run, workers.get()));
    }
#ifdef CAIRN_GUI
    if (!arguments.mp4.empty()) {
        code = std::max(code, export_film(arguments, run, arguments.mp4, ui::FilmKind::video));
    }
    if (!arguments.gif.empty()) {
        code = std::max(code, export_film(arguments, run, arguments.gif, ui::FilmKind::gif));
    }
#endif
    return code;
}

} // namespace cairn::cli
