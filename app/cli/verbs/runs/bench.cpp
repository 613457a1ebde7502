#include "app/cli/options/verbs.h"
#include "app/cli/output/bench_output.h"
#include "app/cli/output/command_files.h"
#include "app/cli/output/progress.h"
#include "app/cli/output/table.h"
#include "app/core/bench_scenes/bench_scenes.h"
#include "app/core/report/formats/json.h"
#include "app/core/report/report.h"
#include "app/core/report/statistics/statistics.h"
#include "app/core/workers/worker_pool.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <malloc.h>
#include <map>

namespace cairn::cli {
namespace {

using core::Json;

constexpr std::array<const char*, 6> stages{"broadphase", "narrowphase", "islands", "solver", "continuous", "finish"};

// Bytes that the program has taken from the heap and not given back; nothing where the C library does not report it, as
// when a sanitizer has replaced its allocator.
std::optional<double> heap_in_use() {
    const struct mallinfo2 info = mallinfo2();
    const double bytes = static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
    return bytes > 0.0 ? std::optional(bytes) : std::nullopt;
}

// How far the dynamic bodies have gone sideways at most, m.
double drift_between(const std::vector<physics::BodyState>& before, const std::vector<physics::BodyState>& after) {
    double drift = 0.0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i].type == physics::BodyType::dynamic) {
            const glm::dvec3 displacement = glm::dvec3(after[i].pose.position) - glm::dvec3(before[i].pose.position);
            drift = std::max(drift, std::hypot(displacement.x, displacement.y));
        }
    }
    return drift;
}

// As `cairn simulate --stats` reports it, and what makes a world expensive or bad: how long it takes to build, how much
// memory it holds, and how far its bodies have drifted.
Json measure_scene(const core::SceneToMeasure& named, std::uint64_t steps, physics::Executor& workers,
                   const std::function<void(double)>& progress) {
    const auto start = std::chrono::steady_clock::now();
    std::optional<physics::World> world = core::make_world(named.scene, &workers);
    const std::chrono::duration<double, std::milli> building = std::chrono::steady_clock::now() - start;
    physics::FrameState frame;
    world->publish(frame);
    const std::vector<physics::BodyState> before = frame.bodies;
    core::StatsCollector stats;
    stats.add(frame);
    physics::FrameDetails details;
    details.hash = false;
    world->watch(details);
    for (std::uint64_t step = 1; step <= steps; ++step) {
        world->step();
        world->publish(frame);
        stats.add(frame);
        progress(static_cast<double>(step) / static_cast<double>(steps));
    }
    stats.set_hash(world->hash());
    Json json = Json::parse(stats.to_json(workers.thread_count(), named.name));
    json["build_ms"] = building.count();
    json["drift"] = drift_between(before, frame.bodies);
    if (!named.series.empty()) {
        json["series"] = named.series;
    }
    const physics::MemoryUse memory = world->memory_use();
    json["memory"] = Json{{"bodies", memory.bodies},     {"kinds", memory.kinds},   {"trees", memory.trees},
                          {"contacts", memory.contacts}, {"joints", memory.joints}, {"solver", memory.solver},
                          {"scratch", memory.scratch}};
    const auto per_body = [&before](double bytes) { return bytes / static_cast<double>(before.size()); };
    json["bytes_per_body"] = before.empty() ? Json() : Json(per_body(static_cast<double>(memory.total())));
    // The same as the allocator sees it: all that goes when the world goes. The published frame shares its models, so
    // it goes first.
    frame = physics::FrameState{};
    const std::optional<double> with = heap_in_use();
    world.reset();
    const std::optional<double> without = heap_in_use();
    json["heap_bytes_per_body"] = with && without && !before.empty() ? Json(per_body(*with - *without)) : Json();
    return json;
}

double value(const Json& json, const char* key) {
    const Json& found = json.at(key);
    return found.is_number() ? found.get<double>() : std::numeric_limits<double>::quiet_NaN(); // null = not finite
}

// Of every series of which several sizes were measured: the exponent p of ms ~ bodies^p.
Json growth_of_series(const Json& results) {
    std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> series;
    for (const Json& result : results) {
        if (result.contains("series")) {
            auto& [bodies, times] = series[result.at("series")];
            bodies.push_back(value(result, "bodies"));
            times.push_back(value(result.at("ms_per_step"), "median"));
        }
    }
    Json growth = Json::object();
    for (const auto& [name, measured] : series) {
        const auto& [bodies, times] = measured;
        const auto [least, most] = std::ranges::minmax_element(bodies);
        if (*most >= 2.0 * *least) { // else it says nothing
            growth[name] = core::growth_exponent(bodies, times);
        }
    }
    return growth;
}

