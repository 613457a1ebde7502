// `cairn-bench frame`: what the main thread does for each picture.
#include "app/cli/output/bench_output.h"
#include "app/core/base/error.h"
#include "bench/program/verbs.h"

#ifdef CAIRN_GUI
#include "app/cli/output/progress.h"
#include "app/cli/output/table.h"
#include "app/core/workers/worker_pool.h"
#include "app/ui/session/benchmark/frame_cost.h"
#endif

namespace cairn::bench {

using namespace cli;
#ifdef CAIRN_GUI
namespace {

using core::Json;

Json json_of(const ui::FrameCost::Part& part) {
    return Json{{"name", part.name}, {"median", part.median_ms}, {"p99", part.p99_ms}};
}

} // namespace

int measure_frame(const Arguments& arguments) {
    std::vector<Path> files = arguments.scenes;
    if (files.empty()) {
        files.emplace_back("bench/mixed_10k");
    }
    const std::vector<core::SceneToMeasure> scenes = read_scenes(files);
    const auto workers = core::make_worker_pool(arguments.threads);
    std::vector<TableRow> table{{"ms per picture"}};
    for (const core::SceneToMeasure& scene : scenes) {
        table[0].push_back(scene.name);
        table[0].push_back("p99");
    }
    std::string counts;
    Json results = Json::array();
    {
        Progress progress("measuring");
        for (std::size_t i = 0; i < scenes.size(); ++i) {
            ui::FrameCostOptions options;
            options.frames = static_cast<int>(std::min<std::uint64_t>(arguments.steps, 1'000'000));
            const ui::FrameCost cost = ui::measure_frames(scenes[i].scene, *workers, options, [&](double share) {
                progress.show((static_cast<double>(i) + share) / static_cast<double>(scenes.size()));
            });
            Json parts = Json::array();
            std::size_t row = 1;
            const auto add = [&](const ui::FrameCost::Part& part) {
                if (table.size() <= row) {
                    table.push_back({part.name});
                }
                table[row].push_back(time_text(part.median_ms));
                table[row++].push_back(time_text(part.p99_ms));
            };
            for (const ui::FrameCost::Part& part : cost.parts) {
                add(part);
                parts.push_back(json_of(part));
            }
            add(cost.total);
            add(cost.publish);
            add(cost.step);
            counts += scenes[i].name + ": " + std::to_string(cost.bodies) + " bodies, " + std::to_string(cost.awake) +
                      " awake, " + std::to_string(cost.drawn) + " in sight, " + std::to_string(cost.culled) +
                      " out of sight\n";
            results.push_back(Json{{"name", scenes[i].name},
                                   {"bodies", cost.bodies},
                                   {"awake", cost.awake},
                                   {"drawn", cost.drawn},
                                   {"culled", cost.culled},
                                   {"parts", std::move(parts)},
                                   {"main_thread", json_of(cost.total)},
                                   {"publish", json_of(cost.publish)},
                                   {"step", json_of(cost.step)}});
        }
    }
    deliver(arguments.json,
            Json{{"frames", arguments.steps}, {"threads", workers->thread_count()}, {"scenes", std::move(results)}},
            "Medians of " + std::to_string(arguments.steps) +
                " pictures, one step each. `publish` and `step` are on the simulation's thread; sending it all to a "
                "driver is not counted.\n\n" +
                markdown_table(table) + '\n' + counts);
    return exit_success;
}
#else
int measure_frame(const Arguments&) {
    throw core::MachineError("this program was built without the window, which this measures: build it with "
                             "CAIRN_GUI=ON");
}
#endif

} // namespace cairn::bench
