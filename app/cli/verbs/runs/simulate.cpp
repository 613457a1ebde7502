#include "app/cli/options/verbs.h"
#include "app/cli/output/command_files.h"
#include "app/cli/output/progress.h"
#include "app/core/base/error.h"
#include "app/core/base/interruption.h"
#include "app/core/report/report.h"
#include "app/core/runner/runner.h"
#include "app/core/workers/worker_pool.h"

#include <chrono>
#include <cstdio>

namespace cairn::cli {

int run_simulate(const SimulateArguments& arguments) {
    CommandFiles files;
    core::Scene scene = files.scene(files.input(arguments.scene), arguments.confined, arguments.set);
    files.output("--trace", arguments.trace);
    files.output("--capture", arguments.capture);
    const auto stats_file = files.open("--stats", arguments.stats);

    const auto workers = core::make_worker_pool(arguments.threads);
    core::Runner runner(scene, workers.get(), 0);
    const core::InterruptionGuard guard; // what was written by then is worth having

    std::optional<core::TraceWriter> trace;
    if (!arguments.trace.empty()) {
        trace.emplace(arguments.trace);
        trace->add(runner.current());
    }
    if (!arguments.capture.empty()) {
        runner.start_recording(arguments.capture);
    }
    core::StatsCollector stats(stats_file != nullptr);
    stats.add(runner.current());
    physics::FrameDetails details;
    details.hash = runner.recording();
    runner.watch(details);

    const auto start = std::chrono::steady_clock::now();
    {
        Progress progress("simulating", arguments.quiet);
        for (std::uint64_t step = 1; step <= arguments.steps && core::interruption() == 0; ++step) {
            runner.step();
            stats.add(runner.current());
            if (trace) {
                trace->add(runner.current());
            }
            for (const std::string& message : runner.take_messages()) {
                if (const std::exception_ptr failure = runner.recording_failure()) {
                    std::rethrow_exception(failure); // half a capture is not what was asked for
                }
                progress.wipe();
                std::fprintf(stderr, "step %llu: %s\n", static_cast<unsigned long long>(step), message.c_str());
            }
            progress.show(static_cast<double>(step) / static_cast<double>(arguments.steps));
        }
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

    if (trace) {
        trace->finish();
    }
    if (runner.recording()) {
        runner.stop_recording();
    }
    runner.watch({}); // with its hash
    stats.set_hash(runner.current().hash);
    if (stats_file) {
        stats_file->finish(stats.to_json(workers->thread_count(), scene.name));
    }

    const physics::FrameState& end = runner.current();
    if (stats.stopped() > 0) {
        std::fprintf(stderr,
                     "warning: bodies were stopped %llu time%s, since their motion was not finite or left the range of "
                     "positions, first at step %llu: what follows is not what the scene describes\n",
                     static_cast<unsigned long long>(stats.stopped()), stats.stopped() == 1 ? "" : "s",
                     static_cast<unsigned long long>(stats.first_stopped()->step));
    }
    const int signal = core::interruption();
    if (signal != 0) {
        std::fprintf(stderr, "interrupted after step %llu of %llu\n", static_cast<unsigned long long>(end.step),
                     static_cast<unsigned long long>(arguments.steps));
    }
    if (!arguments.quiet) {
        std::fprintf(stderr,
                     "%llu steps (%.3g s) of %u bodies in %.3g s on %d thread%s: %.3g ms a step\n"
                     "%u awake, %u contact points, deepest penetration %.3g m, kinetic energy %.4g J, hash %s\n",
                     static_cast<unsigned long long>(end.step), end.time, end.stats.bodies, seconds.count(),
                     workers->thread_count(), workers->thread_count() == 1 ? "" : "s", stats.mean_ms(), end.stats.awake,
                     end.stats.contact_points, stats.worst_penetration(), end.stats.kinetic_energy,
                     core::hash_text(end.hash).c_str());
    }
    if (signal != 0) {
        throw core::Interrupted{signal};
    }
    return exit_success;
}

} // namespace cairn::cli
