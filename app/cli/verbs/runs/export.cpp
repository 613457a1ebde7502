#include "app/cli/options/verbs.h"
#include "app/cli/output/command_files.h"
#include "app/cli/output/progress.h"
#include "app/cli/verbs/runs/picture.h"
#include "app/core/base/error.h"
#include "app/core/base/files/standard_input.h"
#include "app/core/base/interruption.h"
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
    std::string name;                  // of the file, for people
    bool cut_off = false;              // the capture has lost its end, and nobody has asked for a part of it
};

Run read_run(const ExportArguments& arguments, CommandFiles& files) {
    Run run;
    run.first = arguments.from;
    const Path file = files.input(arguments.file);
    run.name = core::shown_name(file);
    if (core::is_meant_as_capture(file)) {
        reject_set_of_capture(arguments.set);
        run.capture = core::read_capture(file);
        run.scene = run.capture->header.scene;
        const std::uint64_t steps = run.capture->steps.size();
        run.last = arguments.to.value_or(steps);
        const std::string end =
            (run.capture->truncated ? "the capture is cut off after step " : "the capture ends at step ") +
            std::to_string(steps);
        if (run.last > steps) {
            throw core::InputError(core::Location{run.name, 0, 0}, end + ", before --to " + std::to_string(run.last));
        }
        run.cut_off = run.capture->truncated && !arguments.to;
    } else {
        run.scene = files.scene(file, arguments.confined, arguments.set);
        if (!arguments.to) {
            throw core::InputError("a scene has no last step: give one with --to");
        }
        run.last = *arguments.to;
    }
    if (run.first > run.last) {
        throw core::InputError("--from " + std::to_string(run.first) + " is after the last step, " +
                               std::to_string(run.last));
    }
    return run;
}

int report_divergence(const Run& run, const std::optional<core::Divergence>& divergence) {
    if (divergence) {
        // What was written shows what this program computes, which is not what was recorded.
        print_error(run.name + ": " + divergence->what);
    }
    return divergence ? exit_check_failed : exit_success;
}

// The formats that need what the world publishes alone: one pass for both.
int export_data(const ExportArguments& arguments, const Run& run, core::OutputFile* gltf, physics::Executor* workers) {
    physics::World world = core::make_world(run.scene, workers);
    std::optional<core::TraceWriter> trace;
    if (!arguments.csv.empty()) {
        trace.emplace(arguments.csv, core::TraceWriter::Names::yes);
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
    physics::FrameState frame, start;
    {
        Progress progress("exporting", arguments.quiet);
        for (std::uint64_t step = 0; step <= run.last; ++step) {
            core::interruption_point();
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
                if (gltf != nullptr) {
                    tracks.add(frame);
                    start = step == run.first ? frame : std::move(start);
                }
            }
            progress.show(static_cast<double>(step) / static_cast<double>(std::max<std::uint64_t>(run.last, 1)));
        }
    }
    if (trace) {
        trace->finish();
    }
    if (gltf != nullptr) {
        const core::GltfRun out{run.scene.name,  run.scene.camera,    tracks.first_time(), tracks.last_time(),
                                tracks.finish(), run.scene.show.path, std::move(start)};
        gltf->finish(core::gltf_file(arguments.gltf, out));
    }
    return report_divergence(run, divergence);
}

#ifdef CAIRN_GUI
int export_film(const ExportArguments& arguments, const Run& run, const Path& out, ui::FilmKind kind) {
    ui::RunFilm film;
    film.segment.scene = std::make_shared<core::Scene>(run.scene);
    for (std::uint64_t step = 1; step <= run.last; ++step) {
        // A scene that is computed now has nothing recorded to compare it with: Retrace gets none then.
        film.segment.steps.push_back(run.capture ? run.capture->steps[step - 1] : core::CaptureStep{step, {}, 0});
    }
    film.first = run.first;
    film.kind = kind;
    film.rate = arguments.rate;
    film.look = picture_options(arguments.picture);
    film.look.zones = run.scene.zones;
    Progress progress("filming", arguments.quiet);
    const auto divergence = ui::film_run(std::move(film), out, [&](double share) {
        core::interruption_point();
        progress.show(share);
    });
    progress.wipe();
    return run.capture ? report_divergence(run, divergence) : exit_success;
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
        reject_pictures();
    }
#endif
    CommandFiles files;
    const Run run = read_run(arguments, files);
    if (!arguments.gltf.empty()) {
        core::check_gltf_name(arguments.gltf);
    }
    files.output("--csv", arguments.csv);
    files.output("--mp4", arguments.mp4);
    files.output("--gif", arguments.gif);
    const auto gltf = files.open("--gltf", arguments.gltf);
    const core::InterruptionGuard guard;
    const auto workers = core::make_worker_pool(arguments.threads);
    int code = exit_success;
    if (data) {
        code = std::max(code, export_data(arguments, run, gltf.get(), workers.get()));
    }
#ifdef CAIRN_GUI
    if (!arguments.mp4.empty()) {
        code = std::max(code, export_film(arguments, run, arguments.mp4, ui::FilmKind::video));
    }
    if (!arguments.gif.empty()) {
        code = std::max(code, export_film(arguments, run, arguments.gif, ui::FilmKind::gif));
    }
#endif
    if (run.cut_off) {
        print_error(run.name + ": the capture is cut off after step " + std::to_string(run.last) +
                    ", which is as far as was written");
        code = std::max<int>(code, exit_check_failed);
    }
    return code;
}

} // namespace cairn::cli