std::string table_of(const Json& results, std::uint64_t steps) {
    std::vector<TableRow> times{{"ms per step", "bodies", "median", "mean", "p99", "worst", "worst stage", "over p90"}};
    times[0].insert(times[0].end(), stages.begin(), stages.end());
    std::vector<TableRow> ends{{"after " + std::to_string(steps) + " steps", "contacts", "points", "awake",
                                "penetration mm", "worst mm", "drift mm", "kinetic energy J", "bytes per body",
                                "build ms", "hash"}};
    for (const Json& result : results) {
        const std::string name = result.at("name");
        const Json& step = result.at("ms_per_step");
        TableRow row{name, number_text("%.0f", value(result, "bodies")), time_text(value(step, "median")),
                     time_text(value(step, "mean")), time_text(value(step, "p99"))};
        if (result.contains("worst_step")) {
            const Json& worst = result.at("worst_step");
            row.insert(row.end(), {time_text(value(worst, "ms")), worst.at("stage"),
                                   number_text("%.1f", value(worst, "over_neighbours"))});
        } else {
            row.insert(row.end(), 3, "-");
        }
        for (const char* stage : stages) {
            row.push_back(time_text(value(result.at("stages"), stage)));
        }
        times.push_back(std::move(row));
        const Json& bytes = result.at("bytes_per_body");
        ends.push_back(
            {name, number_text("%.0f", value(result, "contacts")), number_text("%.0f", value(result, "contact_points")),
             number_text("%.0f", value(result, "awake")), number_text("%.2f", 1e3 * value(result, "max_penetration")),
             number_text("%.2f", 1e3 * value(result, "worst_penetration")),
             number_text("%.2f", 1e3 * value(result, "drift")), number_text("%.4g", value(result, "kinetic_energy")),
             bytes.is_null() ? "-" : number_text("%.0f", bytes), time_text(value(result, "build_ms")),
             result.at("hash")});
    }
    return markdown_table(times) + '\n' + markdown_table(ends);
}

int bench_scenes(const BenchArguments& arguments) {
    const std::vector<core::SceneToMeasure> scenes =
        read_scenes(arguments.scenes.empty() ? shipped_scenes() : arguments.scenes);
    if (!arguments.write.empty()) {
        for (const core::SceneToMeasure& scene : scenes) {
            core::save_scene(scene.scene, arguments.write / (scene.name + ".json"));
        }
        return exit_success;
    }
    const auto workers = core::make_worker_pool(arguments.threads);
    Json results = Json::array();
    {
        Progress progress("measuring");
        for (std::size_t i = 0; i < scenes.size(); ++i) {
            results.push_back(measure_scene(scenes[i], arguments.steps, *workers, [&](double share) {
                progress.show((static_cast<double>(i) + share) / static_cast<double>(scenes.size()));
            }));
        }
    }
    const Json growth = growth_of_series(results);
    std::vector<TableRow> exponents{{"series", "growth exponent"}};
    for (const auto& [series, exponent] : growth.items()) {
        exponents.push_back({series, number_text("%.2f", exponent)});
    }
    const int threads = workers->thread_count();
    deliver(
        arguments.json, Json{{"threads", threads}, {"steps", arguments.steps}, {"scenes", results}, {"growth", growth}},
        "Steps on " + std::to_string(threads) + (threads == 1 ? " thread" : " threads") + "; stages are means.\n\n" +
            table_of(results, arguments.steps) + (growth.empty() ? "" : '\n' + markdown_table(exponents)));
    return exit_success;
}

} // namespace

int run_bench(const BenchArguments& arguments) {
    CommandFiles files;
    BenchArguments found = arguments;
    for (Path& scene : found.scenes) {
        std::error_code error;
        if (std::filesystem::exists(scene, error) || scene.string().starts_with("builtin:")) {
            scene = files.input(scene);
        } // else it is the name of one made in memory
    }
    files.output("--json", arguments.json);
    check_writable(arguments.json);
    return bench_scenes(found);
}

} // namespace cairn::cli
