// What it costs to keep the past of a world while it runs, beside its steps.
#include "app/cli/output/bench_output.h"
#include "app/cli/output/progress.h"
#include "app/cli/output/table.h"
#include "app/core/history/history.h"
#include "app/core/workers/worker_pool.h"
#include "bench/program/verbs.h"

#include <chrono>
#include <cstdio>
#include <memory>

namespace cairn::bench {
namespace {

using namespace cli;
using Clock = std::chrono::steady_clock;

double seconds(Clock::duration time) {
    return std::chrono::duration<double>(time).count();
}

} // namespace

int measure_past(const Arguments& arguments) {
    const std::vector<core::SceneToMeasure> scenes = read_scenes(arguments.scenes);
    const auto workers = core::make_worker_pool(arguments.threads);
    std::vector<TableRow> table{
        {"scene", "ms a step", "of it, its hash", "its history too", "share", "snapshots", "MB"}};
    core::Json results = core::Json::array();
    {
        Progress progress("measuring");
        for (std::size_t i = 0; i < scenes.size(); ++i) {
            const auto scene = std::make_shared<const core::Scene>(scenes[i].scene);
            physics::World world = core::make_world(*scene, workers.get());
            core::History history;
            history.begin(scene, world.hash());
            double stepping = 0.0, hashing = 0.0, keeping = 0.0; // s, in all
            for (std::uint64_t step = 1; step <= arguments.steps; ++step) {
                const Clock::time_point begun = Clock::now();
                world.step();
                const Clock::time_point stepped = Clock::now();
                const std::uint64_t hash = world.hash();
                const Clock::time_point hashed = Clock::now();
                history.add({step, {}, hash}, world, seconds(stepped - begun));
                const Clock::time_point kept = Clock::now();
                stepping += seconds(stepped - begun);
                hashing += seconds(hashed - stepped);
                keeping += seconds(kept - hashed);
                progress.show(
                    (static_cast<double>(i) + static_cast<double>(step) / static_cast<double>(arguments.steps)) /
                    static_cast<double>(scenes.size()));
            }
            const double each = 1e3 / static_cast<double>(arguments.steps); // ms of a step for a s in all
            const double share = keeping / (stepping + hashing),
                         megabytes = 1e-6 * static_cast<double>(history.snapshot_bytes());
            table.push_back({scenes[i].name, time_text(each * (stepping + hashing)), time_text(each * hashing),
                             time_text(each * keeping), number_text("%.2f %%", 100.0 * share),
                             std::to_string(history.snapshots()), number_text("%.1f", megabytes)});
            results.push_back({{"name", scenes[i].name},
                               {"step_ms", each * (stepping + hashing)},
                               {"hash_ms", each * hashing},
                               {"past_ms", each * keeping},
                               {"share", share},
                               {"snapshots", history.snapshots()},
                               {"snapshot_bytes", history.snapshot_bytes()}});
        }
    }
    deliver(arguments.json, {{"steps", arguments.steps}, {"threads", workers->thread_count()}, {"scenes", results}},
            markdown_table(table));
    return exit_success;
}

} // namespace cairn::bench
