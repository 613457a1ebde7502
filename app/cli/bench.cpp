#include "app/cli/progress.h"
#include "app/cli/source_tables.h"
#include "app/cli/table.h"
#include "app/cli/verbs.h"
#include "app/core/base/error.h"
#include "app/core/report/json.h"
#include "app/core/report/report.h"
#include "app/core/runner/runner.h"
#include "app/core/workers/worker_pool.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>

namespace cairn::cli {
namespace {

using core::Json;

constexpr std::array<const char*, 6> stages{"broadphase", "narrowphase", "islands", "solver", "continuous", "finish"};

// Found out before minutes of measuring, not after.
void check_writable(const Path& file) {
    if (file.empty() || file == "-") {
        return;
    }
    std::error_code error;
    const Path folder = file.has_parent_path() ? file.parent_path() : Path(".");
    if (!std::filesystem::is_directory(folder, error)) {
        throw core::InputError({file.string(), 0, 0}, "there is no folder " + folder.string());
    }
    if (std::filesystem::is_directory(file, error)) {
        throw core::InputError({file.string(), 0, 0}, "is a folder");
    }
}

// The JSON goes where it was asked for; the tables to the standard output, if that is still free.
void deliver(const Path& file, const Json& json, const std::string& tables) {
    if (!file.empty()) {
        core::write_text_file(file, core::text_of(json, 1));
    }
    if (file != "-" && (std::fputs(tables.c_str(), stdout) < 0 || std::fflush(stdout) != 0)) {
        throw core::InputError("the standard output could not be written");
    }
}

struct NamedScene {
    std::string name; // of the file
    core::Scene scene;
};

std::vector<NamedScene> read_scenes(const std::vector<Path>& given) {
    std::vector<Path> files = given;
    if (files.empty()) {
        for (const core::SceneFile& file : core::list_scenes(core::data_folder() / "scenes")) {
            files.push_back(file.path);
        }
        std::sort(files.begin(), files.end()); // the listing goes by the names inside
    }
    std::vector<NamedScene> scenes;
    for (const Path& file : files) {
        const Path found = core::find_scene(file);
        scenes.push_back({found.stem().string(), core::read_scene(found)});
        core::make_world(scenes.back().scene); // which has the last word on what a body may be
    }
    return scenes;
}

// As `cairn simulate --stats` reports it.
Json measure_scene(const NamedScene& named, std::uint64_t steps, physics::Executor& workers,
                   const std::function<void(double)>& progress) {
    core::Runner runner(named.scene, &workers);
    core::StatsCollector stats;
    stats.add(runner.current());
    for (std::uint64_t step = 1; step <= steps; ++step) {
        runner.step();
        stats.add(runner.current());
        progress(static_cast<double>(step) / static_cast<double>(steps));
    }
    return Json::parse(stats.to_json(workers.thread_count(), named.name));
}

double value(const Json& json, const char* key) {
    const Json& found = json.at(key);
    return found.is_number() ? found.get<double>() : std::numeric_limits<double>::quiet_NaN(); // null = not finite
}

int bench_scenes(const BenchArguments& arguments) {
    const std::vector<NamedScene> scenes = read_scenes(arguments.scenes);
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

    std::vector<TableRow> times{{"ms per step", "bodies", "median", "mean", "p99"}};
    times[0].insert(times[0].end(), stages.begin(), stages.end());
    std::vector<TableRow> ends{{"after " + std::to_string(arguments.steps) + " steps", "contacts", "points", "awake",
                                "penetration mm", "worst mm", "kinetic energy J", "hash"}};
    for (const Json& result : results) {
        const std::string name = result.at("name");
        const Json& step = result.at("ms_per_step");
        TableRow row{name, number_text("%.0f", value(result, "bodies")), time_text(value(step, "median")),
                     time_text(value(step, "mean")), time_text(value(step, "p99"))};
        for (const char* stage : stages) {
            row.push_back(time_text(value(result.at("stages"), stage)));
        }
        times.push_back(std::move(row));
        ends.push_back(
            {name, number_text("%.0f", value(result, "contacts")), number_text("%.0f", value(result, "contact_points")),
             number_text("%.0f", value(result, "awake")), number_text("%.2f", 1e3 * value(result, "max_penetration")),
             number_text("%.2f", 1e3 * value(result, "worst_penetration")),
             number_text("%.4g", value(result, "kinetic_energy")), result.at("hash")});
    }
    const int threads = workers->thread_count();
    deliver(arguments.json, Json{{"threads", threads}, {"steps", arguments.steps}, {"scenes", results}},
            "Steps on " + std::to_string(threads) + (threads == 1 ? " thread" : " threads") +
                "; stages are means.\n\n" + markdown_table(times) + '\n' + markdown_table(ends));
    return exit_success;
}

template <class Rows, class X>
std::vector<double> growth_of(const Rows& rows, X x) {
    std::vector<double> xs, source;
    std::vector<std::vector<double>> ours(algorithm_columns);
    for (const auto& row : rows) {
        xs.push_back(x(row));
        source.push_back(row.source);
        for (std::size_t i = 0; i < algorithm_columns; ++i) {
            ours[i].push_back(row.ours[i]);
        }
    }
    std::vector<double> growth{growth_exponent(xs, source)};
    for (const std::vector<double>& times : ours) {
        growth.push_back(growth_exponent(xs, times));
    }
    return growth;
}

Json times_json(double source, const std::vector<double>& ours) {
    Json json;
    json["source"] = source;
    for (std::size_t i = 0; i < algorithm_columns; ++i) {
        json[std::string(algorithm_column(i))] = ours[i];
    }
    return json;
}

void add_times(TableRow& row, double source, const std::vector<double>& ours) {
    row.push_back(time_text(source));
    for (const double time : ours) {
        row.push_back(time_text(time));
    }
    row.push_back(number_text("%.0f", source / ours.front()));
}

void add_growth(std::vector<TableRow>& rows, TableRow row, const std::vector<double>& growth) {
    for (const double exponent : growth) {
        row.push_back(number_text("%.2f", exponent));
    }
    rows.push_back(std::move(row));
}

TableRow with_algorithms(TableRow head) {
    head.emplace_back("source");
    for (std::size_t i = 0; i < algorithm_columns; ++i) {
        head.emplace_back(algorithm_column(i));
    }
    head.emplace_back("source / gjk_epa");
    return head;
}

int bench_source(const BenchArguments& arguments) {
    SourceTables tables;
    {
        Progress progress("measuring");
        tables = measure_source_tables(arguments.quick, [&progress](double share) { progress.show(share); });
    }
    Json json;
    json["wrong_answers"] = tables.wrong;
    json["queries"] = tables.queries;

    std::vector<TableRow> meshes{{"mesh", "vertices", "edges", "faces", "build us"}};
    for (const SourceTables::Mesh& mesh : tables.meshes) {
        meshes.push_back({mesh.name, std::to_string(mesh.vertices), std::to_string(mesh.edges),
                          std::to_string(mesh.faces), time_text(mesh.build)});
        json["meshes"].push_back(Json{{"name", mesh.name},
                                      {"vertices", mesh.vertices},
                                      {"edges", mesh.edges},
                                      {"faces", mesh.faces},
                                      {"build_microseconds", mesh.build}});
    }

    std::vector<TableRow> pairs{with_algorithms({"positive test, us", "vertices"})};
    for (const SourceTables::Pair& pair : tables.pairs) {
        TableRow row{pair.name, std::to_string(pair.vertices)};
        add_times(row, pair.source, pair.ours);
        pairs.push_back(std::move(row));
        json["pairs"].push_back(Json{
            {"pair", pair.name}, {"vertices", pair.vertices}, {"microseconds", times_json(pair.source, pair.ours)}});
    }
    const std::vector<double> pair_growth =
        growth_of(tables.pairs, [](const SourceTables::Pair& pair) { return static_cast<double>(pair.vertices); });
    add_growth(pairs, {"growth exponent", ""}, pair_growth);

    std::vector<TableRow> heaps{with_algorithms({"n of each in one place, ms", "shapes", "pairs"})};
    for (const SourceTables::Heap& heap : tables.heaps) {
        TableRow row{std::to_string(heap.n), std::to_string(heap.shapes), std::to_string(heap.pairs)};
        add_times(row, heap.source, heap.ours);
        heaps.push_back(std::move(row));
        json["in_one_place"].push_back(Json{{"n", heap.n},
                                            {"shapes", heap.shapes},
                                            {"pairs", heap.pairs},
                                            {"milliseconds", times_json(heap.source, heap.ours)}});
    }
    const std::vector<double> heap_growth =
        growth_of(tables.heaps, [](const SourceTables::Heap& heap) { return static_cast<double>(heap.n); });
    add_growth(heaps, {"growth exponent", "", ""}, heap_growth);

    const auto growth_json = [](const std::vector<double>& growth) {
        return times_json(growth.front(), {growth.begin() + 1, growth.end()});
    };
    json["growth"] = {{"pairs_over_vertices", growth_json(pair_growth)},
                      {"in_one_place_over_n", growth_json(heap_growth)}};

    std::string text = markdown_table(meshes) + '\n' + markdown_table(pairs) + '\n' + markdown_table(heaps) + '\n';
    text += std::to_string(tables.queries) + " queries of shapes that overlap, " + std::to_string(tables.wrong) +
            " answered otherwise\n";
    deliver(arguments.json, json, text);
    if (tables.wrong > 0) {
        std::fprintf(stderr, "%zu of %zu queries did not find the overlap\n", tables.wrong, tables.queries);
        return exit_check_failed;
    }
    return exit_success;
}

} // namespace

int run_bench(const BenchArguments& arguments) {
    check_writable(arguments.json);
    return arguments.source_tables ? bench_source(arguments) : bench_scenes(arguments);
}

} // namespace cairn::cli
